/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the cheapest place to clear: of all boxes of given sides, the one whose running jobs cost
 * least to stop. Our own method.
 *
 * A job costs the same however much of it lies in the box. Every place is looked at, and dropped
 * as soon as its jobs cost as much as those of the best place so far.
 */
#ifndef SMESH_CLEAR_H
#define SMESH_CLEAR_H

#include "base/budget.h"
#include "base/nodeset.h"
#include "boxes/boxplan.h"
#include "geometry/box.h"

/* Costs are whole numbers, mostly node-seconds; their sum is below 2^63. */
#define CLEAR_STAYS (-1)

struct clear_job {
	const int *node; /* [count] */
	int count;
	int64_t cost; /* what stopping it loses; CLEAR_STAYS: it must not be stopped */
};

/*
 * Boxes as one of row[rows], on nodes of `usable`, that cost at most `most`. Everything is
 * borrowed.
 */
struct clear_question {
	const struct mesh *mesh;
	const struct nodeset *usable; /* the nodes that may be used, busy or not */
	const struct clear_job *job;  /* [njobs]; several may share a node */
	int njobs;
	const struct boxplan_row *row;
	int rows;
	int64_t most;
	bool any_links; /* boxes with broken links inside will do */
};

struct clear_answer {
	struct mesh_box box;
	int64_t cost;
	int *job; /* [njobs] the jobs to stop, ascending; none: the box is free */
	int njobs;
	bool late; /* the budget ended the search early */
};

/*
 * Set *answer to the cheapest of these boxes; of equal ones to that of the earlier row, then to
 * the first. False: there is none. With Shapes= the rows and their bases are legal ones. O(n
 * volume) for a row at worst. Ends when the budget is used up. The arena owns all memory.
 */
bool clear_find(const struct clear_question *question, struct mesh_budget *budget,
	struct clear_answer *answer, struct arena *arena);

#endif
