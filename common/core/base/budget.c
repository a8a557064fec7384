/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/budget.h"

int64_t mesh_clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void mesh_budget_start(struct mesh_budget *budget, int64_t ns)
{
	*budget = (struct mesh_budget){0};
	if (ns <= 0)
		return;
	budget->look = mesh_clock_ns(CLOCK_MONOTONIC) + ns;
	budget->end = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
}

int64_t mesh_budget_left(const struct mesh_budget *budget)
{
	int64_t left;

	if (!budget->look)
		return INT64_MAX;
	left = budget->end - mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return left > 0 ? left : 0;
}

bool mesh_budget_late(struct mesh_budget *budget)
{
	int64_t wall, left;

	if (!budget->look || (wall = mesh_clock_ns(CLOCK_MONOTONIC)) < budget->look)
		return false;
	left = mesh_budget_left(budget);
	if (left)
		budget->look = wall + left;
	return !left;
}
