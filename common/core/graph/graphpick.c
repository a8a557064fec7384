/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/graphpick.h"

enum { SPACED = 8, ENDS = 32 }; /* numbers of centres */

int graphpick_init(struct graphpick *p, struct linkgraph *graph, struct arena *arena)
{
	int n = graph->real;

	*p = (struct graphpick){.graph = graph};
	arena_array(arena, p->nfree, n);
	arena_array(arena, p->must, n);
	arena_array(arena, p->vertex, n);
	arena_array(arena, p->taken, n);
	arena_array(arena, p->tried, n);
	return arena_array(arena, p->tried_taken, n) ? 0 : -1;
}

/* Take nodes of a vertex. True, and the end of the walk: all are found, or they are too far. */
static bool take_vertex(void *arg, int v, int hops)
{
	struct graphpick *p = arg;
	int more = p->nfree[v] - p->must[v], taken;

	more = more < p->left ? more : p->left;
	taken = p->must[v] + more;
	if (taken) {
		p->tried[p->tried_n] = v;
		p->tried_taken[p->tried_n++] = taken;
	}
	p->left -= more;
	p->must_left -= p->must[v];
	p->hops += (int64_t)taken * hops;
	return (!p->left && !p->must_left) || p->hops >= p->least;
}

static void try_centre(struct graphpick *p, int centre)
{
	int *swap;

	p->tried_n = 0;
	p->hops = 0;
	p->left = p->count - p->nmust;
	p->must_left = p->nmust;
	linkgraph_walk(p->graph, centre, take_vertex, p);
	if (p->left || p->must_left || p->hops >= p->least)
		return;
	p->least = p->hops;
	p->n = p->tried_n;
	swap = p->vertex;
	p->vertex = p->tried;
	p->tried = swap;
	swap = p->taken;
	p->taken = p->tried_taken;
	p->tried_taken = swap;
}

bool graphpick_find(struct graphpick *p)
{
	const struct linkgraph *g = p->graph;
	int vertices = 0, seen = 0, step = g->ncables / (ENDS / 2) + 1;

	p->least = INT64_MAX;
	for (int i = 0; i < g->ncables; i += step)
		for (int j = 0; j < 2; j++)
			try_centre(p, g->mesh[g->cable[i].mesh[j]]->graph_first +
					g->cable[i].vertex[j]);
	for (int v = 0; v < g->real; v++)
		vertices += p->nfree[v] > 0;
	step = vertices / SPACED + 1;
	for (int v = 0; v < g->real; v++)
		if (p->nfree[v] && seen++ % step == 0)
			try_centre(p, v);
	return p->least < INT64_MAX;
}
