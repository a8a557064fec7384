/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that are worth measuring: of all bases of all boxes of some chains (snug_chain.h) the
 * few with the least estimate. That is, from tables of sums (snug_sweep.h),
 *
 *     hops of the box, less what trimming it to the nodes wanted saves
 *     + the weight on its faces, and what is exposed where nodes are trimmed off
 *
 * each as the trial counts it (hop_weight, exposure_weight). At a base only the first box of a
 * chain counts that has enough nodes, and all that are pinned; and a chain ends at the first level
 * that is not expected to have one of the best. Bases that cannot be among the best by their nodes
 * alone are left out in vectors; tests/unit/snug/test_snug_find.c says the same in the plainest
 * way.
 */
#ifndef MESH_SNUG_FIND_H
#define MESH_SNUG_FIND_H

#include "snug/snug_chain.h"
#include "snug/snug_sweep.h"
#include "snug/snug_trial.h"

enum { SNUG_CANDIDATES = 16 };

struct snug_candidate {
	double score; /* an estimate */
	int base[MESH_MAX_DIMS];
	const struct snug_level *level; /* of the chain's, borrowed */
};

struct snug_find {
	const struct snug_trial *trial; /* has the state by vertex, and what is wanted */
	struct snug_sweep
		sweep; /* sweep.late: the budget was used up, and there may be better ones */
	struct snug_candidate list[SNUG_CANDIDATES]; /* the best first */
	int count, limit;
	char *allowed[MESH_MAX_DIMS]; /* [side] bases of boxes of a level that hold the pinned, if
					 there are any */
	struct nodeset needs[MESH_MAX_DIMS]; /* coordinates of pinned vertices */
};

/* The trial must outlive it. 0, or -1 when memory is out. The arena frees it. */
int snug_find_init(
	struct snug_find *find, const struct snug_trial *trial, struct arena *arena);

/* Nodes that must be in the boxes (NULL: none): those that the trial has as pinned. */
void snug_find_pinned(struct snug_find *find, const struct nodeset *required);

/* Take over the trial's state. reach[]: the longest boxes to expect; budget: borrowed. O(n). */
void snug_find_load(struct snug_find *find, const int *reach, struct mesh_budget *budget);

/* From now on: no boxes yet, and up to `limit` to be kept. */
void snug_find_begin(struct snug_find *find, int limit);

/* The boxes of a chain, too. Where there are as many as are kept, those of up to 1.4 times the
 * largest of these. */
void snug_find_chain(struct snug_find *find, const struct snug_chain *chain);

#endif
