/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a set costs in time: how long the job would communicate on it beside the jobs that run, and
 * how long these would wait for it (links/forecast.h), each pattern against the best that
 * the job could have on an idle machine.
 *
 * That best is looked for among the boxes with exactly as many vertices as the job needs. Ranks go
 * in the order of node numbers, so boxes that are turned differ: a ring and a grid of ranks fit
 * some and not others. The few boxes that suit the job best are worth looking for.
 */
#ifndef MESH_SNUG_PRICE_H
#define MESH_SNUG_PRICE_H

#include "links/forecast.h"
#include "snug/snug_chain.h"
#include "snug/snug_trial.h"
#include "ask/strategy.h"

enum {
	SNUG_IDEAL_SHAPES = 4,
	SNUG_IDEAL_MOST = 4096, /* vertices of jobs that have shapes */
};

/* For jobs of one size that send the same. */
struct snug_ideal {
	bool known;
	double time; /* the least */
	int nshapes;
	int16_t side[SNUG_IDEAL_SHAPES][MESH_MAX_DIMS]; /* the best first, */
	double cost[SNUG_IDEAL_SHAPES];			/* by this */
};

struct snug_price {
	const struct mesh *mesh;
	struct load_meter *meter;
	/* [nvertices + 1] by what is known to be sent; memory is touched for sizes that were
	 * met. */
	struct snug_ideal *ideals[COMM_PATTERNS];
	struct snug_ideal own;	   /* of the last job that has a grid of its own: */
	int own_vertices;
	enum comm_pattern own_pattern;
	struct comm_grid own_grid;
	int *rank_of, *at_rank;	   /* [nvertices] vertices in the order of their lowest nodes */
	struct nodeset in;	   /* empty between calls */
	int *order;		   /* [nnodes] the vertex of each rank of the job */
	int *taken;		   /* [nvertices] nodes of the job on a vertex */
	/* Of the decision at hand: */
	const struct mesh_request *request;
	const struct snug_ideal *ideal;
};

/* 0, or -1 when memory is out. The arena frees it. */
int snug_price_init(struct snug_price *price, const struct mesh *mesh, struct arena *arena);

/*
 * For this job, borrowed; plan: for its vertices. False when the budget is used up: there are no
 * prices then.
 */
bool snug_price_start(struct snug_price *price, const struct mesh_request *request,
	const struct snug_plan *plan, struct mesh_budget *budget);

/* The price of a set: 1 is ideal. False when the budget is used up. */
bool snug_price_of(struct snug_price *price, const struct snug_kept *set, double *found);

#endif
