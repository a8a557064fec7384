/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The core lives inside a daemon that must not die: every allocation fails in turn, and each
 * time the answer is a clean refusal with text, or a right answer that did without. The
 * allocator is replaced at link time (-Wl,--wrap), in our code only. Leaks and accesses to
 * freed memory are what the sanitizers' build of this program is for.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/curve.h"
#include "base/hostlist.h"
#include "geometry/metrics_meter.h"
#include "ranks/partition.h"
#include "ranks/rankmap.h"
#include "conf/strategies.h"
#include "support.h"
#include "conf/topoconf.h"
#include "walk/walk.h"
#include "decide/strategy_decide.h"

/* Names that the linker makes. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);

static long allocations; /* since arm() */
static long failing = -1; /* this one fails, from 0; -1: none */

static bool fails(void)
{
	return allocations++ == failing;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return fails() ? NULL : __real_strndup(text, size);
}

static void arm(long which)
{
	allocations = 0;
	failing = which;
}

/* One piece of work: true when it succeeded; otherwise text is in err. Frees all it made. */
typedef bool piece(const void *data, struct mesh_err *err);

/* Run it with each of its allocations failing, then with none. */
static void each_in_turn(const char *name, piece *run, const void *data)
{
	for (long which = 0;; which++) {
		struct mesh_err err = {{0}};
		bool good;

		arm(which);
		good = run(data, &err);
		failing = -1;
		if (!good && !*err.text)
			fail_msg("%s: allocation %ld failed without a word", name, which);
		if (allocations > which)
			continue;
		/* None of them failed. */
		if (!good)
			fail_msg("%s: %s", name, err.text);
		assert_true(which > 0);
		return;
	}
}

static bool read_config(const void *data, struct mesh_err *err)
{
	struct topoconf *conf =
		topoconf_parse(data, strlen(data), "t.conf", &hostlist_libslurm, err);
	bool good = conf != NULL;

	topoconf_free(conf);
	return good;
}

static void configuration(void **state)
{
	(void)state;
	each_in_turn("one mesh", read_config, "MeshName=m Dims=3x3 Nodes=n[0-8]\n");
	each_in_turn("all kinds of lines", read_config,
		"MeshType=t Wrap=all Shapes=2x2,9x9\n"
		"MeshName=typed Type=t Dims=2x2 Nodes=t[0-3]\n"
		"MeshName=torus0 Dims=4x3x2 Wrap=yes,no,yes \\\n"
		"  Nodes=n[0-21] Holes=1,0,0;3,2,1\n"
		"MeshName=gem Dims=2x2 NodesPerVertex=2 # comment\n"
		"MeshNode=g0 Mesh=gem Coord=1,1\n"
		"MeshNode=g2 Mesh=gem Coord=0,0\n");
}

struct placement {
	const struct strategy_ops *ops;
	const struct mesh *mesh;
	const struct nodeset *free;
	int *node; /* room for all */
	int count;
};

/* A strategy made, asked and freed; its decision must not allocate. */
static bool place(const void *data, struct mesh_err *err)
{
	const struct placement *p = data;
	struct mesh_state state = {.free = p->free};
	struct mesh_request request = {.count = p->count};
	struct mesh_answer answer = {.node = p->node};
	struct strategy *strategy = strategy_new(p->ops, p->mesh, err);
	enum mesh_result result;
	long before = allocations;

	if (!strategy)
		return false;
	result = strategy_decide(strategy, &state, &request, &answer);
	if (allocations != before)
		fail_msg("%s: a decision allocates", p->ops->name);
	strategy_free(strategy);
	assert_true(result == MESH_OK || (p->ops->flags & STRATEGY_CONTIGUOUS));
	return true;
}

static void strategies(void **state)
{
	uint64_t seed = 11;
	int node[64];
	struct nodeset free_set;
	struct placement p = {.free = &free_set, .node = node, .count = 5};

	(void)state;
	assert_int_equal(nodeset_init(&free_set, 64), 0);
	random_set(&seed, &free_set, 60);
	for (int torus = 0; torus < 2; torus++) {
		struct mesh *mesh = make_mesh(3, (int[]){4, 4, 4}, torus ? 7 : 0, 1);

		p.mesh = mesh;
		for (int i = 0; (p.ops = strategy_at(i)); i++)
			each_in_turn(p.ops->name, place, &p);
		mesh_free(mesh);
	}
	nodeset_release(&free_set);
}

struct walk_case {
	const struct mesh *mesh;
	struct nodeset all, *required;
};

static bool walk(const void *data, struct mesh_err *err)
{
	const struct walk_case *c = data;
	struct walk_question q = {.mesh = c->mesh, .free = &c->all, .required = c->required,
		.kind = WALK_RING, .length = 16};
	int node[20];

	if (walk_find(&q, node) == WALK_FOUND)
		return true;
	err_printf(err, "out of memory"); /* its contract: there is one */
	return false;
}

/* As a whole, and in parts; and with nodes that are required. */
static void walks(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 5}, 0, 1);
	struct walk_case c = {.mesh = mesh, .all = {20, (uint64_t[]){(1 << 20) - 1}}};

	(void)state;
	each_in_turn("a walk", walk, &c);
	c.required = &(struct nodeset){20, (uint64_t[]){1}};
	each_in_turn("a walk with a node", walk, &c);
	mesh_free(mesh);
}

static bool measure(const void *data, struct mesh_err *err)
{
	static const int node[] = {0, 3, 7, 12, 13, 40, 41, 63};
	struct mesh_metrics metrics;

	if (!mesh_measure(data, node, (int)(sizeof(node) / sizeof(*node)), &metrics))
		return true;
	err_printf(err, "out of memory"); /* its contract: -1 means that */
	return false;
}

static void metrics(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 3, 1);

	(void)state;
	each_in_turn("mesh_measure", measure, mesh);
	mesh_free(mesh);
}

static bool order(const void *data, struct mesh_err *err)
{
	const struct mesh *mesh = data;
	int rank[64];

	for (enum curve curve = CURVE_MESH; curve < CURVES; curve++)
		if (curve_fill(mesh, curve, rank)) {
			err_printf(err, "out of memory"); /* its contract: -1 means that */
			return false;
		}
	return true;
}

static void curves(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){4, 5, 3}, 0, 1);

	(void)state;
	each_in_turn("curves", order, mesh);
	mesh_free(mesh);
}

static bool divide(const void *data, struct mesh_err *err)
{
	static const int nodes[] = {1, 2, 4};
	static const double time[] = {8, 5, 3};
	struct partition_task task[] = {{.name = "a", .nodes = nodes, .time = time, .npoints = 3},
		{.name = "b", .nodes = nodes, .time = time, .npoints = 2}};
	struct partition_problem problem = {.task = task, .ntasks = 2, .nodes = 5};
	int size[2];
	double spent[2];
	struct partition_answer answer = {.size = size, .time = spent};
	enum mesh_result result = partition_solve(&problem, &answer);

	(void)data;
	*err = answer.err;
	return result == MESH_OK;
}

static void partition(void **state)
{
	(void)state;
	each_in_turn("partition_solve", divide, NULL);
}

static bool map_ranks(const void *data, struct mesh_err *err)
{
	static const int node[] = {0, 1, 2, 3, 8, 9, 10, 11};
	struct traffic_grid grid = {.ndims = 2, .side = {4, 4}, .weight = {1, 2}};
	struct traffic traffic = {0};
	int place_of[16];
	struct rankmap_answer answer = {.place = place_of};
	struct rankmap_input input = {.mesh = data, .node = node, .nnodes = 8, .per_node = 2,
		.traffic = &traffic, .grid = &grid};
	bool good;

	good = !traffic_init_grid(&traffic, &grid, err) && !rankmap_solve(&input, &answer, err);
	traffic_release(&traffic);
	return good;
}

static void ranks(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 3, 1);

	(void)state;
	each_in_turn("rankmap_solve", map_ranks, mesh);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(configuration),
		cmocka_unit_test(strategies),
		cmocka_unit_test(walks),
		cmocka_unit_test(metrics),
		cmocka_unit_test(curves),
		cmocka_unit_test(partition),
		cmocka_unit_test(ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
