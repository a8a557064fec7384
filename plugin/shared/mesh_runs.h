/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The allocations that there are, as the strategies want to know them, and when the nodes of
 * the cluster will be free.
 */
#ifndef MESH_RUNS_H
#define MESH_RUNS_H

#include "shared/mesh_conf.h"

/* A job began, ended or changed its nodes: forget what is cached. */
void mesh_runs_changed(void);
/* A count of the calls of mesh_runs_changed(), for others who cache. */
unsigned mesh_runs_changes(void);
/* Free what is cached: the plugin is unloaded. */
void mesh_runs_fini(void);

/*
 * The allocations that have nodes in the part, in start order, with their ends by
 * time limit. Into *runs, valid until the next call; how many.
 */
int mesh_runs_in(const struct mesh_part *part, const struct mesh_run **runs);

/*
 * When the nodes of slurmctld's table are expected to be free of jobs: the latest end of the
 * jobs on each, later than now; 0 = it is free. Valid until something changes or a second has
 * passed.
 */
struct mesh_ends {
	const time_t *until; /* [node_record_count] */
	const int *order;    /* [n] the nodes with jobs, those free first at the front */
	int n;
};

struct mesh_ends mesh_runs_ends(void);

/*
 * Take away from `set` (over the part's nodes) every node that a minimal route between two
 * nodes of one running job may cross; of those jobs that are not expected to end by `when`.
 */
void mesh_runs_remove_routes(const struct mesh_part *part, time_t when, struct nodeset *set);

#endif
