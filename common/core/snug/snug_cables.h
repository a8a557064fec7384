/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug on a machine that is its cables: the sets of graph/graphfind.h, of which the one with the
 * least price is taken. Of sets that are as near, or for a ring or a grid of ranks hardly less
 * near, that is the one on which the job would communicate for the shortest time.
 */
#ifndef MESH_SNUG_CABLES_H
#define MESH_SNUG_CABLES_H

#include "ask/strategy.h"

struct snug_cables;

/* Scratch memory, freed by the arena; NULL: memory is out. */
struct snug_cables *snug_cables_new(const struct mesh *mesh, struct arena *arena);

/* As strategy_ops.decide. */
enum mesh_result snug_cables_decide(struct snug_cables *cables, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
