/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job in segments (--segment of Slurm 24.05 and later, --mesh-segment): groups of equally many
 * nodes. Each segment is compact (under a contiguous strategy a box), and all are near each other.
 * A shape is that of the whole job, with the segments inside its box.
 */
#ifndef MESH_SEGMENTS_H
#define MESH_SEGMENTS_H

#include "ask/strategy.h"

/* Is the job in segments that the strategy does not find itself? */
bool segments_wanted(const struct strategy *strategy, const struct mesh_request *request);

/*
 * Called by strategy_decide() if segments_wanted(). The strategy chooses the first segment among
 * all free nodes, and each further one among the nodes nearest to the segments so far, if that is
 * about as compact. MESH_NEVER with text: the count is no multiple of the segment. Allocates;
 * MESH_ERROR with text: memory is out.
 */
enum mesh_result segments_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
