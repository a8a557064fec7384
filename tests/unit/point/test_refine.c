/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local improvement of sets that are large enough for lists of the best ends, from bad ones on: it
 * must be what looking at all pairs of nodes for each swap comes to.
 */
#include <stdlib.h>

#include "geometry/metrics.h"
#include "point/refine.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static const struct machine {
	int ndims, side[MESH_MAX_DIMS];
	unsigned wrap;
	int nodes_per_vertex, busy, count;
} machines[] = {
	{3, {14, 13, 12}, 0, 1, 20, 900},
	{3, {13, 13, 13}, 7, 1, 30, 700},
	{2, {50, 40}, 1, 1, 20, 800},
	{1, {1500}, 1, 1, 10, 650},
	{2, {60, 60}, 3, 1, 10, 1500},
	{2, {30, 30}, 0, 2, 30, 600},
	{1, {1500}, 0, 1, 10, 500},
	{4, {7, 6, 7, 6}, 5, 1, 0, 860},
	{3, {8, 8, 8}, 0, 1, 30, 40},
	{2, {3, 3}, 0, 1, 0, 9},
};

/* Hops from each node to all chosen. */
static void measure(const struct mesh *mesh, const struct nodeset *chosen, int64_t *far)
{
	for (int i = 0; i < mesh->nnodes; i++) {
		far[i] = 0;
		nodeset_each(j, chosen)
			far[i] += mesh_hops(mesh, mesh->vertex_of[i], mesh->vertex_of[j]);
	}
}

struct sets {
	struct nodeset free, required, chosen;
};

/* The swap that gains most, the lowest nodes first; 0: none gains. */
static int64_t plain_swap(
	const struct mesh *mesh, const struct sets *sets, const int64_t *far, int *best)
{
	const struct nodeset *free_set = &sets->free, *chosen = &sets->chosen;
	int64_t most = 0, nearest = INT64_MAX, across = 0;

	for (int d = 0; d < mesh->ndims; d++)
		across += mesh->side[d];
	nodeset_each(j, free_set)
		if (!nodeset_has(chosen, j) && far[j] < nearest)
			nearest = far[j];
	nodeset_each(i, chosen) {
		if (nodeset_has(&sets->required, i) || nearest == INT64_MAX ||
			far[i] - nearest + across <= most)
			continue;
		nodeset_each(j, free_set) {
			int64_t gain = far[i] - far[j];

			if (gain + across <= most || nodeset_has(chosen, j))
				continue;
			gain += mesh_hops(mesh, mesh->vertex_of[i], mesh->vertex_of[j]);
			if (gain > most) {
				most = gain;
				best[0] = i;
				best[1] = j;
			}
		}
	}
	return most;
}

static int64_t plain_refine(const struct mesh *mesh, struct sets *sets)
{
	int64_t *far = malloc((size_t)mesh->nnodes * sizeof(*far)), gain, sum = 0;
	int swap[2];

	assert_non_null(far);
	measure(mesh, &sets->chosen, far);
	while ((gain = plain_swap(mesh, sets, far, swap)) > 0) {
		nodeset_del(&sets->chosen, swap[0]);
		nodeset_add(&sets->chosen, swap[1]);
		for (int i = 0; i < mesh->nnodes; i++)
			far[i] += mesh_hops(mesh, mesh->vertex_of[i], mesh->vertex_of[swap[1]]) -
				mesh_hops(mesh, mesh->vertex_of[i], mesh->vertex_of[swap[0]]);
		sum += gain;
	}
	free(far);
	return sum;
}

/* Free nodes here and there, and some required. */
static int pick(uint64_t *seed, struct sets *sets, int wanted, int *node)
{
	int have = 0, left = nodeset_count(&sets->free);

	nodeset_clear_all(&sets->chosen);
	nodeset_clear_all(&sets->required);
	nodeset_each(i, &sets->free)
		if (random_int(seed, 1, left--) <= wanted - have) {
			nodeset_add(&sets->chosen, i);
			node[have++] = i;
			if (random_int(seed, 0, 99) == 0)
				nodeset_add(&sets->required, i);
		}
	return have;
}

static void one_machine(const struct machine *m, uint64_t *seed)
{
	struct mesh *mesh = make_mesh(m->ndims, m->side, m->wrap, m->nodes_per_vertex);
	struct sets sets;
	struct nodeset found;
	struct mesh_state state = {.free = &sets.free};
	struct refine refine;
	int *node = malloc((size_t)mesh->nnodes * sizeof(*node)), count;
	struct refine_set set = {.state = &state, .required = &sets.required, .node = node};
	int64_t before, gained;

	assert_false(nodeset_init(&sets.free, mesh->nnodes) ||
		nodeset_init(&sets.chosen, mesh->nnodes) ||
		nodeset_init(&sets.required, mesh->nnodes) || nodeset_init(&found, mesh->nnodes));
	assert_int_equal(refine_init(&refine, mesh, &arena), 0);
	random_set(seed, &sets.free, 100 - m->busy);
	set.count = count = pick(seed, &sets, m->count, node);
	before = set.total = mesh_pairwise_hops(mesh, node, count);
	assert_true(refine_run(&refine, &set));
	gained = plain_refine(mesh, &sets);
	assert_true(set.total == before - gained);
	assert_true(set.total == mesh_pairwise_hops(mesh, node, count));
	for (int i = 0; i < count; i++)
		nodeset_add(&found, node[i]);
	assert_true(nodeset_equal(&found, &sets.chosen));
	arena_release(&arena);
	nodeset_release(&sets.free);
	nodeset_release(&sets.chosen);
	nodeset_release(&sets.required);
	nodeset_release(&found);
	free(node);
	mesh_free(mesh);
}

static void swaps_the_best(void **state)
{
	uint64_t seed = 17;

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		one_machine(&machines[i], &seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swaps_the_best),
	};

	return cmocka_run_group_tests_name("refine", tests, NULL, NULL);
}
