/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk_graph.h"

#include <limits.h>
#include <string.h>

#include "graph/linkgraph.h"
#include "walk/walk.h"

/* Counts the links of all points, or writes them, one point after the other. */
struct joiner {
	struct walk_graph *g;
	const int *point; /* by node: its point, or -1 */
	int least;	  /* the least lanes */
	int p, n;	  /* the current point, and the number of links so far */
	bool count;	  /* do not write */
};

static void add(struct joiner *j, int q, int lanes)
{
	struct walk_graph *g = j->g;

	j->n++;
	if (j->count)
		return;
	g->to[j->n - 1] = q;
	g->lanes[j->n - 1] = lanes;
	if (lanes == INT_MAX)
		return;
	g->uneven |= g->widest && g->widest != lanes;
	g->widest = lanes > g->widest ? lanes : g->widest;
}

/* Join the point to all other points on vertex v. */
static void add_vertex(struct joiner *j, int v, int lanes)
{
	const struct mesh *mesh = j->g->mesh;

	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
		int q = j->point[mesh->node_at[i]];

		if (q >= 0 && q != j->p)
			add(j, q, lanes);
	}
}

/* Did a link before the i-th lead to the same vertex? */
static bool led_before(const struct linkgraph_near *links, int i)
{
	for (int k = 0; k < i; k++)
		if (links->vertex[k] == links->vertex[i])
			return true;
	return false;
}

static void add_joined(struct joiner *j)
{
	const struct mesh *mesh = j->g->mesh;
	int v = mesh->vertex_of[j->g->node[j->p]];
	struct linkgraph_near links;

	add_vertex(j, v, INT_MAX);
	linkgraph_near(mesh, v, &links);
	for (int i = 0; i < links.n; i++) {
		int w = links.vertex[i] - links.first, lanes = 1;

		if (w < 0 || w >= mesh->nvertices || led_before(&links, i))
			continue;
		if (mesh->graph)
			lanes = linkgraph_lanes(mesh->graph, links.first + v, links.vertex[i]);
		if (lanes >= j->least)
			add_vertex(j, w, lanes);
	}
	if (j->g->home >= 0)
		add(j, j->g->home, INT_MAX);
}

/* Returns the number of links; more than WALK_GRAPH_LINKS if they are too many. */
static int each_point(struct walk_graph *g, const int *point, int least, bool count)
{
	struct joiner j = {g, point, least, 0, 0, count};

	for (; j.p < g->n && j.n <= WALK_GRAPH_LINKS; j.p++) {
		add_joined(&j);
		g->first[j.p + 1] = j.n;
	}
	for (int p = 0; g->home >= 0 && p < g->n; p++)
		add(&j, p, INT_MAX);
	g->first[g->points] = j.n;
	return j.n;
}

static int join(struct walk_graph *g, const int *point, int least)
{
	int n = each_point(g, point, least, true);

	if (n > WALK_GRAPH_LINKS)
		return 1;
	arena_array(&g->arena, g->to, n);
	if (!arena_array(&g->arena, g->lanes, n))
		return -1;
	each_point(g, point, least, false);
	return 0;
}

/* A connected part: its points, and how many are in each half, if it has halves. */
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

/* The most nodes of a line, or of a ring of odd or even length. */
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

int walk_graph_init(
	struct walk_graph *g, const struct walk_question *q, const struct nodeset *free_nodes)
{
	/* A ring of two goes there and back, like a line. */
	enum walk_kind kind = q->length < 3 ? WALK_LINE : q->kind;
	const struct mesh *mesh = q->mesh;
	int *point, bad;

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
	bad = join(g, point, q->lanes);
	return bad ? bad : look_at_parts(g, kind, q->length % 2);
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
