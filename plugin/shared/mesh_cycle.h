/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What strategies may take of slurmctld's time. mesh_max_time bounds one decision; but thirty jobs
 * that are hard to place are thirty decisions, in which nobody else is served. mesh_max_cycle bounds all
 * decisions of a cycle: two seconds, about as long as the schedulers keep others waiting at a stretch
 * (max_sched_time, bf_yield_interval). Half of it is for one user's jobs at most; and who has had less
 * than his share, the cycle's time divided by its users, has it even when all is used up, so that
 * twice mesh_max_cycle is the most that all take. Jobs beyond get a quick strategy.
 *
 * CPU time of the thread that decides, under slurmctld's job write lock.
 */
#ifndef MESH_CYCLE_H
#define MESH_CYCLE_H

#include "compat/slurm_compat.h"

/* Nanoseconds of CPU time of this thread. */
int64_t mesh_cycle_clock(void);

/* Has the user, or have all, used up what `most_ns` gives them in this cycle? 0 = no limit. */
bool mesh_cycle_over(uint32_t user, int64_t most_ns);

/* A decision for a job of the user took so long; `late`: it came to the end of mesh_max_time. */
void mesh_cycle_spend(uint32_t user, int64_t ns, bool late);

/*
 * At most once a minute one line in the log, when decisions have been cut short since: how many, and
 * whose; and the counters to their file (mesh_counters.h). To be called at each job_test.
 */
void mesh_cycle_tell(void);

#endif
