/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds nodes that broken links leave without a way to the others.
 */
#ifndef SMESH_CUTOFF_H
#define SMESH_CUTOFF_H

#include "base/arena.h"
#include "base/mesh.h"

/*
 * Find the nodes that cannot be reached from the largest piece of the mesh, in name[nnodes]. How
 * many. The mesh has a graph, in which pieces may go on in other meshes.
 */
int nodes_cut_off(const struct mesh *mesh, char **name, struct arena *arena);

#endif
