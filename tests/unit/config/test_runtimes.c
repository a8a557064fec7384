/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config/runtimes.h"

#include <stdio.h>

#include "support.h"

static void last_two(void **state)
{
	struct mesh_runtimes *t = mesh_runtimes_new();

	(void)state;
	assert_non_null(t);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 4), 0);
	mesh_runtimes_note(t, 7, "lammps", 4, 100);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 4), 100);
	mesh_runtimes_note(t, 7, "lammps", 4, 301);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 4), 200);
	mesh_runtimes_note(t, 7, "lammps", 4, 299);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 4), 300);
	assert_int_equal(mesh_runtimes_expect(t, 8, "lammps", 4), 0);
	mesh_runtimes_free(t);
}

/* The closest that is known. */
static void others(void **state)
{
	struct mesh_runtimes *t = mesh_runtimes_new();

	(void)state;
	mesh_runtimes_note(t, 7, "lammps", 4, 100);
	mesh_runtimes_note(t, 7, "lammps", 8, 50);
	mesh_runtimes_note(t, 7, NULL, 1, 10);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 4), 100);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 8), 50);
	assert_int_equal(mesh_runtimes_expect(t, 7, "lammps", 16), 75);
	assert_int_equal(mesh_runtimes_expect(t, 7, NULL, 1), 10);
	assert_int_equal(mesh_runtimes_expect(t, 7, "", 2), 10);
	assert_int_equal(mesh_runtimes_expect(t, 7, "gromacs", 4), 30);
	mesh_runtimes_free(t);
}

/* Whatever is noted, an answer of its own range. */
static void extremes(void **state)
{
	struct mesh_runtimes *t = mesh_runtimes_new();

	(void)state;
	mesh_runtimes_note(t, 1, "x", 1, 0);
	assert_int_equal(mesh_runtimes_expect(t, 1, "x", 1), 1);
	mesh_runtimes_note(t, 1, "x", 1, -5);
	assert_int_equal(mesh_runtimes_expect(t, 1, "x", 1), 1);
	mesh_runtimes_note(t, 1, "y", 1, INT64_MAX);
	mesh_runtimes_note(t, 1, "y", 1, INT64_MAX);
	assert_int_equal(mesh_runtimes_expect(t, 1, "y", 1), INT32_MAX);
	mesh_runtimes_free(t);
}

/* More keys than there is room for: those in use stay. */
static void full(void **state)
{
	struct mesh_runtimes *t = mesh_runtimes_new();
	char name[32];

	(void)state;
	mesh_runtimes_note(t, 1, "kept", 1, 42);
	for (int i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "%d", i);
		mesh_runtimes_note(t, (uint32_t)i + 2, name, i, i);
		assert_int_equal(mesh_runtimes_expect(t, (uint32_t)i + 2, name, i), i ? i : 1);
		assert_int_equal(mesh_runtimes_expect(t, 1, "kept", 1), 42);
	}
	mesh_runtimes_free(t);
}

static void ends(void **state)
{
	(void)state;
	assert_int_equal(mesh_runtimes_end(1000, 60, 1010), 1060);
	assert_int_equal(mesh_runtimes_end(1000, 60, 1060), 1091);
	assert_int_equal(mesh_runtimes_end(1000, 60, 1200), 1301);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_two),
		cmocka_unit_test(others),
		cmocka_unit_test(extremes),
		cmocka_unit_test(full),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests_name("runtimes", tests, NULL, NULL);
}
