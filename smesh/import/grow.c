/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/grow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"
#include "sim/need.h"

/* The least number of neighbours that place a vertex. */
enum { SUPPORT = 2 };

/* The seed's coordinates, so that all others are above 0. */
enum { MIDDLE = MESH_MAX_VERTICES };

enum { CELLS = 2 }; /* the most cells of a box for each vertex */

int64_t grow_budget(const struct cables *cables)
{
	return 1024 * (4 + (int64_t)cables->first[cables->nvertices]);
}

void grow_init(struct grow *g, const struct cables *cables, struct grids *grids)
{
	int n = cables->nvertices, arcs = cables->first[n];
	unsigned size = 2;
	uint64_t seed = 0;

	while (size < 4 * (unsigned)n)
		size *= 2;
	*g = (struct grow){.cables = cables, .grids = grids, .mask = size - 1};
	for (int d = 0; d < GRID_DIMS; d++)
		g->step[d] = random_next(&seed);
	need_array(&g->arena, g->member, n);
	need_array(&g->arena, g->slot, size);
	need_array(&g->arena, g->edge, n);
	need_array(&g->arena, g->mark, n);
	need_array(&g->arena, g->seen, n);
	need_array(&g->arena, g->said, cables->ncables);
	need_array(&g->arena, g->heap.item, arcs + 1);
}

/* --- places --------------------------------------------------------------------------- */

/* Forget all placed vertices. */
static void forget(struct grow *g)
{
	g->nmembers = 0;
	memset(g->slot, -1, ((size_t)g->mask + 1) * sizeof(*g->slot));
}

/* The slot of the vertex that is placed at coordinates: a vertex, or -1. */
static int *slot_at(const struct grow *g, const int *at)
{
	size_t size = (size_t)g->box.ndims * sizeof(*at);
	uint64_t hash = 0;
	unsigned i;

	for (int d = 0; d < g->box.ndims; d++)
		hash += (uint64_t)at[d] * g->step[d];
	i = (unsigned)(hash >> 32) & g->mask;
	while (g->slot[i] >= 0 && memcmp(g->grids->at[g->slot[i]], at, size) != 0)
		i = (i + 1) & g->mask;
	return &g->slot[i];
}

static void put(struct grow *g, int v, const int *at)
{
	*slot_at(g, at) = g->member[g->nmembers++] = v;
	memcpy(g->grids->at[v], at, sizeof(g->grids->at[v]));
	g->grids->grid_of[v] = GROW_PLACED;
}

/*
 * Is the place one step from u in the box, and empty? Sets at[] to its coordinates. direction: 2d
 * is up along d, 2d + 1 down.
 */
static bool empty_beside(const struct grow *g, int u, int direction, int *at)
{
	int d = direction / 2;

	memcpy(at, g->grids->at[u], sizeof(g->grids->at[u]));
	at[d] = grid_next(&g->box, d, at[d], direction & 1 ? -1 : 1);
	return at[d] >= 0 && *slot_at(g, at) < 0;
}

/*
 * Find the empty place in the box that is beside most of the placed neighbours of a vertex, in
 * at[GRID_DIMS]. Returns how many these are; *lead: how many more than at the next best place.
 */
static int find_best(const struct grow *g, int v, int *at, int *lead)
{
	int best = 0, second = 0, other[GRID_DIMS];

	neighbours(u, v, g->cables)
		for (int i = 0; g->grids->grid_of[u] == GROW_PLACED && i < 2 * g->box.ndims; i++) {
			int n = 0;

			if (!empty_beside(g, u, i, other) ||
				(best && !memcmp(at, other, sizeof(other))))
				continue;
			neighbours(w, v, g->cables)
				n += g->grids->grid_of[w] == GROW_PLACED &&
					grid_along(&g->box, other, g->grids->at[w]) >= 0;
			if (n > best)
				memcpy(at, other, sizeof(other));
			second = n > best ? best : n > second ? n : second;
			best = n > best ? n : best;
		}
	*lead = best - second;
	return best;
}

/* --- squares -------------------------------------------------------------------------- */

static void mark_neighbours(struct grow *g, int v)
{
	g->round++;
	neighbours(u, v, g->cables)
		g->mark[u] = g->round;
}

/* With the neighbours of v marked: are the cables from u to v and to w sides of one square? */
static bool is_square(const struct grow *g, int u, int w)
{
	bool square = false;

	if (g->mark[w] == g->round)
		return false; /* a triangle: a ring of three */
	neighbours(x, w, g->cables)
		square |= x != u && g->mark[x] == g->round;
	return square;
}

/* straight[i] has bit j: the free neighbours i and j of v share no square. Returns how many. */
static int find_straight(struct grow *g, int v, int *near, uint32_t *straight)
{
	int n = 0;

	neighbours(u, v, g->cables)
		if (g->grids->grid_of[u] == GROW_FREE) {
			straight[n] = 0;
			near[n++] = u;
		}
	for (int i = 0; i < n; i++) {
		mark_neighbours(g, near[i]);
		for (int j = 0; j < n; j++)
			if (i != j && !is_square(g, v, near[j]))
				straight[i] |= UINT32_C(1) << j;
	}
	return n;
}

int grow_seed_score(struct grow *g, int v)
{
	uint32_t straight[CABLES_MAX_DEGREE];
	int near[CABLES_MAX_DEGREE], n = find_straight(g, v, near, straight), score = 0;

	for (int i = 0; i < n; i++)
		score += !straight[i] ? 4 : straight[i] & (straight[i] - 1) ? -4 : 3;
	return score;
}

/* --- placing -------------------------------------------------------------------------- */

static void place(struct grow *g, int v, const int *at)
{
	put(g, v, at);
	neighbours(u, v, g->cables) {
		int best[GRID_DIMS], lead;

		if (g->grids->grid_of[u] != GROW_FREE)
			continue;
		if (!g->seen[u])
			g->edge[g->nedge++] = u;
		g->seen[u] = 1;
		if (find_best(g, u, best, &lead) >= SUPPORT && lead >= 1)
			heap_push(&g->heap, (struct heap_item){-lead, u, u});
	}
}

/* Place all vertices about which at least two neighbours agree. */
static void place_agreed(struct grow *g)
{
	while (g->heap.size) {
		struct heap_item item = heap_pop(&g->heap);
		int at[GRID_DIMS], lead;

		if (g->grids->grid_of[item.id] != GROW_FREE ||
			find_best(g, item.id, at, &lead) < SUPPORT || lead < 1)
			continue;
		if (lead < -(int)item.key)
			heap_push(&g->heap, (struct heap_item){-lead, item.id, item.id});
		else
			place(g, item.id, at);
	}
}

struct tip {
	int v, at[GRID_DIMS], score;
};

/* How well the cables of u say that v, whose neighbours are marked, is beside it along d. */
static int tip_score(const struct grow *g, int u, int d)
{
	int score = 0;

	neighbours(w, u, g->cables) {
		int other = g->grids->grid_of[w] == GROW_PLACED
			? grid_along(&g->box, g->grids->at[u], g->grids->at[w]) : -1;

		if (other >= 0)
			score += (other == d) == is_square(g, u, w) ? -1 : 1;
	}
	return score;
}

/* Find the place of v by the squares of one placed neighbour, if it is better than *best. */
static void try_tip(struct grow *g, int v, int u, struct tip *best)
{
	int first = 0, second = 0, at[GRID_DIMS];
	struct tip tip = {.v = v};

	for (int i = 0; i < 2 * g->box.ndims; i++) {
		int score = empty_beside(g, u, i, at) ? tip_score(g, u, i / 2) : 0;

		g->budget--;
		if (score > first)
			memcpy(tip.at, at, sizeof(at));
		second = score > first ? first : score > second ? score : second;
		first = score > first ? score : first;
	}
	tip.score = first;
	if (first > second && first > best->score)
		*best = tip;
}

/* Find the best beginning of a new row. False: there is none. */
static bool find_tip(struct grow *g, struct tip *best)
{
	int left = 0;

	*best = (struct tip){.score = 0};
	for (int i = 0; i < g->nedge; i++) {
		int v = g->edge[i];

		if (g->grids->grid_of[v] != GROW_FREE) {
			g->seen[v] = 0;
			continue;
		}
		g->edge[left++] = v;
		mark_neighbours(g, v);
		neighbours(u, v, g->cables)
			if (g->grids->grid_of[u] == GROW_PLACED && g->budget > 0)
				try_tip(g, v, u, best);
	}
	g->nedge = left;
	return best->score > 0;
}

/*
 * Place the neighbours of the seed, each opposite to the one with which it shares no square, if
 * there is one. Neighbours beyond GRID_DIMS dimensions stay free.
 */
static void place_frame(struct grow *g, int seed)
{
	uint32_t straight[CABLES_MAX_DEGREE];
	int near[CABLES_MAX_DEGREE], direction[CABLES_MAX_DEGREE];
	int n = find_straight(g, seed, near, straight), ndims = 0, at[GRID_DIMS] = {0};

	memset(direction, -1, sizeof(direction));
	for (int i = 0; i < n && ndims < GRID_DIMS; i++) {
		int j = i + 1;

		if (direction[i] >= 0)
			continue;
		direction[i] = 2 * ndims;
		while (j < n && (direction[j] >= 0 || !(straight[i] >> j & 1)))
			j++;
		if (j < n)
			direction[j] = 2 * ndims + 1;
		ndims++;
	}
	g->box = (struct grid){.ndims = ndims};
	for (int d = 0; d < ndims; d++) {
		g->box.side[d] = 2 * MIDDLE;
		at[d] = MIDDLE;
	}
	place(g, seed, at);
	for (int i = 0; i < n; i++)
		if (direction[i] >= 0 && empty_beside(g, seed, direction[i], at))
			place(g, near[i], at);
}

void grow_from(struct grow *g, int seed)
{
	struct tip tip;

	g->nedge = g->heap.size = 0;
	forget(g);
	place_frame(g, seed);
	for (place_agreed(g); find_tip(g, &tip); place_agreed(g))
		place(g, tip.v, tip.at);
	for (int i = 0; i < g->nedge; i++)
		g->seen[g->edge[i]] = 0;
}

void grow_alone(struct grow *g, int seed)
{
	for (int i = 0; i < g->nmembers; i++)
		if (g->grids->grid_of[g->member[i]] == GROW_PLACED)
			g->grids->grid_of[g->member[i]] = GROW_FREE;
	g->nmembers = 1;
	*g->member = seed;
	g->box = (struct grid){.ndims = 1, .side = {1}};
	g->grids->at[seed][0] = 0;
	g->grids->grid_of[seed] = GROW_PLACED;
}

/* --- a box ---------------------------------------------------------------------------- */

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
		twice += *slot_at(g, at) >= 0;
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
	forget(g);
	for (int i = 0; i < n; i++) {
		int at[GRID_DIMS], v = g->member[i];

		memcpy(at, g->grids->at[v], sizeof(at));
		if (*slot_at(g, at) < 0)
			put(g, v, at);
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
			if (g->grids->grid_of[u] == GROW_FREE &&
				2 * find_best(g, u, at, &lead) >= cables_degree(g->cables, u))
				put(g, u, at);
		}
	return true;
}
