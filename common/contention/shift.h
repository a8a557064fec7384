/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time of an all-to-all, step by step: in step s each rank sends to rank + s.
 *
 * A rank sends one message after the other, so a round takes the sum of its steps, and a step the time
 * of its fullest link. That depends on where each rank is, not only on what each link carries in a
 * whole round: on a 16x16 torus SimGrid measures 2.7 for 32 ranks on 8x4 and 3.7 on 4x8, with the same
 * loads. Where the messages of a step take different times, ranks drift apart and meet messages of
 * other steps, which makes it up to half as long again (the model is ours: doc/lab/simgrid.md).
 */
#ifndef MESH_SHIFT_H
#define MESH_SHIFT_H

#include <stdint.h>

#include "base/mesh.h"
#include "contention/load.h"

enum {
	SHIFT_RANKS = 256,   /* the largest job that it takes */
	SHIFT_STEPS = 8,     /* steps of a round that are sampled */
	SHIFT_WORK = 1024,   /* ranks * sampled steps, at most */
};

/* A job's ranks on vertex[count], in this order. Borrowed. */
struct shift_ranks {
	const int *vertex;
	int count;
};

/* Scratch memory for one mesh, which must outlive it: O(links). One thread at a time. */
struct shift;
/* NULL when memory is out. */
struct shift *shift_new(const struct mesh *mesh);
void shift_free(struct shift *shift);

/*
 * The length of a round, 2 <= count <= SHIFT_RANKS; 1 = every message alone on its links, 0 = no message
 * crosses a link. other[links_count()]: the mean load of each load_link() by other jobs; NULL:
 * none. Exact where it is below `most`; otherwise any number from `most` up may be returned.
 * O(steps * count * hops).
 */
double shift_time(struct shift *shift, const struct shift_ranks *ranks, const struct load_traffic *other,
	double most);

#endif
