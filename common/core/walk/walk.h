/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines and rings of neighbouring nodes: each node of the walk is on the vertex of the one before
 * or one hop from it, and no node comes twice. A ring ends next to where it began; one of two nodes
 * goes there and back.
 *
 * Where links differ in lanes (linkgraph.h), the walk is one whose narrowest link has as many as
 * can be found in the time for it, if there is one.
 *
 * Up to some hundred free nodes are searched as a whole; of more, parts hardly larger than the
 * walk. Long walks are grown: from blocks of four nodes, and where they need most of what is free
 * from shorter ones.
 */
#ifndef MESH_WALK_H
#define MESH_WALK_H

#include "ask/ask.h"
#include "base/mesh.h"
#include "base/nodeset.h"

/* "line", "ring"; NULL past the last. */
const char *walk_name(enum walk_kind kind);

struct walk_question {
	const struct mesh *mesh;
	const struct nodeset *free;
	const struct nodeset *required; /* nodes that the walk must have, or NULL */
	enum walk_kind kind;
	int length; /* nodes, >= 1 */
	int lanes;  /* a link has at least so many; 0: any */
	uint64_t seed;
	int64_t budget_ns;    /* CPU time of the thread; 0 = no limit */
	int64_t budget_steps; /* looks at pairs of nodes; 0 = as many as take some 50 ms */
};

enum walk_result {
	WALK_FOUND,
	WALK_PROVED, /* there is none */
	WALK_UNKNOWN, /* none was found in the time for it */
	WALK_NO_MEMORY
};

/*
 * A walk over free nodes into node[length], in its order. The same answer on every machine, unless
 * budget_ns ends the search. Allocates: O(nodes * joined).
 */
enum walk_result walk_find(const struct walk_question *q, int *node);

/*
 * Is it plain that these nodes (NULL: all), all free, have no such walk: by their number, because
 * they hang together in smaller parts, because a few nodes are all that joins parts of which a walk
 * can have some only, or because a ring of odd length cannot close on a mesh without odd rings? Then
 * true with text. False proves nothing. O(nodes * joined), of WALK_CUT_MOST nodes and fewer its
 * cube.
 */
bool walk_never(const struct mesh *mesh, const struct nodeset *nodes,
	const struct mesh_shape *shape, struct mesh_err *err);
enum { WALK_CUT_MOST = 64 };

#endif
