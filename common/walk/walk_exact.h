/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks by search: step by step from a node, or the home, and back from where no walk can follow.
 */
#ifndef MESH_WALK_EXACT_H
#define MESH_WALK_EXACT_H

#include "walk/walk_effort.h"
#include "walk/walk_graph.h"

enum { WALK_EXACT_MOST = 1024 }; /* points: a level of recursion each, twice */

/* The points of a walk into point[length]. WALK_UNKNOWN: the effort is used up. */
enum walk_result walk_exact(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *point);

#endif
