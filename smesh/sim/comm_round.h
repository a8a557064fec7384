/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The partners of each rank in a round, message by message, for simulations.
 */
#ifndef SMESH_COMM_ROUND_H
#define SMESH_COMM_ROUND_H

#include "links/comm.h"

struct comm_spec {
	enum comm_pattern pattern;
	int count;  /* ranks, >= 1 */
	int ndims;  /* of the grid, 1..MESH_MAX_DIMS */
	int peers;  /* all-to-all: at most so many partners, drawn at random; 0: all */
	uint64_t seed; /* for the random draws */
};

/* The partners of a rank are to[start[rank]..start[rank+1]-1], in the order of sending. */
struct comm_round {
	int count;
	int *start; /* [count + 1] */
	int *to;
};

/*
 * Compute the partners of each rank; a single rank has none. 0, or -1 when memory is out. Call
 * comm_round_release() either way. O(messages).
 */
int comm_round_init(struct comm_round *round, const struct comm_spec *spec);
/* Free a round; a zeroed struct is fine. */
void comm_round_release(struct comm_round *round);

#endif
