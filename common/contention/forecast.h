/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job would communicate on a set of vertices, beside the jobs that run, and how much
 * it would hold those up.
 *
 * Unlike hops this knows that links are shared. Each pattern is looked at as if all jobs had it.
 * A round takes
 *
 *     ring, grid       as long as the fullest link that the job uses;
 *     random partners  by the mean load of the links that it uses, by how much it uses them;
 *     all-to-all       by that, and by its steps one after another (shift.h).
 *
 * What others wait for it is theirs by name for rings, elsewhere the sum over links of its load
 * times theirs. The weights of these are fitted to max-min sharing (doc/lab/snug.md).
 *
 * The loads of the jobs that run are kept from one decision to the next, and only those of jobs
 * that came or went are worked out: sums of integers, so that answers do not depend on what was
 * asked before.
 */
#ifndef MESH_FORECAST_H
#define MESH_FORECAST_H

#include "contention/load.h"

/* A round's length by pattern, 1 = a node's message alone on its way. */
struct forecast_times {
	double time[COMM_PATTERNS];
};

struct forecast; /* of one mesh, which must outlive it; one thread at a time */

/* NULL when memory is out. */
struct forecast *forecast_new(const struct mesh *mesh);
void forecast_free(struct forecast *f);

/*
 * The jobs that run: forecast_begin(), forecast_run() for each, its nodes ascending, and
 * forecast_end(). False when the budget is used up: no forecast for now. O(their nodes), and for
 * those that are new or gone their messages * hops.
 */
void forecast_begin(struct forecast *f, struct mesh_budget *budget);
bool forecast_run(struct forecast *f, const int *node, int count);
bool forecast_end(struct forecast *f);

/* Was the budget used up since? Then nothing that follows is worth anything until the next begin. */
bool forecast_late(struct forecast *f);

/* A job's ranks on vertex[count], in this order. Borrowed. */
struct forecast_set {
	const int *vertex;
	int count;
};

/* Of the sets to come: the grid of their ranks (copied); NULL: not known, as cubic as can be. */
void forecast_grid(struct forecast *f, const struct comm_grid *grid);

/* Alone on the machine. */
void forecast_alone(struct forecast *f, const struct forecast_set *set, struct forecast_times *times);

/* What a set is held against: every pattern against its time in `ideal` (borrowed), by the mix. */
struct forecast_goal {
	struct comm_mix mix;
	const struct forecast_times *ideal;
};

/* No pattern is expected to be better than so much of its ideal. */
#define FORECAST_LEAST 0.95

/*
 * The cost of a set beside the jobs that run, with what these wait for it; 1 is ideal. Where it is
 * not below `most` it may be less than it is, but not below `most`.
 */
double forecast_cost(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most);

/*
 * The same in two parts, as the steps of an all-to-all are long to look at: first all but these,
 * with the least that they can take, then, for those sets whose cost may still be the least, they.
 */
struct forecast_part {
	double cost;  /* so much at least */
	double steps; /* the least of the steps; < 0: that is the cost */
};

void forecast_part(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, struct forecast_part *part);
double forecast_rest(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, const struct forecast_part *part);

#endif
