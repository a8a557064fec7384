/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See bipart.h. Gains are real numbers, so vertices wait in two heaps, one for each part, instead
 * of Fiduccia's and Mattheyses's buckets.
 */
#include "ranks/bipart.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/random.h"

/*
 * Vertices of a graph that is coarse enough; first guesses on the coarsest graph; the most passes
 * of refinement on each level; and moves without a gain before a pass ends.
 */
enum { COARSEST = 32, STARTS = 3, PASSES = 4, PATIENCE = 64 };

int bipart_graph_init(struct bipart_graph *g, int n, int rows, struct arena *arena)
{
	*g = (struct bipart_graph){.n = n};
	arena_array(arena, g->start, n + 1);
	arena_array(arena, g->to, rows);
	arena_array(arena, g->weight, rows);
	arena_array(arena, g->size, n);
	return arena_array(arena, g->bias, n) ? 0 : -1;
}

/* --- refinement ------------------------------------------------------------------- */

struct refiner {
	const struct bipart_graph *g;
	int *part;
	int excess;   /* how much part 0 is too large */
	int slack;    /* the excess that is allowed, either way */
	double cost;  /* change since the pass began */
	double *gain; /* [n] of a move to the other part */
	struct heap heap[2]; /* vertices that may leave each part, greatest gain first */
	bool *done;	     /* [n] has moved */
	int *moved;	     /* [n] the moved vertices in order */
};

static void fill_heaps(struct refiner *r)
{
	const struct bipart_graph *g = r->g;

	r->heap[0].size = r->heap[1].size = 0;
	for (int v = 0; v < g->n; v++) {
		struct heap *heap = &r->heap[r->part[v]];
		double gain = r->part[v] ? -g->bias[v] : g->bias[v];

		for (int e = g->start[v]; e < g->start[v + 1]; e++)
			gain += r->part[g->to[e]] == r->part[v] ? -g->weight[e] : g->weight[e];
		r->gain[v] = gain;
		r->done[v] = false;
		heap->item[heap->size++] = (struct heap_item){-gain, v, v};
	}
	heap_make(&r->heap[0]);
	heap_make(&r->heap[1]);
}

/* Move vertex v to the other part, and update its neighbours' gains. */
static void move(struct refiner *r, int v)
{
	const struct bipart_graph *g = r->g;
	int side = r->part[v];

	r->cost -= r->gain[v];
	r->excess += side ? g->size[v] : -g->size[v];
	r->part[v] = !side;
	r->done[v] = true;
	heap_remove(&r->heap[side], v);
	for (int e = g->start[v]; e < g->start[v + 1]; e++) {
		int w = g->to[e];

		r->gain[w] += r->part[w] == side ? 2 * g->weight[e] : -2 * g->weight[e];
		if (!r->done[w])
			heap_rekey(&r->heap[r->part[w]], w, -r->gain[w]);
	}
}

/* The part to move from: the one that is too large; otherwise the one with the greater gain. */
static int next_side(const struct refiner *r)
{
	if (!r->heap[0].size || !r->heap[1].size)
		return !r->heap[0].size;
	if (r->excess > 0)
		return 0;
	if (r->excess < 0)
		return 1;
	return r->heap[1].item[0].key < r->heap[0].item[0].key;
}

/* Is a state with this excess and cost better? Within the slack only the cost counts. */
static bool is_better(const struct refiner *r, int excess, double cost, int than, double before)
{
	int out = abs(excess) > r->slack ? abs(excess) : 0;
	int was = abs(than) > r->slack ? abs(than) : 0;

	return out != was ? out < was : cost < before - 1e-9;
}

/* Move until no vertex is left or nothing is gained for long, and return to the best state. */
static bool pass(struct refiner *r)
{
	int n = 0, best = 0, best_excess = r->excess, patience = PATIENCE + r->g->n / 16;
	double least = 0;

	r->cost = 0;
	fill_heaps(r);
	while ((r->heap[0].size || r->heap[1].size) && n - best < patience) {
		int v = r->heap[next_side(r)].item[0].id;

		move(r, v);
		r->moved[n++] = v;
		if (is_better(r, r->excess, r->cost, best_excess, least)) {
			best = n;
			best_excess = r->excess;
			least = r->cost;
		}
	}
	while (n > best) {
		int v = r->moved[--n];

		r->excess += r->part[v] ? r->g->size[v] : -r->g->size[v];
		r->part[v] = !r->part[v];
	}
	return best > 0;
}

static int refiner_init(struct refiner *r, const struct bipart_graph *g, int first, int *part,
	struct arena *arena)
{
	int n = g->n;

	*r = (struct refiner){.g = g, .part = part, .excess = -first};
	arena_array(arena, r->gain, n);
	arena_array(arena, r->done, n);
	arena_array(arena, r->heap[0].item, 2 * n);
	if (!arena_array(arena, r->heap[0].place, 2 * n))
		return -1;
	/* A vertex is in only one heap at a time. */
	r->heap[1].item = r->heap[0].item + n;
	r->heap[1].place = r->heap[0].place;
	r->moved = r->heap[0].place + n;
	for (int v = 0; v < n; v++) {
		r->slack = g->size[v] - 1 > r->slack ? g->size[v] - 1 : r->slack;
		r->excess += part[v] ? 0 : g->size[v];
	}
	return 0;
}

static int refine(const struct bipart_graph *g, int first, int *part)
{
	struct arena arena = {0};
	struct refiner r;
	int bad = refiner_init(&r, g, first, part, &arena);

	for (int i = 0; !bad && i < PASSES && pass(&r); i++)
		;
	arena_release(&arena);
	return bad;
}

static double cost_of(const struct bipart_graph *g, const int *part)
{
	double cost = 0;

	for (int v = 0; v < g->n; v++) {
		cost -= part[v] ? 2 * g->bias[v] : 0;
		for (int e = g->start[v]; e < g->start[v + 1]; e++)
			cost += part[v] != part[g->to[e]] ? g->weight[e] : 0;
	}
	return cost / 2;
}

/* --- coarser graphs --------------------------------------------------------------- */

/*
 * Match each vertex with the neighbour that it sends most to, unless too large. Returns how many
 * remain.
 */
static int match(const struct bipart_graph *g, int largest, uint64_t *random, int *coarse)
{
	int *order = malloc((size_t)g->n * sizeof(int)), n = 0;

	if (!order)
		return -1;
	for (int i = 0; i < g->n; i++) {
		int j = (int)random_below(random, (uint64_t)i + 1);

		order[i] = order[j];
		order[j] = i;
		coarse[i] = -1;
	}
	for (int i = 0; i < g->n; i++) {
		int v = order[i], with = v;
		double most = -1;

		if (coarse[v] >= 0)
			continue;
		for (int e = g->start[v]; e < g->start[v + 1]; e++) {
			int w = g->to[e];

			if (coarse[w] >= 0 || g->size[v] + g->size[w] > largest)
				continue;
			if (g->weight[e] / g->size[w] > most) {
				most = g->weight[e] / g->size[w];
				with = w;
			}
		}
		coarse[v] = coarse[with] = n++;
	}
	free(order);
	return n;
}

/* Add v's row to the coarse row that begins at `row`. Returns where that row ends. */
static int add_row(const struct bipart_graph *g, int v, const int *coarse, struct bipart_graph *c,
	int *seen)
{
	int mine = coarse[v], row = c->start[mine], end = c->start[mine + 1];

	c->size[mine] += g->size[v];
	c->bias[mine] += g->bias[v];
	for (int e = g->start[v]; e < g->start[v + 1]; e++) {
		int w = coarse[g->to[e]];

		if (w == mine)
			continue;
		if (seen[w] < row) {
			seen[w] = end;
			c->to[end] = w;
			c->weight[end++] = 0;
		}
		c->weight[seen[w]] += g->weight[e];
	}
	return end;
}

static int contract(const struct bipart_graph *g, const int *coarse, int n, struct bipart_graph *c,
	struct arena *arena)
{
	int *member = arena_get(arena, 2 * n, sizeof(int));
	int *seen = arena_get(arena, n, sizeof(int));

	if (bipart_graph_init(c, n, g->start[g->n], arena))
		return -1;
	for (int i = 0; i < n; i++)
		seen[i] = member[2 * i] = member[2 * i + 1] = -1;
	for (int v = 0; v < g->n; v++)
		member[2 * coarse[v] + (member[2 * coarse[v]] >= 0)] = v;
	for (int i = 0, end = 0; i < n; i++) {
		c->start[i] = end;
		c->start[i + 1] = end;
		for (int k = 0; k < 2 && member[2 * i + k] >= 0; k++)
			c->start[i + 1] = end = add_row(g, member[2 * i + k], coarse, c, seen);
	}
	return 0;
}

/* --- the coarsest graph ----------------------------------------------------------- */

/* Grow part 0 from one vertex, each time by the vertex that costs least. */
static int grow(const struct bipart_graph *g, int first, int seed, int *part)
{
	struct arena arena = {0};
	struct refiner r;
	int bad;

	for (int v = 0; v < g->n; v++)
		part[v] = 1;
	bad = refiner_init(&r, g, first, part, &arena);
	if (!bad) {
		fill_heaps(&r);
		for (int v = seed; r.excess < 0 && v >= 0;
			v = r.heap[1].size ? r.heap[1].item[0].id : -1)
			move(&r, v);
	}
	arena_release(&arena);
	return bad;
}

static int cut_coarsest(const struct bipart_graph *g, int first, uint64_t *random, int *part)
{
	int *trial = malloc((size_t)g->n * sizeof(int)), bad = trial ? 0 : -1;
	double least = 0;

	for (int i = 0; i < STARTS && !bad; i++) {
		double cost;

		bad = grow(g, first, (int)random_below(random, (uint64_t)g->n), trial) ||
			refine(g, first, trial);
		cost = bad ? 0 : cost_of(g, trial);
		if (!bad && (!i || cost < least)) {
			least = cost;
			memcpy(part, trial, (size_t)g->n * sizeof(int));
		}
	}
	free(trial);
	return bad ? -1 : 0;
}

/* --- the whole -------------------------------------------------------------------- */

int bipart(const struct bipart_graph *g, int first, uint64_t *random, int *part)
{
	struct bipart_graph c;
	struct arena arena = {0};
	int *coarse, *guess, n, total = 0, bad;

	if (g->n <= COARSEST)
		return cut_coarsest(g, first, random, part);
	for (int v = 0; v < g->n; v++)
		total += g->size[v];
	coarse = arena_get(&arena, g->n, sizeof(int));
	n = coarse ? match(g, total / COARSEST * 3 / 2 + 1, random, coarse) : -1;
	if (n < 0) {
		bad = -1;
	} else if (n > g->n - g->n / 16) { /* there are hardly any edges to contract */
		bad = cut_coarsest(g, first, random, part);
	} else {
		guess = arena_get(&arena, n, sizeof(int));
		bad = contract(g, coarse, n, &c, &arena) || bipart(&c, first, random, guess);
		for (int v = 0; !bad && v < g->n; v++)
			part[v] = guess[coarse[v]];
		bad = bad || refine(g, first, part);
	}
	arena_release(&arena);
	return bad ? -1 : 0;
}
