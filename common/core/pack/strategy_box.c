/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The contiguous strategies that each site may need: a job may want a box under any strategy. Their
 * code is that of boxes/contiguous.h, which slurmctld loads when one of them is first made.
 */
#include "ask/extras.h"

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct extras *more = extras(err);
	const enum extras_boxes *which = strategy->ops->preset;

	return more ? more->boxes_init(strategy, *which) : -1;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	/* init() has loaded them. */
	return extras(NULL)->boxes_decide(strategy, state, request, answer);
}

#define BOXES(which, more)                                                                     \
	.flags = STRATEGY_CONTIGUOUS | STRATEGY_COMPLETE | (more),                             \
	.preset = &(const enum extras_boxes){which}, .init = init, .decide = decide

const struct strategy_ops strategy_box_family[] = {
	{
		.name = "ff",
		.summary = "contiguous first fit: the first free box, turned if need be",
		.source = "Zhu 1992, Ababneh 2001",
		.time = "O(n/64 log side) a box",
		BOXES(BOXES_FIRST_FIT, STRATEGY_NO_RUNS),
	},
	{
		.name = "bf",
		.summary = "contiguous best fit: the free box that touches most busy or border",
		.source = "Zhu 1992, Das Sharma and Pradhan 1996",
		.time = "O(n d) a box",
		BOXES(BOXES_BEST_FIT, STRATEGY_NO_RUNS),
	},
	{0},
};

const struct strategy_ops strategy_snug_box_family[] = {
	{
		.name = "snug-box",
		.summary = "contiguous: the free box that leaves most large boxes free",
		.source = "this project, after Srisawat and Alexandridis 1999",
		.time = "O(n d) a box",
		BOXES(BOXES_KEEPER, 0),
	},
	{0},
};
