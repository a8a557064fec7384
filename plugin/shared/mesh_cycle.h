/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much of slurmctld's time strategies may take. mesh_max_time bounds one decision; but thirty
 * jobs that are hard to place are thirty decisions, while nobody else is served. mesh_max_cycle
 * bounds all decisions of a cycle of two seconds, about as long as the schedulers keep others
 * waiting at a stretch (max_sched_time, bf_yield_interval). One user's jobs get half of it at most.
 * A user who has had less than an equal share of it gets that share even when all is used up, until
 * half as much again is used up too: all together take one and a half times mesh_max_cycle, and the
 * decision that is begun by then. Jobs beyond that get a quick strategy.
 *
 * CPU time of the thread that decides, under slurmctld's node write lock.
 */
#ifndef MESH_CYCLE_H
#define MESH_CYCLE_H

#include "compat/slurm_compat.h"

/* Has the user, or have all, used up what `most_ns` gives them in this cycle? 0 = no limit. */
bool mesh_cycle_over(uint32_t user, int64_t most_ns);

/* A decision for a job of the user took `ns` of CPU time; `late`: it used up mesh_max_time. */
void mesh_cycle_spend(uint32_t user, int64_t ns, bool late);

/*
 * At most once a minute one line in the log, when decisions have been cut short since: how many,
 * and whose; and the counters to their file (mesh_counters.h). To be called at each job_test.
 */
void mesh_cycle_tell(void);

#endif
