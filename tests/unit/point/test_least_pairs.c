/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bounds of totals against all sets of a shell's nodes.
 */
#include <limits.h>
#include <stdlib.h>

#include "point/least_pairs.h"
#include "support.h"

#define NODES_MOST 18

static const struct machine {
	int ndims, side[MESH_MAX_DIMS];
	unsigned wrap;
	int nodes_per_vertex;
} machines[] = {
	{1, {30}, 0, 1}, {1, {9}, 1, 3}, {2, {9, 9}, 0, 1}, {2, {6, 7}, 3, 1}, {2, {9, 8}, 0, 2},
	{3, {9, 9, 9}, 0, 1}, {3, {4, 6, 5}, 7, 1}, {3, {5, 5, 5}, 0, 2}, {4, {5, 5, 5, 5}, 0, 1},
	{5, {3, 2, 3, 2, 3}, 31, 1}, {3, {1, 9, 9}, 0, 1},
};

/* The nodes at exactly radius hops from the vertex in the middle. */
static int list_nodes(const struct mesh *mesh, int radius, int *node)
{
	int middle[MESH_MAX_DIMS], n = 0;

	for (int d = 0; d < mesh->ndims; d++)
		middle[d] = mesh->side[d] / 2;
	int centre = mesh_vertex(mesh, middle);

	for (int i = 0; i < mesh->nnodes; i++)
		if (mesh_hops(mesh, centre, mesh->vertex_of[i]) == radius) {
			if (n == NODES_MOST)
				return 0;
			node[n++] = i;
		}
	return n;
}

/* The least totals of all sets of these nodes, by their size. */
static void least_totals(const struct mesh *mesh, const int *node, int n, int *least)
{
	int *total = calloc((size_t)1 << n, sizeof(int));

	for (int t = 0; t <= n; t++)
		least[t] = t < 2 ? 0 : INT_MAX;
	for (unsigned set = 1; set < 1u << n; set++) {
		unsigned rest = set & (set - 1);
		int first = __builtin_ctz(set), size = __builtin_popcount(set);

		total[set] = total[rest];
		for (unsigned left = rest; left; left &= left - 1)
			total[set] += mesh_hops(mesh, mesh->vertex_of[node[first]],
				mesh->vertex_of[node[__builtin_ctz(left)]]);
		least[size] = total[set] < least[size] ? total[set] : least[size];
	}
	free(total);
}

static void never_too_high(void **state)
{
	int exact = 0, all = 0; /* of all nodes of one hop */

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		struct mesh *mesh = make_mesh(m->ndims, m->side, m->wrap, m->nodes_per_vertex);
		struct arena arena = {0};
		float *bound = least_pairs_new(mesh, &arena);
		int node[NODES_MOST], least[NODES_MOST + 1];

		assert_non_null(bound);
		for (int radius = 0; radius < 5; radius++) {
			int n = list_nodes(mesh, radius, node);

			least_totals(mesh, node, n, least);
			for (int t = 0; t <= n; t++) {
				assert_true(bound[t] <= (float)least[t]);
				all += radius == 1;
				exact += radius == 1 && (int)bound[t] == least[t];
			}
		}
		arena_release(&arena);
		mesh_free(mesh);
	}
	/* And of the smallest shells many are as high as can be. */
	if (exact * 3 <= all)
		fail_msg("%d of %d bounds are exact", exact, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_too_high),
	};

	return cmocka_run_group_tests_name("least_pairs", tests, NULL, NULL);
}
