/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/ball.h"

#include <string.h>

#include "base/simd.h"

static void init_corners(struct ball_space *space, struct arena *arena)
{
	const struct mesh *mesh = space->mesh;

	space->ncorners = 1;
	for (int d = 1; d < mesh->ndims; d++) {
		space->corner_stride[d] = mesh->side[d] > 1 ? space->ncorners : 0;
		space->ncorners *= mesh->side[d] > 1 ? mesh->side[d] + 1 : 1;
	}
	arena_array(arena, space->corner, (int64_t)space->ncorners * space->pitch);
}

int ball_init(
	struct ball_space *space, const struct mesh *mesh, bool boxes, struct arena *arena)
{
	int longest = 1, x = mesh->side[0];

	*space = (struct ball_space){
		.mesh = mesh, .nrows = mesh->nvertices / x, .pitch = 3 * x + 1};
	/* Vectors, and batches of centres, may read past the last row. */
	arena_array(arena, space->weight, mesh->nvertices + BALL_CENTRES);
	arena_array(arena, space->along, (int64_t)space->nrows * space->pitch + BALL_CENTRES);
	arena_array(arena, space->near, space->nrows);
	arena_array(arena, space->spare, space->nrows);
	for (int d = 1; d < mesh->ndims; d++)
		longest = mesh->side[d] > longest ? mesh->side[d] : longest;
	arena_array(arena, space->line, longest);
	if (boxes)
		init_corners(space, arena);
	return arena->out ? -1 : 0;
}

void ball_hops(struct ball_space *space)
{
	space->boxes = false;
	memset(space->below, 0, sizeof(space->below));
	memset(space->above, 0, sizeof(space->above));
	space->cap = -1; /* rows listed for the other kind of ball are not near any more */
}

void ball_boxes(struct ball_space *space, const int *below, const int *above)
{
	ball_hops(space);
	space->boxes = true;
	for (int d = 0; d < space->mesh->ndims; d++) {
		space->below[d] = below[d];
		space->above[d] = above[d];
	}
}

/*
 * Row by row: sums before x. They go on around a ring on both sides, and are level beyond a line.
 */
static void load_along(struct ball_space *space)
{
	int x = space->mesh->side[0];
	bool wrap = space->mesh->wrap[0];

	for (int row = 0; row < space->nrows; row++) {
		const int *weight = space->weight + (size_t)row * (size_t)x;
		int *sum = space->along + (size_t)row * (size_t)space->pitch, before = 0;

		for (int i = 0; i < x; i++) {
			sum[x + i] = before;
			before += weight[i];
		}
		/* Before a line there is nothing. */
		for (int i = 0; wrap && i < x; i++) {
			sum[i] = sum[x + i] - before;
			sum[2 * x + i] = sum[x + i] + before;
		}
		for (int i = 0; !wrap && i < x; i++)
			sum[2 * x + i] = before;
		sum[3 * x] = wrap ? 2 * before : before;
	}
}

MESH_VECTORISE
static void add_row(int *restrict to, const int *restrict row, int n)
{
	for (int i = 0; i < n; i++)
		to[i] += row[i];
}

/* Put the rows at their corners, one further along each dimension, and sum up along each. */
static void load_corners(struct ball_space *space)
{
	const struct mesh *mesh = space->mesh;
	size_t pitch = (size_t)space->pitch;

	memset(space->corner, 0, (size_t)space->ncorners * pitch * sizeof(int));
	for (int row = 0; row < space->nrows; row++) {
		const int16_t *coord = mesh->coord[(size_t)row * (size_t)mesh->side[0]];
		size_t at = 0;

		for (int d = 1; d < mesh->ndims; d++)
			at += (size_t)(coord[d] + 1) * (size_t)space->corner_stride[d];
		memcpy(space->corner + at * pitch, space->along + (size_t)row * pitch,
			pitch * sizeof(int));
	}
	for (int d = 1; d < mesh->ndims; d++) {
		size_t stride = (size_t)space->corner_stride[d], n = (size_t)space->ncorners;

		for (size_t c = stride; stride && c < n; c++)
			if (c / stride % ((size_t)mesh->side[d] + 1))
				add_row(space->corner + c * pitch,
					space->corner + (c - stride) * pitch, space->pitch);
	}
}

void ball_load(struct ball_space *space, const struct nodeset *free_set,
	const struct nodeset *except)
{
	const struct mesh *mesh = space->mesh;

	memset(space->weight, 0, (size_t)mesh->nvertices * sizeof(int));
	space->total = 0;
	for (int w = 0; w < nodeset_words(free_set->n); w++)
		for (uint64_t bits = free_set->word[w] & ~(except ? except->word[w] : 0); bits;
			bits &= bits - 1) {
			space->weight[mesh->vertex_of[w * 64 + __builtin_ctzll(bits)]]++;
			space->total++;
		}
	load_along(space);
	if (space->corner)
		load_corners(space);
}

int ball_axis(const struct ball_space *space, int d, int c, int q)
{
	const struct mesh *mesh = space->mesh;
	int up, down;

	if (!space->boxes)
		return mesh_axis_hops(mesh, d, c, q);
	up = q - c;
	down = c - q;
	if (mesh->wrap[d]) {
		up += up < 0 ? mesh->side[d] : 0;
		down = up ? mesh->side[d] - up : 0;
	} else if (up < 0) {
		up = INT16_MAX;
	} else if (up > 0) {
		down = INT16_MAX;
	}
	up -= space->above[d];
	down -= space->below[d];
	up = up < down ? up : down;
	return up > 0 ? up : 0;
}

static int join(const struct ball_space *space, int a, int b)
{
	if (!space->boxes)
		return a + b;
	return a > b ? a : b;
}

/* List the coordinates of a dimension within cap, ascending, as rows. Returns how many. */
static int list_line(const struct ball_space *space, int d, struct ball_near *line)
{
	const struct mesh *mesh = space->mesh;
	int side = mesh->side[d], centre = space->centre[d],
	    stride = mesh->stride[d] / mesh->side[0];
	int first = centre - space->cap - space->below[d];
	int last = centre + space->cap + space->above[d], start, n = 0;

	if (!mesh->wrap[d] || last - first + 1 >= side) {
		first = first < 0 || mesh->wrap[d] ? 0 : first;
		last = last >= side || mesh->wrap[d] ? side - 1 : last;
	}
	/* Where the range crosses the end of a ring, the part beyond the end comes first. */
	start = first < 0 ? 0 : last >= side ? side : first;
	for (int left = last - first + 1, at = start; left > 0;
		left--, at = at < last ? at + 1 : first) {
		int q = at < 0 ? at + side : at >= side ? at - side : at;

		line[n] = (struct ball_near){q * stride, ball_axis(space, d, centre, q)};
		n += line[n].used <= space->cap;
	}
	return n;
}

/* List all combinations of coordinates within cap, without the first dimension, ascending. */
static int list_near(struct ball_space *space)
{
	struct ball_near *to = space->near, *old = space->spare, *line = space->line;
	int n = 1;

	to[0] = (struct ball_near){0};
	/* The highest dimension first, so that the lowest one varies fastest. */
	for (int d = space->mesh->ndims - 1; d > 0; d--) {
		int made = 0, nline = list_line(space, d, line);

		memcpy(old, to, (size_t)n * sizeof(*old));
		for (int i = 0; i < n; i++)
			for (int j = 0; j < nline; j++) {
				int used = join(space, old[i].used, line[j].used);

				if (used <= space->cap)
					to[made++] =
						(struct ball_near){old[i].row + line[j].row, used};
			}
		n = made;
	}
	return n;
}

void ball_row(struct ball_space *space, int row, int cap)
{
	space->row = row;
	space->centre = space->mesh->coord[(size_t)row * (size_t)space->mesh->side[0]];
	space->cap = cap;
	space->nnear = list_near(space);
}

struct window { /* coordinates c-low .. c+high */
	int low, high;
};

/* How far a ball reaches along a dimension if `used` of its radius is used up; false: nowhere. */
static bool find_window(
	const struct ball_space *space, int d, int radius, int used, struct window *w)
{
	int n = space->mesh->side[d], left = space->boxes ? radius : radius - used;

	if (used > radius)
		return false;
	w->low = space->below[d] + left;
	w->high = space->above[d] + left;
	if (space->mesh->wrap[d] && w->low + w->high + 1 >= n) {
		w->low = n / 2;
		w->high = n - 1 - w->low;
	}
	w->low = w->low < n ? w->low : n;
	w->high = w->high < n ? w->high : n - 1;
	return true;
}

MESH_VECTORISE
static void add_difference(int *restrict to, const int *restrict high, const int *restrict low,
	int n)
{
	for (int i = 0; i < n; i++)
		to[i] += high[i] - low[i];
}

/*
 * The coordinates before which to take sums: the first is added, the next subtracted, a third
 * added.
 */
static int ends(const struct ball_space *space, int d, int radius, int *end)
{
	int side = space->mesh->side[d], low, high;
	struct window w;

	find_window(space, d, radius, 0, &w);
	low = space->centre[d] - w.low;
	high = space->centre[d] + w.high + 1;
	if (!space->mesh->wrap[d]) {
		end[0] = high < side ? high : side;
		end[1] = low > 0 ? low : 0;
	} else if (low < 0 || high > side) {
		end[0] = side;
		end[1] = low < 0 ? low + side : low;
		end[2] = low < 0 ? high : high - side;
		return 3;
	} else {
		end[0] = high;
		end[1] = low;
	}
	return end[1] ? 2 : 1; /* nothing is before 0 */
}

static void count_box(const struct ball_space *space, int radius, int x, int n, int *count)
{
	struct window w;
	size_t at[1 << 8];
	bool minus[1 << 8];
	int corners = 1;

	at[0] = 0;
	minus[0] = false;
	for (int d = 1; d < space->mesh->ndims; d++) {
		int end[3], nends;
		size_t stride = (size_t)space->corner_stride[d];

		if (!stride)
			continue;
		nends = ends(space, d, radius, end);
		/* From the last one, so that each makes room for what it becomes. */
		for (int i = corners - 1; i >= 0; i--)
			for (int e = nends - 1; e >= 0; e--) {
				at[i * nends + e] = at[i] + (size_t)end[e] * stride;
				minus[i * nends + e] = minus[i] != (e == 1);
			}
		corners *= nends;
	}
	find_window(space, 0, radius, 0, &w);
	for (int i = 0; i < corners; i++) {
		const int *sum =
			space->corner + at[i] * (size_t)space->pitch + space->mesh->side[0] + x;
		int low = minus[i] ? w.high + 1 : -w.low, high = minus[i] ? -w.low : w.high + 1;

		add_difference(count, sum + high, sum + low, n);
	}
}

void ball_count(const struct ball_space *space, int radius, int x, int n, int *count)
{
	struct window w;

	memset(count, 0, (size_t)n * sizeof(*count));
	if (space->boxes && space->corner) {
		count_box(space, radius, x, n, count);
		return;
	}
	for (int i = 0; i < space->nnear; i++) {
		if (!find_window(space, 0, radius, space->near[i].used, &w))
			continue;
		const int *sum = space->along + (size_t)space->near[i].row * (size_t)space->pitch +
			space->mesh->side[0] + x;

		add_difference(count, sum + w.high + 1, sum - w.low, n);
	}
}

MESH_VECTORISE
static void add_weights(int *restrict to, const int *restrict weight, int from, int end)
{
	for (int i = from; i < end; i++)
		to[i] += weight[i];
}

void ball_add_marginals(const struct ball_space *space, int radius, int x, int *const *count)
{
	const struct mesh *mesh = space->mesh;
	int side = mesh->side[0];
	struct window w;

	for (int i = 0; i < space->nnear; i++) {
		size_t row = (size_t)space->near[i].row;
		const int *weight = space->weight + row * (size_t)side;
		const int *sum = space->along + row * (size_t)space->pitch + side + x;

		if (!find_window(space, 0, radius, space->near[i].used, &w))
			continue;
		int low = x - w.low, end = x + w.high + 1, here = sum[w.high + 1] - sum[-w.low];

		if (!here)
			continue;
		for (int d = 1; d < mesh->ndims; d++)
			count[d][mesh->coord[row * (size_t)side][d]] += here;
		/* What runs over one edge of a ring comes in at the other. */
		if (mesh->wrap[0] && low < 0)
			add_weights(count[0], weight, low + side, side);
		if (mesh->wrap[0] && end > side)
			add_weights(count[0], weight, 0, end - side);
		add_weights(count[0], weight, low > 0 ? low : 0, end < side ? end : side);
	}
}

struct cells {
	const struct ball_space *space;
	int *vertex, n;
};

/* Take the vertices with free nodes of a row, first..last, which may run over an edge. */
static void take_cells(struct cells *cells, int row, int first, int last)
{
	const struct mesh *mesh = cells->space->mesh;
	int side = mesh->side[0];

	if (!mesh->wrap[0]) {
		first = first < 0 ? 0 : first;
		last = last >= side ? side - 1 : last;
	}
	for (int i = first; i <= last; i++) {
		int v = row * side + (i < 0 ? i + side : i >= side ? i - side : i);

		cells->vertex[cells->n] = v;
		cells->n += cells->space->weight[v] > 0;
	}
}

/* In each row take the two coordinates at exactly the hops left, the lower one first. */
static int hops_shell(const struct ball_space *space, int radius, int x, int *vertex)
{
	int side = space->mesh->side[0], n = 0;
	bool wrap = space->mesh->wrap[0];

	for (int i = 0; i < space->nnear; i++) {
		int left = radius - space->near[i].used, row = space->near[i].row * side;
		int low = x - left, high = x + left;

		if (left < 0 || (wrap && 2 * left > side))
			continue;
		if (wrap && (low < 0 || high >= side)) {
			int over = low < 0 ? low + side : high - side, other = low < 0 ? high : low;

			low = over < other ? over : other;
			high = over < other ? other : over;
		}
		for (int c = low < 0 ? high : low; c < side; c = c < high ? high : side) {
			vertex[n] = row + c;
			n += space->weight[row + c] > 0;
		}
	}
	return n;
}

int ball_shell(const struct ball_space *space, int radius, int x, int *vertex)
{
	struct cells cells = {.space = space, .vertex = vertex};
	struct window outer, inner;

	if (!space->boxes)
		return hops_shell(space, radius, x, vertex);
	for (int i = 0; i < space->nnear; i++) {
		int row = space->near[i].row;

		if (!find_window(space, 0, radius, space->near[i].used, &outer))
			continue;
		if (!find_window(space, 0, radius - 1, space->near[i].used, &inner)) {
			take_cells(&cells, row, x - outer.low, x + outer.high);
			continue;
		}
		take_cells(&cells, row, x - outer.low, x - inner.low - 1);
		take_cells(&cells, row, x + inner.high + 1, x + outer.high);
	}
	return cells.n;
}

int ball_inside(const struct ball_space *space, int radius, int x, int *vertex)
{
	struct cells cells = {.space = space, .vertex = vertex};
	struct window w;

	for (int i = 0; i < space->nnear; i++)
		if (find_window(space, 0, radius, space->near[i].used, &w))
			take_cells(&cells, space->near[i].row, x - w.low, x + w.high);
	return cells.n;
}
