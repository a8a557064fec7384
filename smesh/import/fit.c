/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/grow.h"

enum { CELLS = 2 }; /* at most so many for each vertex */

/*
 * What a cable says of a ring: d << 32 | length, or 0. It leads over the end of the ring where one
 * coordinate differs by more than a step: by the length, or where it runs along the ring by 1 less.
 */
static uint64_t ring_said(const struct grow *g, int v, int u)
{
	int64_t far = 0, rest = 0;
	int at = 0;

	for (int d = 0; d < g->box.ndims; d++) {
		int64_t by = llabs((int64_t)g->grids->at[v][d] - g->grids->at[u][d]);

		rest += by;
		if (by > far) {
			far = by;
			at = d;
		}
	}
	rest -= far;
	far += !rest;
	return rest > 1 || far < 3 ? 0 : (uint64_t)at << 32 | (uint64_t)far;
}

/* Half of its rows close, and hardly any two vertices would be in one place. */
static bool is_ring(const struct grow *g, int d, int length, int votes)
{
	int64_t twice = 0, n = g->nmembers;

	if (2 * (int64_t)votes * length < n)
		return false;
	for (int i = 0; i < n; i++)
		twice += grow_at(g, g->spot[g->member[i]] + (uint64_t)length * g->step[d]) >= 0;
	return twice * 64 <= n;
}

/* box.side[d] becomes the length of a ring; where there is none it stays 0. */
static int find_rings(struct grow *g)
{
	uint64_t *said = malloc(((size_t)g->cables->ncables + 1) * sizeof(*said));
	int n = 0, most[GRID_DIMS] = {0};

	if (!said)
		return -1;
	for (int i = 0; i < g->nmembers; i++)
		neighbours(u, g->member[i], g->cables)
			if (u > g->member[i] && g->grids->grid_of[u] == GROW_PLACED)
				n += (said[n] = ring_said(g, g->member[i], u)) != 0;
	if (n)
		sort_u64(said, n);
	for (int i = 0, j; i < n; i = j) {
		int d = (int)(said[i] >> 32), length = (int)(said[i] & INT_MAX);

		for (j = i; j < n && said[j] == said[i];)
			j++;
		if (j - i > most[d] && is_ring(g, d, length, j - i)) {
			most[d] = j - i;
			g->box.side[d] = length;
		}
	}
	free(said);
	return 0;
}

/* The coordinates along d from 0, inside the ring if it is one. */
static void fold(struct grow *g, int d)
{
	int low = INT_MAX, high = INT_MIN, ring = g->box.side[d];

	g->box.wrap[d] = ring > 0;
	for (int i = 0; i < g->nmembers; i++) {
		int *at = &g->grids->at[g->member[i]][d];

		*at = ring ? (*at % ring + ring) % ring : *at;
		low = *at < low ? *at : low;
		high = *at > high ? *at : high;
	}
	for (int i = 0; i < g->nmembers && !ring; i++)
		g->grids->at[g->member[i]][d] -= low;
	if (!ring)
		g->box.side[d] = high - low + 1;
}

/* Each member into its cell; of two in one cell the second is free again. */
static int *fill_cells(struct grow *g, int ncells)
{
	int *cell = malloc((size_t)ncells * sizeof(*cell)), left = 0;

	if (!cell)
		return NULL;
	memset(cell, -1, (size_t)ncells * sizeof(*cell));
	for (int i = 0; i < g->nmembers; i++) {
		int v = g->member[i], *mine = &cell[grid_cell(&g->box, g->grids->at[v])];

		if (*mine >= 0)
			g->grids->grid_of[v] = GROW_FREE;
		else
			*mine = g->member[left++] = v;
	}
	g->nmembers = left;
	return cell;
}

/* How many cables of v would be the box's if it were at at[]. */
static int good_cables(const struct grow *g, int v, const int *at)
{
	int good = 0;

	neighbours(u, v, g->cables)
		good += g->grids->grid_of[u] == GROW_PLACED &&
			grid_along(&g->box, at, g->grids->at[u]) >= 0;
	return good;
}

/* Is there an empty cell beside u? Its coordinates to at[]. */
static bool empty_beside(const struct grow *g, const int *cell, int u, int direction, int *at)
{
	int d = direction / 2;

	memcpy(at, g->grids->at[u], sizeof(g->grids->at[u]));
	at[d] = grid_next(&g->box, d, at[d], direction & 1 ? -1 : 1);
	return at[d] >= 0 && cell[grid_cell(&g->box, at)] < 0;
}

/* Give v, which has no cell, the empty one where most of its cables are the box's, at least half
 * of them. */
static void settle(struct grow *g, int *cell, int v)
{
	int degree = g->cables->first[v + 1] - g->cables->first[v], best = 0, at[GRID_DIMS];

	neighbours(u, v, g->cables)
		for (int i = 0; g->grids->grid_of[u] == GROW_PLACED && i < 2 * g->box.ndims; i++) {
			int good = empty_beside(g, cell, u, i, at) ? good_cables(g, v, at) : 0;

			if (good > best) {
				best = good;
				memcpy(g->grids->at[v], at, sizeof(at));
			}
		}
	if (2 * best < degree)
		return;
	cell[grid_cell(&g->box, g->grids->at[v])] = g->member[g->nmembers++] = v;
	g->grids->grid_of[v] = GROW_PLACED;
}

int grow_box(struct grow *g)
{
	int ncells, *cell;

	memset(g->box.side, 0, sizeof(g->box.side));
	if (find_rings(g))
		return -1;
	for (int d = 0; d < g->box.ndims; d++)
		fold(g, d);
	if ((ncells = grid_cells(&g->box, CELLS * g->nmembers)) < 0)
		return 0;
	if (!(cell = fill_cells(g, ncells)))
		return -1;
	for (int i = 0; i < g->nmembers; i++)
		neighbours(u, g->member[i], g->cables)
			if (g->grids->grid_of[u] == GROW_FREE)
				settle(g, cell, u);
	free(cell);
	return 1;
}
