/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One decision: by the strategy itself, or by this room if the job wants a walk or segments.
 */
#ifndef MESH_STRATEGY_DECIDE_H
#define MESH_STRATEGY_DECIDE_H

#include "ask/strategy.h"

/* As strategy_ask(), and also for walks and segments, for which it allocates. */
enum mesh_result strategy_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/*
 * Mean hops between the `count` nodes that the strategy takes where all nodes of its mesh are free;
 * NAN: it takes none, or memory is out. budget_ns as in mesh_request. Allocates.
 */
double strategy_idle_hops(struct strategy *strategy, int count, int64_t budget_ns);

#endif
