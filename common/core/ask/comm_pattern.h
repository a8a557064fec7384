/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which ranks of a job send to which: the patterns of applications. comm.h computes the partners.
 */
#ifndef MESH_COMM_PATTERN_H
#define MESH_COMM_PATTERN_H

#include "base/limits.h"

enum comm_pattern {
	COMM_NONE,
	COMM_ALL_TO_ALL, /* each rank to all others, rank + 1 first */
	COMM_RING,	 /* each rank to rank + 1, the last one to the first */
	COMM_GRID,	 /* each rank to its neighbours on a grid of the ranks that does not wrap */
	COMM_RANDOM,	 /* each rank to one other, drawn at random; each receives from one */
	COMM_PATTERNS
};

/*
 * A grid of ranks, the last side fastest: rank = (c[0]*side[1] + c[1])*side[2] + c[2]. ndims 0:
 * unknown.
 */
struct comm_grid {
	int ndims;
	int side[MESH_MAX_DIMS];
};

#endif
