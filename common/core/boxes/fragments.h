/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fragmented the free nodes of a machine are: one number, to compare two states of it. Our own
 * measure, for Slurm's get_fragmentation() of topology plugins.
 */
#ifndef MESH_FRAGMENTS_H
#define MESH_FRAGMENTS_H

#include "base/mesh.h"
#include "base/nodeset.h"

/*
 * Cut the machine into a grid of cubes of side 1, from the origin on, then of side 2, 4, ... (cut
 * off at the machine's border), and add up the vertices of all those that are not wholly free. 0
 * for an idle machine; nodes taken in one corner cost less than as many scattered ones. Vertices
 * without nodes count as free. O(nvertices * log of the longest side).
 */
uint64_t fragments(const struct mesh *mesh, const struct nodeset *free);

#endif
