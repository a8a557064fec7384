/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lowest node numbers first, as a scheduler without a map takes them. O(n/64 + k).
 */
#include "ask/strategy.h"

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct nodeset *required = request->required;
	int left = request->count - (required ? nodeset_count(required) : 0);

	(void)strategy;
	nodeset_each(i, state->free) {
		bool must = required && nodeset_has(required, i);

		if (!must && !left)
			continue;
		left -= !must;
		answer->node[answer->count++] = i;
	}
	return MESH_OK;
}

const struct strategy_ops strategy_linear_family[] = {
	{
		.name = "linear",
		.summary = "lowest node index first, what Slurm does by itself",
		.source = "none",
		.time = "O(n/64 + k)",
		.flags = STRATEGY_NO_RUNS,
		.decide = decide,
	},
	{0},
};
