/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order in which Slurm wants nodes to be used: those of low Weight first, those outside of a
 * job's FLEX reservation and those that have to be booted last. A strategy knows nothing of it: it is
 * offered the lowest tiers that have nodes enough, and more only where nothing is found there.
 */
#ifndef MESH_TIERS_H
#define MESH_TIERS_H

#include "shared/job_test.h"

struct mesh_tiers {
	const struct job_test *test;
	bitstr_t *all;	  /* borrowed: the nodes */
	uint64_t *sorted; /* [n] the tier of each, ascending; NULL: all the same */
	int n;
	int last; /* sorted[last] is the highest tier that has been offered; -1: none */
};

void mesh_tiers_init(struct mesh_tiers *tiers, const struct job_test *test, bitstr_t *nodes);
void mesh_tiers_release(struct mesh_tiers *tiers);

/*
 * Into `some`: the nodes of the lowest tiers that have `count` nodes together; with each further call one
 * tier more. False when that would be all nodes.
 */
bool mesh_tiers_next(struct mesh_tiers *tiers, int count, bitstr_t *some);

/* Into `lower`: the nodes of lower tiers than that which holds the count-th node. */
void mesh_tiers_below(const struct mesh_tiers *tiers, int count, bitstr_t *lower);

/*
 * Does the site want the least loaded nodes for the job (CR_LLN, LLN=YES), or its serial jobs at the
 * end (pack_serial_at_end)? That is an order of its own, which is the stock plugin's.
 */
bool mesh_tiers_by_load(const struct job_test *test, bool whole_nodes);

#endif
