/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/linkgraph.h"

#include <stdlib.h>
#include <string.h>

/* --- making ------------------------------------------------------------------------- */

/*
 * Both ways of a link. First, with to[] missing, the links of each vertex are counted in
 * start[v + 1]; then start[v] walks to where those of the next one begin, and is put back after.
 */
static void add_link(struct linkgraph *g, int a, int b)
{
	if (!g->to) {
		g->start[a + 1]++;
		g->start[b + 1]++;
		return;
	}
	g->to[g->start[a]++] = b;
	g->to[g->start[b]++] = a;
}

static void add_grid(struct linkgraph *g, const struct mesh *mesh, int first)
{
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int w = mesh_up(mesh, v, d);

			if (w >= 0 && !mesh_is_down(mesh, v, d))
				add_link(g, first + v, first + w);
		}
}

/* A cable that counts as several hops goes over vertices of its own, which begin at `own`. */
static void add_cable(
	struct linkgraph *g, const struct linkgraph_cable *cable, const int *first, int own)
{
	int at = first[cable->mesh[0]] + cable->vertex[0];

	for (int i = 1; i < cable->weight; i++) {
		add_link(g, at, own);
		at = own++;
	}
	add_link(g, at, first[cable->mesh[1]] + cable->vertex[1]);
}

static void add_links(struct linkgraph *g, const int *first)
{
	int own = g->real;

	for (int m = 0; m < g->nmeshes; m++)
		add_grid(g, g->mesh[m], first[m]);
	for (int i = 0; i < g->ncables; i++) {
		add_cable(g, &g->cable[i], first, own);
		own += g->cable[i].weight - 1;
	}
}

static int make_links(struct linkgraph *g, const int *first)
{
	size_t n = (size_t)g->n;

	if (!arena_array(&g->arena, g->start, g->n + 1))
		return -1;
	add_links(g, first);
	for (size_t v = 0; v < n; v++)
		g->start[v + 1] += g->start[v];
	if (!arena_array(&g->arena, g->to, g->start[n]))
		return -1;
	add_links(g, first);
	memmove(g->start + 1, g->start, n * sizeof(*g->start));
	g->start[0] = 0;
	return 0;
}

static void search_from(struct linkgraph *g, int source)
{
	while (g->tail)
		g->far[g->queue[--g->tail]] = LINKGRAPH_CUT;
	g->head = 0;
	g->source = g->queue[g->tail++] = source;
	g->far[source] = 0;
}

/* Hops beyond what 16 bits hold are LINKGRAPH_CUT - 1. */
static void search_next(struct linkgraph *g)
{
	int v = g->queue[g->head++], hops = g->far[v] + (g->far[v] < LINKGRAPH_CUT - 1);

	for (int i = g->start[v]; i < g->start[v + 1]; i++) {
		int w = g->to[i];

		if (g->far[w] != LINKGRAPH_CUT)
			continue;
		g->far[w] = (uint16_t)hops;
		g->queue[g->tail++] = w;
	}
}

/* The detours from v of a mesh whose vertex 0 is the graph's `first`. False: too many, or memory
 * is out. */
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
		while (g->head < g->tail)
			search_next(g);
		memcpy(g->table + (size_t)v * n, g->far, n * sizeof(*g->table));
	}
	return list_detours(g, first);
}

static int make_search(struct linkgraph *g, const int *first)
{
	size_t n = (size_t)g->n;

	arena_array(&g->arena, g->queue, g->n);
	if (!arena_array(&g->arena, g->far, g->n))
		return -1;
	memset(g->far, 0xff, n * sizeof(*g->far));
	search_from(g, 0);
	return g->real <= LINKGRAPH_TABLE ? make_table(g, first) : 0;
}

static void graph_free(struct linkgraph *g)
{
	pthread_mutex_destroy(&g->lock);
	arena_release(&g->arena);
	free(g);
}

/* Numbers for all vertices; false: too many. */
static bool number(struct linkgraph *g, int *first)
{
	int64_t n = 0;

	for (int m = 0; m < g->nmeshes && n <= MESH_MAX_VERTICES; m++) {
		first[m] = (int)n;
		n += g->mesh[m]->nvertices;
	}
	g->real = (int)n;
	for (int i = 0; i < g->ncables && n <= MESH_MAX_VERTICES; i++)
		n += g->cable[i].weight - 1;
	g->n = (int)n;
	return n <= MESH_MAX_VERTICES;
}

static void give(struct linkgraph *g, const int *first)
{
	for (int m = 0; m < g->nmeshes; m++) {
		linkgraph_drop(g->mesh[m]->graph);
		g->mesh[m]->graph = g;
		g->mesh[m]->drop_graph = linkgraph_drop;
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
	}
	if (!bad && (g->arena.out || make_links(g, first) || make_search(g, first)))
		bad = err_printf(err, "out of memory");
	if (bad)
		graph_free(g);
	else
		give(g, first);
	return bad;
}

void linkgraph_drop(struct linkgraph *g)
{
	if (g && !--g->refs)
		graph_free(g);
}

/* --- asking ------------------------------------------------------------------------- */

int linkgraph_search(struct linkgraph *g, int a, int b)
{
	int hops;

	pthread_mutex_lock(&g->lock);
	if (g->source != a)
		search_from(g, a);
	while (g->far[b] == LINKGRAPH_CUT && g->head < g->tail)
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
	while (!done && g->head < g->tail) {
		int v = g->queue[g->head];

		done = v < g->real && visit(arg, v, g->far[v]);
		search_next(g);
	}
	pthread_mutex_unlock(&g->lock);
}

void linkgraph_near(const struct mesh *mesh, int v, struct linkgraph_near *near)
{
	const struct linkgraph *g = mesh->graph;

	near->first = g ? mesh->graph_first : 0;
	if (g) { /* a broken link is not there, an extra one of one hop is */
		const int *start = g->start + near->first + v;

		near->vertex = g->to + start[0];
		near->n = start[1] - start[0];
	} else {
		near->vertex = near->grid;
		near->n = mesh_neighbours(mesh, v, near->grid);
	}
}
