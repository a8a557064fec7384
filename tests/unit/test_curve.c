/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orderings: every vertex once, one hop a step, closed where they can be; spans.
 */
#include "curve.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

static int *filled(const struct mesh *mesh, enum curve curve)
{
	int *order = malloc((size_t)mesh->nvertices * sizeof(*order));

	assert_non_null(order);
	memset(order, 0xff, (size_t)mesh->nvertices * sizeof(*order));
	assert_int_equal(curve_fill(mesh, curve, order), 0);
	return order;
}

static void check_bijection(const struct mesh *mesh, const int *order)
{
	char *seen = calloc((size_t)mesh->nvertices, 1);

	assert_non_null(seen);
	for (int i = 0; i < mesh->nvertices; i++) {
		assert_in_range(order[i], 0, mesh->nvertices - 1);
		assert_int_equal(seen[order[i]]++, 0);
	}
	free(seen);
}

static void check_box(int ndims, const int *side, unsigned wrap)
{
	struct mesh *mesh = make_mesh(ndims, side, wrap, 1);
	int extended = 0, wrapped = 0;

	for (int d = 0; d < ndims; d++) {
		extended += side[d] > 1;
		wrapped += side[d] > 1 && mesh->wrap[d];
	}
	for (enum curve curve = 0; curve < CURVES; curve++) {
		int *order = filled(mesh, curve);
		struct curve_quality q;

		check_bijection(mesh, order);
		assert_int_equal(curve_measure(mesh, order, &q), 0);
		if (curve != CURVE_ROW && mesh->nvertices > 1) {
			assert_int_equal(q.longest_step, 1);
			assert_int_equal(q.long_steps, 0);
		}
		/* A cycle needs two colours of equal size, or an odd way round. */
		if (curve == CURVE_RING && mesh->nvertices > 1 &&
			(wrapped || (extended > 1 && mesh->nvertices % 2 == 0)))
			assert_int_equal(q.closing_step, 1);
		free(order);
	}
	mesh_free(mesh);
}

static void boxes(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int x = 1; x <= 21; x++)
		for (int y = 1; y <= 21; y++)
			check_box(2, (int[]){x, y}, (unsigned)random_int(&seed, 0, 3));
	for (int x = 1; x <= 9; x++)
		for (int y = 1; y <= 9; y++)
			for (int z = 1; z <= 9; z++)
				check_box(3, (int[]){x, y, z}, (unsigned)random_int(&seed, 0, 7));
	for (int round = 0; round < 150; round++) {
		int side[MESH_MAX_DIMS], ndims = random_int(&seed, 1, 6), n = 1;

		for (int d = 0; d < ndims; d++) {
			side[d] = random_int(&seed, 1, 4000 / n < 11 ? 4000 / n : 11);
			n *= side[d];
		}
		check_box(ndims, side, (unsigned)random_int(&seed, 0, 63));
	}
}

static void spans(void **state)
{
	struct curve_span span = curve_rank_span((const int[]){0, 1, 9}, 3, 10);

	(void)state;
	assert_int_equal(span.linear, 10);
	assert_int_equal(span.ring, 3);
	assert_true(span.stretch == 1.0);
	span = curve_rank_span((const int[]){2, 5}, 2, 10);
	assert_int_equal(span.linear, 4);
	assert_int_equal(span.ring, 4);
	span = curve_rank_span((const int[]){7}, 1, 10);
	assert_int_equal(span.linear, 1);
	assert_int_equal(span.ring, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes),
		cmocka_unit_test(spans),
	};

	return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
