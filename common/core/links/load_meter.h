/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The inside of struct load_meter: for load_sum.c, which adds up messages one by one, and
 * load_detours.c, which leads them round broken links.
 */
#ifndef MESH_LOAD_METER_H
#define MESH_LOAD_METER_H

#include "base/nodeset.h"
#include "links/load.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct load_meter {
	const struct mesh *mesh;
	struct load_job job; /* the answer: room for all links, and a spare entry */
	/* The ranks in question. */
	const int *vertex; /* [count] borrowed */
	int count;
	int *run; /* [nnodes] of a rank: ranks from it on whose vertices follow in one row */
	/* Messages. */
	int64_t *parts; /* [links, and one block] the sum so far; 0 between calls */
	struct nodeset seen; /* blocks of links with a sum; empty between calls */
	/* Broken links, and the way round each one. */
	struct load_detour {
		int link, n, *way;
	} *detour; /* [ndetours] */
	int ndetours;
	int *place; /* [links] index of a link in `job`, or -1. NULL: no link is broken */
	int *route; /* [links_longest()] of a message over cables; NULL: the grid is used */
	struct mesh_budget *budget; /* NULL: none */
	bool late;
};

/* Find the ways round the broken links of the mesh. 0, or -1 when memory is out. */
int load_detours_init(struct load_meter *meter, struct arena *arena);
/* Move the job's load from broken links to ways round them. O(its links, and all broken ones). */
void load_detours(struct load_meter *meter);

#endif
