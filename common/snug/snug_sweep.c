/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/*
 * What is run through in one piece: up to PIECE entries, which stay in the cache, unless they
 * are slabs of SLAB entries or more. One by one those can leave out the rows between them.
 */
enum { PIECE = 4096, SLAB = 64 };

/*
 * Room for what dimension d leaves: one slab of the dimensions below as the table is largest,
 * or a piece.
 */
static size_t buffer_room(const struct mesh *mesh, int d, int64_t table)
{
	int64_t room = 1;

	for (int e = 0; e < (d ? d : 1); e++)
		room *= 2 * (int64_t)mesh->side[e] + 3;
	if (room < PIECE)
		room = PIECE;
	return (size_t)(room < table ? room : table);
}

int snug_sweep_init(struct snug_sweep *sweep, const struct mesh *mesh)
{
	memset(sweep, 0, sizeof(*sweep));
	sweep->mesh = mesh;
	if (sumtable_init(&sweep->free_sum, mesh) || sumtable_init(&sweep->weight_sum, mesh))
		return -1;
	sweep->open = malloc((size_t)sweep->free_sum.room * sizeof(*sweep->open));
	if (!sweep->open)
		return -1;
	for (int d = 0; d < mesh->ndims; d++) {
		size_t room = buffer_room(mesh, d, sweep->free_sum.room) * sizeof(uint32_t);

		sweep->count[d] = malloc(room);
		sweep->narrow[d] = malloc(room);
		sweep->face[d] = malloc(room);
		if (!sweep->count[d] || !sweep->narrow[d] || !sweep->face[d])
			return -1;
	}
	return 0;
}

void snug_sweep_release(struct snug_sweep *sweep)
{
	sumtable_release(&sweep->free_sum);
	sumtable_release(&sweep->weight_sum);
	free(sweep->open);
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(sweep->count[d]);
		free(sweep->narrow[d]);
		free(sweep->face[d]);
	}
	memset(sweep, 0, sizeof(*sweep));
}

static void build(struct snug_sweep *sweep)
{
	sumtable_build(&sweep->free_sum, sweep->nfree, sweep->reach);
	sumtable_build(&sweep->weight_sum, sweep->weight, sweep->reach);
}

void snug_sweep_load(struct snug_sweep *sweep, const uint32_t *nfree, const uint32_t *weight,
	const int *reach)
{
	sweep->nfree = nfree;
	sweep->weight = weight;
	memcpy(sweep->reach, reach, sizeof(sweep->reach));
	build(sweep);
}

/* Does the box close the ring? Then it has one base, and no face there. */
static bool closed(const struct mesh *mesh, int d, const struct snug_level *level)
{
	return mesh->wrap[d] && level->side[d] == mesh->side[d];
}

static int bases_along(const struct mesh *mesh, int d, const struct snug_level *level)
{
	if (closed(mesh, d, level))
		return 1;
	return mesh->wrap[d] ? mesh->side[d] : mesh->side[d] - level->side[d] + 1;
}

/* Set open[] of the block of bases low[d]..high[d]-1. */
static void fill_open(struct snug_sweep *sweep, const int *low, const int *high, uint32_t value)
{
	const int *stride = sweep->free_sum.stride;
	int ndims = sweep->mesh->ndims, at[MESH_MAX_DIMS], d;

	for (d = 0; d < ndims; d++)
		if (low[d] >= high[d])
			return;
	memcpy(at, low, sizeof(at));
	do {
		int64_t i = 0;

		for (d = 0; d < ndims; d++)
			i += (int64_t)at[d] * stride[d];
		for (int x = low[0]; x < high[0]; x++)
			sweep->open[i++] = value;
		for (d = 1; d < ndims && ++at[d] == high[d]; d++)
			at[d] = low[d];
	} while (d < ndims);
}

/* Entries of a table. */
static int64_t table_size(const struct snug_sweep *sweep)
{
	int top = sweep->mesh->ndims - 1;

	return (int64_t)sweep->free_sum.stride[top] * sweep->free_sum.extent[top];
}

/*
 * Longer boxes than the tables were built for, on a torus: true if they had to be built
 * again. Short tables are what makes the sweep of small boxes fast.
 */
static bool extend(struct snug_sweep *sweep, const struct snug_level *level)
{
	const struct mesh *mesh = sweep->mesh;
	bool longer = false;

	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && level->side[d] > sweep->reach[d]) {
			int reach = sweep->reach[d] + sweep->reach[d] / 2;

			sweep->reach[d] = reach > level->side[d] ? reach : level->side[d];
			longer = true;
		}
	if (longer)
		build(sweep);
	return longer;
}

/* The base number of a row of bases, counted through. */
static int64_t row_number(const struct snug_sweep *sweep, const int *stride, int64_t row)
{
	int64_t at = 0;

	for (int d = 1; d < sweep->mesh->ndims; d++) {
		at += row % sweep->bases[d] * stride[d];
		row /= sweep->bases[d];
	}
	return at;
}

/* open[] with the strides that the tables have now, from those that they had. */
static void move_open(struct snug_sweep *sweep, const int *old)
{
	int64_t rows = 1, n = sweep->bases[0], end = table_size(sweep);
	uint32_t *open = sweep->open;

	for (int d = 1; d < sweep->mesh->ndims; d++)
		rows *= sweep->bases[d];
	/* Rows only move up, so the last goes first. */
	for (int64_t row = rows; row-- > 0;) {
		int64_t to = row_number(sweep, sweep->free_sum.stride, row);

		memmove(open + to, open + row_number(sweep, old, row), (size_t)n * sizeof(*open));
		memset(open + to + n, 0, (size_t)(end - to - n) * sizeof(*open));
		end = to;
	}
}

void snug_sweep_open(struct snug_sweep *sweep, const struct snug_level *level)
{
	const struct mesh *mesh = sweep->mesh;
	int low[MESH_MAX_DIMS] = {0};
	int64_t last = 0;

	extend(sweep, level);
	for (int d = 0; d < mesh->ndims; d++) {
		sweep->bases[d] = bases_along(mesh, d, level);
		last += (sweep->bases[d] - 1) * (int64_t)sweep->free_sum.stride[d];
	}
	memset(sweep->open, 0, (size_t)(last + 1) * sizeof(*sweep->open));
	fill_open(sweep, low, sweep->bases, UINT32_MAX);
}

/* Offsets of low, high, wide low and wide high from base number i: entries begin at -1. */
static void offsets_of(const struct snug_sweep *sweep, int d, int64_t *offset)
{
	int64_t stride = sweep->free_sum.stride[d];
	int side = sweep->level->side[d];
	bool ring = closed(sweep->mesh, d, sweep->level);

	offset[0] = stride;
	offset[1] = (side + 1) * stride;
	offset[2] = ring ? offset[0] : 0;
	offset[3] = ring ? offset[1] : (side + 2) * stride;
}

/*
 * Entries that this level needs of dimensions 0..d, when those from `done` on are only bases
 * any more, and the others still coordinates.
 */
static int64_t entries(const struct snug_sweep *sweep, int d, int done)
{
	int coordinates = done <= d ? done : d + 1;

	return 1 + sweep->last_base[d] + (done ? sweep->margin[coordinates - 1] : 0);
}

/* What these two look up: both are sums over the dimensions 0..d. */
static void measure_level(struct snug_sweep *sweep)
{
	int64_t last = 0, margin = 0;

	for (int d = 0; d < sweep->mesh->ndims; d++) {
		int64_t stride = sweep->free_sum.stride[d];

		offsets_of(sweep, d, sweep->offset[d]);
		sweep->last_base[d] = last += (sweep->bases[d] - 1) * stride;
		sweep->margin[d] = margin += (sweep->level->side[d] + 2) * stride;
	}
}

void snug_sweep_level(struct snug_sweep *sweep, const struct snug_level *level)
{
	const struct mesh *mesh = sweep->mesh;
	int old[MESH_MAX_DIMS];

	memcpy(old, sweep->free_sum.stride, sizeof(old));
	if (extend(sweep, level))
		move_open(sweep, old);
	sweep->level = level;
	for (int d = 0; d < mesh->ndims; d++) {
		int low[MESH_MAX_DIMS] = {0}, high[MESH_MAX_DIMS];
		int bases = bases_along(mesh, d, level);

		if (bases == sweep->bases[d])
			continue;
		memcpy(high, sweep->bases, sizeof(high));
		low[d] = bases;
		fill_open(sweep, low, high, 0);
		sweep->bases[d] = bases;
	}
	measure_level(sweep);
}

/* to[i] = from[i + high] - from[i + low] */
MESH_VECTORISE static void difference(uint32_t *restrict to, const uint32_t *restrict from,
	int64_t low, int64_t high, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = from[i + high] - from[i + low];
}

/* Narrow and face of one more dimension, both from the table: there is no face before. */
MESH_VECTORISE static void first_faces(uint32_t *restrict narrow, uint32_t *restrict face,
	const uint32_t *restrict from, const int64_t *offset, int64_t n)
{
	int64_t low = offset[0], high = offset[1], wide_low = offset[2], wide_high = offset[3];

	for (int64_t i = 0; i < n; i++) {
		narrow[i] = from[i + high] - from[i + low];
		face[i] = from[i + wide_high] - from[i + wide_low] - narrow[i];
	}
}

MESH_VECTORISE static void next_faces(uint32_t *restrict narrow, uint32_t *restrict face,
	const uint32_t *restrict from, const uint32_t *restrict from_face, const int64_t *offset,
	int64_t n)
{
	int64_t low = offset[0], high = offset[1], wide_low = offset[2], wide_high = offset[3];

	for (int64_t i = 0; i < n; i++) {
		narrow[i] = from[i + high] - from[i + low];
		face[i] = from_face[i + high] - from_face[i + low] + from[i + wide_high] -
			from[i + wide_low] - narrow[i];
	}
}

/* The faces alone, of the last dimension. */
MESH_VECTORISE static void last_faces(uint32_t *restrict face, const uint32_t *restrict from,
	const uint32_t *restrict from_face, const int64_t *offset, int64_t n)
{
	int64_t low = offset[0], high = offset[1], wide_low = offset[2], wide_high = offset[3];

	for (int64_t i = 0; i < n; i++)
		face[i] = from_face[i + high] - from_face[i + low] + from[i + wide_high] -
			from[i + wide_low] - (from[i + high] - from[i + low]);
}

/* As difference(), and how many bases are open, and how many of them have enough. */
MESH_VECTORISE static int count_hits(uint32_t *restrict to, const uint32_t *restrict from,
	const uint32_t *restrict open, const int64_t *offset, int32_t want, int n, int *nopen)
{
	int64_t low = offset[0], high = offset[1];
	int hits = 0, all = 0;

	for (int i = 0; i < n; i++) {
		to[i] = from[i + high] - from[i + low];
		hits += (int32_t)(to[i] & open[i]) >= want;
		all += (int)(open[i] & 1);
	}
	*nopen += all;
	return hits;
}

struct walk {
	struct snug_sweep *sweep;
	uint32_t want;
	snug_take *take;
	void *data;
	/* What the slab of each dimension is made from, and whether its faces have been: */
	const uint32_t *narrow[MESH_MAX_DIMS], *face[MESH_MAX_DIMS];
	bool faced[MESH_MAX_DIMS];
};

/* The faces of one dimension more, n entries. */
static void add_faces(struct snug_sweep *sweep, int d, const uint32_t *narrow,
	const uint32_t *face, int64_t n)
{
	const int64_t *offset = sweep->offset[d];

	if (face && d == 0)
		last_faces(sweep->face[0], narrow, face, offset, n);
	else if (face)
		next_faces(sweep->narrow[d], sweep->face[d], narrow, face, offset, n);
	else
		first_faces(sweep->narrow[d], sweep->face[d], narrow, offset, n);
}

/* Faces of the slabs that the walk is in, dimensions d and above, where they are not yet. */
static void face_slabs(struct walk *walk, int d)
{
	struct snug_sweep *sweep = walk->sweep;

	if (d >= sweep->mesh->ndims || walk->faced[d])
		return;
	face_slabs(walk, d + 1);
	add_faces(sweep, d, walk->narrow[d], walk->face[d], entries(sweep, d - 1, d));
	walk->faced[d] = true;
}

/* A piece: dimensions 0..d at once, from the table or what those above have left of it. */
struct source {
	const uint32_t *count, *narrow, *face;
	int64_t first; /* base number of entry 0 */
};

static bool one_piece(struct walk *walk, int d, const struct source *source)
{
	struct snug_sweep *sweep = walk->sweep;
	const uint32_t *count = source->count, *narrow = source->narrow, *face = source->face;
	struct snug_run run;

	for (int e = d; e > 0; e--) {
		difference(sweep->count[e], count, sweep->offset[e][0], sweep->offset[e][1],
			entries(sweep, d, e));
		count = sweep->count[e];
	}
	run = (struct snug_run){source->first, (int)entries(sweep, d, 0), sweep->count[0],
		sweep->face[0], sweep->open + source->first};
	if (!count_hits(sweep->count[0], count, run.open, sweep->offset[0], (int32_t)walk->want,
		    run.n, &sweep->nopen))
		return true;
	face_slabs(walk, d + 1);
	for (int e = d; e >= 0; e--) {
		add_faces(sweep, e, narrow, face, entries(sweep, d, e));
		narrow = sweep->narrow[e];
		face = sweep->face[e];
	}
	return walk->take(walk->data, &run);
}

/* Dimension d coordinate by coordinate, while what is below is too large for one piece. */
static bool walk_down(struct walk *walk, int d, const struct source *source)
{
	struct snug_sweep *sweep = walk->sweep;
	const int64_t *offset;
	int64_t slab;

	if (d < 1)
		return one_piece(walk, 0, source);
	slab = sweep->free_sum.stride[d];
	offset = sweep->offset[d];
	if (slab < SLAB && entries(sweep, d, d + 1) <= PIECE)
		return one_piece(walk, d, source);
	for (int c = 0; c < sweep->bases[d]; c++) {
		int64_t at = c * slab;
		struct source below = {sweep->count[d], sweep->narrow[d], sweep->face[d],
			source->first + at};

		difference(sweep->count[d], source->count + at, offset[0], offset[1],
			entries(sweep, d - 1, d));
		walk->narrow[d] = source->narrow + at;
		walk->face[d] = source->face ? source->face + at : NULL;
		walk->faced[d] = false;
		if (!walk_down(walk, d - 1, &below))
			return false;
	}
	return true;
}

bool snug_sweep_runs(struct snug_sweep *sweep, uint32_t want, snug_take *take, void *data)
{
	struct walk walk = {.sweep = sweep, .want = want, .take = take, .data = data};
	struct source all = {sweep->free_sum.sum, sweep->weight_sum.sum, NULL, 0};

	sweep->nopen = 0;
	return walk_down(&walk, sweep->mesh->ndims - 1, &all);
}

void snug_sweep_base(const struct snug_sweep *sweep, int64_t number, int *base)
{
	for (int d = sweep->mesh->ndims - 1; d > 0; d--) {
		base[d] = (int)(number / sweep->free_sum.stride[d]);
		number -= (int64_t)base[d] * sweep->free_sum.stride[d];
	}
	base[0] = (int)number;
}
