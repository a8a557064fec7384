/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of point_centres.c over centres, and of point_choose.c over the cells of a
 * shell, for one width of vectors: included after batch_kernel.h. A lane's mark is -1, or 0.
 */
#include "point/point_centres.h"

/* The first n lanes. */
static void centres_open(struct point_centres *centres)
{
	STORE(centres->open) = simd_numbers() < centres->n;
}

static bool centres_filled(const struct point_centres *centres, int wanted)
{
	return simd_bits(LOAD(centres->open) & (LOAD(centres->count) >= wanted)) != 0;
}

static bool centres_ends(struct point_centres *centres, int wanted)
{
	vint ends = LOAD(centres->open) & (LOAD(centres->next) >= wanted);

	STORE(centres->ends) = ends;
	return simd_bits(ends) != 0;
}

/* Those that cannot win are closed; is one left? */
INLINE bool close_lost(struct point_centres *centres, vfloat least)
{
	vint open = LOAD(centres->open) & (least <= centres->limit);

	STOREF(centres->least) = least;
	STORE(centres->open) = open;
	STORE(centres->ends) &= open;
	return simd_bits(open) != 0;
}

/* What t nodes have among themselves at least: on the next shell where centres end there. */
INLINE vfloat least_pairs(const struct batch *batch, const struct point_centres *centres, vint t)
{
	int n;
	const float *table = shell_pairs_of(&batch->pairs, centres->radius + 1, &n);
	vint here = simd_between(0, t, batch->mesh->nnodes) & LOAD(centres->open);
	vint shell = LOAD(centres->ends) & (here < n);

	return simd_gather(batch->pairs.least, here + (shell & (int)(table - batch->pairs.least)));
}

/* What run_spread() will need. */
static void centres_begin(const struct point *point, const int *count, struct batch_spread *spread)
{
	vfloat n = simd_floats(LOAD(count) + point->nrequired);

	STOREF(spread->n) = n;
	STOREF(spread->slope) = n * point->slope;
}

/* Rounding of sums over a ball, and to the u nodes that it lacks or has too many. */
static void centres_slack(const struct point *point, const int *count, struct point_sphere *sphere)
{
	vint u = point->wanted - LOAD(count), minus = u < 0;
	vfloat apart = simd_floats((u ^ minus) - minus) * LOADF(sphere->spread.n);

	STOREF(sphere->slack) = (LOADF(sphere->spread.total) + apart * (float)point->sides) *
		point->rounding;
}

/*
 * The nodes to go are no nearer to the ball than its nearest vertex, and what the next shell
 * does not have is one hop more away at least.
 */
static bool centres_bound(const struct point *point, struct point_centres *centres)
{
	const struct point_sphere *sphere = &centres->sphere[0];
	vfloat zero = {0}, slope = LOADF(sphere->spread.slope);
	vfloat far = LOADF(sphere->spread.nearest) + slope * (float)(centres->radius + 1);
	vint togo = point->wanted - LOAD(centres->count);
	vint beyond = simd_between(0, point->wanted - LOAD(centres->next), INT32_MAX);
	vfloat least = LOADF(sphere->spread.total) - LOADF(sphere->slack);

	far = -simd_min(-far, zero);
	least += far * simd_floats(togo) + slope * simd_floats(beyond);
	return close_lost(centres, least) && close_lost(centres, least + least_pairs(&point->batch, centres, togo));
}

/* Of the next shell, centres that end take t nodes of all, and leave others; is there one? */
static bool centres_shares(const struct point_centres *centres, int wanted, struct point_shares *shares)
{
	vint ends = LOAD(centres->ends), taken = ends & (wanted - LOAD(centres->count));
	vint left = ends & (LOAD(centres->next) - wanted);

	STORE(shares->taken) = taken;
	STORE(shares->left) = left;
	STORE(shares->all) = taken + left;
	shares->fewer_left = simd_sum(left - taken) < 0;
	return simd_bits(taken > 0) != 0;
}

/* With nothing to take, the bound is that of the ball alone: right for centres that go on. */
static bool centres_raise(const struct point *point, struct point_centres *centres,
	const struct batch_take *take, const struct point_sphere *sphere, const float *added)
{
	vfloat slack = LOADF(centres->sphere[0].slack) + LOADF(sphere->slack);
	vfloat bound = LOADF(sphere->spread.total) + LOADF(added) - 2 * slack +
		least_pairs(&point->batch, centres, LOAD(take->t));

	return close_lost(centres, -simd_min(-bound, -LOADF(centres->least)));
}

static unsigned centres_settle(struct point_centres *centres, bool *open)
{
	vint ends = LOAD(centres->ends), rest = LOAD(centres->open) & ~ends;

	STORE(centres->open) = rest;
	*open = simd_bits(rest) != 0;
	return simd_bits(ends);
}

/* ---- the last shell ---- */

/* The least keys and where they are, first of all where there are several. */
struct nearest {
	vint key, at;
};

/* From cells to one that is chosen, along a dimension of so many coordinates; INT32_MAX: of a line. */
INLINE vint hops_to_chosen(const int *at, vint from, vint around)
{
	vint hops = simd_abs(LOAD(at) - from);

	return simd_min_int(hops, around - hops);
}

/*
 * Hops to a chosen cell are added to the keys of all cells, or of the ends of lines, so that they are what
 * they are with it. NULL: none is chosen.
 */
INLINE struct nearest add_hops(struct point_cells *cells, const struct mesh *mesh, const int *chosen,
	int ndims, bool lines)
{
	struct nearest nearest = {simd_all(INT32_MAX), simd_all(0)};
	vint cell = simd_numbers(), from[MESH_MAX_DIMS], around[MESH_MAX_DIMS];
	const int *at[MESH_MAX_DIMS], *end = cells->lines.cell;
	int n = lines ? 2 * cells->lines.n : cells->n, *keys = cells->key;

	for (int d = 0; chosen && d < ndims; d++) {
		at[d] = cells->at[d];
		from[d] = simd_all(chosen[d]);
		around[d] = simd_all(mesh->wrap[d] ? mesh->side[d] : INT32_MAX);
	}
	for (int i = 0; i < n; i += LANES, cell += LANES) {
		vint key = LOAD(keys + i), less;

		/* One by one: a loop over few dimensions takes longer than they do. */
		if (chosen)
			key += hops_to_chosen(at[0] + i, from[0], around[0]);
		if (chosen && ndims > 1)
			key += hops_to_chosen(at[1] + i, from[1], around[1]);
		for (int d = 2; chosen && d < ndims; d++)
			key += hops_to_chosen(at[d] + i, from[d], around[d]);
		STORE(keys + i) = key;
		less = key < nearest.key;
		if (lines) {
			/* Ends are not in the order of cells. */
			cell = LOAD(end + i);
			less |= (key == nearest.key) & (cell < nearest.at);
		}
		nearest.key = simd_min_int(key, nearest.key);
		nearest.at = (cell & less) | (nearest.at & ~less);
	}
	return nearest;
}

INLINE int first_of(const struct nearest *nearest, int *key)
{
	vint tied;

	*key = simd_least(nearest->key);
	tied = nearest->key == *key;
	return simd_least((nearest->at & tied) | (simd_all(INT32_MAX) & ~tied));
}

/* As add_hops(), for a cell of which a node has just been chosen. */
INLINE struct nearest add_cell(struct point_cells *cells, const struct mesh *mesh, int cell, int ndims,
	bool lines)
{
	struct nearest nearest;
	int at[MESH_MAX_DIMS];

	for (int d = 0; d < ndims; d++)
		at[d] = lines ? mesh->coord[cells->vertex[cell]][d] : cells->at[d][cell];
	if (lines)
		point_lines_take(cells, mesh, cell);
	else if (!--cells->rest[cell])
		cells->key[cell] += POINT_TAKEN;
	nearest = add_hops(cells, mesh, at, ndims, lines);
	if (lines && point_lines_follow(cells, mesh, cell))
		nearest = add_hops(cells, mesh, NULL, ndims, lines);
	return nearest;
}

INLINE int64_t choose(struct point_cells *cells, const struct mesh *mesh,
	const struct point_choice *choice, int ndims, bool lines)
{
	struct nearest nearest = add_hops(cells, mesh, NULL, ndims, lines);
	int64_t added = 0;
	int *chosen = choice->chosen;

	for (int take = choice->take, end = take - choice->now;;) {
		int key, i = first_of(&nearest, &key);
		int64_t hops = cells->base + key;
		float pairs = take < choice->nshell ? choice->shell[take] : choice->least[take];

		/* All that come later are no nearer. */
		if (added + hops * take + (int64_t)pairs > choice->limit)
			return choice->limit + 1;
		added += hops;
		*chosen++ = i;
		if (!--take)
			return added;
		nearest = add_cell(cells, mesh, i, ndims, lines);
		if (take == end)
			return added;
	}
}

static int64_t choose_cells(struct point_cells *cells, const struct mesh *mesh,
	const struct point_choice *choice)
{
	bool lines = cells->lines.n;

	switch (mesh->ndims) {
	case 2:
		return lines ? choose(cells, mesh, choice, 2, true) : choose(cells, mesh, choice, 2, false);
	case 3:
		return lines ? choose(cells, mesh, choice, 3, true) : choose(cells, mesh, choice, 3, false);
	default:
		return choose(cells, mesh, choice, mesh->ndims, lines);
	}
}

/* ---- what is free around a centre ---- */

typedef uint32_t vbits_loose __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define LOADU(AT) (*(const vbits_loose *)(AT))

/* From low to high, not included; there may be none. Vertices beyond the last one have no factor. */
#define EACH_ROW(ROW, FROM, N)                                                                      \
	for (const struct alike_row *ROW = alike->row; ROW < alike->row + alike->nrows; ROW++)         \
		for (int FROM = ROW->from > low ? ROW->from : low,                                     \
			 N = (ROW->past < high ? ROW->past : high) - FROM; N > 0; N = 0)

static uint64_t alike_hash(const struct point_alike *alike, const int *centre, int low, int high)
{
	vbits_loose hash = {0};
	uint64_t all = 0;

	EACH_ROW(row, from, n) {
		const int *weight = centre + row->line + from;
		const uint32_t *factor = alike->none - n;

		hash *= UINT32_C(0x9E3779B1);
		for (int i = 0; i < n; i += LANES)
			hash += LOADU(weight + i) * LOADU(factor + i);
	}
	for (int l = 0; l < LANES; l++)
		all = (all ^ hash[l]) * UINT64_C(0x9E3779B97F4A7C15);
	return all ^ all >> 32;
}

static bool alike_same(const struct point_alike *alike, const int *a, const int *b, int low, int high)
{
	vint differ = {0};

	EACH_ROW(row, from, n) {
		const uint32_t *factor = alike->none - n;

		for (int i = 0; i < n; i += LANES) {
			int at = row->line + from + i;

			differ |= (LOAD(a + at) ^ LOAD(b + at)) & (LOADU(factor + i) != 0);
		}
	}
	return !simd_bits(differ != 0);
}

const struct point_kernel PASTE(point_kernel_, LANES) = {
	.open = centres_open, .filled = centres_filled, .ends = centres_ends, .begin = centres_begin,
	.slack = centres_slack, .bound = centres_bound, .shares = centres_shares, .raise = centres_raise,
	.settle = centres_settle, .choose = choose_cells,
	.hash = alike_hash, .same = alike_same,
};
