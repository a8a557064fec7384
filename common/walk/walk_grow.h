/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks that grow: quick, whatever the number of nodes, but without a promise.
 */
#ifndef MESH_WALK_GROW_H
#define MESH_WALK_GROW_H

#include "walk/walk_effort.h"
#include "walk/walk_graph.h"

/* The points of a walk into point[length]. WALK_UNKNOWN: it found none. */
enum walk_result walk_grow(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *point);

#endif
