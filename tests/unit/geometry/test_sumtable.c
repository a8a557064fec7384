/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Summed-area tables against sums vertex by vertex, over the edge too.
 */
#include <stdlib.h>

#include "geometry/sumtable.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static void check_boxes(struct sumtable *table, const uint32_t *value, uint64_t *seed)
{
	const struct mesh *mesh = table->mesh;
	int reach[MESH_MAX_DIMS], base[MESH_MAX_DIMS] = {0}, side[MESH_MAX_DIMS];
	struct sumtable_box box;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		reach[d] = random_int(seed, 1, mesh->side[d]);
	sumtable_build(table, value, reach);
	for (int round = 0; round < 20; round++) {
		for (int d = 0; d < mesh->ndims; d++) {
			int longest = reach[d];

			base[d] = random_int(seed, 0, mesh->side[d] - 1);
			if (!mesh->wrap[d] && longest > mesh->side[d] - base[d])
				longest = mesh->side[d] - base[d];
			side[d] = random_int(seed, 1, longest);
		}
		/* And the box with its faces in one dimension. */
		int d = random_int(seed, 0, mesh->ndims - 1);

		if (random_int(seed, 0, 1) && !(mesh->wrap[d] && side[d] == mesh->side[d])) {
			base[d]--;
			side[d] += 2;
		}
		sumtable_box(table, side, &box);
		assert_int_equal(sumtable_get(table, &box, sumtable_at(table, base)),
			plain_box_sum(mesh, value, base, side));
	}
}

static void sums(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 400); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 6, 400);
		uint32_t *value = malloc((size_t)mesh->nvertices * sizeof(*value));
		struct sumtable table;

		assert_int_equal(sumtable_init(&table, mesh, &arena), 0);
		for (int v = 0; v < mesh->nvertices; v++)
			value[v] = (uint32_t)random_next(&r.seed);
		check_boxes(&table, value, &r.seed);
		arena_release(&arena);
		free(value);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
	};

	return cmocka_run_group_tests_name("sumtable", tests, NULL, NULL);
}
