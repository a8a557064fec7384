/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

/* What is known at a depth of the tree. Sums and costs are twice the distances. */
struct level {
	int ncan, left;
	int64_t sum;
	int64_t all; /* no set has less */
	int can[PROOF_MOST];	/* points that may still be taken */
	int64_t far[PROOF_MOST]; /* [point] twice its distance to those taken */
};

struct search {
	struct proof *proof;
	int *near; /* [n * n] the points by distance from each */
	struct level *level;
	bool is[PROOF_MOST]; /* a candidate of the level at hand */
	int64_t visited;
};

static const uint16_t *row_to_sort;

static int by_distance(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	if (row_to_sort[x] != row_to_sort[y])
		return row_to_sort[x] - row_to_sort[y];
	return x - y;
}

static void sort_rows(struct search *s)
{
	int n = s->proof->n;

	for (int v = 0; v < n; v++) {
		for (int i = 0; i < n; i++)
			s->near[v * n + i] = i;
		row_to_sort = s->proof->far + v * n;
		qsort(s->near + v * n, (size_t)n, sizeof(int), by_distance);
	}
}

/* The sum of the least distances from v to so many candidates. */
static int64_t least_to(const struct search *s, int v, int points)
{
	int n = s->proof->n;
	int64_t sum = 0;

	for (const int *at = s->near + v * n; points > 0 && at < s->near + (v + 1) * n; at++)
		if (*at != v && s->is[*at]) {
			sum += s->proof->far[v * n + *at];
			points--;
		}
	return sum;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Candidates that cannot be in a better set go. The most likely one to *best; false: there is no
 * better set.
 */
static bool bound(struct search *s, struct level *l, int *best)
{
	int64_t cost[PROOF_MOST], sorted[PROOF_MOST], all = l->sum, most = 2 * s->proof->least;
	int kept = 0, at = 0;

	for (int i = 0; i < l->ncan; i++)
		s->is[l->can[i]] = true;
	for (int i = 0; i < l->ncan; i++)
		sorted[i] = cost[i] =
			l->far[l->can[i]] + least_to(s, l->can[i], l->left - 1);
	for (int i = 0; i < l->ncan; i++)
		s->is[l->can[i]] = false;
	qsort(sorted, (size_t)l->ncan, sizeof(*sorted), by_value);
	for (int i = 0; i < l->left; i++)
		all += sorted[i];
	l->all = all;
	if (all >= most)
		return false;
	for (int i = 0; i < l->ncan; i++) {
		int64_t with = cost[i] <= sorted[l->left - 1] ? all
			: all - sorted[l->left - 1] + cost[i];

		if (with >= most)
			continue;
		if (!kept || cost[i] < cost[at])
			at = i;
		cost[kept] = cost[i];
		at = at == i ? kept : at;
		l->can[kept++] = l->can[i];
	}
	l->ncan = kept;
	*best = at;
	return kept >= l->left;
}

/* The level below, with point v taken. */
static void descend(const struct search *s, const struct level *l, int v, struct level *below)
{
	const struct proof *p = s->proof;

	below->left = l->left - 1;
	below->sum = l->sum + l->far[v];
	below->ncan = 0;
	for (int i = 0; i < l->ncan; i++) {
		int u = l->can[i];

		if (u == v)
			continue;
		below->can[below->ncan++] = u;
		below->far[u] = l->far[u] + 2 * p->far[v * p->n + u];
	}
}

/* The tree's nodes are used up. */
static void leave(const struct search *s, const struct level *l)
{
	int64_t bound = (l->all + 1) / 2;

	s->proof->proved = false;
	s->proof->bound = bound < s->proof->bound ? bound : s->proof->bound;
}

static void search(struct search *s, int depth)
{
	struct level *l = &s->level[depth];
	int best;

	if (!l->left) {
		if (l->sum / 2 < s->proof->least)
			s->proof->least = l->sum / 2;
		return;
	}
	while (l->ncan >= l->left && bound(s, l, &best)) {
		if (++s->visited > s->proof->nodes) {
			leave(s, l);
			return;
		}
		descend(s, l, l->can[best], l + 1);
		search(s, depth + 1);
		memmove(l->can + best, l->can + best + 1,
			(size_t)(--l->ncan - best) * sizeof(int));
	}
}

int proof_find(struct proof *p)
{
	struct search s = {.proof = p};
	size_t n = (size_t)p->n;

	s.near = calloc(n * n, sizeof(*s.near));
	s.level = calloc((size_t)p->count + 1, sizeof(*s.level));
	if (s.near && s.level) {
		sort_rows(&s);
		s.level[0].left = p->count;
		s.level[0].ncan = p->n;
		for (int i = 0; i < p->n; i++)
			s.level[0].can[i] = i;
		p->proved = true;
		p->bound = INT64_MAX;
		search(&s, 0);
		if (p->proved || p->bound > p->least)
			p->bound = p->least;
	}
	free(s.near);
	free(s.level);
	return s.near && s.level ? 0 : -1;
}
