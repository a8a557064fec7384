/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cheapest place to clear: of all boxes of given sides, the one whose running jobs cost least
 * to stop. Our own.
 *
 * A job costs the same however much of it lies in the box. For every place a summed-area table of
 * each job's cost, spread over its nodes, gives a bound from below; where that is less than the
 * best so far a window of the box's sides, moved along its longest side, counts the jobs in it,
 * which is exact.
 */
#ifndef SIM_CLEAR_H
#define SIM_CLEAR_H

#include "base/budget.h"
#include "base/nodeset.h"
#include "boxes/boxplan.h"
#include "geometry/box.h"

/* Costs are whole numbers, node-seconds as a rule; all of them together below 2^63. */
#define CLEAR_STAYS (-1)

struct clear_job {
	const int *node; /* [count] borrowed */
	int count;
	int64_t cost; /* what is lost if it is stopped; CLEAR_STAYS: it may not be */
};

struct clear_answer {
	struct mesh_box box;
	int64_t cost;
	int *job; /* [njobs] who is to be stopped, ascending; the finder's, until its next call.
		     None: the box is free */
	int njobs;
	bool late; /* the time was over before all was looked at */
};

/* Boxes like one of row[rows] that cost at most `most`. */
struct clear_question {
	const struct boxplan_row *row;
	int rows;
	int64_t most;
};

struct clear;

/* NULL when memory is out. The mesh must stay. */
struct clear *clear_new(const struct mesh *mesh);
/* NULL is fine. */
void clear_free(struct clear *clear);

/*
 * Read a state: the nodes that a box may have, whoever is on them, and the jobs, which must stay as
 * they are; several may share a node. 0, or -1 when memory is out. O(nodes of jobs + n 2^d).
 */
int clear_load(
	struct clear *clear, const struct nodeset *usable, const struct clear_job *job, int njobs);

/*
 * The cheapest box that is asked for, into *answer; of equal ones that
 * of the earlier row. False: there is none. With Shapes= the rows, and where they begin, are legal
 * ones. For each row O(n 2^d), and where bounds are of no use O(n volume / longest side); ends when
 * the budget is used up, which it looks at after each line of places.
 */
bool clear_find(struct clear *clear, const struct clear_question *question,
	struct mesh_budget *budget, struct clear_answer *answer);

#endif
