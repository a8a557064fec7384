/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines and rings of neighbouring nodes: each node of a walk is on the vertex of the one before or
 * one hop from it, and no node comes twice. A ring ends next to its beginning; a ring of two nodes
 * goes there and back.
 *
 * Where links differ in lanes (linkgraph.h), the walk's narrowest link has as many lanes as can be
 * found in the time, if there is a walk.
 *
 * Up to some hundred free nodes are searched as a whole; of more nodes, parts hardly larger than
 * the walk. Long walks are grown from blocks of four nodes, or from shorter walks if they need
 * most of what is free.
 */
#ifndef MESH_WALK_H
#define MESH_WALK_H

#include "ask/ask.h"
#include "base/mesh.h"
#include "base/nodeset.h"

struct walk_question {
	const struct mesh *mesh;
	const struct nodeset *free;
	const struct nodeset *required; /* nodes that the walk must have, or NULL */
	enum walk_kind kind;
	int length; /* nodes, >= 1 */
	int lanes;  /* the least lanes of each link; 0: any */
	uint64_t seed;
	int64_t budget_ns;    /* CPU time of the thread; 0 = no limit */
	int64_t budget_steps; /* looks at pairs of nodes; 0 = a default that takes some 50 ms */
};

enum walk_result {
	WALK_FOUND,
	WALK_PROVED, /* there is no walk */
	WALK_UNKNOWN, /* no walk was found in the time */
	WALK_NO_MEMORY
};

/*
 * Find a walk over free nodes, and write it in order to node[length]. The same answer on every
 * machine, unless budget_ns ends the search. Allocates O(nodes * neighbours). Where that is more
 * than WALK_GRAPH_LINKS, as with hundreds of nodes on each vertex, only some nodes of each are
 * searched.
 */
enum walk_result walk_find(const struct walk_question *q, int *node);

/*
 * Is it plain that these free nodes (NULL: all) have no such walk? Reasons: their number; their
 * connected parts are too small; a few nodes alone join parts of which a walk can have only some;
 * or a ring of odd length cannot close on a mesh without odd rings. True with text. False proves
 * nothing; it is the answer where there are more links than WALK_GRAPH_LINKS. O(nodes *
 * neighbours), and a few million looks at links for cuts (walk_cut.h).
 */
bool walk_never(const struct mesh *mesh, const struct nodeset *nodes,
	const struct mesh_shape *shape, struct mesh_err *err);

#endif
