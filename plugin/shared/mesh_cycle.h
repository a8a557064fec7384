/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much of slurmctld's time strategies may take. mesh_max_time bounds one decision. But thirty
 * jobs that are hard to place take thirty decisions, and slurmctld serves nobody else meanwhile.
 * mesh_max_cycle bounds all decisions of a cycle. A cycle is two seconds, about as long as the
 * schedulers keep others waiting at a stretch (max_sched_time, bf_yield_interval).
 *
 * - One user's jobs get at most half of mesh_max_cycle.
 * - When all of it is used up, users who had less than an equal share still get their share, until
 *   one and a half times mesh_max_cycle is used up. A decision that has begun goes on.
 * - Jobs beyond that get a quick strategy.
 *
 * Times are CPU time of the thread that decides, under slurmctld's node write lock.
 */
#ifndef MESH_CYCLE_H
#define MESH_CYCLE_H

#include "compat/slurm_compat.h"

/* Have the user's jobs used up their part of `most_ns` in this cycle? most_ns 0: no limit. */
bool mesh_cycle_over(uint32_t user, int64_t most_ns);

/* Count `ns` of CPU time for a decision about a job of the user. late: it used up mesh_max_time. */
void mesh_cycle_spend(uint32_t user, int64_t ns, bool late);

/*
 * Log one line, at most once a minute, if decisions were cut short since the last line: how many,
 * and whose. Save the counters (mesh_counters.h). Call it at each job_test.
 */
void mesh_cycle_tell(void);

#endif
