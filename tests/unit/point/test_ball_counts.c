/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Balls of all vertices, radius after radius, against counting them one by one.
 */
#include <stdlib.h>

#include "point/ball_counts.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static const struct machine {
	int ndims, side[MESH_MAX_DIMS];
	unsigned wrap;
} machines[] = {
	{1, {40}, 0}, {1, {21}, 1}, {1, {40}, 1}, {1, {150}, 1}, {1, {1}, 0}, {1, {1}, 1},
	{2, {17, 9}, 0}, {2, {9, 16}, 1}, {2, {16, 8}, 2}, {2, {7, 6}, 3}, {2, {1, 5}, 3},
	{3, {5, 6, 7}, 0}, {3, {8, 8, 8}, 7}, {3, {4, 5, 6}, 7}, {3, {18, 3, 2}, 5},
	{3, {33, 2, 4}, 3}, {4, {3, 4, 5, 3}, 9}, {5, {4, 3, 3, 4, 2}, 31},
	{6, {3, 2, 3, 2, 3, 2}, 42},
};

/* Free nodes within radius hops of v in the plane where dimension `across` is at v's, or in all. */
static int count(const struct mesh *mesh, const int *weight, int v, int across, int radius)
{
	int n = 0;

	for (int w = 0; w < mesh->nvertices; w++)
		if ((across < 0 || mesh->coord[w][across] == mesh->coord[v][across]) &&
			mesh_hops(mesh, v, w) <= radius)
			n += weight[w];
	return n;
}

static int look_up(const struct ball_counts_view *view, int radius, int row, int x)
{
	return view->at[(ptrdiff_t)((size_t)radius * view->size + (size_t)row * view->pitch) + x];
}

static void check_radius(const struct ball_counts *balls, const int *weight, int radius)
{
	const struct mesh *mesh = balls->mesh;
	int side = mesh->side[0];

	for (int i = 0; i < balls->grid.nvertices; i++) {
		int row = i / side, x = i % side, v = ball_counts_vertex(balls, row) + x;

		if (radius < balls->whole_to)
			assert_int_equal(look_up(&balls->ball, radius, row, x),
				count(mesh, weight, v, -1, radius));
		for (int d = 0; d < mesh->ndims; d++)
			assert_int_equal(look_up(&balls->slice[d], radius, row, x),
				count(mesh, weight, v, d, radius));
	}
	/* Slices across dimension 0, and the nodes themselves, beyond the ends of the rows. */
	for (int row = 0; row < balls->grid.nvertices / side; row++)
		for (int i = -balls->wide; i < side + balls->wide; i++) {
			int x = (i + 2 * side * balls->wide) % side;
			int v = ball_counts_vertex(balls, row) + x;
			bool none = !mesh->wrap[0] && (i < 0 || i >= side);

			assert_int_equal(balls->weight.at[row * (ptrdiff_t)balls->weight.pitch + i],
				none ? 0 : weight[v]);
			if (i < -balls->below || i >= side + balls->above)
				continue;
			assert_int_equal(look_up(&balls->slice[0], radius, row, i),
				none ? 0 : count(mesh, weight, v, 0, radius));
		}
}

static int low[MESH_MAX_DIMS], high[MESH_MAX_DIMS];

/* Free nodes in a part of the mesh, low[] to high[], or everywhere. */
static void fill_part(const struct mesh *mesh, int *weight, bool everywhere, uint64_t *seed)
{
	for (int d = 0; d < mesh->ndims; d++) {
		int last = mesh->side[d] - 1;

		low[d] = everywhere ? 0 : random_int(seed, 0, last);
		high[d] = everywhere ? last : random_int(seed, low[d], last);
	}
	for (int v = 0; v < mesh->nvertices; v++) {
		bool in = true;

		for (int d = 0; d < mesh->ndims; d++)
			in &= mesh->coord[v][d] >= low[d] && mesh->coord[v][d] <= high[d];
		weight[v] = in ? random_int(seed, 0, 3) : 0;
	}
}

static void counts_balls(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		struct mesh *mesh = make_mesh(m->ndims, m->side, m->wrap, 3);
		struct ball_counts balls;
		int *weight = calloc((size_t)mesh->nvertices, sizeof(int));

		assert_int_equal(ball_counts_init(&balls, mesh, &arena), 0);
		for (int round = 0; round < 3; round++) {
			fill_part(mesh, weight, round == 1, &seed);
			ball_counts_load(&balls, weight, low, high);
			for (int radius = 0; radius < balls.most; radius++) {
				ball_counts_extend(&balls, radius);
				check_radius(&balls, weight, radius);
			}
		}
		free(weight);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* Counts are of 16 bits: larger balls are not kept. */
static void stops_before_counts_overflow(void **state)
{
	static const int side[] = {40, 40, 40};
	struct mesh *mesh = make_mesh(3, side, 0, 30);
	struct ball_counts balls;
	int *weight = calloc((size_t)mesh->nvertices, sizeof(int)), most;

	(void)state;
	assert_int_equal(ball_counts_init(&balls, mesh, &arena), 0);
	assert_true(balls.whole_to > 5 && balls.whole_to < balls.most);
	for (int v = 0; v < mesh->nvertices; v++)
		weight[v] = 30;
	ball_counts_load(&balls, weight, (int[]){0, 0, 0}, (int[]){39, 39, 39});
	ball_counts_extend(&balls, 100);
	most = balls.whole_to - 1;
	/* An octahedron's volume, in the middle of the mesh. */
	assert_int_equal(look_up(&balls.ball, most, 20 * 40 + 20, 20),
		30 * ((4 * most * most * most + 6 * most * most + 8 * most + 3) / 3));
	free(weight);
	arena_release(&arena);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_balls),
		cmocka_unit_test(stops_before_counts_overflow),
	};

	return cmocka_run_group_tests_name("ball_counts", tests, NULL, NULL);
}
