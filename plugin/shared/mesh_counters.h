/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts since slurmctld started what decisions take, and how often a budget cuts them short.
 * `smesh metrics` reads the counters from StateSaveLocation/mesh_budgets.prom, in Prometheus' text
 * format. Plugins cannot add to the output of sdiag.
 *
 * Times are CPU time in nanoseconds. Callers that count have slurmctld's node write lock, as in a
 * job_test; callers of mesh_counters_save() have the read lock or more.
 */
#ifndef MESH_COUNTERS_H
#define MESH_COUNTERS_H

#include "compat/slurm_compat.h"

struct mesh_counters {
	uint64_t decisions, late; /* late: decisions that used up mesh_max_time */
	uint64_t cycles, cycles_spent; /* cycles of mesh_max_cycle; cycles that used up all of it */
	uint64_t quick; /* tests of jobs that got a quick strategy as mesh_max_cycle was used up */
	int64_t spent;
	bool changed; /* since the file was written */
};
extern struct mesh_counters mesh_counters;

/* The same for one user. cycles_spent: cycles in which the user's part was used up. */
struct mesh_counters_user {
	int64_t quick, cycles_spent, spent;
};
/* The user's counters, for the caller to add to. */
struct mesh_counters_user *mesh_counters_of(uint32_t user);

/*
 * Write the file, if counters have changed and the last write is at least this many seconds ago.
 * The caller does not wait for the disk.
 */
void mesh_counters_save(int seconds);

/* The users that are told apart, in the order in which they came. */
enum { MESH_COUNTERS_USERS = 256 };

struct mesh_counters_users {
	uint32_t uid[MESH_COUNTERS_USERS];
	int n;
};

/*
 * The user's index, below MESH_COUNTERS_USERS; a new user is added. All users that find no place
 * share the last index.
 */
static inline int mesh_counters_place(struct mesh_counters_users *users, uint32_t uid)
{
	int i = 0;

	while (i < users->n && i < MESH_COUNTERS_USERS - 1 && users->uid[i] != uid)
		i++;
	if (i == users->n)
		users->uid[users->n++] = uid;
	return i;
}

#endif
