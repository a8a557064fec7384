/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An all-to-all step by step: in step s each rank sends to rank + s.
 *
 * A rank sends one message after the other, so a round is as long as its steps together, and a step
 * as its fullest link lets it. That depends on how the ranks lie, not only on what each link
 * carries in a whole round: on a 16x16 torus SimGrid has 2.7 for 32 ranks on 8x4 and 3.7 on 4x8,
 * with the same loads. Where the messages of a step take different times, ranks drift apart and
 * meet messages of other steps: up to half as long again (doc/lab/simgrid.md).
 */
#ifndef MESH_SHIFT_H
#define MESH_SHIFT_H

#include <stdint.h>

#include "base/mesh.h"

enum {
	SHIFT_RANKS = 256,   /* of larger jobs no steps are looked at */
	SHIFT_STEPS = 8,     /* looked at, of a round */
	SHIFT_WORK = 1024,   /* ranks * steps, at most */
	SHIFT_UNIT = 1024,   /* of the loads of others: one message */
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
 * The length of a round, 2 <= count <= SHIFT_RANKS; 1 =
 * each message alone on its way. other[links_count()]: what others put on the links in the mean over
 * time, in SHIFT_UNITs; NULL: nothing. What is above `most` may be less than it is, but not below
 * `most`. O(steps * count * hops).
 */
double shift_time(struct shift *shift, const struct shift_ranks *ranks, const uint32_t *other,
	double most);

#endif
