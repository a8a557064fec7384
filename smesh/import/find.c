/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds one grid after the other, each from the best vertex that is left.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/grow.h"
#include "sim/need.h"

/* A dimension of the grid: one of the box, or two of side 2 that make a ring of four. */
struct axis {
	int a, b; /* b: -1 for none */
	int side;
	bool wrap, flip;
	int shift;
	int gap; /* the least difference of the numbers of neighbours */
};

/*
 * Find the dimensions of the grid. Sides of 1 are left out; two sides of 2 make a ring of four,
 * unless the box is only a square or a cube. Returns how many.
 */
static int find_axes(const struct grid *box, struct axis *axis)
{
	int two[GRID_DIMS], twos = 0, n = 0, keep;

	for (int d = 0; d < box->ndims; d++)
		if (box->side[d] == 2)
			two[twos++] = d;
		else if (box->side[d] > 2)
			axis[n++] = (struct axis){d, -1, box->side[d], box->wrap[d], 0, 0, INT_MAX};
	keep = twos == box->ndims && twos <= 3 ? twos : twos % 2;
	for (; twos >= keep + 2; twos -= 2)
		axis[n++] = (struct axis){two[twos - 2], two[twos - 1], 4, true, 0, 0, INT_MAX};
	while (twos)
		axis[n++] = (struct axis){two[--twos], -1, 2, false, 0, 0, INT_MAX};
	if (!n)
		axis[n++] = (struct axis){0, -1, 1, false, 0, 0, INT_MAX};
	return n;
}

/* The coordinate along an axis of at[] in the box. */
static int along(const struct axis *axis, const int *at)
{
	int c = axis->b >= 0 && at[axis->b] ? 3 - at[axis->a] : at[axis->a];

	c = (c + axis->side - axis->shift) % axis->side;
	if (!axis->flip)
		return c;
	return axis->wrap ? (axis->side - c) % axis->side : axis->side - 1 - c;
}

static int by_gap(const void *a, const void *b)
{
	const struct axis *x = a, *y = b;

	return x->gap != y->gap ? x->gap - y->gap : x->a - y->a;
}

/*
 * Turn and order the axes so that names mostly rise with coordinates, least along the first
 * dimensions, and the lowest name is at 0 of all rings. Names in order make a short list.
 */
static void order_by_names(const struct grow *g, struct axis *axis, int n)
{
	int lowest = g->member[0];

	for (int i = 1; i < g->nmembers; i++)
		lowest = g->member[i] < lowest ? g->member[i] : lowest;
	for (int i = 0; i < n; i++) {
		int up = 0;

		axis[i].shift = axis[i].wrap ? along(&axis[i], g->grids->at[lowest]) : 0;
		for (int m = 0; m < g->nmembers; m++)
			neighbours(u, g->member[m], g->cables) {
				int by = u - g->member[m];

				if (by < 0 || g->grids->grid_of[u] != GROW_PLACED)
					continue;
				int step = along(&axis[i], g->grids->at[u]) -
					along(&axis[i], g->grids->at[g->member[m]]);

				up += (step > 0) - (step < 0);
				axis[i].gap = step && by < axis[i].gap ? by : axis[i].gap;
			}
		axis[i].flip = up < 0;
	}
	qsort(axis, (size_t)n, sizeof(*axis), by_gap);
}

#define no_grid(err, ...) (err_printf(err, "far from any grid: " __VA_ARGS__), 1)

/* Make the box a grid. */
static int take_box(struct grow *g, struct mesh_err *err)
{
	struct axis axis[GRID_DIMS];
	int n = find_axes(&g->box, axis);
	struct grid *grid;

	if (n > MESH_MAX_DIMS)
		return no_grid(err, "a grid of %d dimensions, more than %d", n, MESH_MAX_DIMS);
	if (g->grids->ngrids == MESH_MAX_MESHES)
		return no_grid(err, "more than %d pieces", MESH_MAX_MESHES);
	grid = grids_add(g->grids);
	order_by_names(g, axis, n);
	grid->ndims = n;
	for (int d = 0; d < n; d++) {
		grid->side[d] = axis[d].side;
		grid->wrap[d] = axis[d].wrap;
	}
	for (int i = 0; i < g->nmembers; i++) {
		int at[GRID_DIMS], v = g->member[i];

		memcpy(at, g->grids->at[v], sizeof(at));
		for (int d = 0; d < n; d++)
			g->grids->at[v][d] = along(&axis[d], at);
		g->grids->grid_of[v] = g->grids->ngrids - 1;
	}
	return 0;
}

/* Put first a vertex from among the most that are equally good. beginning: 1 to 8, others. */
static void begin_elsewhere(uint64_t *order, int n, int beginning)
{
	int most = 0, at = 0;
	uint64_t first;

	for (int i = 0, j; i < n; i = j) {
		for (j = i; j < n && order[j] >> 32 == order[i] >> 32;)
			j++;
		at = j - i > most ? i : at;
		most = j - i > most ? j - i : most;
	}
	at += (int)((int64_t)most * (2 * beginning - 1) / (2 * BEGINNINGS));
	first = order[at];
	memmove(order + 1, order, (size_t)at * sizeof(*order));
	*order = first;
}

/* Order the vertices by how good they are to begin with, best first. */
static uint64_t *order_seeds(struct grow *g, int beginning)
{
	int n = g->cables->nvertices;
	uint64_t *order = need_get(&g->arena, n, sizeof(*order));

	for (int v = 0; v < n; v++)
		order[v] = (uint64_t)(GROW_MOST_SCORE - grow_seed_score(g, v)) << 32 | (uint64_t)v;
	sort_u64(order, n);
	if (beginning)
		begin_elsewhere(order, n, beginning);
	return order;
}

int grids_grow(struct grids *grids, const struct cables *c, int beginning, int64_t *budget,
	struct mesh_err *err)
{
	struct grow g;
	uint64_t *order;
	int result = 0;

	*grids = (struct grids){0};
	for (int v = 0; v < c->nvertices; v++)
		if (cables_degree(c, v) > CABLES_MAX_DEGREE)
			return no_grid(err, "%.64s is cabled to %d others",
				err ? c->vertex_name[v] : "", cables_degree(c, v));
	grids_init(grids, c->nvertices);
	grow_init(&g, c, grids);
	g.budget = *budget;
	order = order_seeds(&g, beginning);
	for (int i = 0; i < c->nvertices && !result; i++) {
		int seed = (int)(order[i] & INT_MAX);

		if (grids->grid_of[seed] != GROW_FREE)
			continue;
		grow_from(&g, seed);
		if (!grow_box(&g))
			grow_alone(&g, seed);
		result = take_box(&g, err);
	}
	*budget = g.budget;
	arena_release(&g.arena);
	return result;
}
