/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decisions have taken since slurmctld started, and how often a budget cut them short, for
 * `smesh metrics`: StateSaveLocation/mesh_budgets.prom, in Prometheus' text format. No plugin can
 * add to what sdiag says.
 *
 * Times are CPU time in nanoseconds. They are counted under slurmctld's node write lock, which a
 * job_test has; mesh_counters_save() is called under the read lock or more.
 */
#ifndef MESH_COUNTERS_H
#define MESH_COUNTERS_H

#include "compat/slurm_compat.h"

struct mesh_counters {
	uint64_t decisions, late; /* late: they used up mesh_max_time */
	uint64_t cycles, cycles_spent; /* of mesh_max_cycle that began; in which all was used up */
	uint64_t quick; /* tests of jobs that got a quick strategy for that */
	int64_t spent;
	bool changed; /* since the file was written */
};
extern struct mesh_counters mesh_counters;

/* Those of a user: cycles in which the user's part was used up. */
struct mesh_user_counters {
	int64_t quick, cycles_spent, spent;
};
/* To be added to. */
struct mesh_user_counters *mesh_counters_of(uint32_t user);

/* Write the file, if anything is new and the last time is at least this many seconds ago. The caller
 * does not wait for the disk. */
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
