/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/heap.h"
#include "support.h"

enum { MOST = 60 };

/* The plain way: a look at all. */
static int first_of(const double *key, const int *tie, const bool *in, int n)
{
	int first = -1;

	for (int i = 0; i < n; i++)
		if (in[i] && (first < 0 || key[i] < key[first] ||
				     (key[i] <= key[first] && tie[i] < tie[first])))
			first = i;
	return first;
}

static void always_the_first(void **state)
{
	(void)state;
	for (struct rounds r = rounds(7, 300); rounds_next(&r);) {
		struct heap_item item[MOST];
		int place[MOST], tie[MOST], n = random_int(&r.seed, 1, MOST), size = 0;
		struct heap heap = {.item = item, .place = place};
		double key[MOST];
		bool in[MOST];

		for (int i = 0; i < n; i++) {
			key[i] = random_int(&r.seed, 0, n / 2);
			tie[i] = n - i;
			in[i] = random_int(&r.seed, 0, 1);
			if (in[i])
				item[heap.size++] = (struct heap_item){key[i], tie[i], i};
		}
		heap_make(&heap);
		for (int step = 0; step < 4 * n; step++) {
			int i = random_int(&r.seed, 0, n - 1), first = first_of(key, tie, in, n);

			if (!in[i]) {
				heap_push(&heap, (struct heap_item){key[i], tie[i], i});
				in[i] = true;
			} else if (step % 4 == 0) {
				heap_remove(&heap, i);
				in[i] = false;
			} else if (step % 4 == 1) {
				key[i] = random_int(&r.seed, -n, n);
				heap_rekey(&heap, i, key[i]);
			} else if (step % 4 == 2) {
				assert_int_equal(item[0].id, first);
				key[first] += 3;
				heap_rekey_first(&heap, key[first]);
			} else {
				assert_int_equal(heap_pop(&heap).id, first);
				in[first] = false;
			}
			size = 0;
			for (int j = 0; j < n; j++) {
				size += in[j];
				assert_true(!in[j] || item[place[j]].id == j);
			}
			assert_int_equal(heap.size, size);
			if (size)
				assert_int_equal(item[0].id, first_of(key, tie, in, n));
		}
	}
}

/* Behind the heap, and without place[]. */
static void popped_ones_are_kept(void **state)
{
	struct heap_item item[] = {{5, 0, 0}, {3, 1, 1}, {4, 2, 2}, {3, 3, 3}};
	struct heap heap = {.item = item, .size = 4};

	(void)state;
	heap_make(&heap);
	while (heap.size)
		heap_pop(&heap);
	assert_int_equal(item[3].id, 1);
	assert_int_equal(item[2].id, 3);
	assert_int_equal(item[1].id, 2);
	assert_int_equal(item[0].id, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(always_the_first),
		cmocka_unit_test(popped_ones_are_kept),
	};

	return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
