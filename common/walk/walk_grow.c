/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk_grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"

enum {
	STALE = 200, /* steps for each point of the walk without a longer one: it is given up */
	SHRINK = 16, /* one of so many chances to be shorter is taken */
};

struct ring {
	const struct walk_graph *g;
	struct walk_effort *effort;
	int *next; /* by point: the one after it, or -1: not on the ring */
	int *on, n; /* the points on it */
	int length; /* wanted */
	uint64_t random;
};

static int any(struct ring *r, int n)
{
	return (int)random_below(&r->random, (uint64_t)n);
}

static bool joined(const struct ring *r, int p, int q)
{
	r->effort->left -= walk_graph_degree(r->g, p);
	return walk_graph_joined(r->g, p, q);
}

static void put(struct ring *r, int after, int p)
{
	r->next[p] = r->next[after];
	r->next[after] = p;
	r->on[r->n++] = p;
}

/* Out of the ring what comes after p. */
static void drop_next(struct ring *r, int p)
{
	int out = r->next[p], i = 0;

	r->next[p] = r->next[out];
	r->next[out] = -1;
	while (r->on[i] != out)
		i++;
	r->on[i] = r->on[--r->n];
}

/* From a over c, which is not on the ring, to the point after a: there, over one more, or in place
 * of that point to the one behind it. */
static void detour(struct ring *r, int a, int c)
{
	int b = r->next[a], wanted = r->length - r->n;

	if (wanted && joined(r, c, b)) {
		put(r, a, c);
		return;
	}
	walk_graph_each(d, r->g, c)
		if (wanted > 1 && r->next[d] < 0 && joined(r, d, b)) {
			put(r, a, c);
			put(r, c, d);
			return;
		}
	if (b != r->g->home && r->next[b] != a && joined(r, c, r->next[b])) {
		drop_next(r, a);
		put(r, a, c);
	}
}

/* Somewhere on the ring: longer if there is a way, else different, or now and then shorter. */
static void step(struct ring *r)
{
	const struct walk_graph *g = r->g;
	int a = r->on[any(r, r->n)], c = g->to[g->first[a] + any(r, walk_graph_degree(g, a))];
	int b = r->next[a], d = r->next[b];

	r->effort->left -= walk_graph_degree(g, a);
	if (r->next[c] < 0) {
		detour(r, a, c);
	} else if (c == r->next[d] && c != b && a != c && b != g->home && d != g->home &&
		!any(r, SHRINK)) {
		drop_next(r, a);
		drop_next(r, a);
	}
}

/* The walk of n nodes as a ring of points, from the home on if there is one. */
static void begin(struct ring *r, const int *node, int n)
{
	const struct walk_graph *g = r->g;
	int last = g->home;

	memset(r->next, -1, (size_t)g->points * sizeof(*r->next));
	for (int i = -(g->home >= 0); i < n; i++) {
		const int *at = i < 0 ? NULL : bsearch(&node[i], g->node, (size_t)g->n,
						      sizeof(*at), sort_compare_int);
		int p = at ? (int)(at - g->node) : g->home;

		if (r->n)
			put(r, last, p);
		else
			r->next[p] = r->on[r->n++] = p;
		last = p;
	}
}

bool walk_grow(const struct walk_graph *g, int *node, int n, int length, struct walk_effort *effort)
{
	struct arena arena = {0};
	struct ring r = {.g = g, .effort = effort, .length = length + (g->home >= 0)};
	int longest = 0, p = -1;

	arena_array(&arena, r.next, g->points);
	if (arena_array(&arena, r.on, g->points))
		begin(&r, node, n);
	for (int stale = 0; !arena.out && r.n < r.length && stale < STALE * length &&
		effort->left > 0 && !mesh_budget_late(&effort->budget); stale++) {
		step(&r);
		stale = r.n > longest ? 0 : stale;
		longest = r.n > longest ? r.n : longest;
	}
	if (r.n == r.length)
		p = g->home >= 0 ? r.next[g->home] : r.on[0];
	for (int i = 0; p >= 0 && i < length; i++, p = r.next[p])
		node[i] = g->node[p];
	arena_release(&arena);
	return p >= 0;
}
