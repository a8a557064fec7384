/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orderings: every vertex once, one hop a step, closed where they can be; spans.
 */
#include "graph/linkgraph.h"
#include "sim/curve_measure.h"

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

/* Corners that differ in ends: have they a path, by the colours of a chess board? */
static bool colours_fit(const int *side, int ends)
{
	int even = 0, extended = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		even |= (side[d] % 2 == 0) << d;
		extended |= (side[d] > 1) << d;
	}
	if (!extended)
		return !ends;
	return ends && !(ends & ~extended) &&
		(!even || __builtin_popcount((unsigned)(ends & even)) % 2);
}

/*
 * Cut off `cut` of dimension d, one of the ends: the path leaves the near part opposite in d
 * and, say, in the others of `over`, crosses, and goes to the end from there.
 */
static bool cut_fits(const int *side, int ends, int d, int cut)
{
	int low[MESH_MAX_DIMS], high[MESH_MAX_DIMS], others = ends & ~(1 << d);

	memcpy(low, side, sizeof(low));
	memcpy(high, side, sizeof(high));
	low[d] = cut;
	high[d] = side[d] - cut;
	for (int over = 0; over < 1 << MESH_MAX_DIMS; over++)
		if (!(over >> d & 1) && colours_fit(low, over | (cut > 1) << d) &&
			colours_fit(high, (over ^ others) | (high[d] > 1) << d))
			return true;
	return false;
}

static bool some_cut_fits(const int *side, int ends)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		for (int off = -1; off <= 1 && (ends >> d & 1); off++) {
			int cut = side[d] / 2 + off;

			if (cut > 0 && cut < side[d] && cut_fits(side, ends, d, cut))
				return true;
		}
	return false;
}

/*
 * The induction that hilbert.c rests on. All that colours_fit() knows of a side is whether it
 * is 1, even or odd, and cuts near the middle of sides of up to 8 show all that there is.
 */
static void parity_is_enough(void **state)
{
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, d = 0, boxes_seen = 0;

	(void)state;
	while (d >= 0) {
		boxes_seen++;
		for (int ends = 1; ends < 1 << MESH_MAX_DIMS; ends++)
			if (colours_fit(side, ends))
				assert_true(some_cut_fits(side, ends));
		/* The next one with descending sides. */
		for (d = MESH_MAX_DIMS - 1; d >= 0 && side[d] == (d ? side[d - 1] : 8); d--)
			side[d] = 1;
		if (d >= 0)
			side[d]++;
	}
	assert_int_equal(boxes_seen, 1716); /* multisets of 6 out of 8 */
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
	span = curve_rank_span(NULL, 0, 10);
	assert_int_equal(span.ring, 0);
}

/* Of nodes along any order, as of their ranks. */
static void node_spans(void **state)
{
	struct mesh *mesh = make_mesh(2, (const int[]){3, 2}, 0, 2);
	static const int order[] = {5, 4, 3, 0, 1, 2};
	struct curve_span span;

	(void)state;
	/* Vertices 3 and 2: ranks 4 and 10 of twelve nodes. */
	assert_int_equal(curve_node_span(mesh, order, (const int[]){6, 4}, 2, &span), 0);
	assert_int_equal(span.linear, 7);
	assert_int_equal(span.ring, 7);
	assert_string_equal(curve_name(CURVE_ROW), "row");
	assert_null(curve_name(CURVES));
	mesh_free(mesh);
}

/* The order of a file is that of a machine of cables, too. */
static void own_order(void **state)
{
	static const int given[] = {2, 0, 1};
	const struct mesh_spec spec = {.name = "m", .ndims = 1, .side = {3}, .nnodes = 3,
		.nodes_per_vertex = 1, .order = given, .cabled = true};
	static const struct linkgraph_cable cable = {.vertex = {0, 2}, .weight = 1};
	struct mesh *mesh = mesh_new(&spec, NULL);
	int order[3];

	(void)state;
	assert_int_equal(linkgraph_join(&mesh, 1, &cable, 1, NULL), 0);
	assert_int_equal(curve_fill(mesh, CURVE_MESH, order), 0);
	assert_memory_equal(order, given, sizeof(order));
	assert_int_equal(curve_fill(mesh, CURVE_HILBERT, order), 0);
	assert_int_not_equal(order[1], 1); /* no cable goes there */
	assert_int_equal(curve_fill(mesh, CURVE_ROW, order), 0);
	assert_int_equal(order[1], 1);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parity_is_enough),
		cmocka_unit_test(boxes),
		cmocka_unit_test(spans),
		cmocka_unit_test(node_spans),
		cmocka_unit_test(own_order),
	};

	return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
