/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/axis.h"
#include "support.h"

enum { MOST = 17 };

/* Hops round a ring, one step after another. */
static int walk(int side, bool wrap, int a, int b)
{
	int there = 0, back = 0;

	for (int c = a; c != b; c = (c + 1) % side)
		there++;
	for (int c = b; c != a; c = (c + 1) % side)
		back++;
	if (wrap)
		return there < back ? there : back;
	return a < b ? there : back;
}

static void sums_are_those_of_the_pairs(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 400); rounds_next(&r);) {
		int side = random_int(&r.seed, 1, MOST), marginal[MOST];
		bool wrap = random_int(&r.seed, 0, 1);
		int64_t star[MOST], pairs = 0;

		for (int c = 0; c < side; c++)
			marginal[c] = random_int(&r.seed, 0, 5);
		for (int a = 0; a < side; a++)
			for (int b = 0; b < side; b++) {
				int hops = walk(side, wrap, a, b);

				assert_int_equal(axis_hops(side, wrap, a, b), hops);
				pairs += (int64_t)hops * marginal[a] * marginal[b];
			}
		assert_int_equal(axis_pair_hops(marginal, side, wrap), pairs / 2);
		assert_int_equal(axis_star_hops(marginal, side, wrap, star), pairs / 2);
		for (int a = 0; a < side; a++) {
			int64_t sum = 0;

			for (int b = 0; b < side; b++)
				sum += (int64_t)walk(side, wrap, a, b) * marginal[b];
			assert_int_equal(star[a], sum);
		}
	}
}

/* Does a stretch of `length` from `first` on hold all nodes? */
static bool holds(const int *marginal, int side, int first, int length)
{
	for (int c = 0; c < side; c++)
		if (marginal[c] && (c - first + side) % side >= length)
			return false;
	return true;
}

static void a_stretch_is_the_shortest_that_holds_all(void **state)
{
	(void)state;
	for (struct rounds r = rounds(6, 2000); rounds_next(&r);) {
		int side = random_int(&r.seed, 1, MOST), marginal[MOST],
		    density = random_int(&r.seed, 0, 9);
		bool wrap = random_int(&r.seed, 0, 1);
		int best = side, from = side, first;

		for (int c = 0; c < side; c++)
			marginal[c] =
				random_int(&r.seed, 0, 9) < density ? random_int(&r.seed, 1, 3) : 0;
		if (holds(marginal, side, 0, 0)) {
			assert_int_equal(axis_stretch(marginal, side, wrap, &first), 0);
			continue;
		}
		for (int length = side; length > 0; length--)
			for (int c = wrap ? side - 1 : side - length; c >= 0; c--)
				if (marginal[c] && holds(marginal, side, c, length) &&
					length <= best) {
					best = length;
					from = c;
				}
		assert_int_equal(axis_stretch(marginal, side, wrap, &first), best);
		assert_int_equal(first, from);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_pairs),
		cmocka_unit_test(a_stretch_is_the_shortest_that_holds_all),
	};

	return cmocka_run_group_tests_name("axis", tests, NULL, NULL);
}
