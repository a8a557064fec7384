/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of point_choose.c over the cells of a shell, and of point_alike.c over what is free around a
 * centre, for one width of vectors: included after batch_kernel.h. There is no use in more than 8 lanes: shells
 * have some 50 cells, rows some 20 vertices.
 */
#include "point/point_centres.h"

/* ---- the last shell ---- */

/* The least keys and where they are, first of all where there are several. */
struct nearest {
	vint key, at;
};

/* From cells to one that is chosen, along a dimension of so many coordinates; INT32_MAX: of a line. */
struct axis {
	const int *at;
	vint from, around;
};

INLINE void set_axis(struct axis *axis, const struct point_cells *cells, const struct mesh *mesh,
	const int *chosen, int d)
{
	axis[d] = (struct axis){cells->at[d], simd_all(chosen[d]),
		simd_all(mesh->wrap[d] ? mesh->side[d] : INT32_MAX)};
}

INLINE vint hops_to_chosen(const struct axis *axis, int i)
{
	vint hops = simd_abs(LOAD(axis->at + i) - axis->from);

	return simd_min_int(hops, axis->around - hops);
}

/*
 * Hops to a chosen cell are added to the keys of all cells, or of the ends of lines, so that they are what
 * they are with it. NULL: none is chosen. Dimensions one by one: a loop over few of them takes longer than they do.
 */
INLINE struct nearest add_hops(struct point_cells *cells, const struct mesh *mesh, const int *chosen,
	int ndims, bool lines)
{
	struct nearest nearest = {simd_all(INT32_MAX), simd_all(0)};
	const int *end = cells->lines.cell;
	int n = lines ? 2 * cells->lines.n : cells->n, *keys = cells->key;
	vint cell = simd_numbers();
	struct axis axis[MESH_MAX_DIMS];

	if (chosen)
		set_axis(axis, cells, mesh, chosen, 0);
	if (chosen && ndims > 1)
		set_axis(axis, cells, mesh, chosen, 1);
	for (int d = 2; chosen && d < ndims; d++)
		set_axis(axis, cells, mesh, chosen, d);
	for (int i = 0; i < n; i += LANES, cell += LANES) {
		vint key = LOAD(keys + i), less;

		if (chosen)
			key += hops_to_chosen(&axis[0], i);
		if (chosen && ndims > 1)
			key += hops_to_chosen(&axis[1], i);
		for (int d = 2; chosen && d < ndims; d++)
			key += hops_to_chosen(&axis[d], i);
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

static int64_t cells_choose(struct point_cells *cells, const struct mesh *mesh,
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

static uint64_t cells_hash(const struct point_alike *alike, const int *centre, int low, int high)
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

static bool cells_same(const struct point_alike *alike, const int *a, const int *b, int low, int high)
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

const struct cells_kernel PASTE(cells_kernel_, LANES) = {
	.choose = cells_choose, .hash = cells_hash, .same = cells_same,
};
