/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cables/graphwindow.h"

#include <string.h>

int graphwindow_init(struct graphwindow *w, int room, struct arena *arena)
{
	*w = (struct graphwindow){.room = room};
	arena_array(arena, w->vertex, room);
	arena_array(arena, w->nfree, room);
	arena_array(arena, w->must, room);
	arena_array(arena, w->pod, room);
	arena_array(arena, w->taken, room);
	arena_array(arena, w->far, room);
	arena_array(arena, w->cost, room);
	arena_array(arena, w->saved, room);
	return arena_array(arena, w->hops, (int64_t)room * room) ? 0 : -1;
}

void graphwindow_load(struct graphwindow *w, struct linkgraph *graph)
{
	for (int i = 0; i < w->n; i++)
		for (int j = 0; j < w->n; j++)
			w->hops[i * w->n + j] =
				(uint16_t)linkgraph_hops(graph, w->vertex[i], w->vertex[j]);
}

static void take(struct graphwindow *w, int v, int nodes)
{
	const uint16_t *restrict hops = w->hops + (size_t)v * (size_t)w->n;
	int32_t *restrict far = w->far;

	w->sum += (int64_t)nodes * far[v];
	w->taken[v] += nodes;
	w->left -= nodes;
	for (int i = 0; i < w->n; i++)
		far[i] += nodes * hops[i];
	w->steps += w->n;
}

/* --- growing ------------------------------------------------------------------------ */

/* The nearest vertex of [from, end) with a free node that is not taken; -1: there is none. */
static int nearest(struct graphwindow *w, int from, int end)
{
	int best = -1;

	w->steps += end - from;
	for (int i = from; i < end; i++)
		if (w->taken[i] < w->nfree[i] && (best < 0 || w->far[i] < w->far[best]))
			best = i;
	return best;
}

static int pod_end(const struct graphwindow *w, int from)
{
	int end = from;

	while (end < w->n && w->pod[end] == w->pod[from])
		end++;
	return end;
}

/* Take all free nodes of the vertices [from, end), as long as the set needs nodes. */
static void fill(struct graphwindow *w, int from, int end)
{
	for (int v; w->left > 0 && (v = nearest(w, from, end)) >= 0;) {
		int nodes = w->nfree[v] - w->taken[v];

		take(w, v, nodes < w->left ? nodes : w->left);
	}
}

/* The hops between a pod's `nodes` nearest nodes and the set; -1: it has fewer. */
static int64_t hops_to(struct graphwindow *w, int from, int end, int nodes)
{
	int64_t sum = 0;
	int32_t above = -1;

	while (nodes > 0) { /* by distance, all of the same distance together */
		int32_t next = INT32_MAX;
		int here = 0;

		for (int i = from; i < end; i++) {
			if (w->far[i] <= above || w->far[i] > next || w->taken[i] == w->nfree[i])
				continue;
			here = (w->far[i] < next ? 0 : here) + w->nfree[i] - w->taken[i];
			next = w->far[i];
		}
		w->steps += end - from;
		if (!here)
			return -1;
		here = here < nodes ? here : nodes;
		sum += (int64_t)here * next;
		nodes -= here;
		above = next;
	}
	return sum;
}

/* Where the next pod to take begins; -1: none has a free node. */
static int next_pod(struct graphwindow *w)
{
	int best = -1, most = 0;
	int64_t least = 0;

	for (int from = 0, end; from < w->n; from = end) {
		int64_t hops;
		int nodes = 0;

		end = pod_end(w, from);
		for (int i = from; i < end; i++)
			nodes += w->nfree[i] - w->taken[i];
		nodes = nodes < w->left ? nodes : w->left;
		if (nodes < most || !nodes)
			continue;
		hops = hops_to(w, from, end, nodes);
		if (nodes > most || hops < least) {
			best = from;
			most = nodes;
			least = hops;
		}
	}
	return best;
}

void graphwindow_set(struct graphwindow *w, const int *taken)
{
	memset(w->taken, 0, (size_t)w->n * sizeof(*w->taken));
	memset(w->far, 0, (size_t)w->n * sizeof(*w->far));
	w->sum = 0;
	w->left = w->count;
	for (int i = 0; i < w->n; i++)
		if (taken[i])
			take(w, i, taken[i]);
}

void graphwindow_grow(struct graphwindow *w, int start, bool by_pods)
{
	int from = start;

	graphwindow_set(w, w->must);
	if (w->left == w->count)
		take(w, start, w->nfree[start] < w->left ? w->nfree[start] : w->left);
	while (by_pods && w->left && from >= 0) {
		while (from > 0 && w->pod[from - 1] == w->pod[from])
			from--;
		fill(w, from, pod_end(w, from));
		from = next_pod(w);
	}
	fill(w, 0, w->n);
}

/* --- exchanging --------------------------------------------------------------------- */

/*
 * The best vertex to take a node from in exchange for one of v. Returns how much the sum shrinks.
 */
static int32_t best_for(const struct graphwindow *w, int v, int *to)
{
	const uint16_t *hops = w->hops + (size_t)v * (size_t)w->n;
	int32_t least = INT32_MAX;

	for (int i = 0; i < w->n; i++)
		if (w->taken[i] < w->nfree[i] && w->far[i] - hops[i] < least) {
			least = w->far[i] - hops[i];
			*to = i;
		}
	return least == INT32_MAX ? 0 : w->far[v] - least;
}

void graphwindow_exchange(struct graphwindow *w, int64_t steps)
{
	int32_t most;
	int from = 0, to = 0;

	do {
		most = 0;
		for (int v = 0; v < w->n && w->steps < steps; v++) {
			int other = v;
			int32_t less;

			if (w->taken[v] <= w->must[v])
				continue;
			w->steps += w->n;
			if ((less = best_for(w, v, &other)) > most) {
				most = less;
				from = v;
				to = other;
			}
		}
		if (most > 0) {
			take(w, from, -1);
			take(w, to, 1);
		}
	} while (most > 0);
}

/* --- several at once ---------------------------------------------------------------- */

enum { GROUP = 6 }; /* the most nodes of a group */

/*
 * How much the sum grows if a node of v is taken, and then nodes of the vertices that are nearest
 * to the set, up to `nodes` in all; their vertices go to which[].
 */
static int64_t cost_of(struct graphwindow *w, int v, int nodes, int *which)
{
	int64_t sum = w->far[v];

	memcpy(w->cost, w->far, (size_t)w->n * sizeof(*w->cost));
	which[0] = v;
	for (int i = 1; i < nodes; i++) {
		const uint16_t *restrict hops = w->hops + (size_t)which[i - 1] * (size_t)w->n;
		int32_t *restrict cost = w->cost;
		int best = -1;

		cost[which[i - 1]] = INT32_MAX / 2; /* one node of each is enough */
		for (int u = 0; u < w->n; u++)
			cost[u] += hops[u];
		for (int u = 0; u < w->n; u++)
			if (w->taken[u] < w->nfree[u] && (best < 0 || cost[u] < cost[best]))
				best = u;
		if (best < 0)
			return INT64_MAX / 4;
		sum += cost[best];
		which[i] = best;
	}
	w->steps += (int64_t)nodes * w->n;
	return sum;
}

/* The node of the set that is nearest to v and may be exchanged; -1: there is none. */
static int nearest_taken(const struct graphwindow *w, int v)
{
	const uint16_t *hops = w->hops + (size_t)v * (size_t)w->n;
	int best = -1;

	for (int i = 0; i < w->n; i++)
		if (w->taken[i] > w->must[i] && (best < 0 || hops[i] < hops[best]))
			best = i;
	return best;
}

/* Replace so many nodes around v by others if that is better. Otherwise restore them. */
static bool regroup_at(struct graphwindow *w, int v, int nodes)
{
	int gone[GROUP], which[GROUP], best[GROUP], n = 0;
	int64_t before = w->sum, least = INT64_MAX / 4;
	bool better;

	for (int u; n < nodes && (u = nearest_taken(w, v)) >= 0; n++)
		take(w, gone[n] = u, -1);
	for (int u = 0; u < w->n; u++) {
		int64_t cost = w->taken[u] < w->nfree[u] ? cost_of(w, u, n, which) : least;

		if (cost < least) {
			least = cost;
			memcpy(best, which, sizeof(best));
		}
	}
	better = w->sum + least < before;
	for (int i = 0; i < n; i++)
		take(w, better ? best[i] : gone[i], 1);
	return better;
}

static bool has_must(const struct graphwindow *w, int from, int end)
{
	while (from < end && !w->must[from])
		from++;
	return from < end;
}

/* Replace the nodes of pod `from` by nodes of pod `to`, and then the nearest ones. */
static bool swap_pods(struct graphwindow *w, int from, int to)
{
	int64_t before = w->sum;
	int end = pod_end(w, from);

	memcpy(w->saved, w->taken, (size_t)w->n * sizeof(*w->saved));
	for (int i = from; i < end; i++)
		if (w->taken[i])
			take(w, i, -w->taken[i]);
	fill(w, to, pod_end(w, to));
	fill(w, 0, w->n);
	if (w->sum < before)
		return true;
	graphwindow_set(w, w->saved);
	return false;
}

static bool regroup_pods(struct graphwindow *w, int64_t steps)
{
	bool better = false;

	for (int from = 0; from < w->n; from = pod_end(w, from)) {
		int taken = 0, end = pod_end(w, from);

		for (int i = from; i < end; i++)
			taken += w->taken[i];
		if (!taken || has_must(w, from, end))
			continue;
		for (int to = 0; to < w->n && w->steps < steps; to = pod_end(w, to))
			if (to != from && swap_pods(w, from, to)) {
				better = true;
				break;
			}
	}
	return better;
}

void graphwindow_regroup(struct graphwindow *w, int64_t steps)
{
	bool better = true;

	while (better) {
		better = regroup_pods(w, steps);
		for (int nodes = 2; nodes <= GROUP && nodes < w->count; nodes++)
			for (int v = 0; v < w->n && w->steps < steps; v++)
				if (w->taken[v] > w->must[v])
					better |= regroup_at(w, v, nodes);
		if (better)
			graphwindow_exchange(w, steps);
	}
}
