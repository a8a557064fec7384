/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the boxes that are worth measuring: of all bases of all boxes of some chains
 * (snug_chain.h) the few with the least estimate. From tables of sums (snug_sweep.h) the estimate
 * is
 *
 *     hops of the box, less what trimming it to the nodes wanted saves
 *     + the weight on its faces, and what trimming exposes
 *
 * with the weights of the trial (hop_weight, exposure_weight). At a base only the first box of a
 * chain counts that has enough nodes and all pinned ones. A chain ends at the first level that is
 * not expected to have one of the best boxes. tests/unit/snug/test_snug_find.c does the same in the
 * plainest way.
 */
#ifndef MESH_SNUG_FIND_H
#define MESH_SNUG_FIND_H

#include "snug/snug_chain.h"
#include "snug/snug_sweep.h"
#include "snug/snug_trial.h"

enum { SNUG_CANDIDATES = 16 };

struct snug_candidate {
	double score; /* the estimate */
	int base[MESH_MAX_DIMS];
	const struct snug_level *level; /* borrowed from the chain */
};

struct snug_find {
	const struct snug_trial *trial; /* has the state by vertex, and what is wanted */
	struct snug_sweep
		sweep; /* sweep.late: the budget is used up; better boxes may exist */
	struct snug_candidate list[SNUG_CANDIDATES]; /* the best first */
	int count, limit;
	char *allowed[MESH_MAX_DIMS]; /* [side] bases of the level's boxes that hold the pinned
					 coordinates, if there are any */
	struct nodeset needs[MESH_MAX_DIMS]; /* coordinates of pinned vertices */
};

/* The trial must outlive it. 0, or -1 when memory is out. The arena owns all memory. */
int snug_find_init(
	struct snug_find *find, const struct snug_trial *trial, struct arena *arena);

/* The nodes that the boxes must hold (NULL: none), which the trial has as pinned. */
void snug_find_pinned(struct snug_find *find, const struct nodeset *required);

/* Read the trial's state. reach[]: the longest boxes to expect; budget: borrowed. O(n). */
void snug_find_load(struct snug_find *find, const int *reach, struct mesh_budget *budget);

/* Begin with no boxes, and keep up to `limit`. */
void snug_find_begin(struct snug_find *find, int limit);

/*
 * Look through the boxes of a chain, too. Once `limit` boxes are kept, skip boxes above 1.4 times
 * the largest of them.
 */
void snug_find_chain(struct snug_find *find, const struct snug_chain *chain);

#endif
