/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loop of point_choose.c over the cells of a shell, for one width of vectors, and the table of
 * all loops of this width. It is included after batch_kernel.h.
 */
#include "point/point_kernel.h"

/* The least key of each lane, and where it is; the first place of several. */
struct nearest {
	vint key, at;
};

/* For hops from cells to a chosen one along a dimension; around: its side, INT32_MAX for a line. */
struct axis {
	const int *at;
	vint from, around;
};

/* The hops along dimension d to a chosen cell. */
INLINE struct axis axis_of(
	const struct point_cells *cells, const struct mesh *mesh, int chosen, int d)
{
	return (struct axis){cells->at[d], simd_all(cells->at[d][chosen]),
		simd_all(mesh->wrap[d] ? mesh->side[d] : INT32_MAX)};
}

INLINE vint hops_to_chosen(const struct axis *axis, int i)
{
	vint hops = simd_abs(LOAD(axis->at + i) - axis->from);

	return simd_min_int(hops, axis->around - hops);
}

/*
 * Add the hops to a chosen cell to the keys of all cells. chosen -1: add nothing. Dimensions are
 * written one by one: a loop over few of them takes longer.
 */
INLINE struct nearest add_hops(
	struct point_cells *cells, const struct mesh *mesh, int chosen, int ndims)
{
	struct nearest nearest = {simd_all(INT32_MAX), simd_all(0)};
	vint cell = simd_numbers();
	struct axis axis[MESH_MAX_DIMS];

	for (int d = 0; chosen >= 0 && d < ndims; d++)
		axis[d] = axis_of(cells, mesh, chosen, d);
	for (int i = 0; i < cells->n; i += LANES, cell += LANES) {
		vint key = LOAD(cells->key + i), less;

		for (int d = 0; chosen >= 0 && d < ndims; d++)
			key += hops_to_chosen(&axis[d], i);
		STORE(cells->key + i) = key;
		less = key < nearest.key;
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

INLINE int64_t choose_cells(struct point_cells *cells, const struct mesh *mesh,
	const struct point_choice *choice, int ndims)
{
	struct nearest nearest = add_hops(cells, mesh, -1, ndims);
	int64_t added = 0;
	int *chosen = choice->chosen;

	for (int take = choice->take, end = take - choice->now;;) {
		int key, i = first_of(&nearest, &key);
		int64_t hops = cells->base + key;

		/* No later node is nearer. */
		if (added + hops * take + (int64_t)choice->least[take] > choice->limit)
			return choice->limit + 1;
		added += hops;
		*chosen++ = i;
		if (!--take)
			return added;
		if (!--cells->rest[i])
			cells->key[i] += POINT_TAKEN;
		nearest = add_hops(cells, mesh, i, ndims);
		if (take == end)
			return added;
	}
}

static int64_t choose(
	struct point_cells *cells, const struct mesh *mesh, const struct point_choice *choice)
{
	return choose_cells(cells, mesh, choice, mesh->ndims);
}

const struct point_kernel PASTE(point_kernel_, LANES) = {
	.width = LANES,
	.marginals = marginals,
	.spread = spread,
	.shell = shell,
	.choose = choose,
};
