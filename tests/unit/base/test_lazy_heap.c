/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/lazy_heap.h"
#include "support.h"

enum { MOST = 200 };

static int by_key(const void *a, const void *b)
{
	const struct lazy_heap_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id - y->id;
}

static void comes_in_order(void **state)
{
	(void)state;
	for (struct rounds r = rounds(3, 500); rounds_next(&r);) {
		struct lazy_heap_item item[MOST], sorted[MOST];
		struct lazy_heap heap;
		int n = random_int(&r.seed, 0, MOST), keys = random_int(&r.seed, 1, 2 * MOST);

		for (int i = 0; i < n; i++)
			sorted[i] = item[i] = (struct lazy_heap_item){
				(int64_t)random_int(&r.seed, -keys, keys) * 10000000000, i};
		qsort(sorted, (size_t)n, sizeof(*sorted), by_key);
		lazy_heap_make(&heap, item, n);
		/* Some of them are asked for again. */
		for (int i = 0; i < n; i = random_int(&r.seed, 0, 4) || !i ? i + 1 : i - 1) {
			const struct lazy_heap_item *found = lazy_heap_nth(&heap, i);

			assert_non_null(found);
			assert_true(found->key == sorted[i].key);
			assert_int_equal(found->id, sorted[i].id);
		}
		assert_null(lazy_heap_nth(&heap, n));
	}
}

/* Those that were asked for are at the end, the others before them. */
static void keeps_all(void **state)
{
	struct lazy_heap_item item[] = {{5, 0}, {3, 1}, {4, 2}, {3, 3}};
	struct lazy_heap heap;

	(void)state;
	lazy_heap_make(&heap, item, 4);
	assert_int_equal(lazy_heap_nth(&heap, 1)->id, 3);
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

	return cmocka_run_group_tests_name("lazy_heap", tests, NULL, NULL);
}
