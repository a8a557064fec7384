/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One decision: a strategy's own, or for a job that wants a walk or segments what these rooms make
 * of it.
 */
#ifndef STRATEGY_DECIDE_H
#define STRATEGY_DECIDE_H

#include "ask/strategy.h"

/* As strategy_ask(), with walks and segments. Allocates only for these. */
enum mesh_result strategy_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

#endif
