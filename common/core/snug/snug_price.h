/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a set costs in time: how long the job would communicate on it if it were alone on the
 * machine (links/forecast.h), compared with the best time that it could have on an idle machine.
 *
 * That best time is looked for among boxes with exactly as many vertices as the job needs. Ranks
 * follow node numbers, so turning a box matters: a ring and a grid of ranks fit some boxes and not
 * others. snug then looks for the few boxes that suit the job best.
 */
#ifndef MESH_SNUG_PRICE_H
#define MESH_SNUG_PRICE_H

#include "links/forecast.h"
#include "snug/snug_chain.h"
#include "snug/snug_trial.h"
#include "ask/strategy.h"

enum {
	SNUG_IDEAL_SHAPES = 4,
	SNUG_IDEAL_MOST = 4096, /* the most vertices of jobs that get shapes */
};

/* The ideal of jobs of one size that send the same. */
struct snug_ideal {
	bool known;
	double time; /* the least time */
	int nshapes;
	int16_t side[SNUG_IDEAL_SHAPES][MESH_MAX_DIMS]; /* the best first */
	double cost[SNUG_IDEAL_SHAPES];			/* their times */
};

struct snug_price {
	const struct mesh *mesh;
	struct load_meter *meter;
	/* [nvertices + 1] for each pattern; only entries of sizes that occurred touch memory. */
	struct snug_ideal *ideals[COMM_PATTERNS];
	struct snug_ideal own;	   /* of the last job that has a grid of its own */
	int own_vertices;
	enum comm_pattern own_pattern;
	struct comm_grid own_grid;
	int *rank_of, *at_rank;	   /* [nvertices] vertices by their lowest nodes, and back */
	struct nodeset in;	   /* empty between calls */
	int *order;		   /* [nnodes] the vertex of each of the job's ranks */
	int *taken;		   /* [nvertices] the job's nodes on a vertex */
	/* The decision in progress: */
	const struct mesh_request *request;
	const struct snug_ideal *ideal;
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int snug_price_init(struct snug_price *price, const struct mesh *mesh, struct arena *arena);

/*
 * Begin with this job, borrowed. plan: for the job's vertices. False: the budget is used up, and
 * there are no prices.
 */
bool snug_price_start(struct snug_price *price, const struct mesh_request *request,
	const struct snug_plan *plan, struct mesh_budget *budget);

/* Set *found to the price of a set; 1 is ideal. False: the budget is used up. */
bool snug_price_of(struct snug_price *price, const struct snug_kept *set, double *found);

#endif
