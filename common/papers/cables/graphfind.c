/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cables/graphfind.h"

#include <string.h>

#include "graph/graphset.h"

enum {
	ALL = 96,	   /* up to so many free vertices are one window */
	WINDOWS = 8,	   /* otherwise the number of windows */
	STARTS = 8,	   /* starts in each of them */
	LOOKS = 1 << 14,   /* nodes that are counted to find where windows begin */
	HOPS = 1 << 18,	   /* the most hops between vertices of all windows */
	SEARCHES = 256,	   /* the most searches for them, without a table of distances */
	STEPS = 1 << 22,   /* the work on all windows, in looks at a vertex */
	REGROUP = 1 << 18, /* the same for exchanges of several nodes at once */
	UNIT = 256,	   /* of exposure: one link of one hop */
};

/* A further pod counts as this share of all hops. */
static const double OPENED = 0.03;

int graphfind_init(struct graphfind *f, struct linkgraph *graph, struct arena *arena)
{
	int n = graph->real;

	*f = (struct graphfind){.graph = graph};
	arena_array(arena, f->nfree, n);
	arena_array(arena, f->must, n);
	arena_array(arena, f->pod_free, graph->npods);
	arena_array(arena, f->taken, graph->npods);
	arena_array(arena, f->start, n + WINDOWS);
	arena_array(arena, f->star, n);
	arena_array(arena, f->best, n);
	for (int i = 0; i < GRAPHFIND_KEPT; i++) {
		arena_array(arena, f->kept[i].vertex, n);
		arena_array(arena, f->kept[i].taken, n);
	}
	if (graphpick_init(&f->pick, graph, arena))
		return -1;
	return graphwindow_init(&f->window, n < GRAPHWINDOW_MOST ? n : GRAPHWINDOW_MOST, arena);
}

static bool late(struct graphfind *f)
{
	return f->nkept && f->budget && mesh_budget_late(f->budget);
}

/* --- sets --------------------------------------------------------------------------- */

static bool better(const struct graphfind_set *a, const struct graphfind_set *b)
{
	if (a->score < b->score || a->score > b->score)
		return a->score < b->score;
	if (a->opened != b->opened)
		return a->opened < b->opened;
	return a->left != b->left ? a->left < b->left : a->exposed < b->exposed;
}

/* Compute the figures of the window's set, all but its vertices. */
static struct graphfind_set measure_set(struct graphfind *f)
{
	const struct graphwindow *w = &f->window;
	const struct linkgraph *g = f->graph;
	struct graphfind_set set = {.hops = w->sum};

	for (int i = 0; i < w->n; i++)
		f->taken[w->pod[i]] += w->taken[i];
	for (int i = 0; i < w->n; i++) {
		int pod = w->pod[i], v = w->vertex[i];

		if (f->taken[pod]) {
			set.opened += g->npods > 1 && f->pod_free[pod] == g->pod_nodes[pod];
			set.left += f->pod_free[pod] - f->taken[pod];
			f->taken[pod] = 0;
		}
		if (!w->taken[i])
			continue;
		set.n++;
		set.hash += (uint64_t)w->taken[i] * (((uint64_t)v + 1) * 0x9E3779B97F4A7C15u ^
			((uint64_t)v + 1) * 0xC2B2AE3D27D4EB4Fu >> 29);
		f->nfree[v] -= w->taken[i];
	}
	for (int i = 0; i < w->n; i++)
		for (int j = g->start[w->vertex[i]]; j < g->start[w->vertex[i] + 1]; j++)
			if (w->taken[i] && f->nfree[g->to[j]])
				set.exposed += UNIT / g->hops[j];
	for (int i = 0; i < w->n; i++)
		f->nfree[w->vertex[i]] += w->taken[i];
	set.score = (double)set.hops * (1 + OPENED * set.opened);
	return set;
}

/* Keep the window's set if it is among the best, and not yet kept. */
static void keep_set(struct graphfind *f)
{
	const struct graphwindow *w = &f->window;
	struct graphfind_set set = measure_set(f);
	int at = f->nkept < GRAPHFIND_KEPT ? f->nkept : GRAPHFIND_KEPT - 1;

	for (int i = 0; i < f->nkept; i++)
		if (f->kept[i].hash == set.hash && f->kept[i].hops == set.hops)
			return;
	if (at < f->nkept && !better(&set, &f->kept[at]))
		return;
	set.vertex = f->kept[at].vertex;
	set.taken = f->kept[at].taken;
	f->nkept = at + 1;
	for (; at > 0 && better(&set, &f->kept[at - 1]); at--)
		f->kept[at] = f->kept[at - 1];
	set.n = 0;
	for (int i = 0; i < w->n; i++)
		if (w->taken[i]) {
			set.vertex[set.n] = w->vertex[i];
			set.taken[set.n++] = w->taken[i];
		}
	f->kept[at] = set;
}

/* --- windows ------------------------------------------------------------------------ */

/* May the set use nodes of this vertex? */
static bool eligible(const struct graphfind *f, int v)
{
	int pod = f->graph->pod[v];

	return f->nfree[v] && (f->must[v] || f->whole_too ||
		f->pod_free[pod] < f->graph->pod_nodes[pod]);
}

static int by_pod(const struct linkgraph *g, int a, int b)
{
	return g->pod[a] != g->pod[b] ? g->pod[a] - g->pod[b] : a - b;
}

/* Sort the vertices by pod and number, which is quick if they nearly are, and load the window. */
static void load_window(struct graphfind *f)
{
	struct graphwindow *w = &f->window;

	for (int i = 1; i < w->n; i++) {
		int v = w->vertex[i], at = i;

		for (; at > 0 && by_pod(f->graph, v, w->vertex[at - 1]) < 0; at--)
			w->vertex[at] = w->vertex[at - 1];
		w->vertex[at] = v;
	}
	for (int i = 0; i < w->n; i++) {
		w->nfree[i] = f->nfree[w->vertex[i]];
		w->must[i] = f->must[w->vertex[i]];
		w->pod[i] = f->graph->pod[w->vertex[i]];
	}
	w->count = f->count;
	w->steps = 0;
	graphwindow_load(w, f->graph);
}

/* Grow sets from the first `starts` of start[], which are vertices of the window. */
static void search_window(struct graphfind *f, const int *start, int starts, int64_t steps)
{
	struct graphwindow *w = &f->window;
	size_t size = (size_t)w->n * sizeof(*f->best);
	int64_t least = INT64_MAX;

	for (int i = 0; i < starts && w->steps < steps && !late(f); i++)
		for (int pods = 0; pods < (f->graph->npods > 1 ? 2 : 1); pods++) {
			graphwindow_grow(w, start[i], pods);
			if (w->left)
				return;
			graphwindow_exchange(w, steps);
			keep_set(f);
			if (w->sum < least)
				memcpy(f->best, w->taken, size);
			least = w->sum < least ? w->sum : least;
		}
	if (late(f) || least == INT64_MAX)
		return;
	graphwindow_set(w, f->best);
	graphwindow_regroup(w, w->steps + REGROUP);
	if (w->sum < least)
		keep_set(f);
}

/* --- machines that are one window --------------------------------------------------- */

static void search_all(struct graphfind *f)
{
	struct graphwindow *w = &f->window;

	w->n = 0;
	for (int v = 0; v < f->graph->real; v++)
		if (eligible(f, v))
			w->vertex[w->n++] = v;
	load_window(f);
	for (int i = 0; i < w->n; i++)
		f->start[i] = i;
	search_window(f, f->start, w->n, STEPS);
}

/* --- larger ones -------------------------------------------------------------------- */

/* Count nodes; true, and the end of the walk, when there are enough. */
static bool count_star(void *arg, int v, int hops)
{
	struct graphfind *f = arg;
	int nodes = eligible(f, v) ? f->nfree[v] : 0;

	nodes = nodes < f->want - f->nodes ? nodes : f->want - f->nodes;
	f->nodes += nodes;
	f->hops += (int64_t)nodes * hops;
	return f->nodes == f->want;
}

static bool add_near(void *arg, int v, int hops)
{
	struct graphfind *f = arg;
	struct graphwindow *w = &f->window;

	(void)hops;
	if (!eligible(f, v) || f->must[v])
		return false;
	if (w->n == w->room)
		return true;
	w->vertex[w->n++] = v;
	f->nodes += f->nfree[v];
	return w->n == w->room || (f->nodes >= f->want && w->n >= ALL);
}

/* Is start a better than b? Nearer nodes count first, then fewer nodes left in its pod. */
static bool nearer(const struct graphfind *f, int a, int b)
{
	const int *pod = f->graph->pod;

	if (f->star[a] != f->star[b])
		return f->star[a] < f->star[b];
	return f->pod_free[pod[a]] < f->pod_free[pod[b]];
}

/* Write the vertices whose nearest nodes are nearest to start[], the best first. */
static void find_starts(struct graphfind *f)
{
	int n = f->graph->real, look = LOOKS / (f->count + 8), step = n / look + 1;

	f->nstarts = 0;
	f->want = f->count;
	for (int v = 0, seen = 0; v < n; v++) {
		int at = f->nstarts;

		if (f->nmust ? !f->must[v] : !eligible(f, v) || seen++ % step)
			continue;
		f->nodes = 0;
		f->hops = 0;
		linkgraph_walk(f->graph, v, count_star, f);
		if (f->nodes < f->want)
			continue;
		f->star[v] = f->hops < INT32_MAX ? (int)f->hops : INT32_MAX;
		f->nstarts += f->nstarts < WINDOWS;
		for (; at > 0 && nearer(f, v, f->start[at - 1]); at--)
			if (at < WINDOWS)
				f->start[at] = f->start[at - 1];
		if (at < WINDOWS)
			f->start[at] = v;
	}
}

/*
 * Write the window's vertices that are nearest to a vertex of the graph to start[]. Returns how
 * many.
 */
static int nearest_of(const struct graphwindow *w, int from, int *start)
{
	const uint16_t *hops = w->hops;
	int n = 0;

	for (int i = 0; i < w->n; i++)
		if (w->vertex[i] == from)
			hops = w->hops + (size_t)i * (size_t)w->n;
	for (int i = 0; i < w->n; i++) {
		int at = n < STARTS ? n++ : STARTS;

		for (; at > 0 && hops[i] < hops[start[at - 1]]; at--)
			if (at < STARTS)
				start[at] = start[at - 1];
		if (at < STARTS)
			start[at] = i;
	}
	return n;
}

/* Search in the window of what is near a vertex, and all that is required. */
static void search_near(struct graphfind *f, int from)
{
	struct graphwindow *w = &f->window;
	int start[STARTS], n;

	w->n = f->nodes = 0;
	f->want = 2 * f->count;
	for (int v = 0; v < f->graph->real && f->nmust && w->n < w->room; v++)
		if (f->must[v])
			w->vertex[w->n++] = v;
	linkgraph_walk(f->graph, from, add_near, f);
	load_window(f);
	n = nearest_of(w, from, start);
	search_window(f, start, n, STEPS / WINDOWS);
}

static void search_windows(struct graphfind *f)
{
	int start[WINDOWS];

	int left = f->graph->table ? HOPS : SEARCHES;

	find_starts(f);
	memcpy(start, f->start, sizeof(start));
	for (int i = 0; i < f->nstarts && left > 0 && !late(f); i++) {
		search_near(f, start[i]);
		left -= f->window.n * (f->graph->table ? f->window.n : 1);
	}
}

/* --- all of it ---------------------------------------------------------------------- */

/* Compute the figures of a set that was in no window. */
static void measure_nearest(struct graphfind *f, struct graphfind_set *set)
{
	const struct graphset of = {f->graph, 0, set->vertex, set->n, f->star};

	memset(f->star, 0, (size_t)f->graph->real * sizeof(int));
	for (int i = 0; i < set->n; i++)
		f->star[set->vertex[i]] = set->taken[i];
	set->hops = graphset_hops(&of, -1);
	set->score = (double)set->hops;
}

/* Keep the nodes nearest to a centre; if no centre reaches enough, the lowest nodes. */
static void take_nearest(struct graphfind *f)
{
	struct graphpick *pick = &f->pick;
	struct graphfind_set *set = &f->kept[0];
	int left = f->count - f->nmust;

	memcpy(pick->nfree, f->nfree, (size_t)f->graph->real * sizeof(int));
	memcpy(pick->must, f->must, (size_t)f->graph->real * sizeof(int));
	pick->count = f->count;
	pick->nmust = f->nmust;
	set->n = 0;
	f->nkept = 1;
	if (graphpick_find(pick)) {
		set->n = pick->n;
		memcpy(set->vertex, pick->vertex, (size_t)pick->n * sizeof(int));
		memcpy(set->taken, pick->taken, (size_t)pick->n * sizeof(int));
		measure_nearest(f, set);
		return;
	}
	for (int v = 0; v < f->graph->real; v++) {
		int nodes = f->nfree[v] - f->must[v];

		nodes = nodes < left ? nodes : left;
		left -= nodes;
		if (nodes + f->must[v]) {
			set->vertex[set->n] = v;
			set->taken[set->n++] = nodes + f->must[v];
		}
	}
	measure_nearest(f, set);
}

/*
 * Count what is free in each pod. whole_too: no pod that is partly used has room for the job.
 * Returns how many vertices have free nodes.
 */
static int count_free(struct graphfind *f)
{
	const struct linkgraph *g = f->graph;
	int vertices = 0;

	memset(f->pod_free, 0, (size_t)g->npods * sizeof(int));
	f->nmust = f->nkept = 0;
	for (int v = 0; v < g->real; v++) {
		f->pod_free[g->pod[v]] += f->nfree[v];
		f->nmust += f->must[v];
		vertices += f->nfree[v] > 0;
	}
	f->whole_too = true;
	for (int pod = 0; pod < g->npods && !f->nmust; pod++)
		if (f->pod_free[pod] < g->pod_nodes[pod] && f->pod_free[pod] >= f->count)
			f->whole_too = false;
	return vertices;
}

bool graphfind_is_joined(struct graphfind *f)
{
	const struct graphfind_set *set = &f->kept[0];

	for (int i = 1; i < set->n; i++)
		if (linkgraph_hops(f->graph, set->vertex[0], set->vertex[i]) == LINKGRAPH_CUT)
			return false;
	return true;
}

void graphfind_sets(struct graphfind *f)
{
	int vertices = count_free(f);

	if (vertices <= ALL)
		search_all(f);
	else if (2 * f->count <= (f->graph->table ? f->window.room : SEARCHES))
		search_windows(f);
	if (!f->nkept)
		take_nearest(f);
}
