/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The point strategies against their plain references, node by node, and against the figures
 * of the paper.
 */
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "plain_point.h"
#include "strategy.h"
#include "support.h"

static const char *const plain_names[] = {"mm", "gen-alg", "mm+inc", "mc1x1", "mc"};

struct scene {
	struct mesh *mesh;
	struct nodeset free_set, required;
	struct mesh_request request;
	struct mesh_answer answer;
	struct plain_answer plain;
};

static void open_scene(struct scene *s, struct mesh *mesh)
{
	*s = (struct scene){.mesh = mesh};
	assert_false(nodeset_init(&s->free_set, mesh->nnodes));
	assert_false(nodeset_init(&s->required, mesh->nnodes));
	s->answer.node = malloc((size_t)mesh->nnodes * sizeof(int));
	s->plain.node = malloc((size_t)mesh->nnodes * sizeof(int));
	assert_true(s->answer.node && s->plain.node);
}

static void close_scene(struct scene *s)
{
	nodeset_release(&s->free_set);
	nodeset_release(&s->required);
	free(s->answer.node);
	free(s->plain.node);
	mesh_free(s->mesh);
}

/* A state and a request that has an answer. */
static void fill_scene(struct scene *s, uint64_t *seed, int most)
{
	int nfree;

	random_set(seed, &s->free_set, random_int(seed, 0, 3) ? random_int(seed, 20, 100) : 100);
	if (!nodeset_count(&s->free_set))
		nodeset_add(&s->free_set, random_int(seed, 0, s->mesh->nnodes - 1));
	nfree = nodeset_count(&s->free_set);
	s->request = (struct mesh_request){
		.count = random_int(seed, 1, nfree < most ? nfree : most)};
	if (random_int(seed, 0, 3) == 0) {
		random_set(seed, &s->required, random_int(seed, 1, 20));
		nodeset_and(&s->required, &s->free_set);
		if (nodeset_count(&s->required) <= s->request.count)
			s->request.required = &s->required;
	}
	if (random_int(seed, 0, 2) == 0) {
		s->request.shape.ndims = s->mesh->ndims;
		s->request.shape.norotate = random_next(seed) & 1;
		for (int d = 0; d < s->mesh->ndims; d++)
			s->request.shape.side[d] = random_int(seed, 1, 4);
	}
}

static void decide(const char *name, struct scene *s)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), s->mesh, &err);
	struct mesh_state state = {.free = &s->free_set};

	assert_non_null(strategy);
	assert_int_equal(strategy_decide(strategy, &state, &s->request, &s->answer), MESH_OK);
	strategy_free(strategy);
}

static void compare(struct scene *s, const char *name, int round)
{
	decide(name, s);
	plain_point(name, s->mesh, &s->free_set, &s->request, &s->plain);
	int64_t total = mesh_pairwise_hops(s->mesh, s->answer.node, s->answer.count);

	if (total == s->plain.total && (int64_t)s->answer.cost == s->plain.cost &&
		!memcmp(s->answer.node, s->plain.node, (size_t)s->request.count * sizeof(int)))
		return;
	fail_msg("%s, round %d: %dx%dx%d wrap %d%d%d, %d nodes, %d free, k %d: total %lld cost %lld, plain %lld %lld",
		name, round, s->mesh->side[0], s->mesh->side[1], s->mesh->side[2],
		s->mesh->wrap[0], s->mesh->wrap[1], s->mesh->wrap[2], s->mesh->nnodes,
		nodeset_count(&s->free_set), s->request.count, (long long)total,
		(long long)s->answer.cost, (long long)s->plain.total, (long long)s->plain.cost);
}

static void equal_to_plain(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 2500; round++) {
		struct scene s;

		open_scene(&s, random_mesh(&seed, 6, round % 50 ? 30 : 120));
		fill_scene(&s, &seed, 40);
		for (size_t i = 0; i < sizeof(plain_names) / sizeof(*plain_names); i++)
			compare(&s, plain_names[i], round);
		close_scene(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_to_plain),
	};

	return cmocka_run_group_tests_name("strategy_point", tests, NULL, NULL);
}
