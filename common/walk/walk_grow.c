/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A closed walk begins as the smallest one through a point, of the parity that is wanted, and grows
 * by bulging out: a step u v becomes u a v or u a b v. Where it cannot, corners are turned over (u
 * x v becomes u y v) or bulges taken back, at random: the moves by which self-avoiding polygons are
 * sampled (B. Berg and D. Foerster, 1981; C. Aragao de Carvalho, S. Caracciolo and J. Froehlich,
 * 1983). Of several ways to bulge out that comes first which leaves the fewest free points behind
 * it, so that a ring lies close to what is taken.
 *
 * O(joined^2) for each of up to SAMPLE places that a move looks at.
 */
#include "walk/walk_grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum {
	RESTARTS = 64, /* and one for so many points: */
	POINTS = 8,
	SAMPLE = 64, /* places where to grow that are compared */
};

struct grow {
	const struct walk_graph *g;
	struct walk_effort *effort;
	uint64_t random;
	int length;	   /* wanted, with the home */
	int *next, *prev;  /* [points] along the walk; -1: not on it */
	int *member, *place; /* [count] of the walk in any order; where a point is in it */
	int count;
	int *depth, *branch, *from, *queue; /* of begin() */
	int64_t looks;
};

/* Points that come between `after` and the one behind it; b is -1 where one does. */
struct bulge {
	int after, a, b;
	int free; /* points beside them that are not on the walk; INT32_MAX: there is no bulge */
};

/* --- the walk as a ring of links ---------------------------------------------------- */

static void insert(struct grow *w, int after, int p)
{
	int before = w->next[after];

	w->next[after] = w->prev[before] = p;
	w->prev[p] = after;
	w->next[p] = before;
	w->place[p] = w->count;
	w->member[w->count++] = p;
}

static void take_out(struct grow *w, int p)
{
	int last = w->member[--w->count];

	w->next[w->prev[p]] = w->next[p];
	w->prev[w->next[p]] = w->prev[p];
	w->next[p] = w->prev[p] = -1;
	w->member[w->place[p]] = last;
	w->place[last] = w->place[p];
}

static bool is_on(const struct grow *w, int p)
{
	return w->next[p] >= 0;
}

static void begin_at(struct grow *w, int p)
{
	memset(w->next, -1, (size_t)w->g->points * sizeof(*w->next));
	w->next[p] = w->prev[p] = p;
	w->place[p] = 0;
	w->member[0] = p;
	w->count = 1;
}

/* --- where it begins ---------------------------------------------------------------- */

/* The two branches of the tree that meet between p and q, into the walk. */
static void close_ring(struct grow *w, int p, int q, int start)
{
	int after = start;

	begin_at(w, start);
	for (; q != start; q = w->from[q]) /* from the far end: each behind the start */
		insert(w, start, q);
	after = w->prev[start];
	for (; p != start; p = w->from[p]) {
		insert(w, after, p);
		after = p;
	}
}

/* Into depth[] and branch[] of what is joined to p, which is reached; a q with which the ring
 * through the start closes, or -1. */
static int reach_from(struct grow *w, int p, int start, int *n)
{
	w->looks += walk_graph_degree(w->g, p);
	walk_graph_each(q, w->g, p) {
		int length = w->depth[p] + w->depth[q] + 1;

		if (w->depth[q] < 0) {
			w->depth[q] = w->depth[p] + 1;
			w->branch[q] = p == start ? q : w->branch[p];
			w->from[q] = p;
			w->queue[(*n)++] = q;
		} else if (p != start && q != start && w->branch[p] != w->branch[q] &&
			length <= w->length && (w->length - length) % 2 == 0) {
			return q;
		}
	}
	return -1;
}

/* The smallest ring through the start of the parity wanted; false: there is none. */
static bool begin_ring(struct grow *w, int start)
{
	int n = 0;

	memset(w->depth, -1, (size_t)w->g->points * sizeof(*w->depth));
	w->depth[start] = 0;
	w->queue[n++] = start;
	for (int i = 0; i < n && 2 * w->depth[w->queue[i]] < w->length; i++) {
		int p = w->queue[i], q = reach_from(w, p, start, &n);

		if (q < 0)
			continue;
		close_ring(w, p, q, start);
		return true;
	}
	return false;
}

static bool begin(struct grow *w, int start)
{
	if (w->g->home < 0)
		return begin_ring(w, start);
	begin_at(w, w->g->home);
	insert(w, w->g->home, start);
	return true;
}

/* Most hemmed in, but on some ring, to begin with; then any. */
static int choose_start(struct grow *w, int restart)
{
	const struct walk_graph *g = w->g;
	int least = g->home < 0 ? 2 : 1, best = 0;

	if (restart)
		return (int)random_below(&w->random, (uint64_t)g->n);
	for (int p = 1; p < g->n; p++) {
		int ways = walk_graph_degree(g, p);

		if (ways >= least && (ways < walk_graph_degree(g, best) ||
			walk_graph_degree(g, best) < least))
			best = p;
	}
	return best;
}

/* --- moves -------------------------------------------------------------------------- */

static int count_free(struct grow *w, int p)
{
	int n = 0;

	w->looks += walk_graph_degree(w->g, p);
	walk_graph_each(q, w->g, p)
		n += !is_on(w, q);
	return n;
}

static void consider(struct grow *w, int after, int a, int b, struct bulge *best)
{
	int beside = count_free(w, a) + (b < 0 ? 0 : count_free(w, b));

	if (beside < best->free)
		*best = (struct bulge){after, a, b, beside};
}

/* u a b v. */
static void bulge_by_two(struct grow *w, int u, int a, struct bulge *best)
{
	int v = w->next[u];

	walk_graph_each(b, w->g, v)
		if (!is_on(w, b) && b != a && walk_graph_joined(w->g, a, b))
			consider(w, u, a, b, best);
	w->looks += walk_graph_degree(w->g, v) * walk_graph_degree(w->g, a);
}

static void bulge_after(struct grow *w, int u, struct bulge *best)
{
	const struct walk_graph *g = w->g;
	int v = w->next[u], from = u == g->home ? v : u, other = u == g->home ? u : v;

	walk_graph_each(a, g, from) {
		if (is_on(w, a))
			continue;
		if (walk_graph_joined(g, a, other))
			consider(w, u, a, -1, best);
		else if (other != g->home && w->count + 2 <= w->length)
			bulge_by_two(w, u, a, best);
	}
}

/* Is there a place to grow? */
static bool bulge_out(struct grow *w)
{
	struct bulge best = {.free = INT32_MAX};
	int places = w->count < SAMPLE ? w->count : SAMPLE;

	for (int i = 0; i < places; i++)
		bulge_after(w, w->count <= SAMPLE ? w->member[i] :
			w->member[random_below(&w->random, (uint64_t)w->count)], &best);
	if (best.free == INT32_MAX)
		return false;
	insert(w, best.after, best.a);
	if (best.b >= 0)
		insert(w, best.a, best.b);
	return true;
}

/* u x v becomes u y v. */
static void turn_over(struct grow *w, int u, int x, int v)
{
	const struct walk_graph *g = w->g;
	int from = u == g->home ? v : u, other = u == g->home ? u : v, n = 0, y = -1;

	w->looks += walk_graph_degree(g, from) * (int64_t)walk_graph_degree(g, x);
	walk_graph_each(a, g, from)
		if (!is_on(w, a) && walk_graph_joined(g, a, other) &&
			!random_below(&w->random, (uint64_t)++n))
			y = a;
	if (y < 0)
		return;
	take_out(w, x);
	insert(w, u, y);
}

/* u x v becomes u v, or u x y v does. */
static void take_back(struct grow *w, int u, int x, int v)
{
	int behind = w->next[v];

	if (w->count > 4 && walk_graph_joined(w->g, u, v)) {
		take_out(w, x);
	} else if (w->count > 5 && v != w->g->home && behind != u &&
		walk_graph_joined(w->g, u, behind)) {
		take_out(w, x);
		take_out(w, v);
	}
}

static void shake(struct grow *w)
{
	int u = w->member[random_below(&w->random, (uint64_t)w->count)];
	int x = w->next[u], v = w->next[x];

	if (x == w->g->home || u == v)
		return;
	if (random_below(&w->random, 8))
		turn_over(w, u, x, v);
	else
		take_back(w, u, x, v);
}

static bool late(struct grow *w)
{
	int64_t looks = w->looks + 1;

	w->looks = 0;
	return walk_effort_spend(w->effort, looks);
}

static bool grow_from(struct grow *w, int start)
{
	int patience = 100 + 4 * w->length;

	if (!begin(w, start))
		return false;
	while (w->count < w->length && patience > 0 && !late(w))
		if (!bulge_out(w)) {
			shake(w);
			patience--;
		}
	return w->count == w->length;
}

/* In order, from behind the home, or from the start. */
static void copy_out(const struct grow *w, int *point)
{
	int p = w->g->home < 0 ? w->member[0] : w->next[w->g->home];

	for (int i = 0; i < w->length - (w->g->home >= 0); i++, p = w->next[p])
		point[i] = p;
}

enum walk_result walk_grow(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *point)
{
	size_t points = (size_t)g->points;
	int *room = malloc(8 * points * sizeof(*room));
	struct grow w = {.g = g, .effort = effort, .random = random_stream(q->seed, 0),
		.length = q->length + (g->home >= 0), .next = room};
	bool found = false;

	if (!room)
		return WALK_NO_MEMORY;
	w.prev = w.next + points;
	w.member = w.prev + points;
	w.place = w.member + points;
	w.depth = w.place + points;
	w.branch = w.depth + points;
	w.from = w.branch + points;
	w.queue = w.from + points;
	for (int i = 0; i < RESTARTS + g->n / POINTS && !found && !late(&w); i++)
		found = grow_from(&w, choose_start(&w, i));
	if (found)
		copy_out(&w, point);
	free(room);
	return found ? WALK_FOUND : WALK_UNKNOWN;
}
