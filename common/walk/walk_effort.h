/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a search may cost.
 */
#ifndef MESH_WALK_EFFORT_H
#define MESH_WALK_EFFORT_H

#include "base/budget.h"

struct walk_effort {
	int64_t left; /* looks at pairs of nodes: the same on every machine */
	struct mesh_budget budget;
	bool late;
};

/* Is it used up, with so many looks more? */
static inline bool walk_effort_spend(struct walk_effort *effort, int64_t looks)
{
	effort->left -= looks;
	effort->late = effort->late || effort->left < 0 || mesh_budget_late(&effort->budget);
	return effort->late;
}

#endif
