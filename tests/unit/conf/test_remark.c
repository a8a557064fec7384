/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/remark.h"

#include <stdio.h>
#include <string.h>

#include "conf/strategies.h"

#include "support.h"

static void ours(void **state)
{
	static const struct {
		const char *before, *remark, *after;
	} row[] = {
		{"", "mesh: strategy=mm", ""},
		{"", "mesh: strategy=mm mean_hops=2.070", ""},
		{"", "mesh: strategy=stock mean_hops=12.000", ""},
		{"x; ", "mesh: strategy=mm mean_hops=2.070 best=2.000", "; y"},
		{"rack 7; ", "mesh: strategy=mc1x1 mean_hops=0.000", ""},
		{"", "mesh: strategy=snug", "; rack 7"},
		{"ask Ann; ", "mesh: strategy=mm", "; wiremesh: torn; "},
		{"mesh: strategy=mm; ", "mesh: strategy=mm", ""},
		{"see mesh: broken; ", "mesh: strategy=mm+inc mean_hops=1.500", "; mesh: mended"},
		{"; ; ", "mesh: strategy=mm", "; ; "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char text[200];
		size_t at, length;

		snprintf(text, sizeof(text), "%s%s%s", row[i].before, row[i].remark, row[i].after);
		assert_true(mesh_remark_find(text, &at, &length));
		assert_int_equal(at, strlen(row[i].before));
		assert_int_equal(length, strlen(row[i].remark));
	}
}

static void every_strategy(void **state)
{
	(void)state;
	for (int i = 0; strategy_at(i); i++) {
		char text[200];
		size_t at, length;

		snprintf(text, sizeof(text), "x; mesh: strategy=%s mean_hops=3.142",
			strategy_at(i)->name);
		assert_true(mesh_remark_find(text, &at, &length));
		assert_int_equal(length, strlen(text) - strlen("x; "));
	}
}

/* An administrator's own words, however like ours. */
static void not_ours(void **state)
{
	static const char *const text[] = {
		"",
		";",
		"; ",
		"mesh: ",
		"wiremesh: strategy=mm",
		"a mesh: strategy=mm mean_hops=2.070",
		"mesh: cable 3 is bad",
		"mesh: strategy=",
		"mesh: strategy=; x",
		"mesh: strategy=mmm",
		"mesh: strategy=a-name-longer-than-any-strategy-has",
		"mesh: strategy=quick mean_hops=2.070",
		"mesh: strategy=mm is no good here",
		"mesh: strategy=mm mean_hops=2.070 too many",
		"mesh: strategy=mm mean_hops=",
		"mesh: strategy=mm mean_hops=.070",
		"mesh: strategy=mm mean_hops=2.07",
		"mesh: strategy=mm mean_hops=2.0701",
		"mesh: strategy=mm  mean_hops=2.070",
		"mesh: strategy=mm mean_hops=2.070 best=2",
		"mesh: strategy=mm mean_hops=2.070 best=2.000 too many",
		"mesh: strategy=mm;x",
		"x;mesh: strategy=mm",
		"Mesh: strategy=mm",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		size_t at, length;

		if (mesh_remark_find(text[i], &at, &length))
			fail_msg("'%s' was taken for ours", text[i]);
	}
}

static void none(void **state)
{
	static const char *const yes[] = {"mesh: none", "ask Ann; mesh: none", "mesh: none; rack 7",
		"mesh: nonesuch, mesh: none."};
	static const char *const no[] = {
		"", "none", "mesh:none", "wiremesh: none", "mesh: nonesuch", "mesh: strategy=mm"};

	(void)state;
	assert_false(mesh_remark_none(NULL));
	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		assert_true(mesh_remark_none(yes[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		assert_false(mesh_remark_none(no[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ours),
		cmocka_unit_test(every_strategy),
		cmocka_unit_test(not_ours),
		cmocka_unit_test(none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
