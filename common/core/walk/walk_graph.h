/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The free nodes of a mesh as a graph: two are joined if they are on one vertex, or on vertices
 * that a link joins. For a line there is one more point, the home, which is joined to all: a closed
 * walk through it is a line of the others.
 */
#ifndef MESH_WALK_GRAPH_H
#define MESH_WALK_GRAPH_H

#include "ask/walk_kind.h"
#include "base/mesh.h"
#include "base/nodeset.h"

struct walk_question; /* walk.h */

struct walk_graph {
	struct arena arena;
	const struct mesh *mesh;
	int n;	      /* nodes: points 0..n-1 */
	int points;   /* n, or n + 1 with a home */
	int home;     /* n, or -1 */
	int *node;    /* [n] of the mesh, ascending */
	int *first;   /* [points + 1]: the points joined to p are to[first[p]..first[p+1]-1] */
	int *to, *lanes; /* of the link there; INT_MAX: on one vertex, or to the home */
	int widest; /* lanes of a link; 0: there is none */
	bool uneven; /* links have other lanes than others */
	int8_t *half; /* [points] 0 or 1, other than that of all that are joined; see `halved` */
	bool halved;  /* there are such halves: each closed walk without the home is even */
	int longest;  /* no longer line, or ring of the parity asked for, can be there by halves
		       * and connected parts; 0: none at all */
};

/* Of the question only the mesh, kind, length (for `longest`; a ring of less than 3 is no more than
 * a line) and lanes count. free: NULL: all. 0, or -1 when memory is out. Its arena frees it.
 * O(nodes * joined). */
int walk_graph_init(
	struct walk_graph *g, const struct walk_question *q, const struct nodeset *free);

static inline int walk_graph_degree(const struct walk_graph *g, int p)
{
	return g->first[p + 1] - g->first[p];
}

/* How much longer than over the widest link a message takes over to[at]. */
static inline int walk_graph_cost(const struct walk_graph *g, int at)
{
	return g->lanes[at] >= g->widest ? 1 : (g->widest + g->lanes[at] / 2) / g->lanes[at];
}

/* O(joined to p). */
bool walk_graph_joined(const struct walk_graph *g, int p, int q);

#define walk_graph_each(q, g, p)                                              \
	for (int at_ = (g)->first[p], q; at_ < (g)->first[(p) + 1] && (q = (g)->to[at_], 1); at_++)

#endif
