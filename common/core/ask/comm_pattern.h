/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who sends to whom in a job: the patterns that applications are made of (comm.h has the partners).
 */
#ifndef COMM_PATTERN_H
#define COMM_PATTERN_H

#include "base/limits.h"

enum comm_pattern {
	COMM_NONE,
	COMM_ALL_TO_ALL, /* to all others, rank + 1 first */
	COMM_RING,	 /* to rank + 1, the last to the first */
	COMM_GRID,	 /* to the neighbours on a grid of the ranks that does not wrap */
	COMM_RANDOM,	 /* to one other rank drawn at random; each rank receives from one */
	COMM_PATTERNS
};

/* A grid of ranks, the last side fastest: rank = (c[0]*side[1] + c[1])*side[2] + c[2]. ndims 0: not
 * known. */
struct comm_grid {
	int ndims;
	int side[MESH_MAX_DIMS];
};

#endif
