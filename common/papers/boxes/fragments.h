/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fragmented the free nodes of a machine are: one number, to compare two states. The measure
 * is our own, for get_fragmentation() of Slurm's topology plugins.
 */
#ifndef MESH_FRAGMENTS_H
#define MESH_FRAGMENTS_H

#include "base/mesh.h"
#include "base/nodeset.h"

/*
 * Cut the machine into a grid of cubes of side 1, from the origin on, then of side 2, 4, ... (cut
 * off at the border). Returns the number of vertices of all cubes that are not wholly free. An
 * idle machine has 0; busy nodes in one corner count less than scattered ones. Vertices without
 * nodes count as free. O(nvertices * log of the longest side).
 */
uint64_t fragments(const struct mesh *mesh, const struct nodeset *free);

#endif
