/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The free nodes of a mesh as points of a graph. Two are joined if they are on one vertex, or on
 * vertices that a link joins. For a line there is one more point, the home, which is joined to all
 * others: a closed walk through the home is a line of the other points.
 */
#ifndef MESH_WALK_GRAPH_H
#define MESH_WALK_GRAPH_H

#include "ask/walk_kind.h"
#include "base/mesh.h"
#include "base/nodeset.h"

struct walk_question; /* walk.h */

/*
 * The most links of a graph: more than those of the largest grid in three dimensions with a node on
 * each vertex. With many nodes on each there are far more, and to list them would take seconds.
 */
enum { WALK_GRAPH_LINKS = 1 << 24 };

struct walk_graph {
	struct arena arena;
	const struct mesh *mesh;
	int n;	      /* nodes: points 0..n-1 */
	int points;   /* n, or n + 1 with a home */
	int home;     /* n, or -1 */
	int *node;    /* [n] the node of each point, ascending */
	int *first;   /* [points + 1]: the points joined to p are to[first[p]..first[p+1]-1] */
	int *to, *lanes; /* the link's lanes; INT_MAX: on one vertex, or to the home */
	int widest; /* the most lanes of a link; 0: there is no link */
	bool uneven; /* links differ in lanes */
	int8_t *half; /* [points] 0 or 1, different from all joined points; see `halved` */
	bool halved;  /* such halves exist: each closed walk without the home is even */
	int longest;  /* by halves and connected parts, no line, or ring of the parity asked for,
		       * is longer; 0: there is none */
};

/*
 * Make the graph. Of the question only mesh, kind, length (for `longest`; a ring of less than 3
 * counts as a line) and lanes matter. free NULL: all nodes. 0; 1 if there are more links than
 * WALK_GRAPH_LINKS; -1 when memory is out. g->arena owns it. O(nodes * neighbours).
 */
int walk_graph_init(
	struct walk_graph *g, const struct walk_question *q, const struct nodeset *free);

static inline int walk_graph_degree(const struct walk_graph *g, int p)
{
	return g->first[p + 1] - g->first[p];
}

/* How many times as long as over the widest link a message takes over the link to to[at]. */
static inline int walk_graph_cost(const struct walk_graph *g, int at)
{
	return g->lanes[at] >= g->widest ? 1 : (g->widest + g->lanes[at] / 2) / g->lanes[at];
}

/* Are two points joined? O(neighbours of p). */
bool walk_graph_joined(const struct walk_graph *g, int p, int q);

/* Loop over the points q joined to p. */
#define walk_graph_each(q, g, p)                                              \
	for (int at_ = (g)->first[p], q; at_ < (g)->first[(p) + 1] && (q = (g)->to[at_], 1); at_++)

#endif
