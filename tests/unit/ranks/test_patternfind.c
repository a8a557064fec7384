/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What traffic is called, and what can be expected of it with another number of ranks.
 */
#include <stdio.h>
#include <string.h>

#include "ranks/patternfind.h"
#include "support.h"

/* The traffic of a grid with an edge between neighbours. */
static void name_grid(const char *sides, bool first_fastest, char pattern[PATTERN_TEXT])
{
	struct traffic_grid grid;
	struct traffic traffic;
	struct mesh_err err;

	assert_int_equal(traffic_grid_parse(&grid, sides, &err), 0);
	grid.first_fastest = first_fastest;
	assert_int_equal(traffic_init_grid(&traffic, &grid, &err), 0);
	patternfind(&traffic, traffic.n, pattern);
	traffic_release(&traffic);
}

static void test_sides_in_order(void **state)
{
	static const char *const sides[] = {"4x8", "8x4", "2x3x5", "5x3x2", "3x5x2", "16x4x8"};
	static const char *const turned[] = {"8x4", "4x8", "5x3x2", "2x3x5", "2x5x3", "8x4x16"};
	char pattern[PATTERN_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		name_grid(sides[i], false, pattern);
		assert_string_equal(pattern + strlen("grid:"), sides[i]);
		name_grid(sides[i], true, pattern);
		assert_string_equal(pattern + strlen("grid:"), turned[i]);
	}
}

static void name_edges(
	int n, const struct traffic_edge *edge, size_t count, int sent, char *pattern)
{
	struct traffic traffic;
	struct mesh_err err;

	assert_int_equal(traffic_init(&traffic, n, edge, count, &err), 0);
	patternfind(&traffic, sent, pattern);
	traffic_release(&traffic);
}

static void test_others(void **state)
{
	enum { N = 24 };
	struct traffic_edge edge[N * N];
	char pattern[PATTERN_TEXT];
	size_t count = 0;

	(void)state;
	for (int a = 0; a < N; a++)
		edge[count++] = (struct traffic_edge){a, (a + 1) % N, 1};
	name_edges(N, edge, count, N, pattern);
	assert_string_equal(pattern, "ring");
	count = 0;
	for (int a = 1; a < N; a++)
		edge[count++] = (struct traffic_edge){(a - 1) / 2, a, 1};
	name_edges(N, edge, count, N, pattern);
	assert_string_equal(pattern, "mix");
	count = 0;
	for (int a = 0; a < N; a++)
		for (int b = 0; b < N; b++)
			edge[count++] = (struct traffic_edge){a, b, 1};
	name_edges(N, edge, count, N, pattern);
	assert_string_equal(pattern, "all-to-all");
	/* Of a quarter of the ranks: each to all, or to its next. */
	name_edges(N, edge, count / 4, N / 4, pattern);
	assert_string_equal(pattern, "all-to-all");
	for (int a = 0; a < N / 4; a++)
		edge[a] = (struct traffic_edge){a, a + 1, 1};
	name_edges(N, edge, N / 4, N / 4, pattern);
	assert_string_equal(pattern, "mix");
}

static void test_scale(void **state)
{
	static const struct {
		const char *of;
		int from, to;
		const char *wanted; /* NULL: nothing can be said */
	} row[] = {
		{"ring", 16, 1000, "ring"},
		{"all-to-all", 16, 7, "all-to-all"},
		{"mix", 16, 32, NULL},
		{"grid:4x4", 16, 64, "grid:8x8"},
		{"grid:4x8", 32, 128, "grid:8x16"},
		{"grid:8x4x2", 64, 512, "grid:16x8x4"},
		{"grid:4x4x4", 64, 32, "grid:2x4x4"},
		{"grid:4x4", 16, 7, "grid:1x7"},
		{"grid:4xx", 16, 7, NULL},
		{"grid:", 16, 7, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char pattern[PATTERN_TEXT];
		int rc;

		snprintf(pattern, sizeof(pattern), "%s", row[i].of);
		rc = patternfind_scale(pattern, row[i].from, row[i].to);
		assert_int_equal(rc, row[i].wanted ? 0 : -1);
		if (row[i].wanted)
			assert_string_equal(pattern, row[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sides_in_order),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_scale),
	};

	return cmocka_run_group_tests_name("patternfind", tests, NULL, NULL);
}
