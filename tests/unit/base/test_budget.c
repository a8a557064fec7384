/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/budget.h"

#include <time.h>

#include "support.h"

#define MS INT64_C(1000000)

static int64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spin(int64_t ns)
{
	int64_t end = thread_ns() + ns;

	while (thread_ns() < end)
		;
}

static void none(void **state)
{
	struct mesh_budget budget;

	(void)state;
	for (int ns = -1; ns <= 0; ns++) {
		mesh_budget_start(&budget, ns);
		assert_false(mesh_budget_late(&budget));
		assert_true(mesh_budget_left(&budget) == INT64_MAX);
	}
}

/* Off the processor for longer than all of it: nothing is used up. */
static void asleep(void **state)
{
	struct timespec nap = {.tv_nsec = 60 * MS};
	struct mesh_budget budget;

	(void)state;
	mesh_budget_start(&budget, 30 * MS);
	for (int i = 0; i < 3; i++) {
		nanosleep(&nap, NULL);
		assert_false(mesh_budget_late(&budget));
		assert_true(mesh_budget_left(&budget) > 20 * MS);
	}
	spin(31 * MS);
	assert_int_equal(mesh_budget_left(&budget), 0);
	/* Told at the latest when what was left at the last look has passed on the wall too. */
	assert_true(mesh_budget_late(&budget));
}

static void used_up(void **state)
{
	struct mesh_budget budget;

	(void)state;
	mesh_budget_start(&budget, 1);
	spin(2);
	assert_true(mesh_budget_late(&budget));
	assert_true(mesh_budget_late(&budget));
	assert_int_equal(mesh_budget_left(&budget), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none),
		cmocka_unit_test(asleep),
		cmocka_unit_test(used_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
