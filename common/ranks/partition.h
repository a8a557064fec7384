/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Divides nodes among tasks that run side by side, so that the longest task is as short as
 * possible. S. Figueira, "Allocating concurrent parallel tasks in parallel environments", sections
 * 2 to 4.
 *
 * A task is a table of times (in any unit, the same for all) for some numbers of nodes. Between
 * two sizes of the table the time is interpolated linearly; sizes outside of it are never used. A
 * task gets no nodes beyond its best size, the smallest with its least time, so nodes may be left
 * over.
 */
#ifndef MESH_PARTITION_H
#define MESH_PARTITION_H

#include "base/err.h"
#include "ask/strategy.h"

/* A task. Everything in it is borrowed. */
struct partition_task {
	const char *name;    /* for messages */
	const int *nodes;    /* [npoints] sizes, ascending, each once, >= 1 */
	const double *time;  /* [npoints] finite, >= 0; they need not fall with the size */
	int npoints;	     /* >= 1 */
};

struct partition_problem {
	const struct partition_task *task; /* [ntasks] */
	int ntasks;
	int nodes;	    /* to be divided */
	/* 0, or the second mode: each task gets the fewest nodes with which it ends in this
	 * time, and the other nodes stay free for other work (section 4). */
	double deadline;
};

struct partition_answer {
	int *size;	/* [ntasks], the caller's */
	double *time;	/* [ntasks], the caller's */
	double longest; /* the least possible; with a deadline, the time of the longest task */
	int used;	/* sum of sizes */
	bool all_best;	/* every task has its best size: more nodes would not help */
	struct mesh_err err;
};

/*
 * MESH_OK; MESH_NO_FIT: tables or the deadline need more nodes than there are; MESH_NEVER: no
 * number of nodes meets the deadline; MESH_ERROR: nonsense, more tasks than nodes, or no memory.
 * All but MESH_OK with text.
 *
 * Among the partitions with the least longest time, the nodes that the longest task cannot use go
 * to the next longest one, and so on.
 *
 * O(T + P + M + N log T) with P points in the tables, and M the sum of the best sizes that are
 * walked over, at most N*T.
 */
enum mesh_result partition_solve(
	const struct partition_problem *problem, struct partition_answer *answer);

#endif
