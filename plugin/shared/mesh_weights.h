/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order in which nodes are to be used: those of low Weight first, those outside of a job's FLEX
 * reservation and those that have to be booted last, as Slurm has it; and where these are alike,
 * nodes of few partitions and features before those of more, which other jobs may have to wait for,
 * if all are of one mesh. A strategy knows nothing of it: it is offered the lowest of these classes
 * that have nodes enough, and more only where nothing is found there.
 */
#ifndef MESH_WEIGHTS_H
#define MESH_WEIGHTS_H

#include "shared/job_test.h"

struct mesh_weights {
	const struct job_test *test;
	bitstr_t *all;	  /* borrowed: the nodes */
	const uint8_t *uses; /* partitions and features of each node; NULL: all the same */
	uint64_t *sorted; /* [n] the class of each, ascending; NULL: all the same */
	int n;
	int last; /* sorted[last] is the highest class that has been offered; -1: none */
};

void mesh_weights_init(struct mesh_weights *classes, const struct job_test *test, bitstr_t *nodes);
void mesh_weights_release(struct mesh_weights *classes);

/*
 * The two below are for classes that differ (sorted is not NULL).
 *
 * Into `some`: the nodes of the lowest classes that have `count` nodes together; with each further
 * call one class more. False when that would be all nodes.
 */
bool mesh_weights_next(struct mesh_weights *classes, int count, bitstr_t *some);

/* Into `lower`: the nodes of lower classes than that which holds the count-th node. */
void mesh_weights_below(const struct mesh_weights *classes, int count, bitstr_t *lower);

/* Free what is known of partitions. */
void mesh_weights_fini(void);

/*
 * Does the site want the least loaded nodes for the job (CR_LLN, LLN=YES), or its serial jobs at
 * the end (pack_serial_at_end)? That is an order of its own, which is the stock plugin's.
 */
bool mesh_weights_by_load(const struct job_test *test, bool whole_nodes);

#endif
