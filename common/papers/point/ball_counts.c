/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/ball_counts.h"

#include <string.h>

#include "base/simd.h"

#define CHUNK 16 /* counts a vector */
/* One set for each dimension from the first on; and for each slice a chain of sets of the
 * dimensions that follow. */
#define SETS_MOST (MESH_MAX_DIMS * (MESH_MAX_DIMS + 1) / 2 + MESH_MAX_DIMS)
#define COUNT_MOST 65535
/* Vectors of free nodes begin before the first row, and end behind the last one. */
#define SPARE 32

struct ball_counts_set {
	int base; /* the set of balls without the last dimension; -1: the vertices themselves */
	int dim;  /* the last dimension */
	int kept; /* radii that are kept: all, or the last three */
	uint16_t *ball; /* [kept][size] */
};

static size_t whole_chunks(size_t n)
{
	return (n + CHUNK - 1) / CHUNK * CHUNK;
}

static int nrows(const struct mesh *mesh)
{
	return mesh->nvertices / mesh->side[0];
}

static size_t narrow_pitch(const struct mesh *mesh)
{
	return whole_chunks((size_t)mesh->side[0]);
}

/* All vertices, in narrow rows. */
static size_t narrow_size(const struct mesh *mesh)
{
	return (size_t)nrows(mesh) * narrow_pitch(mesh);
}

static size_t wide_pitch(const struct ball_counts *balls)
{
	return whole_chunks((size_t)(balls->mesh->side[0] + balls->below + balls->above));
}

static size_t weight_pitch(const struct ball_counts *balls)
{
	return (size_t)(balls->mesh->side[0] + 2 * balls->wide);
}

/* The last row may be read past its end. */
static size_t wide_size(const struct ball_counts *balls)
{
	return (size_t)nrows(balls->mesh) * wide_pitch(balls) + 2 * BALL_COUNTS_MARGIN;
}

/* ---- memory ---- */

/* Room for n counts and one vector more, as the last row may be read past its end. */
static uint16_t *counts(struct arena *arena, size_t n)
{
	return arena_get(arena, (int64_t)whole_chunks(n) + CHUNK, sizeof(uint16_t));
}

/*
 * The nodes of a ball in an endless mesh, or of a slice through its centre; at most COUNT_MOST +
 * 1.
 */
static int ball_nodes(const struct mesh *mesh, int radius, bool slice)
{
	double volume[BALL_COUNTS_MOST];
	double nodes;

	for (int r = 0; r <= radius; r++)
		volume[r] = 1;
	for (int d = slice; d < mesh->ndims; d++)
		for (int r = radius; r >= 0; r--)
			for (int j = 0; mesh->side[d] > 1 && j < r; j++)
				volume[r] += 2 * volume[j];
	nodes = volume[radius] * mesh->nodes_per_vertex;
	nodes = nodes < mesh->nnodes ? nodes : mesh->nnodes;
	return nodes <= COUNT_MOST ? (int)nodes : COUNT_MOST + 1;
}

static int most_radii(const struct mesh *mesh)
{
	int bytes =
		mesh->nvertices <= BALL_COUNTS_SMALL ? BALL_COUNTS_BYTES : BALL_COUNTS_BYTES_LARGE;
	int room = bytes / (2 * (mesh->ndims + 1)), hops = 0, most = 1;
	bool slices = mesh->ndims > 1; /* a slice across a side of 1 is the ball */

	for (int d = 0; d < mesh->ndims; d++)
		slices &= mesh->side[d] > 1;
	for (int d = 0; d < mesh->ndims; d++)
		hops += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	while (most < room && most <= hops && ball_nodes(mesh, most, slices) <= COUNT_MOST)
		most++;
	return most;
}

static int add_set(struct ball_counts *balls, int base, int dim)
{
	struct ball_counts_set *set = &balls->set[balls->nsets];

	set->base = base;
	set->dim = dim;
	set->kept = 3;
	/* A ring needs slices whose radius is less by half of its length. */
	if (base >= 0 && balls->mesh->wrap[dim])
		balls->set[base].kept = balls->most;
	return balls->nsets++;
}

/*
 * Plan sets of balls of more and more dimensions, and from each of them the slices across the next
 * one.
 */
static void plan_sets(struct ball_counts *balls, int *slice)
{
	const struct mesh *mesh = balls->mesh;
	int first = -1;

	for (int d = 0; d < mesh->ndims; d++) {
		slice[d] = first;
		for (int e = d + 1; e < mesh->ndims; e++)
			slice[d] = add_set(balls, slice[d], e);
		if (slice[d] >= 0 && d)
			balls->set[slice[d]].kept = balls->most;
		first = add_set(balls, first, d);
	}
	balls->whole = first;
	balls->set[first].kept = balls->most;
}

static void set_views(struct ball_counts *balls, const int *slice)
{
	const struct mesh *mesh = balls->mesh;
	size_t pitch = narrow_pitch(mesh), size = narrow_size(mesh);

	balls->ball = (struct ball_counts_view){balls->set[balls->whole].ball, pitch, size};
	for (int d = 1; d < mesh->ndims; d++)
		balls->slice[d] = (struct ball_counts_view){balls->set[slice[d]].ball, pitch, size};
	balls->slice[0] = (struct ball_counts_view){balls->wide_slices + balls->below,
		wide_pitch(balls), wide_size(balls)};
	balls->weight = (struct ball_counts_view){
		balls->wide_weight + SPARE + balls->wide, weight_pitch(balls), 0};
}

/*
 * Vectors of a line's slices begin or end outside of it; a ring's continue as far as slices reach.
 */
static void set_halos(struct ball_counts *balls, int half)
{
	const struct mesh *mesh = balls->mesh;

	balls->below = balls->above = BALL_COUNTS_MARGIN;
	if (!mesh->wrap[0])
		return;
	/* Shells of any radius are looked up, but slices only of the radii kept. */
	balls->below = half < balls->most ? half : balls->most;
	balls->above = (int)narrow_pitch(mesh) - mesh->side[0] + balls->below;
}

int ball_counts_init(struct ball_counts *balls, const struct mesh *mesh, struct arena *arena)
{
	int slice[MESH_MAX_DIMS], side = mesh->side[0], reach;
	size_t size = narrow_size(mesh);

	*balls = (struct ball_counts){.mesh = mesh, .grid = *mesh, .most = most_radii(mesh)};
	while (balls->whole_to < balls->most &&
		ball_nodes(mesh, balls->whole_to, false) <= COUNT_MOST)
		balls->whole_to++;
	/* Rows are longer by what continues at both ends. */
	reach = mesh->wrap[0] ? side / 2 : side < balls->most ? side : balls->most;
	set_halos(balls, reach);
	if (!arena_array(arena, balls->set, SETS_MOST))
		return -1;
	plan_sets(balls, slice);
	for (int i = 0; i < balls->nsets; i++)
		balls->set[i].ball = counts(arena, (size_t)balls->set[i].kept * size);
	balls->narrow = counts(arena, size);
	balls->nothing = counts(arena, size);
	balls->wide_slices = counts(arena, (size_t)balls->most * wide_size(balls));
	balls->wide = BALL_COUNTS_MARGIN + reach;
	balls->wide_weight = counts(arena, (size_t)nrows(mesh) * weight_pitch(balls) + 2 * SPARE);
	if (arena->out)
		return -1;
	balls->first = mesh->ndims > 1 ? slice[0] : -1;
	set_views(balls, slice);
	return 0;
}

/* ---- rows that continue at both ends ---- */

/* Continue a row around the ring on both sides. Beyond a line there is nothing to write. */
static void widen_ring(const struct ball_counts *balls, uint16_t *to)
{
	int side = balls->grid.side[0], below = balls->below, above = balls->above;

	memcpy(to - below, to + side - below, (size_t)below * sizeof(*to));
	for (int i = 0; i < above; i += side)
		memcpy(to + side + i, to,
			(size_t)(above - i < side ? above - i : side) * sizeof(*to));
}

static void widen(const struct ball_counts *balls, const uint16_t *from, uint16_t *to)
{
	size_t pitch = narrow_pitch(&balls->grid), wide = wide_pitch(balls);

	to += balls->below;
	for (int row = 0; row < nrows(&balls->grid); row++, from += pitch, to += wide) {
		for (size_t x = 0; x < pitch; x += CHUNK)
			memcpy(to + x, from + x, CHUNK * sizeof(*to));
		if (balls->grid.wrap[0])
			widen_ring(balls, to);
	}
}

/* Load free nodes, row by row with both ends. The ends of a line stay 0. */
static void load_weight(struct ball_counts *balls)
{
	int side = balls->grid.side[0], wide = balls->wide;

	for (int row = 0; row < nrows(&balls->grid); row++) {
		uint16_t *to = balls->wide_weight + SPARE + wide +
			(size_t)row * weight_pitch(balls);

		memcpy(to, balls->narrow + (size_t)row * narrow_pitch(&balls->grid),
			(size_t)side * sizeof(*to));
		for (int i = 0; balls->grid.wrap[0] && i < wide; i++)
			to[side + i] = to[i];
		for (int i = 1; balls->grid.wrap[0] && i <= wide; i++)
			to[-i] = to[side - i];
	}
}

/* Set the grid to the rows of the mesh from low[] to high[]. */
static void set_grid(struct ball_counts *balls, const int *low, const int *high)
{
	struct mesh *grid = &balls->grid;

	grid->nvertices = 1;
	for (int d = 0; d < grid->ndims; d++) {
		bool whole = !d || grid->wrap[d];

		balls->corner[d] = whole ? 0 : low[d];
		grid->side[d] = whole ? balls->mesh->side[d] : high[d] - low[d] + 1;
		grid->stride[d] = grid->nvertices;
		grid->nvertices *= grid->side[d];
	}
}

int ball_counts_vertex(const struct ball_counts *balls, int row)
{
	int v = 0;

	for (int d = 1; d < balls->grid.ndims; d++) {
		v += (balls->corner[d] + row % balls->grid.side[d]) * balls->mesh->stride[d];
		row /= balls->grid.side[d];
	}
	return v;
}

void ball_counts_load(
	struct ball_counts *balls, const int *weight, const int *low, const int *high)
{
	size_t pitch = narrow_pitch(balls->mesh);

	set_grid(balls, low, high);
	for (int row = 0; row < nrows(&balls->grid); row++) {
		const int *from = weight + ball_counts_vertex(balls, row);

		for (int x = 0; x < balls->mesh->side[0]; x++)
			balls->narrow[(size_t)row * pitch + (size_t)x] = (uint16_t)from[x];
	}
	load_weight(balls);
	balls->n = 0;
}

/* ---- one more radius ---- */

MESH_VECTORISE
static void grow_row(uint16_t *restrict to, const uint16_t *restrict before,
	const uint16_t *restrict left, const uint16_t *restrict right, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint16_t)(before[i] + left[i] + right[i]);
}

/* Grow intervals along dimension 0. */
static void grow_rows(
	const struct ball_counts *balls, const uint16_t *before, uint16_t *to, int radius)
{
	const struct mesh *mesh = &balls->grid;
	size_t pitch = narrow_pitch(mesh);
	int side = mesh->side[0];
	bool both = !mesh->wrap[0] || 2 * radius < side;
	bool whole = mesh->wrap[0] ? 2 * radius > side : radius >= side;

	if (!radius || whole) {
		memcpy(to, radius ? before : balls->narrow, narrow_size(mesh) * sizeof(*to));
		return;
	}
	for (int row = 0; row < nrows(mesh); row++) {
		const uint16_t *at = balls->weight.at + (size_t)row * balls->weight.pitch;

		grow_row(to + (size_t)row * pitch, before + (size_t)row * pitch, at - radius,
			both ? at + radius : balls->nothing, pitch);
	}
}

/* The balls and slices that make a radius, see ball_counts.h. */
struct parts {
	const uint16_t *slice, *before; /* slice: of this radius; before: of this radius less two */
	const uint16_t *ahead, *behind, *ball;
};

MESH_VECTORISE
static void add(uint16_t *restrict to, const struct parts *from, size_t n)
{
	const uint16_t *slice = from->slice, *before = from->before;
	const uint16_t *ahead = from->ahead, *behind = from->behind, *ball = from->ball;

	for (size_t i = 0; i < n; i++)
		to[i] = (uint16_t)(ahead[i] + behind[i] - ball[i] + slice[i] - before[i]);
}

MESH_VECTORISE
static void add_difference(uint16_t *restrict to, const uint16_t *restrict more,
	const uint16_t *restrict less, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint16_t)(to[i] + more[i] - less[i]);
}

/* A set's balls of a radius. -1: the vertices. */
static const uint16_t *balls_of(const struct ball_counts *balls, int set, int radius)
{
	if (radius < 0)
		return balls->nothing;
	if (set < 0)
		return balls->narrow;
	return balls->set[set].ball +
		(size_t)(radius % balls->set[set].kept) * narrow_size(balls->mesh);
}

/* One set's step to a radius at one place of the dimensions beyond it, which begins at `at`. */
struct growth {
	const struct ball_counts *balls;
	int set, radius;
	size_t at, slice; /* slice: vertices at one coordinate of the set's dimension */
	uint16_t *to;
};

/* As many of these slices as follow each other, from coordinate q on. */
static void add_slices(const struct growth *g, int q, int n)
{
	const struct ball_counts *balls = g->balls;
	const struct ball_counts_set *set = &balls->set[g->set];
	int side = balls->grid.side[set->dim];
	bool ring = balls->grid.wrap[set->dim], inside = q && q < side - 1;
	size_t at = g->at + (size_t)q * g->slice;
	const uint16_t *near = balls_of(balls, g->set, g->radius - 1) + g->at;
	struct parts parts = {
		.slice = balls_of(balls, set->base, g->radius) + at,
		.before = balls_of(balls, set->base, g->radius - 2) + at,
		.ahead = balls->nothing, .behind = balls->nothing, .ball = balls->nothing,
	};

	if (q < side - 1 || ring)
		parts.ahead = near + (size_t)((q + 1) % side) * g->slice;
	if (q || ring)
		parts.behind = near + (size_t)((q + side - 1) % side) * g->slice;
	if (inside || ring)
		parts.ball = balls_of(balls, g->set, g->radius - 2) + at;
	add(g->to + at, &parts, (size_t)n * g->slice);
}

/*
 * Add the slices of radius `more` that are `ahead` coordinates further around a ring, and subtract
 * those of radius `less`.
 */
static void mend(const struct growth *g, int ahead, int more, int less)
{
	const struct ball_counts *balls = g->balls;
	const struct ball_counts_set *set = &balls->set[g->set];
	size_t begin = (size_t)ahead * g->slice;
	size_t rest = (size_t)balls->grid.side[set->dim] * g->slice - begin;
	const uint16_t *plus = balls_of(balls, set->base, more) + g->at;
	const uint16_t *minus = balls_of(balls, set->base, less) + g->at;

	add_difference(g->to + g->at, plus + begin, minus + begin, rest);
	add_difference(g->to + g->at + rest, plus, minus, begin);
}

/* Halves of a ball end side/2 steps away, where the sum of two balls goes on. */
static void mend_ring(const struct growth *g)
{
	int side = g->balls->grid.side[g->balls->set[g->set].dim], half = side / 2;
	int odd = side % 2, beyond = g->radius - half;

	if (beyond < odd)
		return;
	mend(g, half, beyond - 2, beyond - odd);
	if (odd)
		mend(g, half + 1, beyond - 2, beyond - 1);
}

static void grow(const struct ball_counts *balls, int number, int radius)
{
	const struct mesh *mesh = &balls->grid;
	const struct ball_counts_set *set = &balls->set[number];
	int side = mesh->side[set->dim];
	struct growth g = {balls, number, radius, 0,
		(size_t)(mesh->stride[set->dim] / mesh->side[0]) * narrow_pitch(mesh),
		set->ball + (size_t)(radius % set->kept) * narrow_size(balls->mesh)};

	if (!set->dim) {
		grow_rows(balls, balls_of(balls, number, radius - 1), g.to, radius);
		return;
	}
	if (side == 1 || !radius) {
		memcpy(g.to, balls_of(balls, set->base, radius),
			narrow_size(mesh) * sizeof(*g.to));
		return;
	}
	for (; g.at < narrow_size(mesh); g.at += (size_t)side * g.slice) {
		/* The first slice; those in the middle at once; the last one. */
		add_slices(&g, 0, 1);
		if (side > 2)
			add_slices(&g, 1, side - 2);
		add_slices(&g, side - 1, 1);
		if (mesh->wrap[set->dim])
			mend_ring(&g);
	}
}

void ball_counts_extend(struct ball_counts *balls, int radius)
{
	for (; balls->n <= radius && balls->n < balls->most; balls->n++) {
		int r = balls->n;

		for (int i = 0; i < balls->nsets; i++)
			grow(balls, i, r);
		widen(balls, balls_of(balls, balls->first, r),
			balls->wide_slices + (size_t)r * balls->slice[0].size);
	}
}
