/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "graph/linkgraph.h"
#include "import/import.h"
#include "sim/need.h"

/* --- a map as cables ---------------------------------------------------------------------- */

static int map_vertex(struct cables *c, const struct mesh *mesh, int v, struct mesh_err *err)
{
	char name[MESH_MAX_NAME + 16];

	snprintf(name, sizeof(name), "%s:%d", mesh->name, v);
	return cables_vertex(c, name, err);
}

/* Add a cable between a vertex of one mesh and one of another; lanes 0: not known. */
static int map_cable(struct cables *c, const struct mesh *const *mesh, const int *v, int lanes,
	struct mesh_err *err)
{
	struct cable_end end[2] = {{.port = 0}};

	for (int e = 0; e < 2; e++)
		if ((end[e].vertex = map_vertex(c, mesh[e], v[e], err)) < 0)
			return -1;
	cables_add(c, end, lanes);
	return 0;
}

/* Add a mesh, and with the first mesh of a graph its extra cables. */
static int map_mesh(struct cables *c, const struct mesh *mesh, struct mesh_err *err)
{
	const struct linkgraph *graph = mesh->graph;
	int n = graph && graph->mesh[0] == mesh ? graph->ncables : 0, a, up;

	for (int i = 0; i < mesh->nnodes; i++)
		if ((a = map_vertex(c, mesh, mesh->vertex_of[i], err)) < 0 ||
			cables_node(c, mesh->node_name[i], a, err))
			return -1;
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if ((up = mesh_up(mesh, v, d)) >= 0 && !mesh_is_down(mesh, v, d) &&
				map_cable(c, (const struct mesh *[]){mesh, mesh}, (int[]){v, up}, 0,
					err))
				return -1;
	for (int i = 0; i < n; i++) {
		const struct linkgraph_cable *cable = &graph->cable[i];

		if (map_cable(c, (const struct mesh *[]){graph->mesh[cable->mesh[0]],
				graph->mesh[cable->mesh[1]]}, cable->vertex, cable->lanes, err))
			return -1;
	}
	return 0;
}

/* --- what differs ------------------------------------------------------------------------- */

struct side {
	struct cables c;
	int *match; /* [nvertices] the same vertex on the other side, or -1 */
	int *first; /* [nvertices] the first node, or -1 */
};

static int read_side(struct side *s, const struct topoconf *conf, struct mesh_err *err)
{
	for (int m = 0; m < conf->nmeshes; m++)
		if (map_mesh(&s->c, conf->mesh[m], err))
			return -1;
	if (cables_finish(&s->c, err))
		return -1;
	need_array(&s->c.arena, s->match, s->c.nvertices);
	need_array(&s->c.arena, s->first, s->c.nvertices);
	return 0;
}

/* The vertex that a node is on in the other, or -1. */
static int other_vertex(const struct side *s, const struct side *other, int node)
{
	int twin = cables_find_node(&other->c, s->c.node_name[node]);

	return twin < 0 ? -1 : other->c.vertex_of[twin];
}

/* How many neighbours of v the other side has; with w >= 0 only those beside w. */
static int kept(const struct side *s, const struct side *other, int v, int w)
{
	int n = 0;

	neighbours(u, v, &s->c)
		n += s->match[u] >= 0 && (w < 0 || cables_joined(&other->c, w, s->match[u]));
	return n;
}

/* Has v neighbours on both sides, and not one in common? */
static bool has_moved(const struct side *s, const struct side *other, int v)
{
	int w = s->match[v];

	return !kept(s, other, v, w) && kept(s, other, v, -1) && kept(other, s, w, -1);
}

/* Match a vertex by its first node, or by the node that has kept most of its neighbours. */
static void find_matches(struct side *s, const struct side *other)
{
	for (int v = 0; v < s->c.nvertices; v++)
		s->match[v] = s->first[v] = -1;
	for (int i = s->c.nnodes - 1; i >= 0; i--) {
		int v = s->c.vertex_of[i], w = other_vertex(s, other, i);

		s->match[v] = w >= 0 ? w : s->match[v];
		s->first[v] = i;
	}
	for (int i = 0; i < s->c.nnodes; i++) {
		int v = s->c.vertex_of[i], w = other_vertex(s, other, i);

		if (w >= 0 && w != s->match[v] &&
			kept(s, other, v, w) > kept(s, other, v, s->match[v]))
			s->match[v] = w;
	}
}

static int by_ends(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

/* The lanes of the cable between two vertices; 0: not known, or there is none. */
static int lanes_of(const struct cables *c, int a, int b)
{
	const int key[2] = {a < b ? a : b, a < b ? b : a};
	int (*found)[2] = c->ncables ? bsearch(key, c->cable, (size_t)c->ncables,
		sizeof(*c->cable), by_ends) : NULL;

	return found ? c->lanes[found - c->cable] : 0;
}

/* Tell which cables of the old side have other lanes on the new one. How many. */
static int tell_lanes(const struct side *s, const struct side *other, FILE *to)
{
	int found = 0;

	for (int i = 0; i < s->c.ncables; i++) {
		int v = s->c.cable[i][0], u = s->c.cable[i][1], was = s->c.lanes[i];
		int is = s->match[v] < 0 || s->match[u] < 0 ? 0
			: lanes_of(&other->c, s->match[v], s->match[u]);

		if (was && is && was != is && ++found)
			fprintf(to, "changed link %s %s: %d lanes, were %d\n",
				s->c.node_name[s->first[v]], s->c.node_name[s->first[u]], is, was);
	}
	return found;
}

/* Tell of nodes in one line, as a cabinet may have many. How many. */
static int tell_list(const char *word, char **name, int n, FILE *to)
{
	char *hosts;

	if (!n)
		return 0;
	hostlist_by_number(name, n);
	hosts = need(hostlist_libslurm.compress(name, n));
	fprintf(to, "%s node%s %s\n", word, n > 1 ? "s" : "", hosts);
	free(hosts);
	return n;
}

/* Tell which nodes the other side lacks, and of the old side which have moved. How many. */
static int tell_nodes(struct side *s, const struct side *other, bool old, FILE *to)
{
	char **apart, **moved;
	int napart = 0, nmoved = 0, found;

	need_array(&s->c.arena, apart, s->c.nnodes);
	need_array(&s->c.arena, moved, s->c.nnodes);
	for (int i = 0; i < s->c.nnodes; i++) {
		int v = s->c.vertex_of[i], w = other_vertex(s, other, i);

		if (w < 0)
			apart[napart++] = s->c.node_name[i];
		else if (old && (w != s->match[v] || has_moved(s, other, v)))
			moved[nmoved++] = s->c.node_name[i];
	}
	found = tell_list(old ? "gone" : "new", apart, napart, to);
	return found + tell_list("moved", moved, nmoved, to);
}

/* Tell what one side has and the other lacks, and of the old side what has moved. How many. */
static int tell(struct side *s, const struct side *other, bool old, FILE *to)
{
	const char *word = old ? "gone" : "new";
	char *const *name = s->c.node_name;
	int found = tell_nodes(s, other, old, to);

	for (int i = 0; i < s->c.ncables; i++) {
		int v = s->c.cable[i][0], u = s->c.cable[i][1], w = s->match[v], x = s->match[u];

		if (w >= 0 && x >= 0 && !cables_joined(&other->c, w, x) &&
			!has_moved(s, other, v) && !has_moved(s, other, u) && ++found)
			fprintf(to, "%s link %s %s\n", word, name[s->first[v]], name[s->first[u]]);
	}
	return found;
}

int import_compare(const struct topoconf *found, const struct topoconf *there, FILE *to,
	struct mesh_err *err)
{
	struct side is = {0}, was = {0};
	int differ = -1;

	if (!read_side(&is, found, err) && !read_side(&was, there, err)) {
		find_matches(&is, &was);
		find_matches(&was, &is);
		differ = tell(&was, &is, true, to);
		differ += tell_lanes(&was, &is, to);
		differ += tell(&is, &was, false, to);
	}
	cables_release(&is.c);
	cables_release(&was.c);
	return differ;
}
