/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every strategy is spared, and what none may answer: a strategy of a site may answer
 * anything. The one here answers what it is told to.
 */
#include "decide/strategy_decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "graph/linkgraph.h"
#include "support.h"

static struct {
	enum mesh_result result;
	int count, node[16], by_rank[16];
	bool ranked, late;
	const char *text;
	int asked;
} told;

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	(void)strategy;
	(void)state;
	(void)request;
	told.asked++;
	answer->count = told.count;
	memcpy(answer->node, told.node, sizeof(told.node));
	if (answer->by_rank)
		memcpy(answer->by_rank, told.by_rank, sizeof(told.by_rank));
	answer->ranked = told.ranked;
	answer->out_of_time = told.late;
	if (told.text)
		err_printf(&answer->err, "%s", told.text);
	return told.result;
}

/* The box, and nothing in it. */
static enum mesh_result decide_once(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	enum mesh_result result = decide(strategy, state, request, answer);

	return told.asked == 1 ? result : MESH_NO_FIT;
}

static struct strategy_ops ops = {.name = "told", .decide = decide};

struct question {
	struct mesh *mesh;
	struct nodeset free, usable, required;
	struct mesh_request request;
	struct mesh_answer answer;
	int node[16], by_rank[16];
};

static struct question q;

static int open_machine(void **state)
{
	(void)state;
	memset(&q, 0, sizeof(q));
	memset(&told, 0, sizeof(told));
	ops.flags = 0;
	q.mesh = make_mesh(2, (const int[]){4, 4}, 0, 1);
	assert_false(nodeset_init(&q.free, 16) || nodeset_init(&q.usable, 16) ||
		nodeset_init(&q.required, 16));
	nodeset_set_all(&q.free);
	nodeset_set_all(&q.usable);
	nodeset_del(&q.free, 15);
	q.request.count = 3;
	told.count = 3;
	memcpy(told.node, (const int[]){7, 2, 4}, 3 * sizeof(int));
	q.answer.node = q.node;
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	nodeset_release(&q.free);
	nodeset_release(&q.usable);
	nodeset_release(&q.required);
	mesh_free(q.mesh);
	return 0;
}

static enum mesh_result ask(void)
{
	struct strategy *strategy = strategy_new(&ops, q.mesh, NULL);
	const struct mesh_state state = {.free = &q.free, .usable = &q.usable};
	enum mesh_result result;

	assert_non_null(strategy);
	*q.answer.err.text = '\0';
	result = strategy_decide(strategy, &state, &q.request, &q.answer);
	strategy_free(strategy);
	return result;
}

static void sorted(void **state)
{
	(void)state;
	assert_int_equal(ask(), MESH_OK);
	assert_memory_equal(q.node, ((const int[]){2, 4, 7}), 3 * sizeof(int));
	nodeset_add(&q.required, 4);
	q.request.required = &q.required;
	assert_int_equal(ask(), MESH_OK);
	assert_string_equal(mesh_result_name(MESH_OK), "ok");
	assert_string_equal(mesh_result_name(MESH_ERROR), "error");
}

/* The answer counts for nothing then, and the text says who answered so. */
static void expect_wrong(const char *text)
{
	assert_int_equal(ask(), MESH_ERROR);
	assert_string_equal(q.answer.err.text, text);
	assert_int_equal(q.answer.count, 0);
}

static void wrong_answers(void **state)
{
	(void)state;
	told.count = 2;
	expect_wrong("told chose 2 nodes, not 3");
	told.count = 4;
	expect_wrong("told chose 4 nodes, not 3");
	told.count = 3;
	told.node[1] = 7;
	expect_wrong("told chose a node twice");
	told.node[1] = 15;
	expect_wrong("told chose a node that is not free");
	told.node[1] = 16;
	expect_wrong("told chose a node that is not free");
	told.node[1] = -1;
	expect_wrong("told chose a node that is not free");
	told.node[1] = 2;
	told.ranked = true;
	assert_int_equal(ask(), MESH_OK); /* nobody wants to know the ranks */
	q.answer.by_rank = q.by_rank;
	memcpy(told.by_rank, told.node, sizeof(told.node));
	assert_int_equal(ask(), MESH_OK);
	for (int i = 0; i < 4; i++) {
		told.by_rank[2] = (int[]){15, told.by_rank[0], -1, 16}[i];
		expect_wrong("told ranks other nodes than it chose");
	}
	told.ranked = false;
	assert_int_equal(ask(), MESH_OK);
	q.request.required = &q.required;
	nodeset_add(&q.required, 3); /* between two that are there */
	expect_wrong("told left out a required node");
	nodeset_clear_all(&q.required);
	nodeset_add(&q.required, 8); /* behind all that are there */
	expect_wrong("told left out a required node");
	told.result = MESH_ERROR;
	told.text = "a word";
	expect_wrong("a word");
}

/* Whole blocks may be more nodes than were wanted, but no more than there are. */
static void blocks(void **state)
{
	(void)state;
	ops.flags = STRATEGY_BLOCKS;
	told.count = 4;
	told.node[3] = 0;
	assert_int_equal(ask(), MESH_OK);
	assert_int_equal(q.answer.count, 4);
	told.count = 2;
	expect_wrong("told chose 2 nodes, not 3");
	told.count = 17;
	expect_wrong("told chose 17 nodes, not 3");
}

/* Nobody is asked then. */
static void expect_spared(enum mesh_result wanted, const char *text)
{
	enum mesh_result result = ask();

	assert_string_equal(q.answer.err.text, text);
	assert_int_equal(result, wanted);
	assert_int_equal(told.asked, 0);
}

static void spared(void **state)
{
	struct nodeset other = {15, q.usable.word};

	(void)state;
	q.request.count = 0;
	expect_spared(MESH_ERROR, "0 nodes wanted");
	q.request.count = 17;
	expect_spared(MESH_NEVER, "17 nodes wanted of 16");
	q.request.count = 16;
	expect_spared(MESH_NO_FIT, "");
	q.request.count = 3;
	q.free.n = 15;
	expect_spared(MESH_ERROR, "a node set of another machine");
	q.free.n = 16;
	q.request.required = &other;
	expect_spared(MESH_ERROR, "a node set of another machine");
	q.request.required = &q.required;
	nodeset_set_all(&q.required);
	expect_spared(MESH_NEVER, "16 nodes required but only 3 wanted");
	nodeset_clear_all(&q.required);
	nodeset_add(&q.required, 15);
	expect_spared(MESH_NO_FIT, "");
	nodeset_del(&q.usable, 15);
	expect_spared(MESH_NEVER, "a required node cannot be used");
}

static void shapes(void **state)
{
	struct mesh_shape *shape = &q.request.shape;

	(void)state;
	q.request.count = 0;
	shape->ndims = -1;
	expect_spared(MESH_ERROR, "a shape has 1 to 6 sides of at least 1");
	shape->ndims = 7;
	expect_spared(MESH_ERROR, "a shape has 1 to 6 sides of at least 1");
	*shape = (struct mesh_shape){.ndims = 2, .side = {2, 0}};
	expect_spared(MESH_ERROR, "a shape has 1 to 6 sides of at least 1");
	*shape = (struct mesh_shape){.ndims = 2, .side = {30000, 30000}};
	expect_spared(MESH_NEVER, "the shape has more nodes than the 16 there are");
	*shape = (struct mesh_shape){.type = "pod", .ndims = 1, .side = {2}};
	expect_spared(MESH_NEVER, "the mesh is not of Type=pod");
	strcpy(q.mesh->type, "pod");
	told.count = 2;
	assert_int_equal(ask(), MESH_OK);
	/* Six chips are one node of 2x4 of them, or six nodes where they are not known. */
	*shape = (struct mesh_shape){.ndims = 2, .side = {2, 3}, .chips = true};
	assert_int_equal(mesh_shape_nodes(q.mesh, shape), 6);
	q.mesh->node_side[0] = 2;
	q.mesh->node_side[1] = 4;
	assert_int_equal(mesh_shape_nodes(q.mesh, shape), 1);
	for (int d = 0; d < 4; d++) /* no more of them than are counted */
		q.mesh->node_side[d] = INT16_MAX;
	q.mesh->ndims = 4;
	q.mesh->nodes_per_vertex = 2;
	assert_int_equal(mesh_shape_nodes(q.mesh, shape), 1);
	shape->walk = WALK_RING;
	shape->ndims = 1;
	shape->chips = false;
	assert_int_equal(mesh_shape_nodes(q.mesh, shape), 2);
	q.mesh->nodes_per_vertex = 1;
	q.mesh->ndims = 2;
}

/* On cables there are no boxes; one node is none, and a ring is not. */
static void cables(void **state)
{
	static const struct linkgraph_cable cable[] = {
		{.vertex = {0, 5}, .weight = 1}, {.vertex = {5, 9}, .weight = 1}};

	(void)state;
	q.mesh->cabled = true;
	q.request.shape = (struct mesh_shape){.ndims = 2, .side = {2, 2}};
	expect_spared(MESH_NEVER, "mesh m has cables (Cables=), and no boxes");
	q.request.shape.ndims = 0;
	ops.flags = STRATEGY_CONTIGUOUS;
	expect_spared(MESH_NEVER, "told places boxes, and mesh m has cables and no boxes");
	q.request.count = told.count = 1;
	assert_int_equal(ask(), MESH_OK);
	q.request.count = 3;
	q.request.shape = (struct mesh_shape){.ndims = 1, .side = {3}, .walk = WALK_LINE};
	assert_int_equal(linkgraph_join(&q.mesh, 1, cable, 2, NULL), 0);
	told.asked = 0;
	assert_int_equal(ask(), MESH_OK); /* by walk/, which asks nobody */
	assert_memory_equal(q.node, ((const int[]){0, 5, 9}), 3 * sizeof(int));
	assert_int_equal(told.asked, 0);
}

/* A strategy that finds segments itself is asked once; all others are asked for each. */
static void segments(void **state)
{
	(void)state;
	q.request.count = told.count = 4;
	q.request.segment = 2;
	memcpy(told.node, (const int[]){4, 0, 1, 5}, 4 * sizeof(int));
	ops.flags = STRATEGY_SEGMENTS | STRATEGY_CONTIGUOUS;
	assert_int_equal(ask(), MESH_OK);
	assert_int_equal(told.asked, 1);
	/* In the job's box: once for the box, once for the segments in it. */
	told.asked = 0;
	q.request.count = told.count = 3;
	q.request.segment = 1;
	q.request.shape = (struct mesh_shape){.ndims = 2, .side = {2, 2}};
	told.count = 4;
	assert_int_equal(ask(), MESH_ERROR);
	assert_string_equal(q.answer.err.text, "told chose 4 nodes, not 3");
	assert_int_equal(told.asked, 2);
	/* An error of one segment is that of the job. */
	q.request.shape.ndims = 0;
	q.request.count = 4;
	q.request.segment = 2;
	ops.flags = 0;
	told.count = 3;
	expect_wrong("told chose 3 nodes, not 2");
	told.result = MESH_NEVER;
	assert_int_equal(ask(), MESH_NO_FIT);
}

/* A box that is late, or refused, is so for the job in segments, too. */
static void refused_boxes(void **state)
{
	(void)state;
	q.request = (struct mesh_request){
		.count = 4, .segment = 2, .shape = {.ndims = 2, .side = {2, 2}}};
	ops.flags = STRATEGY_CONTIGUOUS;
	told.result = MESH_NO_FIT;
	assert_int_equal(ask(), MESH_NO_FIT);
	told.result = MESH_OK;
	told.count = 4;
	memcpy(told.node, (const int[]){0, 1, 4, 5}, 4 * sizeof(int));
	assert_int_equal(ask(), MESH_OK);
	assert_int_equal(q.answer.count, 4);
	/* The segments in the box: never, unless it may be for want of time. */
	q.request.count = 3;
	q.request.segment = 1;
	told.asked = 0;
	ops.decide = decide_once;
	assert_int_equal(ask(), MESH_NEVER);
	assert_string_equal(q.answer.err.text, "no 3 segments of 1 nodes in such a box");
	told.asked = 0;
	told.late = true;
	assert_int_equal(ask(), MESH_NO_FIT);
	ops.decide = decide;
}

/* Mean hops on an idle machine: of a box of four, and of nodes that the strategy never gives. */
static void idle(void **state)
{
	struct strategy *strategy = strategy_new(strategy_find("ff"), q.mesh, NULL);

	(void)state;
	assert_true(fabs(strategy_idle_hops(strategy, 4, 0) - 8 / 6.) < 1e-9);
	assert_true(isnan(strategy_idle_hops(strategy, 17, 0)));
	strategy_free(strategy);
}

#define UNIT_TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(sorted),
		UNIT_TEST(wrong_answers),
		UNIT_TEST(blocks),
		UNIT_TEST(spared),
		UNIT_TEST(shapes),
		UNIT_TEST(cables),
		UNIT_TEST(segments),
		UNIT_TEST(refused_boxes),
		UNIT_TEST(idle),
	};

	return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
