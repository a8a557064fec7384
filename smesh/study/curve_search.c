/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/curve_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"

enum {
	CHECK_CLOCK = 64, /* steps between looks at the clock */
	REPORTS = 50,
	LONGEST_MOVE = 4, /* vertices that are moved elsewhere at a time */
};

/* How warm it is: what an ordinary move costs at first, and next to nothing at last. */
static const double hot = 0.2, cold = 0.004;

void curve_goal_init(struct curve_goal *goal, const struct mesh *mesh, bool ring, double falloff)
{
	double weight = falloff;

	goal->mesh = mesh;
	goal->ring = ring;
	for (goal->reach = 0; goal->reach < CURVE_MAX_REACH && weight >= 1e-5 * falloff;
		weight *= falloff)
		goal->weight[++goal->reach] = weight;
}

/* The weight of ranks that are d apart, 1 <= d < n. */
static double weight_of(const struct curve_goal *goal, int d, int n)
{
	if (goal->ring && 2 * d > n)
		d = n - d;
	return d <= goal->reach ? goal->weight[d] : 0;
}

double curve_cost(const struct curve_goal *goal, const int *order, int n)
{
	double cost = 0;

	for (int i = 0; i < n; i++) {
		for (int j = i + 1; j < n && j - i <= goal->reach; j++)
			cost += weight_of(goal, j - i, n) *
				mesh_hops(goal->mesh, order[i], order[j]);
		/* And those that are near around the end. */
		for (int j = i + n - goal->reach; goal->ring && j < n; j++)
			if (j > i + goal->reach)
				cost += weight_of(goal, j - i, n) *
					mesh_hops(goal->mesh, order[i], order[j]);
	}
	return cost;
}

/* ---- a bound ---- */

static int by_weight(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* The weights that rank i has to the others, the heaviest first; how many are not 0. */
static int weights_at(const struct curve_goal *goal, int i, int n, double *weight)
{
	int count = 0;

	for (int d = 1; d <= goal->reach; d++) {
		if (goal->ring ? 2 * d <= n : i - d >= 0)
			weight[count++] = goal->weight[d];
		if (goal->ring ? 2 * d < n : i + d < n)
			weight[count++] = goal->weight[d];
	}
	qsort(weight, (size_t)count, sizeof(*weight), by_weight);
	return count;
}

/* How many of the vertices are at each distance from v. */
static void distances_from(const struct mesh *mesh, const int *order, int n, int v, int *at)
{
	for (int i = 0; i < n; i++)
		at[mesh_hops(mesh, v, order[i])]++;
}

/* The heaviest weights with the shortest distances. */
static double least_product(const double *weight, int count, const int *at)
{
	double sum = 0;
	int hops = 1, left = at[1];

	for (int i = 0; i < count; i++) {
		while (!left)
			left = at[++hops];
		left--;
		sum += weight[i] * hops;
	}
	return sum;
}

/*
 * Ranks within the reach of an end have fewer weights than those in the middle; each takes
 * the vertex that suits it best, and pairs are counted from both sides.
 */
double curve_bound(const struct curve_goal *goal, const int *order, int n)
{
	int kinds = goal->ring || n <= 2 * goal->reach ? n : goal->reach + 1,
	    most = mesh_sum_of_sides(goal->mesh);
	double *best = malloc((size_t)(n + 1) * sizeof(*best)), sum = 0;
	int *at = malloc((size_t)(most + 1) * sizeof(*at));

	if (goal->ring)
		kinds = 1;
	for (int i = 0; best && i < n; i++)
		best[i] = INFINITY;
	for (int j = 0; best && at && j < n; j++) {
		memset(at, 0, (size_t)(most + 1) * sizeof(*at));
		distances_from(goal->mesh, order, n, order[j], at);
		for (int i = 0; i < kinds; i++) {
			double weight[2 * CURVE_MAX_REACH];
			double cost = least_product(weight, weights_at(goal, i, n, weight), at);

			best[i] = cost < best[i] ? cost : best[i];
		}
	}
	for (int i = 0; best && i < n; i++) {
		/* In the middle all are like the last kind, and the far end is like the near
		 * one. */
		int kind = i < kinds ? i : kinds - 1;

		if (kinds > 1 && kinds < n && n - 1 - i < kind)
			kind = n - 1 - i;
		sum += best[kind] / 2;
	}
	if (!best || !at)
		sum = -1;
	free(best);
	free(at);
	return sum;
}

/* ---- annealing ---- */

/* A stretch of the order as it is, read forwards or backwards. */
struct block {
	int first, length;
	bool back;
};

struct state {
	const struct curve_goal *goal;
	int n;
	int *order, *rank, *best, *moved;
	double cost, best_cost;
	uint64_t random;
};

static int draw(struct state *s, int n)
{
	return (int)random_below(&s->random, (uint64_t)n);
}

static int vertex_in(const struct state *s, const struct block *block, int i)
{
	return s->order[block->back ? block->first + block->length - 1 - i : block->first + i];
}

/* Up to reach vertices at the end of a block, the last first. */
static int gather_left(const struct state *s, const struct block *block, int *vertex)
{
	int n = 0;

	while (n < s->goal->reach && n < block->length) {
		vertex[n] = vertex_in(s, block, block->length - 1 - n);
		n++;
	}
	return n;
}

/* Up to reach vertices from a block on; in a ring it goes round. */
static int gather_right(const struct state *s, const struct block *block, int blocks, int from,
	int *vertex)
{
	int n = 0;

	for (int b = from; n < s->goal->reach && (s->goal->ring || b < blocks); b++)
		for (int i = 0; n < s->goal->reach && i < block[b % blocks].length; i++)
			vertex[n++] = vertex_in(s, &block[b % blocks], i);
	return n;
}

/* The cost of pairs in different blocks, the blocks in this order: each at the end of its first. */
static double cost_across(const struct state *s, const struct block *block, int blocks)
{
	int left[CURVE_MAX_REACH], right[CURVE_MAX_REACH], reach = s->goal->reach;
	double cost = 0;

	for (int b = 0; b < blocks - !s->goal->ring; b++) {
		int nleft = gather_left(s, &block[b], left);
		int nright = gather_right(s, block, blocks, b + 1, right);

		for (int i = 0; i < nleft; i++)
			for (int j = 0; j < nright && i + j + 1 <= reach; j++)
				cost += s->goal->weight[i + j + 1] *
					mesh_hops(s->goal->mesh, left[i], right[j]);
	}
	return cost;
}

/* Put the blocks, which make up a stretch of the order, where they are in this order. */
static void rearrange(struct state *s, int first, const struct block *block, int blocks)
{
	int n = 0;

	for (int b = 0; b < blocks; b++)
		for (int i = 0; i < block[b].length; i++)
			s->moved[n++] = vertex_in(s, &block[b], i);
	memcpy(s->order + first, s->moved, (size_t)n * sizeof(*s->order));
	for (int i = first; i < first + n; i++)
		s->rank[s->order[i]] = i;
}

/* Metropolis: what is better is taken, what is worse sometimes. */
static bool accept(struct state *s, double change, double heat)
{
	return change <= 0 || random_unit(&s->random) < exp(-change / heat);
}

/*
 * The blocks as they are, and how they would be. Small orders are costed whole, as in a small
 * ring a pair may be near both ways round.
 */
static void try_blocks(
	struct state *s, const struct block *now, const struct block *then, int blocks, double heat)
{
	int first = now[0].length, middle = blocks - 2;
	double change;

	if (s->n > 4 * CURVE_MAX_REACH) {
		change = cost_across(s, then, blocks) - cost_across(s, now, blocks);
		if (!accept(s, change, heat))
			return;
		rearrange(s, first, then + 1, middle);
		s->cost += change;
		return;
	}
	memcpy(s->moved + s->n, s->order, (size_t)s->n * sizeof(int));
	rearrange(s, first, then + 1, middle);
	change = curve_cost(s->goal, s->order, s->n) - s->cost;
	if (accept(s, change, heat)) {
		s->cost += change;
		return;
	}
	memcpy(s->order, s->moved + s->n, (size_t)s->n * sizeof(int));
	for (int i = 0; i < s->n; i++)
		s->rank[s->order[i]] = i;
}

/* Reverse ranks from..to. */
static void try_reverse(struct state *s, int from, int to, double heat)
{
	struct block now[] = {{0, from, false}, {from, to - from + 1, false},
		{to + 1, s->n - to - 1, false}};
	struct block then[] = {now[0], now[1], now[2]};

	then[1].back = true;
	try_blocks(s, now, then, 3, heat);
}

/* Move the stretch from..from+length-1 to just before rank `to`, which is outside of it. */
static void try_move(struct state *s, int from, int length, int to, double heat)
{
	int low = to <= from ? to : from, high = to <= from ? from + length : to;
	struct block stretch = {from, length, random_next(&s->random) & 1};
	struct block between = to <= from ? (struct block){to, from - to, false}
					 : (struct block){from + length, to - from - length, false};
	struct block now[] = {{0, low, false}, {from, length, false}, between,
		{high, s->n - high, false}};
	struct block then[] = {now[0], stretch, between, now[3]};

	if (to <= from) {
		now[1] = between;
		now[2] = (struct block){from, length, false};
	} else {
		then[1] = between;
		then[2] = stretch;
	}
	try_blocks(s, now, then, 4, heat);
}

/* A vertex one hop from v, or two, that is in the order; -1 if the die falls on none. */
static int random_neighbour(struct state *s, int v)
{
	const struct mesh *mesh = s->goal->mesh;
	int hops = 1 + (draw(s, 4) == 0);

	while (hops--) {
		int d = draw(s, mesh->ndims), c = mesh->coord[v][d];
		int to = c + (random_next(&s->random) & 1 ? 1 : -1);

		if (mesh->wrap[d])
			to = (to + mesh->side[d]) % mesh->side[d];
		if (to < 0 || to >= mesh->side[d])
			return -1;
		v += (to - c) * mesh->stride[d];
	}
	return s->rank[v] < 0 ? -1 : v;
}

/* Bring a neighbour of a random vertex next to it, one way or the other. */
static void one_step(struct state *s, double heat)
{
	int i = draw(s, s->n), v = random_neighbour(s, s->order[i]);
	int j = v < 0 ? i : s->rank[v], length = 1 + draw(s, LONGEST_MOVE);

	if (i == j)
		return;
	if (random_next(&s->random) & 1) {
		/* i and j become neighbours: turn what is between, with one of them. */
		int low = i < j ? i : j, high = i < j ? j : i;

		if (random_next(&s->random) & 1)
			try_reverse(s, low + 1, high, heat);
		else
			try_reverse(s, low, high - 1, heat);
		return;
	}
	if (j + length > s->n)
		length = s->n - j;
	if (i >= j && i < j + length)
		return;
	try_move(s, j, length, i + (int)(random_next(&s->random) & 1), heat);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void keep_best(struct state *s)
{
	if (s->cost >= s->best_cost - 1e-9)
		return;
	s->best_cost = s->cost;
	memcpy(s->best, s->order, (size_t)s->n * sizeof(*s->best));
}

static void anneal(struct state *s, const struct curve_search *search)
{
	int64_t start = now_ns();
	double heat = hot, reported = 0;

	/* A large order is copied rarely: when the cost has fallen by enough to pay for it. */
	for (uint64_t step = 0;; step++) {
		if (step % CHECK_CLOCK == 0) {
			double part = search->budget_ns > 0
				? (double)(now_ns() - start) / (double)search->budget_ns : 1;

			if (part >= 1)
				break;
			heat = hot * pow(cold / hot, part);
			if (s->n < 1000 || step % (16 * (uint64_t)s->n) == 0)
				keep_best(s);
			if (search->progress && part >= reported) {
				reported = part + 1.0 / REPORTS;
				if (search->progress(search->data, part,
					s->cost < s->best_cost ? s->cost : s->best_cost))
					break;
			}
		}
		one_step(s, heat);
	}
	keep_best(s);
}

int curve_improve(
	const struct curve_goal *goal, const struct curve_search *search, int *order, int n)
{
	struct state s = {.goal = goal, .n = n, .order = order, .random = search->seed};
	size_t nv = (size_t)goal->mesh->nvertices;
	bool fine;

	s.rank = malloc(nv * sizeof(int));
	s.best = malloc((size_t)n * sizeof(int));
	s.moved = malloc(2 * (size_t)n * sizeof(int));
	fine = s.rank && s.best && s.moved;
	if (fine && n > 2) {
		memset(s.rank, 0xff, nv * sizeof(int));
		for (int i = 0; i < n; i++)
			s.rank[order[i]] = i;
		memcpy(s.best, order, (size_t)n * sizeof(int));
		s.cost = s.best_cost = curve_cost(goal, order, n);
		anneal(&s, search);
		memcpy(order, s.best, (size_t)n * sizeof(int));
	}
	free(s.rank);
	free(s.best);
	free(s.moved);
	return fine ? 0 : -1;
}
