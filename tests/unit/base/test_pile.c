/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/pile.h"
#include "support.h"

enum { MOST = 200 };

static int by_key(const void *a, const void *b)
{
	const struct pile_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id - y->id;
}

static void comes_in_order(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct pile_item item[MOST], sorted[MOST];
		struct pile pile;
		int n = random_int(&seed, 0, MOST), keys = random_int(&seed, 1, 2 * MOST);

		for (int i = 0; i < n; i++)
			sorted[i] = item[i] = (struct pile_item){
				(int64_t)random_int(&seed, -keys, keys) * 10000000000, i};
		qsort(sorted, (size_t)n, sizeof(*sorted), by_key);
		pile_make(&pile, item, n);
		/* Some of them are asked for again. */
		for (int i = 0; i < n; i = random_int(&seed, 0, 4) || !i ? i + 1 : i - 1) {
			const struct pile_item *found = pile_nth(&pile, i);

			assert_non_null(found);
			assert_true(found->key == sorted[i].key);
			assert_int_equal(found->id, sorted[i].id);
		}
		assert_null(pile_nth(&pile, n));
	}
}

/* Those that were asked for are at the end, the others before them. */
static void keeps_all(void **state)
{
	struct pile_item item[] = {{5, 0}, {3, 1}, {4, 2}, {3, 3}};
	struct pile pile;

	(void)state;
	pile_make(&pile, item, 4);
	assert_int_equal(pile_nth(&pile, 1)->id, 3);
	assert_int_equal(item[3].id, 1);
	assert_int_equal(item[2].id, 3);
	assert_int_equal(item[0].id + item[1].id, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_in_order),
		cmocka_unit_test(keeps_all),
	};

	return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
