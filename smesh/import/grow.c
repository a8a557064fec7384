/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/grow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { VOTES = 4096 }; /* more than twice of 2 * GRID_DIMS * CABLES_MAX_DEGREE */

/* Placed by this many neighbours at least. */
enum { SUPPORT = 2 };

int grow_init(struct grow *g, const struct cables *cables, struct grids *grids)
{
	size_t n = (size_t)cables->nvertices, arcs = (size_t)cables->first[n];
	unsigned size = 2;

	while (size < 4 * n)
		size *= 2;
	*g = (struct grow){.cables = cables, .grids = grids, .mask = size - 1,
		.member = malloc(n * sizeof(int)), .spot = malloc(n * sizeof(*g->spot)),
		.slot = malloc(size * sizeof(int)), .edge = malloc(n * sizeof(int)),
		.mark = calloc(n, sizeof(int)), .seen = calloc(n, sizeof(int)),
		.heap.item = malloc((arcs + 1) * sizeof(*g->heap.item)),
		.vote = calloc(VOTES, sizeof(*g->vote)), .budget = 1024 * (4 + (int64_t)arcs)};
	for (int d = 0; d < GRID_DIMS; d++)
		g->step[d] = random_next(&g->seed);
	if (!g->member || !g->spot || !g->slot || !g->edge || !g->mark || !g->seen ||
		!g->heap.item || !g->vote)
		return -1;
	memset(g->slot, -1, size * sizeof(int));
	return 0;
}

void grow_release(struct grow *g)
{
	free(g->member);
	free(g->spot);
	free(g->slot);
	free(g->edge);
	free(g->mark);
	free(g->seen);
	free(g->heap.item);
	free(g->vote);
}

/* --- spots and votes ------------------------------------------------------------------ */

static int *slot_of(const struct grow *g, uint64_t spot)
{
	unsigned at = (unsigned)(spot >> 32) & g->mask;

	while (g->slot[at] >= 0 && g->spot[g->slot[at]] != spot)
		at = (at + 1) & g->mask;
	return &g->slot[at];
}

int grow_at(const struct grow *g, uint64_t spot)
{
	return *slot_of(g, spot);
}

/* One more vote of this round for a spot: how many it has. */
static int vote(struct grow *g, uint64_t spot)
{
	unsigned at = (unsigned)(spot >> 40) % VOTES;

	while (g->vote[at].round == g->round && g->vote[at].spot != spot)
		at = (at + 1) % VOTES;
	if (g->vote[at].round != g->round)
		g->vote[at] = (struct grow_vote){spot, 0, g->round};
	return ++g->vote[at].count;
}

/* The spot one step from another; direction 2d is up along d, 2d + 1 down. */
static uint64_t beside(const struct grow *g, uint64_t spot, int direction)
{
	uint64_t step = g->step[direction / 2];

	return direction & 1 ? spot - step : spot + step;
}

/* The direction from u to w, both placed; -1 if they are not next to each other. */
static int direction_to(const struct grow *g, int u, int w)
{
	for (int i = 0; i < 2 * g->box.ndims; i++)
		if (beside(g, g->spot[u], i) == g->spot[w])
			return i;
	return -1;
}

/* --- squares -------------------------------------------------------------------------- */

static void mark_neighbours(struct grow *g, int v)
{
	g->round++;
	neighbours(u, v, g->cables)
		g->mark[u] = g->round;
}

/* With the neighbours of v marked: do the cables from u to v and to w have a square in common? */
static bool is_square(const struct grow *g, int u, int w)
{
	bool square = false;

	if (g->mark[w] == g->round)
		return false; /* a triangle: a ring of three */
	neighbours(x, w, g->cables)
		square |= x != u && g->mark[x] == g->round;
	return square;
}

/* straight[i] has bit j: neighbours i and j of v, among the free, are in no square. How many. */
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

/* Where most neighbours say that v is. By how many votes it leads; support in *count. */
static int lead(struct grow *g, int v, int *from, int *direction, int *count)
{
	int second = 0;

	*count = 0;
	*from = -1;
	g->round++;
	neighbours(u, v, g->cables) {
		for (int i = 0; g->grids->grid_of[u] == GROW_PLACED && i < 2 * g->box.ndims; i++) {
			uint64_t spot = beside(g, g->spot[u], i);
			int votes = vote(g, spot);

			if (votes <= second || grow_at(g, spot) >= 0)
				continue;
			if (votes > *count) {
				bool same = *from >= 0 &&
					beside(g, g->spot[*from], *direction) == spot;

				second = same ? second : *count;
				*count = votes;
				*from = u;
				*direction = i;
			} else if (beside(g, g->spot[*from], *direction) != spot) {
				second = votes;
			}
		}
	}
	return *count - second;
}

static void offer(struct grow *g, int v)
{
	int from, direction, count, by = lead(g, v, &from, &direction, &count);

	if (by >= 1 && count >= SUPPORT)
		heap_push(&g->heap, (struct heap_item){-by, v, v});
}

static void place(struct grow *g, int v, int from, int direction)
{
	memset(g->grids->at[v], 0, sizeof(g->grids->at[v]));
	g->spot[v] = random_next(&g->seed); /* what is left of an older growth is elsewhere */
	if (from >= 0) {
		memcpy(g->grids->at[v], g->grids->at[from], sizeof(g->grids->at[v]));
		g->grids->at[v][direction / 2] += direction & 1 ? -1 : 1;
		g->spot[v] = beside(g, g->spot[from], direction);
	}
	*slot_of(g, g->spot[v]) = v;
	g->used++;
	g->grids->grid_of[v] = GROW_PLACED;
	g->member[g->nmembers++] = v;
	neighbours(u, v, g->cables)
		if (g->grids->grid_of[u] == GROW_FREE) {
			if (!g->seen[u]) {
				g->seen[u] = 1;
				g->edge[g->nedge++] = u;
			}
			offer(g, u);
		}
}

/* All that at least two neighbours agree about. */
static void place_agreed(struct grow *g)
{
	while (g->heap.size) {
		struct heap_item item = heap_pop(&g->heap);
		int from, direction, count, by;

		if (g->grids->grid_of[item.id] != GROW_FREE)
			continue;
		by = lead(g, item.id, &from, &direction, &count);
		if (by < 1 || count < SUPPORT)
			continue;
		if (by < -(int)item.key)
			heap_push(&g->heap, (struct heap_item){-by, item.id, item.id});
		else
			place(g, item.id, from, direction);
	}
}

struct tip {
	int v, from, direction, score;
};

/* How well the cables of u say that v (its neighbours are marked) is in a direction from it. */
static int tip_score(const struct grow *g, int u, int direction)
{
	int score = 0;

	neighbours(w, u, g->cables) {
		int other = g->grids->grid_of[w] == GROW_PLACED ? direction_to(g, u, w) : -1;

		if (other >= 0)
			score += (other / 2 == direction / 2) == is_square(g, u, w) ? -1 : 1;
	}
	return score;
}

/* Where v is by the squares of one placed neighbour, if that is better than *best. */
static void try_tip(struct grow *g, int v, int u, struct tip *best)
{
	int first = 0, second = 0, at = -1;

	for (int i = 0; i < 2 * g->box.ndims; i++) {
		int score = grow_at(g, beside(g, g->spot[u], i)) >= 0 ? 0 : tip_score(g, u, i);

		g->budget--;
		if (score > first) {
			second = first;
			first = score;
			at = i;
		} else if (score > second) {
			second = score;
		}
	}
	if (first > second && first > best->score)
		*best = (struct tip){v, u, at, first};
}

/* The best beginning of a new row. False: there is none. */
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

/* Where the neighbours of the seed are: each with the one that it has no square with, if any. Those
 * beyond GRID_DIMS dimensions stay free. */
static void place_frame(struct grow *g, int seed)
{
	uint32_t straight[CABLES_MAX_DEGREE];
	int near[CABLES_MAX_DEGREE], direction[CABLES_MAX_DEGREE];
	int n = find_straight(g, seed, near, straight), ndims = 0;

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
	g->box.ndims = ndims;
	place(g, seed, -1, 0);
	for (int i = 0; i < n; i++)
		if (direction[i] >= 0)
			place(g, near[i], seed, direction[i]);
}

void grow_from(struct grow *g, int seed)
{
	struct tip tip;

	g->nmembers = g->nedge = g->heap.size = 0;
	if (g->used > g->mask / 2) {
		memset(g->slot, -1, ((size_t)g->mask + 1) * sizeof(*g->slot));
		g->used = 0;
	}
	place_frame(g, seed);
	for (place_agreed(g); find_tip(g, &tip); place_agreed(g))
		place(g, tip.v, tip.from, tip.direction);
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
