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
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 400; round++) {
		int side = random_int(&seed, 1, MOST), marginal[MOST];
		bool wrap = random_int(&seed, 0, 1);
		int64_t star[MOST], pairs = 0;

		for (int c = 0; c < side; c++)
			marginal[c] = random_int(&seed, 0, 5);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_pairs),
	};

	return cmocka_run_group_tests_name("axis", tests, NULL, NULL);
}
