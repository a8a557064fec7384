/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An allocation cut into parts: exact, disjoint, inside, and near each other.
 */
#include <stdlib.h>
#include <string.h>

#include "ranks/placement.h"
#include "support.h"

struct scene {
	struct mesh *mesh;
	struct nodeset allocation;
	int size[5], nparts, total;
	int *node;
	struct placement_input in;
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
}

static void teardown(struct scene *s)
{
	nodeset_release(&s->allocation);
	mesh_free(s->mesh);
	free(s->node);
}

static double sum_hops(const struct scene *s)
{
	double hops = 0;

	for (int part = 0, at = 0; part < s->nparts; at += s->size[part++])
		hops += (double)plain_pairwise_hops(s->mesh, s->node + at, s->size[part]);
	return hops;
}

static double check_parts(const struct scene *s)
{
	struct nodeset seen;

	nodeset_init(&seen, s->mesh->nnodes);
	for (int part = 0, at = 0; part < s->nparts; at += s->size[part++])
		for (int i = 0; i < s->size[part]; i++) {
			int node = s->node[at + i];

			assert_true(nodeset_has(&s->allocation, node));
			assert_false(nodeset_has(&seen, node));
			assert_true(!i || s->node[at + i - 1] < node);
			nodeset_add(&seen, node);
		}
	nodeset_release(&seen);
	return sum_hops(s);
}

/* No more hops in all than the same sizes drawn at random have. */
static void test_parts(void **state)
{
	double hops = 0, at_random = 0;

	(void)state;
	for (struct rounds r = rounds(11, 20); rounds_next(&r);) {
		struct scene s;
		struct mesh_err err;

		setup(&s, &r.seed);
		assert_int_equal(placement_solve(&s.in, s.node, &err), 0);
		hops += check_parts(&s);
		for (int i = s.total - 1; i > 0; i--) {
			int j = random_int(&r.seed, 0, i), node = s.node[i];

			s.node[i] = s.node[j];
			s.node[j] = node;
		}
		at_random += sum_hops(&s);
		teardown(&s);
	}
	assert_true(hops <= at_random);
}

static void test_errors(void **state)
{
	uint64_t seed = 12;
	struct scene s;
	struct mesh_err err;

	(void)state;
	setup(&s, &seed);
	s.size[0] += s.mesh->nnodes;
	assert_int_equal(placement_solve(&s.in, s.node, &err), -1);
	assert_non_null(strstr(err.text, "the allocation has"));
	s.size[0] = 0;
	assert_int_equal(placement_solve(&s.in, s.node, &err), -1);
	teardown(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
