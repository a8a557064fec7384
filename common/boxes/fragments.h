/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How broken up the free nodes of a machine are, as one number to compare two states of it by.
 */
#ifndef MESH_FRAGMENTS_H
#define MESH_FRAGMENTS_H

#include "base/mesh.h"
#include "base/nodeset.h"

/*
 * The machine is cut into boxes of side 1, 2, 4, ... (or its own side, where that is less), each in
 * a grid from the origin. The sum of the vertices of those that are not all free, over all sizes: 0
 * for the idle machine; what is taken in one corner costs less than the same number here and there.
 * Vertices without nodes count as free. O(nvertices * log of the longest side).
 */
uint64_t fragments(const struct mesh *mesh, const struct nodeset *free);

#endif
