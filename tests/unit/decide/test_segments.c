/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

struct asked {
	struct mesh *mesh;
	struct nodeset free, *required;
	struct mesh_shape shape;
	struct mesh_answer answer;
	enum mesh_result result;
};

static void ask(struct asked *a, const char *name, int count, int segment)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), a->mesh, &err);
	struct mesh_state state = {.free = &a->free};
	struct mesh_request request = {.count = count, .segment = segment, .shape = a->shape,
		.required = a->required};

	assert_non_null(strategy);
	if (!a->answer.node)
		a->answer.node = malloc((size_t)a->mesh->nnodes * sizeof(int));
	a->result = strategy_decide(strategy, &state, &request, &a->answer);
	strategy_free(strategy);
}

static void idle(struct asked *a, int ndims, const int *side, unsigned wrap)
{
	*a = (struct asked){.mesh = make_mesh(ndims, side, wrap, 1)};
	assert_false(nodeset_init(&a->free, a->mesh->nnodes));
	nodeset_set_all(&a->free);
}

static void done(struct asked *a)
{
	free(a->answer.node);
	nodeset_release(&a->free);
	mesh_free(a->mesh);
}

/* Boxes tile the idle machine wherever their sides can. */
static void test_tiles(void **unused)
{
	static const char *const names[] = {"bf", "ff", "snug-box"};
	struct asked a;

	(void)unused;
	idle(&a, 3, (const int[]){4, 4, 4}, 7);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (int segment = 2; segment <= 32; segment *= 2) {
			ask(&a, names[i], 64, segment);
			assert_int_equal(a.result, MESH_OK);
			assert_int_equal(a.answer.count, 64);
		}
	done(&a);
	idle(&a, 2, (const int[]){8, 8}, 0);
	ask(&a, "bf", 64, 8);
	assert_int_equal(a.result, MESH_OK);
	/* Links that somebody will mend. */
	random_links(&(uint64_t){1}, a.mesh, 5, 0);
	a.shape.any_links = true;
	ask(&a, "bf", 64, 8);
	assert_int_equal(a.result, MESH_OK);
	done(&a);
}

/* Every whole mesh is filled by segments of every shape that tiles it. */
static void test_fills(void **unused)
{
	(void)unused;
	for (int x = 1; x <= 9; x++)
		for (int y = 1; y <= x; y++)
			for (int part = 1; part < x * y; part++) {
				struct asked a;
				bool tiles = false;

				for (int i = 1; i <= part; i++)
					tiles |= part % i == 0 && x % i == 0 && y % (part / i) == 0;
				if (!tiles)
					continue;
				idle(&a, 2, (const int[]){x, y}, 0);
				ask(&a, "bf", x * y, part);
				assert_int_equal(a.result, MESH_OK);
				done(&a);
			}
}

static void add_box(struct asked *a, int x, int y, int width)
{
	for (int i = 0; i < 4; i++)
		nodeset_add(&a->free, x + i % width + a->mesh->side[0] * (y + i / width));
}

/* The roundest boxes come first. */
static void test_round(void **unused)
{
	static const int boxes[] = {5, 6, 13, 14, 21, 22, 29, 30};
	struct asked a;

	(void)unused;
	idle(&a, 2, (const int[]){8, 4}, 0);
	nodeset_clear_all(&a.free);
	for (int y = 0; y < 4; y += 2) {
		add_box(&a, 0, y, 4);
		add_box(&a, 5, y, 2);
	}
	ask(&a, "bf", 8, 4);
	assert_int_equal(a.result, MESH_OK);
	assert_memory_equal(a.answer.node, boxes, sizeof(boxes));
	done(&a);
}

/* The second segment, a row, is near the first, a box, unless it would be less compact there. */
static void test_near(void **unused)
{
	static const int single[][2] = {{12, 0}, {12, 2}, {10, 1}, {10, 3}, {8, 0}};
	struct asked a;

	(void)unused;
	idle(&a, 2, (const int[]){16, 6}, 0);
	nodeset_clear_all(&a.free);
	for (int i = 0; i < 5; i++)
		nodeset_add(&a.free, single[i][0] + 16 * single[i][1]);
	add_box(&a, 14, 0, 2);
	add_box(&a, 0, 5, 4);
	ask(&a, "mm", 8, 4);
	assert_int_equal(a.result, MESH_OK);
	assert_int_equal(a.answer.node[0], 14);
	assert_int_equal(a.answer.node[4], 5 * 16);
	nodeset_del(&a.free, 8);
	add_box(&a, 12, 5, 4);
	ask(&a, "mm", 8, 4);
	assert_int_equal(a.answer.node[0], 14);
	assert_int_equal(a.answer.node[4], 5 * 16 + 12);
	done(&a);
}

/* Two boxes that are free and nothing else of a box's size; no single box of their sum. */
static void test_two_boxes(void **unused)
{
	static const int boxes[] = {0, 1, 4, 5, 10, 11, 14, 15};
	struct asked a;

	(void)unused;
	idle(&a, 2, (const int[]){4, 4}, 0);
	nodeset_clear_all(&a.free);
	for (int i = 0; i < 8; i++)
		nodeset_add(&a.free, boxes[i]);
	nodeset_add(&a.free, 3);
	nodeset_add(&a.free, 12);
	ask(&a, "bf", 8, 0);
	assert_int_equal(a.result, MESH_NO_FIT);
	ask(&a, "bf", 8, 4);
	assert_int_equal(a.result, MESH_OK);
	assert_memory_equal(a.answer.node, boxes, sizeof(boxes));
	ask(&a, "mm", 8, 4);
	assert_int_equal(a.result, MESH_OK);
	assert_memory_equal(a.answer.node, boxes, sizeof(boxes));
	ask(&a, "bf", 8, 3);
	assert_int_equal(a.result, MESH_NEVER);
	assert_string_equal(a.answer.err.text, "segments of 3 nodes do not make 8");
	done(&a);
}

/* Any strategy, any machine: as many free nodes as were wanted, each once. */
static void test_any(void **unused)
{
	(void)unused;
	for (struct rounds r = rounds(7, 40); rounds_next(&r);) {
		struct asked a = {.mesh = random_mesh(&r.seed, 3, 64)};
		const struct strategy_ops *ops;
		struct nodeset got = {0};

		assert_false(nodeset_init(&a.free, a.mesh->nnodes) ||
			nodeset_init(&got, a.mesh->nnodes));
		random_set(&r.seed, &a.free, 70);
		for (int i = 0; (ops = strategy_at(i)); i++) {
			int segment = random_int(&r.seed, 1, 5);
			int count = segment * random_int(&r.seed, 2, 4);

			ask(&a, ops->name, count, segment);
			if (a.result != MESH_OK) {
				assert_int_equal(a.answer.count, 0);
				continue;
			}
			nodeset_clear_all(&got);
			for (int k = 0; k < a.answer.count; k++)
				nodeset_add(&got, a.answer.node[k]);
			assert_int_equal(nodeset_count(&got), count);
			assert_true(nodeset_subset(&got, &a.free));
		}
		nodeset_release(&got);
		done(&a);
	}
}

/* The shape is the whole job's, the segments are inside. */
static void test_shape(void **unused)
{
	static const int six[] = {0, 1, 2, 4, 5, 6};
	struct asked a;

	(void)unused;
	idle(&a, 2, (const int[]){4, 4}, 0);
	a.shape = (struct mesh_shape){.ndims = 2, .side = {4, 2}};
	ask(&a, "bf", 8, 4);
	assert_int_equal(a.result, MESH_OK);
	ask(&a, "bf", 6, 3);
	assert_int_equal(a.result, MESH_OK);
	assert_memory_equal(a.answer.node, six, sizeof(six));
	a.shape = (struct mesh_shape){.ndims = 2, .side = {2, 2}};
	ask(&a, "bf", 4, 2);
	assert_int_equal(a.result, MESH_OK);
	assert_int_equal(a.answer.node[2], 4);
	ask(&a, "bf", 8, 2);
	assert_int_equal(a.result, MESH_NEVER);
	a.shape = (struct mesh_shape){.ndims = 2, .side = {3, 3}};
	ask(&a, "bf", 8, 4);
	assert_int_equal(a.result, MESH_NEVER);
	done(&a);
}

/* Each required node is in a segment. Too far from each other for boxes they are in none. */
static void test_required(void **unused)
{
	struct asked a;
	struct nodeset required = {0};

	(void)unused;
	idle(&a, 2, (const int[]){8, 8}, 0);
	assert_false(nodeset_init(&required, 64));
	a.required = &required;
	nodeset_add(&required, 0);
	nodeset_add(&required, 63);
	for (int i = 0; i < 2; i++) {
		ask(&a, i ? "ff" : "mm", 8, 4);
		assert_int_equal(a.result, MESH_OK);
		assert_int_equal(a.answer.node[0], 0);
		assert_int_equal(a.answer.node[7], 63);
	}
	nodeset_add(&required, 7); /* three corners, and two segments */
	ask(&a, "mm", 8, 4);
	assert_int_equal(a.result, MESH_NO_FIT);
	assert_int_equal(a.answer.count, 0);
	nodeset_release(&required);
	done(&a);
}

/* There are more boxes of 144 vertices than are tried. */
static void test_many_shapes(void **unused)
{
	struct asked a;

	(void)unused;
	idle(&a, 6, (const int[]){6, 6, 4, 4, 4, 4}, 0);
	ask(&a, "ff", 288, 144);
	assert_int_equal(a.result, MESH_OK);
	assert_int_equal(a.answer.count, 288);
	done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_tiles),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_two_boxes),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_required),
		cmocka_unit_test(test_many_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
