/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a set costs in time: how long the job would communicate on it beside the jobs that run, and
 * how long these would wait for it (contention/forecast.h), each pattern against the best that
 * the job could have on an idle machine.
 *
 * That best is looked for among the boxes with exactly as many vertices as the job needs. Ranks go
 * in the order of node numbers, so boxes that are turned differ: a ring and a grid of ranks fit
 * some and not others. The few boxes that suit the job best are worth looking for.
 */
#ifndef MESH_SNUG_PRICE_H
#define MESH_SNUG_PRICE_H

#include "base/aside.h"
#include "contention/forecast.h"
#include "snug/snug_chain.h"
#include "snug/snug_trial.h"
#include "strategy/strategy.h"

enum {
	SNUG_IDEAL_SHAPES = 4,
	SNUG_IDEAL_MOST = 4096, /* vertices of jobs that have shapes */
};

/* For jobs of one size. */
struct snug_ideal {
	bool known;
	int nshapes;
	/* By what the job is known to send (COMM_NONE: the mix); the best first. */
	int16_t side[COMM_PATTERNS][SNUG_IDEAL_SHAPES][MESH_MAX_DIMS];
	struct forecast_times times; /* the least of each pattern */
};

/* Scratch memory of who asks: there is none of the second until it is used. */
struct snug_ranks {
	struct nodeset in; /* empty between calls */
	int *order;	   /* [nnodes + nvertices] the vertex of each rank of the job, and nodes by vertex */
};

struct snug_price {
	const struct mesh *mesh;
	struct forecast *forecast;
	/* [nvertices + 1] by vertices, [1] of all-to-alls step by step; memory is touched for sizes that were met. */
	struct snug_ideal *ideals[2];
	struct snug_ideal own;	   /* of the last job that has a grid of its own: */
	int own_vertices;
	bool own_steps;
	struct comm_grid own_grid;
	int *rank_of, *at_rank;	   /* [nvertices] vertices in the order of their lowest nodes */
	struct snug_ranks ranks[FORECAST_ASKERS];
	struct forecast_set two[2]; /* of snug_price_two() */
	/* Of the decision at hand: */
	struct forecast_goal goal;
	const struct snug_ideal *ideal;
	enum comm_pattern pattern;
};

/* 0, or -1 when memory is out. snug_price_release() of a zeroed struct is fine. */
int snug_price_init(struct snug_price *price, const struct mesh *mesh);
void snug_price_release(struct snug_price *price);

/*
 * For a job of count nodes in this state; plan: for its vertices. False when the budget is used up:
 * there are no prices then.
 */
bool snug_price_start(struct snug_price *price, const struct mesh_state *state,
	const struct mesh_request *request, const struct snug_plan *plan, struct mesh_budget *budget);

/*
 * A set's: 1 is ideal; what is not below `most` may be less than it is. In two parts (forecast.h): the
 * second is long to look at. Below `least` it is expected to be the one that is chosen. False when the
 * budget is used up.
 */
bool snug_price_part(struct snug_price *price, const struct snug_kept *set, double least, double most,
	struct forecast_part *part);
/*
 * snug_price_part() of set[0] and set[1] side by side, exact; which of them is expected to be chosen is to
 * be said by snug_price_expect() before the next is asked about. Without a budget. False when memory is out.
 */
bool snug_price_two(struct snug_price *price, const struct snug_kept *set, struct mesh_aside *aside,
	struct forecast_part *part);
void snug_price_expect(struct snug_price *price, int which);
bool snug_price_rest(struct snug_price *price, const struct snug_kept *set, double most,
	struct forecast_part *part);

#endif
