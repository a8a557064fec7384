/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug on a cabled machine: of the sets of graph/graphfind.h it takes the one with the least
 * price. Of sets that are equally near (or hardly less, for a ring or a grid of ranks) that is the
 * one on which the job would communicate for the shortest time.
 */
#ifndef MESH_SNUG_CABLES_H
#define MESH_SNUG_CABLES_H

#include "ask/strategy.h"

struct snug_cables;

/* Scratch memory, owned by the arena; NULL: memory is out. */
struct snug_cables *snug_cables_new(const struct mesh *mesh, struct arena *arena);

/* As strategy_ops.decide. */
enum mesh_result snug_cables_decide(struct snug_cables *cables, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
