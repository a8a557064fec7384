/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/box.h"

#include <stdlib.h>

#include "support.h"

static bool inside(const struct mesh *mesh, const struct mesh_box *hull, int v)
{
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d];

		if ((mesh->coord[v][d] - hull->base[d] + side) % side >= hull->side[d])
			return false;
	}
	return true;
}

/* By definition: v is on a minimal route between a and b if the detour over it costs nothing. */
static bool crosses(const struct mesh *mesh, int a, int v, int b)
{
	return mesh_hops(mesh, a, v) + mesh_hops(mesh, v, b) == mesh_hops(mesh, a, b);
}

static void no_route_leaves(void **state)
{
	(void)state;
	for (struct rounds r = rounds(7, 300); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 3, 100);
		int n = random_int(&r.seed, 1, mesh->nnodes < 6 ? mesh->nnodes : 6);
		int *node = calloc((size_t)n, sizeof(*node));
		struct mesh_box hull;

		for (int i = 0; i < n; i++)
			node[i] = random_int(&r.seed, 0, mesh->nnodes - 1);
		hull = box_of_routes(mesh, node, n);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				for (int v = 0; v < mesh->nvertices; v++)
					if (crosses(mesh, mesh->vertex_of[node[i]], v,
						    mesh->vertex_of[node[j]]))
						assert_true(inside(mesh, &hull, v));
		free(node);
		mesh_free(mesh);
	}
}

static void removes_what_is_inside(void **state)
{
	(void)state;
	for (struct rounds r = rounds(8, 300); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 100);
		int node[2] = {random_int(&r.seed, 0, mesh->nnodes - 1),
			random_int(&r.seed, 0, mesh->nnodes - 1)};
		struct mesh_box hull;
		struct nodeset set;

		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		nodeset_set_all(&set);
		hull = box_of_routes(mesh, node, 2);
		box_remove(mesh, &hull, &set);
		for (int i = 0; i < mesh->nnodes; i++)
			assert_int_equal(nodeset_has(&set, i),
				!inside(mesh, &hull, mesh->vertex_of[i]));
		nodeset_release(&set);
		mesh_free(mesh);
	}
}

static void tight(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){10}, 1, 1);
	struct mesh_box hull;

	(void)state;
	hull = box_of_routes(mesh, (int[]){9, 1}, 2);
	assert_int_equal(hull.base[0], 9);
	assert_int_equal(hull.side[0], 3);
	/* Half way round: both ways are minimal. */
	hull = box_of_routes(mesh, (int[]){1, 6}, 2);
	assert_int_equal(hull.side[0], 10);
	hull = box_of_routes(mesh, (int[]){4}, 1);
	assert_int_equal(hull.base[0], 4);
	assert_int_equal(hull.side[0], 1);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_route_leaves),
		cmocka_unit_test(removes_what_is_inside),
		cmocka_unit_test(tight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
