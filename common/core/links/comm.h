/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Communication in a job: which ranks send to which, in the four patterns of applications. In a
 * round each rank sends the same amount, in equal messages to its partners.
 */
#ifndef MESH_COMM_H
#define MESH_COMM_H

#include "ask/comm_pattern.h"
#include "base/mesh.h"

/* "none", "all-to-all", "ring", "grid", "random"; NULL for other numbers. */
const char *comm_pattern_name(int pattern);
/* The pattern with this name, or -1. */
int comm_pattern_find(const char *name);

enum { COMM_GRID_RANKS = 1 << 20 }; /* the most ranks of a grid */

/*
 * The sides of a grid for count ranks, as equal as its factors allow, the longest first, as in
 * MPI_Dims_create(). Rank = (c[0]*side[1] + c[1])*side[2] + c[2], as in MPI_Cart_create().
 */
void comm_grid_sides(int count, int ndims, int *side);
/* The ranks of a grid; 0: its sides are not known, or it has more than COMM_GRID_RANKS. */
int comm_grid_ranks(const struct comm_grid *grid);

/*
 * Set *grid to the grid of a job on count nodes: `given` (NULL: none) if its ranks can be shared
 * evenly among the nodes, otherwise comm_grid_sides(count, ndims). Returns the ranks on each node.
 */
int comm_grid_of(const struct comm_grid *given, int count, int ndims, struct comm_grid *grid);
/*
 * Write the neighbours of a rank on a grid that does not wrap to to[2 * ndims]. Returns how many.
 */
int comm_grid_neighbours(int rank, int ndims, const int *side, int *to);

#endif
