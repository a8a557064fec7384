/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program like slurmctld, which has the core alone: it loads boxes, lines and rings, and what
 * machines of cables need, when it needs them.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conf/library.h"
#include "conf/shape.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"
#include "shared/mesh_strategies.h"
#include "support.h"

static char library[PATH_MAX];

/* One decision on an idle mesh, which is freed; or why there is no such strategy. */
static enum mesh_result decide(struct mesh *mesh, enum strategy_role role, const char *shape,
	struct mesh_answer *answer)
{
	struct strategy *strategy = strategy_new(strategy_for(role), mesh, &answer->err);
	struct arena arena = {0};
	struct nodeset all;
	struct mesh_request request = {.count = shape ? 0 : 1};
	enum mesh_result result = MESH_ERROR;

	assert_int_equal(nodeset_get(&all, mesh->nnodes, &arena), 0);
	nodeset_set_all(&all);
	assert_true(!shape || !shape_parse(shape, &request.shape, NULL));
	if (strategy)
		result = strategy_decide(strategy, &(struct mesh_state){.free = &all}, &request,
			answer);
	arena_release(&arena);
	strategy_free(strategy);
	mesh_free(mesh);
	return result;
}

static struct mesh *grid(void)
{
	return make_mesh(2, (const int[]){4, 4}, 0, 1);
}

static enum mesh_result ring(struct mesh_answer *answer)
{
	return decide(grid(), STRATEGY_DEFAULT, "ring:8", answer);
}

static enum mesh_result box(struct mesh_answer *answer)
{
	return decide(grid(), STRATEGY_BOXES, "2x3", answer);
}

static enum mesh_result cables(struct mesh_answer *answer)
{
	uint64_t seed = 1;

	return decide(random_cables(&seed, 16), STRATEGY_DEFAULT, NULL, answer);
}

/* The library is beside the plugin, and here is none: an error with text, and nothing is loaded. */
static void missing(void **state)
{
	int node[16];
	struct mesh_answer answer = {.node = node};
	struct mesh_err err = {{0}};

	(void)state;
	mesh_strategies_init();
	assert_null(extras(&err));
	assert_non_null(strstr(err.text, "mesh_strategies_papers.so"));
	assert_null(strategy_named("mm", &err));
	assert_int_equal(ring(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
	assert_int_equal(answer.count, 0);
	assert_int_equal(cables(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
	assert_int_equal(box(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
}

static void loaded(void **state)
{
	int node[16], order[16];
	struct mesh_answer answer = {.node = node};
	struct mesh *mesh = grid();
	const struct extras *more;
	struct mesh_err err = {{0}};
	char command[3 * PATH_MAX], copy[PATH_MAX + 8];

	(void)state;
	snprintf(copy, sizeof(copy), "%s.copy", library);
	/* An upgrade replaces the file while the program runs. */
	snprintf(command, sizeof(command), "cp %s %s", library, copy);
	assert_int_equal(system(command), 0);
	library_papers_at(copy);
	assert_int_equal(unlink(copy), 0);
	assert_int_equal(ring(&answer), MESH_OK);
	assert_int_equal(answer.count, 8);
	assert_int_equal(box(&answer), MESH_OK);
	assert_int_equal(answer.count, 6);
	assert_int_equal(cables(&answer), MESH_OK);
	assert_int_equal(answer.count, 1);
	assert_non_null(more = extras(&err));
	assert_non_null(strategy_named("mm", &err));
	assert_ptr_equal(extras(&err), more);
	/* Ranks along a row, and on two nodes without a link between them. */
	assert_int_equal(
		more->walks_order(mesh, (const int[]){0, 2, 1, 3}, 4, WALK_LINE, order), 0);
	assert_true(order[1] == 2 && order[2] == 1 && order[0] + order[3] == 3);
	assert_int_equal(more->walks_order(mesh, (const int[]){0, 5}, 2, WALK_LINE, order), 1);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(missing),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing),
		cmocka_unit_test(loaded),
	};
	const char *dir = getenv("builddir");

	snprintf(library, sizeof(library), "%s/plugins/mesh_strategies_papers.so", dir ? dir : ".");
	if (access(library, R_OK)) /* a tree without plugins */
		return cmocka_run_group_tests(without, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
