/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orders of a queue: which job is before which, from facts about each. One row an order.
 */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include <stdbool.h>

#include "base/err.h"

enum order {
	ORDER_DEFAULT, /* of submission, or whatever else is in force */
	ORDER_FCFS,
	ORDER_SJF,
	ORDER_LXF,
	ORDER_WFP3,
	ORDER_UNICEF,
	ORDER_SAF,
	ORDER_LAF,
	ORDER_MULTIFACTOR,
	ORDERS
};

/* "fcfs|sjf|...": the names, in the order of the enum, without ORDER_DEFAULT. */
#define ORDER_NAMES "fcfs|sjf|lxf|wfp3|unicef|saf|laf|multifactor"

/* slurm.conf's, for ORDER_MULTIFACTOR; times in seconds. */
struct order_weights {
	double age, size,
		fairshare; /* PriorityWeightAge, PriorityWeightJobSize, PriorityWeightFairshare */
	double max_age;		     /* PriorityMaxAge */
	double half_life;	     /* PriorityDecayHalfLife */
	bool favor_small;	     /* PriorityFavorSmall */
};

struct order_facts {
	double wait;	  /* seconds since its submission */
	double length;	  /* seconds, > 0: its limit, or where the log has none its run time */
	int nodes, total; /* of the job, of the machine */
	double fairshare; /* 0..1, see fairshare.h */
	const struct order_weights *weights;
};

/* The higher, the sooner. */
double order_priority(enum order order, const struct order_facts *facts);

/* 1000 each; 7 days. */
void order_weights_default(struct order_weights *weights);

/*
 * "PriorityWeightAge=1000,PriorityMaxAge=7-0,...": slurm.conf's own words, cases alike, separated
 * by commas; what is not named stays. 0, or -1 with text.
 */
int order_weights_parse(struct order_weights *weights, const char *text, struct mesh_err *err);

#endif
