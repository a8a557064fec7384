/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job that wants a line or a ring of nodes (--mesh-shape=ring:16), or its ranks along one
 * (--mesh-ranks=ring). walk.h finds it, whatever the strategy.
 */
#ifndef MESH_WALKS_H
#define MESH_WALKS_H

#include "ask/strategy.h"

/*
 * Called by strategy_decide() with a request for a walk that has passed its checks. Writes the
 * nodes in the walk's order to node[], and to by_rank[] if that is not NULL. Allocates; MESH_ERROR
 * with text: memory is out.
 */
enum mesh_result walks_decide(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/*
 * Set order[i] to the index into node[n] of the i-th node along a line or a ring of all these
 * nodes. 0; else none was found, or memory is out. No slower than the search for such a walk.
 */
int walks_order(const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order);

#endif
