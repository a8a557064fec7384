/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "shared/mesh_files.h"

struct mesh_counters mesh_counters;

static struct mesh_counters_users users;
static struct mesh_counters_user count[MESH_COUNTERS_USERS];

struct mesh_counters_user *mesh_counters_of(uint32_t user)
{
	mesh_counters.changed = true;
	return &count[mesh_counters_place(&users, user)];
}

/* --- the file ----------------------------------------------------------------------- */

static void head(FILE *file, const char *name, const char *type, const char *help)
{
	fprintf(file, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void total(FILE *file, const char *name, const char *help, double value)
{
	head(file, name, "counter", help);
	fprintf(file, "%s %.15g\n", name, value);
}

/* Write the int64_t at the offset `at` of each user's counters, divided by `unit`. */
static void by_user(FILE *file, const char *name, const char *help, size_t at, double unit)
{
	head(file, name, "counter", help);
	for (int i = 0; i < users.n; i++) {
		double value = (double)*(int64_t *)((char *)&count[i] + at) / unit;

		if (i < MESH_COUNTERS_USERS - 1)
			fprintf(file, "%s{uid=\"%u\"} %.15g\n", name, users.uid[i], value);
		else
			fprintf(file, "%s{uid=\"others\"} %.15g\n", name, value);
	}
}

static void write_all(FILE *file, time_t now)
{
	total(file, "smesh_decisions_total", "Decisions of strategies since slurmctld started.",
		(double)mesh_counters.decisions);
	total(file, "smesh_decision_cpu_seconds_total", "CPU time of slurmctld that they took.",
		(double)mesh_counters.spent / 1e9);
	total(file, "smesh_decisions_cut_short_total",
		"Decisions that came to the end of mesh_max_time.", (double)mesh_counters.late);
	total(file, "smesh_cycles_total", "Cycles of mesh_max_cycle with jobs to place.",
		(double)mesh_counters.cycles);
	total(file, "smesh_cycles_spent_total", "Cycles in which mesh_max_cycle was used up.",
		(double)mesh_counters.cycles_spent);
	by_user(file, "smesh_user_decision_cpu_seconds_total",
		"CPU time of decisions for the user's jobs.",
		offsetof(struct mesh_counters_user, spent), 1e9);
	by_user(file, "smesh_user_cycles_spent_total",
		"Cycles in which the user's part was used up.",
		offsetof(struct mesh_counters_user, cycles_spent), 1);
	by_user(file, "smesh_user_quick_total",
		"Tests of the user's jobs that got a quick strategy, for want of the cycle's time.",
		offsetof(struct mesh_counters_user, quick), 1);
	head(file, "smesh_counters_timestamp_seconds", "gauge",
		"When slurmctld wrote the counters.");
	fprintf(file, "smesh_counters_timestamp_seconds %lld\n", (long long)now);
}

void mesh_counters_save(int seconds)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static time_t saved;
	time_t now = time(NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *file = NULL;

	pthread_mutex_lock(&lock);
	if (mesh_counters.changed && (now < saved || now >= saved + seconds) &&
		(file = open_memstream(&text, &size))) {
		write_all(file, now);
		mesh_counters.changed = fclose(file) != 0;
		if (mesh_counters.changed)
			free(text);
		else
			mesh_files_write(MESH_FILES_COUNTERS, text);
		saved = now;
	}
	pthread_mutex_unlock(&lock);
}
