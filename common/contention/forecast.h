/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job would communicate on a set of vertices beside the jobs that run, and how much it would
 * slow these down. The model is ours; doc/lab/snug.md holds it against max-min sharing of links.
 *
 * Unlike hops this takes account of shared links. Each pattern is judged as if all jobs had it. A round
 * takes
 *
 *     ring, grid       the time of the fullest link that the job uses;
 *     random partners  the mean load of its links, each weighted by how much the job uses it;
 *     all-to-all       that, and the fullest link: what all messages at once wait for; or its steps
 *                      one after another (shift.h), which take several times as long to look at.
 *
 * What the other jobs wait because of it is worked out job by job for rings; for the other patterns it
 * is the sum over links of its load times theirs. The weights are fitted to max-min sharing.
 *
 * The loads of running jobs are kept from one decision to the next; only those of jobs that came or
 * went are worked out. They are sums of integers, so that no answer depends on what was asked before.
 */
#ifndef MESH_FORECAST_H
#define MESH_FORECAST_H

#include "contention/load.h"

/* The length of a round by pattern; 1 = the time of what one node sends, alone on its links. */
struct forecast_times {
	double time[COMM_PATTERNS];
};

struct forecast; /* of one mesh, which must outlive it; one thread at a time */

/* NULL when memory is out. */
struct forecast *forecast_new(const struct mesh *mesh);
void forecast_free(struct forecast *f);

/*
 * Tell it the running jobs: forecast_begin(), forecast_run() for each with its nodes ascending, then
 * forecast_end(). The budget is borrowed until the next forecast_begin(). False when it is used up:
 * there is no forecast then. O(nodes of the jobs), and for jobs that came or went messages * hops.
 */
void forecast_begin(struct forecast *f, struct mesh_budget *budget);
bool forecast_run(struct forecast *f, const int *node, int count);
bool forecast_end(struct forecast *f);

/* Has the budget been used up? Then no answer is valid until the next forecast_begin(). */
bool forecast_late(struct forecast *f);

enum { FORECAST_ASKERS = 2 };

/* A job's ranks on vertex[count], in this order. Borrowed. */
struct forecast_set {
	const int *vertex;
	int count;
	int who; /* asks: 0, or 1 after forecast_two() */
};

/*
 * Until the next forecast_begin() two threads may each use forecast_part(), the second one with who = 1,
 * and without a budget. 0, or -1 when memory is out: O(links), the first time.
 */
int forecast_two(struct forecast *f);

/* The grid (copied) of the ranks of the sets asked about from now on; NULL: not known, as cubic as can be. */
void forecast_grid(struct forecast *f, const struct comm_grid *grid);

/* The times of a job on this set with no other job on the machine; steps: of an all-to-all, one by one. */
void forecast_alone(struct forecast *f, const struct forecast_set *set, bool steps,
	struct forecast_times *times);

/* What a set is compared with: for each pattern the time in `ideal` (borrowed), weighted by the mix. */
struct forecast_goal {
	struct comm_mix mix;
	const struct forecast_times *ideal;
	bool steps; /* of an all-to-all, one by one; as in `ideal` */
};

/* No pattern is expected to take less than this part of its ideal time. */
#define FORECAST_LEAST 0.95

/*
 * The cost of a set beside the running jobs, including what these wait because of it; 1 is ideal. Exact
 * where it is below `most`; otherwise any number from `most` up to the cost may be returned.
 */
double forecast_cost(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most);

/*
 * The same in two parts, as the steps of an all-to-all take long: forecast_part() works out all but
 * these and a lower bound for them; forecast_rest() the rest, for sets that may still be the best.
 */
struct forecast_part {
	double cost;  /* at least this */
	double steps; /* the lower bound of the steps in it; < 0: there are none, cost is final */
};

void forecast_part(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, struct forecast_part *part);
double forecast_rest(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, const struct forecast_part *part);

/*
 * The set that forecast_part() was asked about last, by whom set->who says, is likely to be the next run: its loads are kept
 * until then, and not worked out again. Of use for speed alone.
 */
void forecast_expect(struct forecast *f, const struct forecast_set *set);

#endif
