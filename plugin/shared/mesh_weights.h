/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order in which nodes are to be used, as Slurm has it: nodes of low Weight first; nodes
 * outside of a job's FLEX reservation, and nodes that must be booted, last. Among equal nodes of
 * one mesh those of few partitions and features come first, as other jobs may have to wait for the
 * rest. Strategies know nothing of this order: they are offered the lowest classes that have
 * enough nodes, and more only where nothing is found there.
 */
#ifndef MESH_WEIGHTS_H
#define MESH_WEIGHTS_H

#include "shared/job_test.h"

struct mesh_weights {
	const struct job_test *test;
	bitstr_t *all;	  /* borrowed: the nodes */
	const uint8_t *uses; /* of each node: partitions and features; NULL: do not count */
	uint64_t *sorted; /* [n] the class of each node, ascending; NULL: all the same */
	int n;
	int last; /* sorted[last] is the highest class offered so far; -1: none */
};

/* Sort the nodes into classes. test and nodes are borrowed until release. */
void mesh_weights_init(struct mesh_weights *classes, const struct job_test *test, bitstr_t *nodes);
void mesh_weights_release(struct mesh_weights *classes);

/*
 * The two functions below need classes that differ (sorted is not NULL).
 *
 * Set `some` to the nodes of the lowest classes that have `count` nodes together. Each further
 * call adds one class. False if that would be all nodes.
 */
bool mesh_weights_next(struct mesh_weights *classes, int count, bitstr_t *some);

/* Set `lower` to the nodes of classes below the class of the count-th node. */
void mesh_weights_below(const struct mesh_weights *classes, int count, bitstr_t *lower);

/* The plugin is unloaded: free the counts of partitions and features. */
void mesh_weights_fini(void);

/*
 * Does the site want the least loaded nodes for the job (CR_LLN, LLN=YES), or serial jobs on the
 * last nodes (pack_serial_at_end)? Only the stock plugin has these orders.
 */
bool mesh_weights_by_load(const struct job_test *test, bool whole_nodes);

#endif
