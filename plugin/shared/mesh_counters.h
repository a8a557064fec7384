/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decisions have taken since slurmctld started, and how often a budget cut them short, for
 * `smesh metrics`: StateSaveLocation/mesh_budgets.prom, in Prometheus' text format. No plugin can add
 * to what sdiag says.
 *
 * Times are CPU time in nanoseconds. What counts is called under slurmctld's locks of a job_test (jobs'
 * and nodes' write locks), mesh_counters_save() under nodes' read lock or more.
 */
#ifndef MESH_COUNTERS_H
#define MESH_COUNTERS_H

#include "compat/slurm_compat.h"

/* A decision for a job of the user; `late`: it came to the end of mesh_max_time. */
void mesh_counters_decision(uint32_t user, int64_t ns, bool late);

/* A cycle of mesh_max_cycle has begun; all of it has been used up. */
void mesh_counters_cycle(void);
void mesh_counters_cycle_spent(void);

/* The user's part of the cycle has been used up; for want of time a job of his gets a quick strategy. */
void mesh_counters_user_spent(uint32_t user);
void mesh_counters_quick(uint32_t user);

/* Into the file, if anything is new, at most every so many seconds. */
void mesh_counters_save(int seconds);

#endif
