/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Communication in a job: who sends to whom, in the four patterns that applications are made of. In
 * a round each rank sends the same amount, in equal messages to its partners.
 */
#ifndef MESH_COMM_H
#define MESH_COMM_H

#include <stdint.h>

#include "ask/comm_pattern.h"
#include "base/mesh.h"

/* "none", "all-to-all", "ring", "grid", "random"; NULL for other numbers. */
const char *comm_pattern_name(int pattern);
/* The pattern of this name; -1: there is none. */
int comm_pattern_find(const char *name);

enum { COMM_GRID_RANKS = 1 << 20 }; /* the most that a grid may have */

struct comm_spec {
	enum comm_pattern pattern;
	int count;  /* ranks, >= 1 */
	int ndims;  /* of the grid, 1..MESH_MAX_DIMS */
	int peers;  /* all-to-all: at most this many partners, drawn at random; 0: all */
	uint64_t seed; /* of the random draws */
};

/* Partners: those of a rank are to[start[rank]..start[rank+1]-1], in the order of sending. */
struct comm_round {
	int count;
	int *start; /* [count + 1] */
	int *to;
};

/* The partners of each rank; one rank alone has none. 0, or -1 when memory is out.
 * comm_round_release() either way. O(messages). */
int comm_round_init(struct comm_round *round, const struct comm_spec *spec);
/* A zeroed struct is fine. */
void comm_round_release(struct comm_round *round);

/*
 * Sides of a grid for count ranks, as equal as its factors allow, the longest first, as
 * MPI_Dims_create() has them. Rank = (c[0]*side[1] + c[1])*side[2] + c[2], as in MPI_Cart_create().
 */
void comm_grid_sides(int count, int ndims, int *side);
/* Ranks of a grid; 0 where its sides are not known, or there are more than COMM_GRID_RANKS. */
int comm_grid_ranks(const struct comm_grid *grid);

/*
 * The grid of a job on count nodes, into *grid: the given one (NULL: none) where its ranks can be
 * shared evenly among the nodes, otherwise comm_grid_sides(count, ndims). Returns the ranks on each
 * node.
 */
int comm_grid_of(const struct comm_grid *given, int count, int ndims, struct comm_grid *grid);
/* The neighbours of a rank on a grid that does not wrap, into to[2 * ndims]; how many. */
int comm_grid_neighbours(int rank, int ndims, const int *side, int *to);

#endif
