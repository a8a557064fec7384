/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What traffic is called, and what can be expected of it with another number of ranks.
 */
#include <stdio.h>
#include <string.h>

#include "ranks/patternfind.h"
#include "support.h"

/* The pattern of a grid's traffic, and of as much as `sides` says. */
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
	static const char *const sides[] = {"4x8", "8x4", "2x3x5", "5x3x2", "3x5x2", "16x4x8",
		"12", "4x4:torus", "5x3x4:torus", "8x4:9", "4x5x6:27", "5x5:9:torus",
		"4x3x5:27:torus", "32x64"};
	static const char *const turned[] = {"8x4", "4x8", "5x3x2", "2x3x5", "2x5x3", "8x4x16"};
	char pattern[PATTERN_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		name_grid(sides[i], false, pattern);
		assert_string_equal(pattern + strlen("grid:"), sides[i]);
	}
	for (size_t i = 0; i < sizeof(turned) / sizeof(*turned); i++) {
		name_grid(sides[i], true, pattern);
		assert_string_equal(pattern + strlen("grid:"), turned[i]);
	}
}

enum { N = 36 };

static bool next_one(int a, int b) { return b == (a + 1) % N; }
static bool five_on(int a, int b) { return b == (a + 5) % N; }
static bool all(int a, int b) { return a < b; }
static bool parent(int a, int b) { return a < b && (b & (b - 1)) == a; }
static bool bit(int a, int b) { return a < b && __builtin_popcount((unsigned)(a ^ b)) == 1; }
static bool line(int a, int b) { return a < b && (a / 6 == b / 6 || a % 6 == b % 6); }
static bool root(int a, int b) { return !a && b; }
static bool halves(int a, int b) { return b == 2 * a + 1 || b == 2 * a + 2; }

static void test_others(void **state)
{
	static const struct {
		bool (*has)(int a, int b);
		const char *name, *told;
	} row[] = {{next_one, "ring", "ring"}, {five_on, "ring", "ring"},
		{all, "all-to-all", "all-to-all"}, {parent, "tree", "mix"},
		{bit, "hypercube", "mix"}, {line, "transposes", "mix"}, {root, "hub", "mix"},
		{halves, "mix", "mix"}};
	struct traffic_edge edge[N * N];
	char pattern[PATTERN_TEXT], told[PATTERN_TEXT];
	struct mesh_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct traffic traffic;
		size_t count = 0;

		for (int a = 0; a < N; a++)
			for (int b = 0; b < N; b++)
				if (row[i].has(a, b))
					edge[count++] = (struct traffic_edge){a, b, 100};
				else if (a == b) /* little that is no part of it */
					edge[count++] = (struct traffic_edge){a, a * 7 % N, 1};
		assert_int_equal(traffic_init(&traffic, N, edge, count, &err), 0);
		patternfind(&traffic, N, pattern);
		assert_string_equal(pattern, row[i].name);
		patternfind_told(pattern, told);
		assert_string_equal(told, row[i].told);
		/* Of a quarter of the ranks. */
		patternfind(&traffic, N / 4, pattern);
		assert_string_equal(pattern, row[i].name);
		traffic_release(&traffic);
	}
	patternfind_told("grid:4x4x4:27:torus", told);
	assert_string_equal(told, "grid:4x4x4");
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
		{"grid:4x4x4:27", 64, 512, "grid:8x8x8:27"},
		{"grid:4x4:torus", 16, 64, "grid:8x8:torus"},
		{"tree", 16, 64, "tree"},
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
