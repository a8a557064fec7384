/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decisions have taken since slurmctld started, and how often a budget cut them short, for
 * `smesh metrics`: StateSaveLocation/mesh_budgets.prom, in Prometheus' text format. No plugin can
 * add to what sdiag says.
 *
 * Times are CPU time in nanoseconds. The functions that count are called under slurmctld's locks of
 * a job_test (write locks of jobs and nodes), mesh_counters_save() under the read lock of nodes or
 * more.
 */
#ifndef MESH_COUNTERS_H
#define MESH_COUNTERS_H

#include "compat/slurm_compat.h"

/* Count a decision for a job of the user, of `ns`; `late`: it used up mesh_max_time. */
void mesh_counters_decision(uint32_t user, int64_t ns, bool late);

/* A cycle of mesh_max_cycle has begun; all of it has been used up. */
void mesh_counters_cycle(void);
void mesh_counters_cycle_spent(void);

/* The user's part of a cycle has been used up; so one of the user's jobs gets a quick strategy. */
void mesh_counters_user_spent(uint32_t user);
void mesh_counters_quick(uint32_t user);

/* Write the file, if anything is new and the last time is at least this many seconds ago. */
void mesh_counters_save(int seconds);

/* Users told apart, in the order in which they came. */
enum { MESH_USERS = 256 };

struct mesh_users {
	uint32_t uid[MESH_USERS];
	int n;
};

/* The place of a user, 0..MESH_USERS-1; a new one if there is none yet. Those beyond MESH_USERS - 1
 * share the last. */
static inline int mesh_users_place(struct mesh_users *users, uint32_t uid)
{
	int i = 0;

	while (i < users->n && i < MESH_USERS - 1 && users->uid[i] != uid)
		i++;
	if (i == users->n)
		users->uid[users->n++] = uid;
	return i;
}

#endif
