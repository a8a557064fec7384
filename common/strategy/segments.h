/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job in segments: groups of so many nodes, each compact (of a contiguous strategy: a box), and
 * near each other.
 */
#ifndef MESH_SEGMENTS_H
#define MESH_SEGMENTS_H

#include "strategy/strategy.h"

/*
 * Called by strategy_decide() with a request that has passed its checks, and whose segment is less
 * than its count. MESH_NEVER with text where it does not divide the count. The first segment is the
 * strategy's own choice, each other one its choice among the nearest nodes that give one about as
 * good. Allocates.
 */
enum mesh_result segments_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
