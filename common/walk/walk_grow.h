/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A walk becomes longer by detours: between two of its points over one or two that are free.
 */
#ifndef MESH_WALK_GROW_H
#define MESH_WALK_GROW_H

#include "walk/walk_search.h"

/* A walk of n nodes, at least 3 of a ring, to one of `length` in node[]. False: none was found with
 * this effort; node[] is as it was. */
bool walk_grow(const struct walk_graph *g, int *node, int n, int length, struct walk_effort *effort);

#endif
