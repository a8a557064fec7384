/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_cycle.h"

#include "base/budget.h"
#include "shared/job_test.h"
#include "shared/mesh_counters.h"

enum {
	CYCLE = 2, /* seconds */
	NAMED = 8, /* users named in one line of the log */
	TELL = 60, /* seconds between two lines of the log */
	SAVE = 10, /* seconds between two writes of the counters */
};

#define SECOND INT64_C(1000000000)

static struct {
	int64_t began; /* CLOCK_MONOTONIC, ns; 0: no cycle yet */
	int64_t spent, of[MESH_COUNTERS_USERS];
	bool all_told, told[MESH_COUNTERS_USERS]; /* counted as used up */
	struct mesh_counters_users users;
} cycle;

/* The last line in the log: when, the counters then, and users with quick strategies since. */
static struct {
	int64_t at; /* CLOCK_MONOTONIC, ns; 0: no line yet */
	struct mesh_counters count;
	struct mesh_counters_users users;
} line;

/* A budget that is used up counts once in a cycle, and only when another job comes. */
static bool first_time(bool *told)
{
	bool first = !*told;

	*told = true;
	return first;
}

bool mesh_cycle_over(uint32_t user, int64_t most_ns)
{
	int64_t time = mesh_clock_ns(CLOCK_MONOTONIC);
	bool all_spent, over;
	int who;

	if (most_ns <= 0)
		return false;
	if (!cycle.began || time - cycle.began >= CYCLE * SECOND) {
		memset(&cycle, 0, sizeof(cycle));
		cycle.began = time;
		mesh_counters.cycles++;
		mesh_counters.changed = true;
	}
	who = mesh_counters_place(&cycle.users, user);
	all_spent = cycle.spent >= most_ns;
	over = cycle.of[who] >= most_ns / 2 || cycle.spent >= most_ns + most_ns / 2 ||
	       (all_spent && cycle.of[who] >= most_ns / cycle.users.n);
	if (all_spent && first_time(&cycle.all_told))
		mesh_counters.cycles_spent++;
	if (over && first_time(&cycle.told[who]))
		mesh_counters_of(user)->cycles_spent++;
	if (over) {
		mesh_counters.quick++;
		mesh_counters_of(user)->quick++;
		mesh_counters_place(&line.users, user);
	}
	return over;
}

void mesh_cycle_spend(uint32_t user, int64_t ns, bool late)
{
	cycle.spent += ns;
	cycle.of[mesh_counters_place(&cycle.users, user)] += ns;
	mesh_counters.decisions++;
	mesh_counters.late += late;
	mesh_counters.spent += ns;
	mesh_counters_of(user)->spent += ns;
}

static char *named_users(void)
{
	char *text = NULL;

	for (int i = 0; i < MIN(line.users.n, NAMED); i++)
		xstrfmtcat(text, "%s%u", i ? "," : " of users ", line.users.uid[i]);
	if (line.users.n > NAMED)
		xstrcat(text, " and others");
	return text;
}

void mesh_cycle_tell(void)
{
	unsigned late = (unsigned)(mesh_counters.late - line.count.late);
	unsigned quick = (unsigned)(mesh_counters.quick - line.count.quick);
	int64_t time;
	char *users;

	mesh_counters_save(SAVE);
	if (!late && !quick)
		return;
	time = mesh_clock_ns(CLOCK_MONOTONIC);
	if (line.at && time - line.at < TELL * SECOND)
		return;
	users = named_users();
	info("%s: budgets: %u decisions took %lld ms; %u came to the end of mesh_max_time, %u "
	     "jobs' tests%s to that of mesh_max_cycle",
		plugin_type, (unsigned)(mesh_counters.decisions - line.count.decisions),
		(long long)((mesh_counters.spent - line.count.spent) / 1000000), late, quick,
		users ? users : "");
	xfree(users);
	line.at = time;
	line.count = mesh_counters;
	line.users.n = 0;
}
