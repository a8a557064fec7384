/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The running jobs as strategies need them, and when the nodes of the cluster will be free. Both
 * are cached for up to a second.
 */
#ifndef MESH_RUNS_H
#define MESH_RUNS_H

#include "shared/mesh_conf.h"

/* A job began, ended or changed its nodes: drop the caches. */
void mesh_runs_changed(void);
/* How often jobs, or the map, have changed, for callers that cache too. */
unsigned mesh_runs_changes(void);
/* The plugin is unloaded: free the caches. */
void mesh_runs_fini(void);

/*
 * The jobs with nodes in the part, in the order of their starts, with their ends by time limit.
 * Returns how many. *runs is borrowed until the next call.
 */
int mesh_runs_in(const struct mesh_part *part, const struct mesh_run **runs);

/*
 * When the nodes of slurmctld's table are expected to be free. Valid until a job changes or a
 * second has passed.
 */
struct mesh_runs_ends {
	const time_t *until; /* [node_record_count] when the last of its jobs ends; 0: free */
	const int *order;    /* [n] the nodes with jobs, ascending by until[] */
	int n;
	bool suspended; /* somebody has suspended a job: others may get its nodes before its end */
};

struct mesh_runs_ends mesh_runs_ends(void);

/*
 * Remove from `set` (nodes of the part) each node that a minimal route between two nodes of one
 * running job may cross. Jobs that are expected to end by `when` do not count.
 */
void mesh_runs_remove_routes(const struct mesh_part *part, time_t when, struct nodeset *set);

#endif
