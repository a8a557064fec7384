/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The search for the best centre on machines too large for the plain reference: it must find
 * what looking closely at every centre finds. (test_strategy_point.c holds that look against
 * the plain reference.)
 */
#include <stdlib.h>

#include "point/point.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static const struct machine {
	int ndims, side[MESH_MAX_DIMS];
	unsigned wrap;
	int nodes_per_vertex;
} machines[] = {
	{1, {300}, 0, 1},
	{1, {201}, 1, 2},
	{2, {33, 31}, 0, 1},
	{2, {24, 26}, 3, 1},
	{2, {40, 5}, 1, 3},
	{2, {80, 6}, 3, 1},
	{2, {9, 90}, 2, 1},
	{3, {40, 4, 5}, 7, 1},
	{3, {12, 11, 10}, 0, 1},
	{3, {12, 12, 12}, 7, 1},
	{3, {17, 16, 15}, 0, 1},
	{3, {7, 30, 6}, 5, 2},
	{3, {9, 8, 16}, 2, 1},
	{3, {20, 20, 20}, 7, 1},
	{4, {6, 5, 7, 4}, 0, 1},
	{5, {4, 4, 5, 4, 2}, 31, 1},
	{6, {3, 4, 3, 2, 3, 2}, 9, 2},
	{2, {9, 8}, 1, 1500}, /* beyond the counts of whole balls in tables, */
	{2, {9, 8}, 2, 9000}, /* and of their slices: one by one */
	{3, {4, 3, 4}, 5, 2800},
	{1, {1100}, 1, 1},
};

/* Every node with some chance; or all but some boxes, as jobs leave them. */
static void fill(uint64_t *seed, const struct mesh *mesh, struct nodeset *set)
{
	if (random_int(seed, 0, 1)) {
		random_set(seed, set, random_int(seed, 15, 100));
		return;
	}
	nodeset_set_all(set);
	for (int jobs = random_int(seed, 1, 40); jobs > 0; jobs--) {
		int low[MESH_MAX_DIMS], high[MESH_MAX_DIMS];

		for (int d = 0; d < mesh->ndims; d++) {
			low[d] = random_int(seed, 0, mesh->side[d] - 1);
			high[d] = low[d] + random_int(seed, 0, mesh->side[d] / 2);
		}
		for (int i = 0; i < mesh->nnodes; i++) {
			bool inside = true;

			for (int d = 0; d < mesh->ndims; d++) {
				int q = mesh->coord[mesh->vertex_of[i]][d];

				inside &= q >= low[d] && q <= high[d];
			}
			if (inside)
				nodeset_del(set, i);
		}
	}
}

/* The least total over all centres, the lowest vertex first. */
static int64_t look_everywhere(struct point *point, const struct point_search *kind, int *vertex)
{
	int64_t least = INT64_MAX / 4;

	*vertex = -1;
	for (int v = 0; v < point->mesh->nvertices; v++) {
		int64_t total;

		if (!point_is_centre(point, kind, v))
			continue;
		total = point_total(point, v, 0, INT64_MAX / 4);
		if (total < least) {
			least = total;
			*vertex = v;
		}
	}
	return least;
}

static void one_decision(struct point *point, struct nodeset *set, struct nodeset *required,
	uint64_t *seed, const struct machine *m)
{
	struct point_search search = {.free_only = random_int(seed, 0, 3) == 0,
		.cost = INT64_MAX, .total = INT64_MAX, .vertex = -1};
	struct mesh_state state = {.free = set};
	struct mesh_request request = {0};
	int nfree, vertex;
	int64_t least;

	fill(seed, point->mesh, set);
	nfree = nodeset_count(set);
	if (!nfree)
		return;
	request.count = random_int(seed, 0, 1) ? random_int(seed, 1, nfree)
					       : random_int(seed, 1, nfree < 60 ? nfree : 60);
	random_set(seed, required, 1);
	nodeset_and(required, set);
	if (random_int(seed, 0, 4) == 0 && nodeset_count(required) <= request.count)
		request.required = required;
	point_load(point, &state, &request);
	ball_hops(&point->space);
	point_best_hops(point, &search);
	least = look_everywhere(point, &search, &vertex);
	if (search.total != least || search.vertex != vertex)
		fail_msg("%dx%dx%d wrap %u, %d free, k %d: vertex %d total %lld, not %d %lld",
			m->side[0], m->side[1], m->side[2], m->wrap, nfree, request.count,
			search.vertex, (long long)search.total, vertex, (long long)least);
}

/* With holes, and nodes in any order. */
static void finds_it_on_odd_machines(void **state)
{
	(void)state;
	for (struct rounds r = rounds(78, 60); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 2500);
		struct machine m = {
			.ndims = mesh->ndims, .nodes_per_vertex = mesh->nodes_per_vertex};
		struct point point;
		struct nodeset set, required;

		for (int d = 0; d < mesh->ndims; d++) {
			m.side[d] = mesh->side[d];
			m.wrap |= mesh->wrap[d] ? 1u << d : 0;
		}
		assert_false(nodeset_init(&set, mesh->nnodes));
		assert_false(nodeset_init(&required, mesh->nnodes));
		assert_int_equal(point_init(&point, mesh, false, &arena), 0);
		for (int round = 0; round < 5; round++)
			one_decision(&point, &set, &required, &r.seed, &m);
		arena_release(&arena);
		nodeset_release(&set);
		nodeset_release(&required);
		mesh_free(mesh);
	}
}

static void finds_the_best_centre(void **state)
{
	uint64_t seed = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		struct mesh *mesh = make_mesh(m->ndims, m->side, m->wrap, m->nodes_per_vertex);
		struct point point;
		struct nodeset set, required;

		assert_false(nodeset_init(&set, mesh->nnodes));
		assert_false(nodeset_init(&required, mesh->nnodes));
		assert_int_equal(point_init(&point, mesh, false, &arena), 0);
		/* So many nodes take their time. */
		for (int round = 0; round < 15; round += m->nodes_per_vertex > 1000 ? 3 : 1)
			one_decision(&point, &set, &required, &seed, m);
		arena_release(&arena);
		nodeset_release(&set);
		nodeset_release(&required);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_best_centre),
		cmocka_unit_test(finds_it_on_odd_machines),
	};

	return cmocka_run_group_tests_name("point_hops", tests, NULL, NULL);
}
