/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/grow.h"

enum { CELLS = 2 }; /* the most cells for each vertex */

/*
 * What a cable tells about a ring: d << 32 | length, or 0. It leads over the end of a ring if one
 * coordinate differs by more than a step: by the length, or by 1 less if the cable runs along the
 * ring.
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

/* Is it a ring: half of its rows close, and hardly any two vertices would share a place? */
static bool is_ring(const struct grow *g, int d, int length, int votes)
{
	int64_t twice = 0, n = g->nmembers;

	if (2 * (int64_t)votes * length < n)
		return false;
	for (int i = 0; i < n; i++) {
		int at[GRID_DIMS];

		memcpy(at, g->grids->at[g->member[i]], sizeof(at));
		at[d] += length;
		twice += *grow_slot(g, at) >= 0;
	}
	return twice * 64 <= n;
}

/* Set box.side[d] to the length of each ring; without one it stays 0. */
static void find_rings(struct grow *g)
{
	uint64_t *said = g->said;
	int n = 0, most[GRID_DIMS] = {0};

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
}

/* Fold the coordinates along d to begin at 0, inside the ring if there is one. */
static void fold(struct grow *g, int d)
{
	int low = INT_MAX, high = INT_MIN, ring = g->box.side[d];

	g->box.wrap[d] = ring > 0;
	for (int i = 0; i < g->nmembers; i++) {
		int *at = &g->grids->at[g->member[i]][d];

		*at = ring ? *at % ring : *at;
		low = *at < low ? *at : low;
		high = *at > high ? *at : high;
	}
	for (int i = 0; i < g->nmembers && !ring; i++)
		g->grids->at[g->member[i]][d] -= low;
	if (!ring)
		g->box.side[d] = high - low + 1;
}

/* Put the members at their folded coordinates; the second of two in one place is free again. */
static void place_again(struct grow *g)
{
	int n = g->nmembers;

	for (int i = 0; i < n; i++)
		g->grids->grid_of[g->member[i]] = GROW_FREE;
	grow_clear(g);
	for (int i = 0; i < n; i++) {
		int at[GRID_DIMS], v = g->member[i];

		memcpy(at, g->grids->at[v], sizeof(at));
		if (*grow_slot(g, at) < 0)
			grow_put(g, v, at);
	}
}

bool grow_box(struct grow *g)
{
	memset(g->box.side, 0, sizeof(g->box.side));
	find_rings(g);
	for (int d = 0; d < g->box.ndims; d++)
		fold(g, d);
	if (grid_cells(&g->box, CELLS * g->nmembers) < 0)
		return false;
	place_again(g);
	for (int i = 0; i < g->nmembers; i++)
		neighbours(u, g->member[i], g->cables) {
			int at[GRID_DIMS], lead;

			/* At least half of its cables must be the box's there. */
			if (g->grids->grid_of[u] == GROW_FREE && 2 * grow_best(g, u, at, &lead) >=
				g->cables->first[u + 1] - g->cables->first[u])
				grow_put(g, u, at);
		}
	return true;
}
