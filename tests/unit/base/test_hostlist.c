/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host lists that libslurm may expand, and those that it must never see.
 */
#include "base/hostlist.h"

#include <stdio.h>
#include <string.h>

#include "support.h"

static void counts(void **state)
{
	static const struct {
		const char *list;
		int n, any; /* -1: refused */
	} cases[] = {
		{"n", 1, 1},
		{"n[0-63]", 64, 64},
		{"n[0-3,7],m", 6, 6},
		{" a.b-c_d ,\te\n", 2, 2},
		{"r[0-1]c[0-2]s[1]", 6, 6},
		{"a[1]b[1]c[1]d[1]e[1]f[1]", 1, 1},
		{"a[1]b[1]c[1]d[1]e[1]f[1]g[1]", -1, -1},
		{"n[3-1]", -1, -1},
		{"n[1-]", -1, -1},
		{"n[-1]", -1, -1},
		{"n[a]", -1, -1},
		{"n[1;2]", -1, -1},
		{"n[1", -1, -1},
		{"n[1-2", -1, -1},
		{"n]", -1, -1},
		{"", -1, 0},
		{" , ", -1, 0},
		{"n/a", -1, 1},
		{"gpu+a[1-2]", -1, 2},
		{"a\x01", -1, -1},
		{"a[0-2097151]", 2097152, 2097152},
		{"a[0-2097152]", -1, -1},
		{"a[0-1],b[0-2097150]", -1, -1},
		{"a[0-999999,1000000-2097151,2097152-9999999,5]", -1, -1},
		{"a[0-9999]b[0-999]c[0-9]", -1, -1},
		{"n[0-999999999999999999]", -1, -1},
		{"n[0-9999999999999999999]", -1, -1},
		{"n123456789012345678", 1, 1},
		{"n1234567890123456789", -1, -1},
		{"1234567890123456789", -1, -1},
		{"123", 1, 1},
	};
	struct mesh_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (hostlist_check(cases[i].list, &err) != cases[i].n ||
			hostlist_check_any(cases[i].list, &err) != cases[i].any)
			fail_msg("'%s'", cases[i].list);
	}
	assert_int_equal(hostlist_check("a,n[0", &err), -1);
	assert_string_equal(err.text, "not a host list at 'n[0': ] is missing");
	assert_int_equal(hostlist_check("n[0]]", &err), -1);
	assert_string_equal(err.text, "not a host list at 'n[0]]'");
	assert_int_equal(hostlist_check("a[0-1],b[0-2097150]", &err), -1);
	assert_string_equal(err.text, "more than 2097152 hosts");
	assert_int_equal(hostlist_check(",", &err), -1);
	assert_string_equal(err.text, "not a host list: ','");
}

static void names(void **state)
{
	static const char *const good[] = {"n", "a.b-c_d", "n0", "n123456789012345678"};
	static const char *const bad[] = {"", "n[0]", "a b", "n/a", "n1234567890123456789"};
	char longer[300] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(hostlist_is_name(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(hostlist_is_name(bad[i]));
	memset(longer, 'n', 256);
	assert_false(hostlist_is_name(longer));
	assert_int_equal(hostlist_check(longer, NULL), -1);
	assert_true(hostlist_is_name(longer + 1));
	assert_int_equal(hostlist_check(longer + 1, NULL), 1);
}

static void sorted(void **state)
{
	char *name[] = {(char[]){"n10"}, (char[]){"n9"}, (char[]){"m2"}, (char[]){"n9"}};

	(void)state;
	hostlist_by_number(name, 4);
	assert_string_equal(name[0], "m2");
	assert_string_equal(name[1], "n9");
	assert_string_equal(name[3], "n10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(names),
		cmocka_unit_test(sorted),
	};

	return cmocka_run_group_tests_name("hostlist", tests, NULL, NULL);
}
