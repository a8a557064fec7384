/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/linkgraph.h"

#include <stdlib.h>
#include <string.h>

/* --- making ------------------------------------------------------------------------- */

/*
 * Add a link in both directions. Without to[] this counts the links of each vertex in start[v +
 * 1]. Then start[v] moves to where the links of the next vertex begin, and is put back after that.
 */
static void add_link(struct linkgraph *g, int a, int b, int cable)
{
	const int end[2] = {a, b};

	for (int i = 0; i < 2; i++) {
		int at;

		if (!g->to) {
			g->start[end[i] + 1]++;
			continue;
		}
		at = g->start[end[i]]++;
		g->to[at] = end[!i];
		g->cable_of[at] = cable;
		g->hops[at] = (uint8_t)(cable < 0 ? 1 : g->cable[cable].weight);
	}
}

static void add_grid(struct linkgraph *g, const struct mesh *mesh, int first)
{
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int w = mesh_up(mesh, v, d);

			if (w >= 0 && !mesh_is_down(mesh, v, d))
				add_link(g, first + v, first + w, -1);
		}
}

/* Add the cables that count as this many hops. */
static void add_cables(struct linkgraph *g, const int *first, int hops)
{
	for (int i = 0; i < g->ncables; i++) {
		const struct linkgraph_cable *cable = &g->cable[i];

		if (cable->weight == hops)
			add_link(g, first[cable->mesh[0]] + cable->vertex[0],
				first[cable->mesh[1]] + cable->vertex[1], i);
	}
}

/*
 * Add all links by their hops, as each vertex has its links in that order; links of a grid have 1.
 */
static void add_links(struct linkgraph *g, const int *first)
{
	bool seen[LINKGRAPH_WEIGHT + 1] = {false};

	for (int m = 0; m < g->nmeshes; m++)
		if (!g->mesh[m]->cabled)
			add_grid(g, g->mesh[m], first[m]);
	for (int i = 0; i < g->ncables; i++)
		seen[g->cable[i].weight] = true;
	for (int hops = 1; hops <= LINKGRAPH_WEIGHT; hops++)
		if (seen[hops])
			add_cables(g, first, hops);
}

static int make_links(struct linkgraph *g, const int *first)
{
	size_t n = (size_t)g->real;

	if (!arena_array(&g->arena, g->start, g->real + 1))
		return -1;
	add_links(g, first);
	for (size_t v = 0; v < n; v++)
		g->start[v + 1] += g->start[v];
	arena_array(&g->arena, g->hops, g->start[n]);
	arena_array(&g->arena, g->cable_of, g->start[n]);
	if (!arena_array(&g->arena, g->to, g->start[n]))
		return -1;
	add_links(g, first);
	memmove(g->start + 1, g->start, n * sizeof(*g->start));
	g->start[0] = 0;
	return 0;
}

/* Set the lanes of a link of one hop, so that no cable carries more than its hops say. */
static void count_lanes(struct linkgraph *g)
{
	g->lanes = 1;
	for (int i = 0; i < g->ncables; i++) {
		const struct linkgraph_cable *cable = &g->cable[i];
		bool cabled = g->mesh[cable->mesh[0]]->cabled && g->mesh[cable->mesh[1]]->cabled;
		int lanes = cable->lanes * (cabled ? 1 : cable->weight);

		g->lanes = lanes > g->lanes ? lanes : g->lanes;
	}
}

/* --- pods --------------------------------------------------------------------------- */

/* Find the parts of a mesh that links of up to `hops` hops join. Returns how many. stack[real]. */
static int join_pods(struct linkgraph *g, int first, int end, int hops, int *stack)
{
	int n = 0;

	memset(g->pod + first, -1, (size_t)(end - first) * sizeof(*g->pod));
	for (int from = first; from < end; from++) {
		int top = 0;

		if (g->pod[from] >= 0)
			continue;
		g->pod[from] = n;
		for (stack[top++] = from; top;) {
			int v = stack[--top];

			for (int i = g->start[v]; i < g->start[v + 1] && g->hops[i] <= hops; i++)
				if (g->to[i] >= first && g->to[i] < end && g->pod[g->to[i]] < 0) {
					g->pod[g->to[i]] = n;
					stack[top++] = g->to[i];
				}
		}
		n++;
	}
	return n;
}

/*
 * Of a cabled mesh: the hops of links after which the next larger number is the largest multiple;
 * 0: none is at least twice as large.
 */
static int pod_hops(const struct linkgraph *g, int first, int end)
{
	bool seen[LINKGRAPH_WEIGHT + 1] = {false};
	int last = 0, best = 0;
	double most = 2;

	for (int i = g->start[first]; i < g->start[end]; i++)
		seen[g->hops[i]] |= g->to[i] >= first && g->to[i] < end;
	for (int hops = 1; hops <= LINKGRAPH_WEIGHT; hops++) {
		if (!seen[hops])
			continue;
		if (last && (double)hops / last >= most) {
			most = (double)hops / last + 1e-9;
			best = last;
		}
		last = hops;
	}
	return best;
}

static int find_pods(struct linkgraph *g, const int *first)
{
	int *stack = arena_get(&g->arena, g->real, sizeof(*stack));

	arena_array(&g->arena, g->pod_nodes, g->real);
	if (!arena_array(&g->arena, g->pod, g->real))
		return -1;
	for (int m = 0, n; m < g->nmeshes; m++, g->npods += n) {
		const struct mesh *mesh = g->mesh[m];
		int end = first[m] + mesh->nvertices;
		int hops = mesh->cabled ? pod_hops(g, first[m], end) : 0;

		n = hops ? join_pods(g, first[m], end, hops, stack) : 1;
		n = 2 * n > mesh->nvertices ? 1 : n; /* they are mostly single vertices */
		for (int v = first[m]; v < end; v++) {
			g->pod[v] = g->npods + (n > 1 ? g->pod[v] : 0);
			g->pod_nodes[g->pod[v]] += mesh_nodes_on(mesh, v - first[m]);
		}
	}
	return 0;
}

/* --- searching ---------------------------------------------------------------------- */

/* Put v into the bucket of its distance. */
static void put_in(struct linkgraph *g, int v)
{
	int at = g->far[v] % (LINKGRAPH_WEIGHT + 1), last = g->bucket[at].last;

	g->before[v] = last;
	g->after[v] = -1;
	*(last < 0 ? &g->bucket[at].first : &g->after[last]) = v;
	g->bucket[at].last = v;
	g->waiting++;
}

static void take_out(struct linkgraph *g, int v)
{
	int at = g->far[v] % (LINKGRAPH_WEIGHT + 1), before = g->before[v], after = g->after[v];

	*(before < 0 ? &g->bucket[at].first : &g->after[before]) = after;
	*(after < 0 ? &g->bucket[at].last : &g->before[after]) = before;
	g->waiting--;
}

static void search_from(struct linkgraph *g, int source)
{
	while (g->ntouched)
		g->far[g->touched[--g->ntouched]] = LINKGRAPH_CUT;
	for (int i = 0; i <= LINKGRAPH_WEIGHT; i++)
		g->bucket[i].first = g->bucket[i].last = -1;
	g->waiting = g->now = 0;
	g->source = g->touched[g->ntouched++] = source;
	g->far[source] = 0;
	put_in(g, source);
}

/*
 * Visit the next vertex, nearest first; a bucket must not be empty. Distances that do not fit in
 * 16 bits are LINKGRAPH_CUT - 1.
 */
static int search_next(struct linkgraph *g)
{
	int v;

	while ((v = g->bucket[g->now % (LINKGRAPH_WEIGHT + 1)].first) < 0)
		g->now++;
	take_out(g, v);
	for (int i = g->start[v]; i < g->start[v + 1]; i++) {
		int w = g->to[i], hops = g->now + g->hops[i];

		hops = hops < LINKGRAPH_CUT ? hops : LINKGRAPH_CUT - 1;
		if (g->far[w] <= hops)
			continue;
		if (g->far[w] == LINKGRAPH_CUT)
			g->touched[g->ntouched++] = w;
		else
			take_out(g, w);
		g->far[w] = (uint16_t)hops;
		put_in(g, w);
	}
	return v;
}

/*
 * Add the detours from v of a mesh whose vertex 0 is the graph's `first`. False: too many, or
 * memory is out.
 */
static bool add_detours(struct linkgraph *g, const struct mesh *mesh, int first, int v)
{
	const uint16_t *hops = g->table + (size_t)(first + v) * (size_t)g->real + first;
	struct linkgraph_detour *at;
	int n = g->detours[first + v];

	for (int w = v + 1; w < mesh->nvertices; w++) {
		int more = hops[w] - mesh_hops(mesh, v, w);

		if (!more)
			continue;
		if (n == LINKGRAPH_DETOURS * g->real ||
			!(at = arena_grow(&g->arena, &g->detour, n++, sizeof(*at))))
			return false;
		*at = (struct linkgraph_detour){first + w, more};
	}
	g->detours[first + v + 1] = n;
	return true;
}

static int list_detours(struct linkgraph *g, const int *first)
{
	bool few = arena_array(&g->arena, g->detours, g->real + 1);

	for (int m = 0; m < g->nmeshes && few; m++)
		few = !g->mesh[m]->cabled;
	for (int m = 0; m < g->nmeshes; m++)
		for (int v = 0; few && v < g->mesh[m]->nvertices; v++)
			few = add_detours(g, g->mesh[m], first[m], v);
	if (!few)
		g->detours = NULL;
	return g->arena.out ? -1 : 0;
}

static int make_table(struct linkgraph *g, const int *first)
{
	size_t n = (size_t)g->real;

	if (!arena_array(&g->arena, g->table, (int64_t)g->real * g->real))
		return -1;
	for (int v = 0; v < g->real; v++) {
		search_from(g, v);
		while (g->waiting)
			search_next(g);
		memcpy(g->table + (size_t)v * n, g->far, n * sizeof(*g->table));
	}
	return list_detours(g, first);
}

static int make_search(struct linkgraph *g, const int *first)
{
	arena_array(&g->arena, g->touched, g->real);
	arena_array(&g->arena, g->before, g->real);
	arena_array(&g->arena, g->after, g->real);
	if (!arena_array(&g->arena, g->far, g->real))
		return -1;
	memset(g->far, 0xff, (size_t)g->real * sizeof(*g->far));
	search_from(g, 0);
	return g->real <= LINKGRAPH_TABLE ? make_table(g, first) : 0;
}

static void graph_free(struct linkgraph *g)
{
	pthread_mutex_destroy(&g->lock);
	arena_release(&g->arena);
	free(g);
}

/* Number all vertices; false: there are too many. */
static bool number(struct linkgraph *g, int *first)
{
	int64_t n = 0;

	for (int m = 0; m < g->nmeshes && n <= MESH_MAX_VERTICES; m++) {
		first[m] = (int)n;
		n += g->mesh[m]->nvertices;
	}
	g->real = (int)n;
	return n <= MESH_MAX_VERTICES;
}

/* One mesh gives the graph up; the last one frees it. */
static void drop(struct linkgraph *g)
{
	if (g && !--g->refs)
		graph_free(g);
}

static void give(struct linkgraph *g, const int *first)
{
	for (int m = 0; m < g->nmeshes; m++) {
		drop(g->mesh[m]->graph);
		g->mesh[m]->graph = g;
		g->mesh[m]->drop_graph = drop;
		g->mesh[m]->graph_first = first[m];
		g->refs++;
	}
}

int linkgraph_join(struct mesh *const *mesh, int n, const struct linkgraph_cable *cable,
	int ncables, struct mesh_err *err)
{
	struct linkgraph *g = calloc(1, sizeof(*g));
	int *first, bad = 0;

	if (!g)
		return err_printf(err, "out of memory");
	pthread_mutex_init(&g->lock, NULL);
	g->nmeshes = n;
	g->ncables = ncables;
	first = arena_get(&g->arena, n, sizeof(*first));
	arena_array(&g->arena, g->mesh, n);
	if (arena_array(&g->arena, g->cable, ncables)) {
		memcpy(g->mesh, mesh, (size_t)n * sizeof(*mesh));
		if (ncables)
			memcpy(g->cable, cable, (size_t)ncables * sizeof(*cable));
		if (!number(g, first))
			bad = err_printf(err,
				"more than %d vertices of meshes that are joined by links",
				MESH_MAX_VERTICES);
		count_lanes(g);
	}
	if (!bad && (g->arena.out || make_links(g, first) || find_pods(g, first) ||
			    make_search(g, first)))
		bad = err_printf(err, "out of memory");
	if (bad)
		graph_free(g);
	else
		give(g, first);
	return bad;
}

/* --- asking ------------------------------------------------------------------------- */

int linkgraph_search(struct linkgraph *g, int a, int b)
{
	int hops;

	pthread_mutex_lock(&g->lock);
	if (g->source != a)
		search_from(g, a);
	while (g->far[b] > g->now && g->waiting)
		search_next(g);
	hops = g->far[b];
	pthread_mutex_unlock(&g->lock);
	return hops;
}

void linkgraph_walk(struct linkgraph *g, int from, bool (*visit)(void *arg, int v, int hops),
	void *arg)
{
	bool done = false;

	pthread_mutex_lock(&g->lock);
	search_from(g, from);
	while (!done && g->waiting) {
		int v = search_next(g);

		done = visit(arg, v, g->far[v]);
	}
	pthread_mutex_unlock(&g->lock);
}

void linkgraph_near(const struct mesh *mesh, int v, struct linkgraph_near *near)
{
	const struct linkgraph *g = mesh->graph;

	near->first = g ? mesh->graph_first : 0;
	if (g) { /* a broken link is not there, an extra one of one hop is */
		const int *start = g->start + near->first + v;

		near->link = start[0];
		near->vertex = g->to + start[0];
		near->n = start[1] - start[0];
		while (!mesh->cabled && near->n && g->hops[start[0] + near->n - 1] > 1)
			near->n--;
	} else {
		near->vertex = near->grid;
		near->n = mesh_neighbours(mesh, v, near->grid);
	}
}

int linkgraph_lanes(const struct linkgraph *g, int a, int b)
{
	int lanes = 0;

	for (int i = g->start[a]; i < g->start[a + 1]; i++)
		lanes += g->to[i] == b ? linkgraph_link_lanes(g, i) : 0;
	return lanes;
}
