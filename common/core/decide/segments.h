/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job in segments (--segment of Slurm 24.05 and later, --mesh-segment): groups of equally many
 * nodes, each compact (under a contiguous strategy a box), and near each other. With a shape, that
 * is the shape of the whole job, and the segments are inside the box.
 */
#ifndef MESH_SEGMENTS_H
#define MESH_SEGMENTS_H

#include "ask/strategy.h"

/* Is the job in segments, and does the strategy not find them itself? */
bool segments_wanted(const struct strategy *strategy, const struct mesh_request *request);

/*
 * Called by strategy_decide() with a request of which segments_wanted(); MESH_NEVER with text where
 * the segment does not divide the count. The first segment is the strategy's choice among all free
 * nodes, each further one its choice among the nodes nearest to the segments so far, as long as
 * that is about as compact. Allocates; MESH_ERROR with text without memory.
 */
enum mesh_result segments_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
