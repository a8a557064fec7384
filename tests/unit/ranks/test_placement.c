/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An allocation cut into parts: exact, disjoint, inside, for every strategy.
 */
#include <stdlib.h>
#include <string.h>

#include "ranks/placement.h"
#include "strategies/strategies.h"
#include "support.h"

struct scene {
	struct mesh *mesh;
	struct nodeset allocation;
	int size[5], nparts, total;
	int *node;
	struct placement_input in;
	struct placement_answer answer;
};

static void setup(struct scene *s, uint64_t *seed)
{
	memset(s, 0, sizeof(*s));
	do {
		mesh_free(s->mesh);
		s->mesh = random_mesh(seed, 3, 100);
	} while (s->mesh->nnodes < 10);
	nodeset_init(&s->allocation, s->mesh->nnodes);
	while (nodeset_count(&s->allocation) < 5)
		random_set(seed, &s->allocation, random_int(seed, 30, 100));
	s->nparts = random_int(seed, 1, 5);
	int spare = nodeset_count(&s->allocation) - s->nparts;

	for (int i = 0; i < s->nparts; i++) {
		int more = random_int(seed, 0, spare);

		s->size[i] = 1 + more;
		s->total += s->size[i];
		spare -= more;
	}
	s->node = malloc((size_t)s->mesh->nnodes * sizeof(int));
	s->in = (struct placement_input){.mesh = s->mesh, .allocation = &s->allocation,
		.size = s->size, .nparts = s->nparts};
	s->answer.node = s->node;
}

static void teardown(struct scene *s)
{
	nodeset_release(&s->allocation);
	mesh_free(s->mesh);
	free(s->node);
}

static void check_parts(const struct scene *s)
{
	struct nodeset seen;
	double hops = 0;

	nodeset_init(&seen, s->mesh->nnodes);
	for (int part = 0, at = 0; part < s->nparts; at += s->size[part++]) {
		for (int i = 0; i < s->size[part]; i++) {
			int node = s->node[at + i];

			assert_true(nodeset_has(&s->allocation, node));
			assert_false(nodeset_has(&seen, node));
			assert_true(!i || s->node[at + i - 1] < node);
			nodeset_add(&seen, node);
		}
		hops += (double)plain_pairwise_hops(s->mesh, s->node + at, s->size[part]);
	}
	assert_true(hops == s->answer.hops);
	nodeset_release(&seen);
}

static void test_every_way(void **state)
{
	(void)state;
	for (struct rounds r = rounds(11, 20); rounds_next(&r);) {
		struct scene s;
		struct mesh_err err;
		double cut, mm;

		setup(&s, &r.seed);
		for (int i = 0; strategy_at(i); i++) {
			if (strategy_at(i)->flags & STRATEGY_CONTIGUOUS)
				continue;
			s.in.how = strategy_at(i)->name;
			assert_int_equal(placement_solve(&s.in, &s.answer, &err), 0);
			check_parts(&s);
		}
		s.in.how = "cut";
		assert_int_equal(placement_solve(&s.in, &s.answer, &err), 0);
		check_parts(&s);
		cut = s.answer.hops;
		s.in.how = strategy_for(STRATEGY_RELAXED)->name;
		assert_int_equal(placement_solve(&s.in, &s.answer, &err), 0);
		mm = s.answer.hops;
		s.in.how = NULL;
		assert_int_equal(placement_solve(&s.in, &s.answer, &err), 0);
		check_parts(&s);
		assert_true(s.answer.hops == (mm <= cut ? mm : cut));
		teardown(&s);
	}
}

static void test_errors(void **state)
{
	uint64_t seed = 12;
	struct scene s;
	struct mesh_err err;

	(void)state;
	setup(&s, &seed);
	s.in.how = "nothing";
	assert_int_equal(placement_solve(&s.in, &s.answer, &err), -1);
	assert_non_null(strstr(err.text, "unknown strategy 'nothing'"));
	s.in.how = NULL;
	s.size[0] += s.mesh->nnodes;
	assert_int_equal(placement_solve(&s.in, &s.answer, &err), -1);
	assert_non_null(strstr(err.text, "the allocation has"));
	s.size[0] = 0;
	assert_int_equal(placement_solve(&s.in, &s.answer, &err), -1);
	teardown(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
