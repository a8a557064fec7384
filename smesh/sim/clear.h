/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cheapest place to clear: of all boxes of given sides, the one whose running jobs cost least
 * to stop. Our own.
 *
 * A job costs the same however much of it lies in the box. Every place is looked at, and left as
 * soon as its jobs cost as much as the best place so far.
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
	const int *node; /* [count] */
	int count;
	int64_t cost; /* what is lost if it is stopped; CLEAR_STAYS: it may not be */
};

/* Boxes like one of row[rows], on nodes of `usable`, that cost at most `most`. All is borrowed. */
struct clear_question {
	const struct mesh *mesh;
	const struct nodeset *usable; /* whoever is on them */
	const struct clear_job *job;  /* [njobs]; several may share a node */
	int njobs;
	const struct boxplan_row *row;
	int rows;
	int64_t most;
};

struct clear_answer {
	struct mesh_box box;
	int64_t cost;
	int *job; /* [njobs] who is to be stopped, ascending. None: the box is free */
	int njobs;
	bool late; /* the time was over before all was looked at */
};

/*
 * The cheapest of these boxes into *answer, of equal ones that of the earlier row, then the first.
 * 1: there is one; 0: there is none; -1: memory is out. With Shapes= the rows, and where they
 * begin, are legal ones. O(n volume) for a row at worst. Ends when the budget is used up. The arena
 * frees what it takes.
 */
int clear_find(const struct clear_question *question, struct mesh_budget *budget,
	struct clear_answer *answer, struct arena *arena);

#endif
