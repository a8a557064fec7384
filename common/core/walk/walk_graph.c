/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk_graph.h"

#include <string.h>

#include "graph/linkgraph.h"

static int add(struct walk_graph *g, int n, int q)
{
	int *at = n < INT32_MAX ? arena_grow(&g->arena, &g->to, n, sizeof(*at)) : NULL;

	g->arena.out |= !at;
	if (at)
		*at = q;
	return n + (at != NULL);
}

/* Join p to the points on vertex v but itself; n: joined so far, and after. */
static int add_vertex(struct walk_graph *g, const int *point, int v, int p, int n)
{
	const struct mesh *mesh = g->mesh;

	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
		if (point[mesh->node_at[i]] >= 0 && point[mesh->node_at[i]] != p)
			n = add(g, n, point[mesh->node_at[i]]);
	return n;
}

/* Has a link before the i-th led there, too? */
static bool led_before(const struct linkgraph_near *links, int i)
{
	for (int j = 0; j < i; j++)
		if (links->vertex[j] == links->vertex[i])
			return true;
	return false;
}

static int add_joined(struct walk_graph *g, const int *point, int p, int n)
{
	const struct mesh *mesh = g->mesh;
	int v = mesh->vertex_of[g->node[p]];
	struct linkgraph_near links;

	n = add_vertex(g, point, v, p, n);
	linkgraph_near(mesh, v, &links);
	for (int i = 0; i < links.n; i++) {
		int w = links.vertex[i] - links.first;

		if (w >= 0 && w < mesh->nvertices && !led_before(&links, i))
			n = add_vertex(g, point, w, p, n);
	}
	return g->home >= 0 ? add(g, n, g->home) : n;
}

static int join(struct walk_graph *g, const int *point)
{
	for (int p = 0; p < g->n; p++)
		g->first[p + 1] = add_joined(g, point, p, g->first[p]);
	if (g->home >= 0)
		g->first[g->points] = g->first[g->home];
	for (int p = 0; g->home >= 0 && p < g->n; p++)
		g->first[g->points] = add(g, g->first[g->points], p);
	return g->arena.out ? -1 : 0;
}

/* A connected part: of how many points, how many in each half, if it has halves. */
struct part {
	int count[2];
	bool halved;
};

static struct part look_at_part(struct walk_graph *g, int from, int *queue)
{
	struct part part = {{1, 0}, true};
	int n = 0;

	g->half[from] = 0;
	queue[n++] = from;
	for (int i = 0; i < n; i++)
		walk_graph_each(q, g, queue[i]) {
			int half = g->half[queue[i]];

			if (q == g->home)
				continue;
			if (g->half[q] < 0) {
				g->half[q] = (int8_t)!half;
				part.count[!half]++;
				queue[n++] = q;
			}
			part.halved &= g->half[q] != half;
		}
	return part;
}

/* The most nodes in a row, or round a ring whose number is odd or not. */
static int longest_in(const struct part *part, enum walk_kind kind, bool odd)
{
	int a = part->count[0], b = part->count[1], less = a < b ? a : b;

	if (!part->halved)
		return a + b;
	if (kind == WALK_RING)
		return odd ? 0 : 2 * less;
	return 2 * less + (a != b);
}

static int look_at_parts(struct walk_graph *g, enum walk_kind kind, bool odd)
{
	int *queue = arena_get(&g->arena, g->points, sizeof(*queue));

	if (!queue)
		return -1;
	memset(g->half, -1, (size_t)g->points * sizeof(*g->half));
	g->halved = true;
	for (int p = 0; p < g->n; p++) {
		struct part part;
		int here;

		if (g->half[p] >= 0)
			continue;
		part = look_at_part(g, p, queue);
		here = longest_in(&part, kind, odd);
		g->halved &= part.halved;
		g->longest = here > g->longest ? here : g->longest;
	}
	return 0;
}

int walk_graph_init(struct walk_graph *g, const struct mesh *mesh, const struct nodeset *free_nodes,
	enum walk_kind kind, int length)
{
	int *point;

	if (length < 3) /* there and back is no more than a line */
		kind = WALK_LINE;
	*g = (struct walk_graph){.mesh = mesh, .home = -1,
		.n = free_nodes ? nodeset_count(free_nodes) : mesh->nnodes};
	if (kind == WALK_LINE)
		g->home = g->n;
	g->points = g->n + (g->home >= 0);
	point = arena_get(&g->arena, mesh->nnodes, sizeof(*point));
	arena_array(&g->arena, g->node, mesh->nnodes);
	arena_array(&g->arena, g->first, g->points + 1);
	if (!arena_array(&g->arena, g->half, g->points + 1))
		return -1;
	memset(point, -1, (size_t)mesh->nnodes * sizeof(*point));
	for (int p = 0, node = -1; p < g->n; p++) {
		node = free_nodes ? nodeset_next(free_nodes, node + 1) : p;
		g->node[p] = node;
		point[node] = p;
	}
	return join(g, point) || look_at_parts(g, kind, length % 2) ? -1 : 0;
}

bool walk_graph_joined(const struct walk_graph *g, int p, int q)
{
	if (p == g->home || q == g->home)
		return p != q;
	walk_graph_each(r, g, p)
		if (r == q)
			return true;
	return false;
}
