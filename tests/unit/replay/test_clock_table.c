/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose turn it is, and when: the table of a clock, without any thread.
 */
#include "clock/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"

static struct clock_table *table;
static int one, other; /* processes */
static int slot[4];    /* two of each, in this order */

static int begin(void **state)
{
	char path[] = "/tmp/test_clock_table.XXXXXX";

	(void)state;
	if (!mkdtemp(path))
		return -1;
	char file[64];

	snprintf(file, sizeof(file), "%s/clock", path);
	table = table_create(file, 100);
	unlink(file);
	rmdir(path);
	if (!table)
		return -1;
	table->until = CLOCK_NEVER;
	one = table_add_process(table, 1000001);
	other = table_add_process(table, 1000002);
	for (int i = 0; i < 4; i++)
		slot[i] = table_add_slot(table, i < 2 ? one : other);
	return 0;
}

static void waits(int i, enum clock_why why, int64_t deadline, uintptr_t object)
{
	struct clock_wait wait = {.why = why, .deadline = deadline, .object = object};

	table_wait(table, slot[i], &wait);
}

static void runs_next(int i)
{
	enum clock_go go = CLOCK_STAY;

	assert_int_equal(table_pick(table, &go), slot[i]);
	assert_int_equal(go, CLOCK_RUN);
	assert_int_equal(table->slot[slot[i]].state, CLOCK_RUNS);
}

static void nobody_runs(void)
{
	enum clock_go go = CLOCK_STAY;

	assert_int_equal(table_pick(table, &go), CLOCK_NOBODY);
}

/* Time stands while somebody is ready, then jumps to the earliest deadline. */
static void jumps(void **state)
{
	(void)state;
	waits(0, CLOCK_SLEEP, 300, 0);
	waits(1, CLOCK_SLEEP, 200, 0);
	waits(2, CLOCK_SLEEP, 200, 0);
	table_ready(table, slot[3], CLOCK_WOKEN);
	runs_next(3);
	assert_int_equal(table->now, 100);
	waits(3, CLOCK_CONDITION, CLOCK_NEVER, 7);
	runs_next(1); /* it began to wait before the other */
	assert_int_equal(table->now, 200);
	assert_int_equal(table->slot[slot[1]].end, CLOCK_TIMED_OUT);
	waits(1, CLOCK_CONDITION, CLOCK_NEVER, 8);
	runs_next(2);
	assert_int_equal(table->now, 200);
	waits(2, CLOCK_CONDITION, CLOCK_NEVER, 7);
	runs_next(0);
	assert_int_equal(table->now, 300);
	waits(0, CLOCK_CONDITION, CLOCK_NEVER, 8);
	nobody_runs();
}

static void stands(void **state)
{
	(void)state;
	table->until = 150;
	waits(0, CLOCK_SLEEP, 151, 0);
	nobody_runs();
	table->until = 151;
	runs_next(0);
}

/* Those of one process that wait for an object, in their order; an address is another one
 * elsewhere. */
static void wakes(void **state)
{
	(void)state;
	waits(1, CLOCK_CONDITION, CLOCK_NEVER, 7);
	waits(0, CLOCK_CONDITION, CLOCK_NEVER, 7);
	waits(2, CLOCK_CONDITION, CLOCK_NEVER, 7);
	table_wake(table, one, 7, 1);
	runs_next(1);
	nobody_runs();
	table_wake(table, one, 7, 5);
	runs_next(0);
	nobody_runs();
}

/* Where something may have come a process looks before anybody runs, and before time jumps. */
static void scans(void **state)
{
	enum clock_go go = CLOCK_STAY;

	(void)state;
	waits(0, CLOCK_IO, CLOCK_NEVER, 0);
	waits(2, CLOCK_IO, CLOCK_NEVER, 0);
	waits(3, CLOCK_SLEEP, 200, 0);
	table_touch(table, CLOCK_NOBODY);
	assert_int_equal(table_pick(table, &go), slot[0]);
	assert_int_equal(go, CLOCK_SCAN);
	table_ready(table, slot[0], CLOCK_WOKEN); /* it found something */
	assert_int_equal(table_pick(table, &go), slot[2]);
	assert_int_equal(go, CLOCK_SCAN);
	runs_next(0);
	assert_int_equal(table->now, 100);
	waits(0, CLOCK_IO, CLOCK_NEVER, 0);
	runs_next(3);
	assert_int_equal(table->now, 200);
	assert_int_equal(table->process[one].reading, 1);
}

/* A process that goes leaves nothing behind, in the queue neither. */
static void goes(void **state)
{
	(void)state;
	table_ready(table, slot[2], CLOCK_WOKEN);
	table_ready(table, slot[0], CLOCK_WOKEN);
	table_ready(table, slot[3], CLOCK_WOKEN);
	waits(1, CLOCK_IO, CLOCK_NEVER, 0);
	table_drop_process(table, one);
	runs_next(2);
	runs_next(3);
	assert_int_equal(table->first, CLOCK_NOBODY);
	assert_int_equal(table_find_process(table, 1000001), CLOCK_NOBODY);
	assert_int_equal(table_add_process(table, 1000003), one);
	assert_int_equal(table_add_slot(table, one), slot[0]);
	assert_int_equal(table->process[one].reading, 0);
}

/* A process is killed while it has the lock: the keeper does not wait for ever, nor do others once
 * the clock has ended. */
static void killed_with_lock(void **state)
{
	(void)state;
	table_lock(table);
	assert_false(table_try_lock(table));
	table->ended = true;
	table_lock(table);
	table_unlock(table);
	assert_true(table_try_lock(table));
	table_unlock(table);
	table->ended = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(jumps, begin),
		cmocka_unit_test_setup(stands, begin),
		cmocka_unit_test_setup(wakes, begin),
		cmocka_unit_test_setup(scans, begin),
		cmocka_unit_test_setup(goes, begin),
		cmocka_unit_test_setup(killed_with_lock, begin),
	};

	return cmocka_run_group_tests_name("the table of a clock", tests, NULL, NULL);
}
