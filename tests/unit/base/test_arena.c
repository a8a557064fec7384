/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What has no room: arenas that are asked for too much, messages, and what was meant by a word.
 */
#include "base/arena.h"

#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "support.h"

/* After one failure all later calls fail, until the arena is released. */
static void runs_out(void **state)
{
	struct arena arena = {0};
	int *number = NULL;

	(void)state;
	assert_int_equal(*(char *)arena_get(&arena, 1, 1), 0);
	assert_null(arena_get(&arena, INT64_MAX, 64));
	assert_null(arena_get(&arena, 1, 1));
	assert_null(arena_text(&arena, "a"));
	assert_null(arena_grow(&arena, &number, 0, sizeof(*number)));
	arena_release(&arena);
	assert_string_equal(arena_text(&arena, "a"), "a");
	assert_null(arena_text(&arena, NULL));
	assert_false(arena.out);
	assert_null(arena_get(&arena, INT64_MAX, 2)); /* with the head of a block beyond SIZE_MAX */
	arena_release(&arena);
}

/* Room of the last block grows in place; other arrays move. What was in them stays. */
static void grows(void **state)
{
	struct arena arena = {0};
	int *a = NULL, *b = NULL;

	(void)state;
	for (int i = 0; i < 100; i++) {
		*(int *)arena_grow(&arena, &a, i, sizeof(*a)) = i;
		if (i < 50)
			*(int *)arena_grow(&arena, &b, i, sizeof(*b)) = -i;
	}
	for (int i = 0; i < 100; i++)
		assert_true(a[i] == i && (i >= 50 || b[i] == -i));
	arena.out = true;
	for (int i = 100; i < 128; i++)
		assert_non_null(arena_grow(&arena, &a, i, sizeof(*a)));
	assert_null(arena_grow(&arena, &a, 128, sizeof(*a)));
	assert_int_equal(a[99], 99);
	arena_release(&arena);
}

static void messages(void **state)
{
	struct mesh_err err;
	char longer[2 * MESH_ERR_SIZE] = "";

	(void)state;
	assert_int_equal(err_printf(&err, "a\tb\x7f%s", "\n"), -1);
	assert_string_equal(err.text, "a?b??");
	assert_int_equal(err_at(&err, "file", 7, "%s", "what"), -1);
	assert_string_equal(err.text, "file:7: what");
	memset(longer, 'x', sizeof(longer) - 1);
	assert_int_equal(err_printf(&err, "%s", longer), -1);
	assert_int_equal(strlen(err.text), MESH_ERR_SIZE - 1);
	assert_int_equal(err_printf(NULL, "nobody asks"), -1);
}

static const char *name_of(const void *list, int i)
{
	return ((const char *const *)list)[i];
}

static void meant(void **state)
{
	static const char *const names[] = {"all-to-all", "ring", "rink", "grid",
		"an-option-that-is-longer-than-any-word-of-forty-letters", NULL};
	static const struct {
		const char *word, *found;
	} cases[] = {
		{"rnig", ", did you mean 'ring'?"}, {"rin", ", did you mean 'ring'?"},
		{"rinx", ", did you mean 'ring'?"}, {"gird", ", did you mean 'grid'?"},
		{"ALL-TO-AL", ", did you mean 'all-to-all'?"},
		{"all", ", did you mean 'all-to-all'?"},
		{"gr", ""}, {"g", ""}, {"", ""}, {"tree", ""},
		{"a-word-that-is-longer-than-any-name-of-forty-letters", ""},
	};
	char text[96];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(suggest(cases[i].word, name_of, names, text, sizeof(text)),
			cases[i].found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_out),
		cmocka_unit_test(grows),
		cmocka_unit_test(messages),
		cmocka_unit_test(meant),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
