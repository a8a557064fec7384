/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The core lives inside a daemon that must not die: every allocation fails in turn, and so does
 * each read of a file. Each time the answer is a clean refusal with text, or a right answer that
 * did without. The functions are replaced at link time (-Wl,--wrap), in our code only. Leaks and
 * accesses to freed memory are what the sanitizers' build of this program is for.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "conf/jobenv.h"
#include "conf/places.h"
#include "conf/settings.h"
#include "conf/strategies.h"
#include "decide/span.h"
#include "decide/strategy_decide.h"
#include "geometry/curve.h"
#include "geometry/metrics_meter.h"
#include "graph/linkgraph.h"
#include "ranks/partition.h"
#include "ranks/rankmap.h"
#include "support.h"
#include "walk/walk.h"

/* Names that the linker makes. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
int __real_fclose(FILE *file);
ssize_t __real_read(int file, void *to, size_t size);
int __real_fstat(int file, struct stat *status);

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

FILE *__wrap_open_memstream(char **text, size_t *size)
{
	return fails() ? NULL : __real_open_memstream(text, size);
}

/* A stream in memory may have no room for its end. */
int __wrap_fclose(FILE *file)
{
	int result = __real_fclose(file);

	return fails() ? EOF : result;
}

ssize_t __wrap_read(int file, void *to, size_t size)
{
	static bool interrupted;

	interrupted = !interrupted;
	errno = interrupted ? EINTR : EIO;
	return interrupted || fails() ? -1 : __real_read(file, to, size);
}

int __wrap_fstat(int file, struct stat *status)
{
	errno = EIO;
	return fails() ? -1 : __real_fstat(file, status);
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

/* --- files -------------------------------------------------------------------------- */

static bool read_files(const void *data, struct mesh_err *err)
{
	struct topoconf *conf = topoconf_read(data, &hostlist_libslurm, err);
	bool good = conf != NULL;

	topoconf_free(conf);
	return good;
}

/* Files that topology.conf names, and what needs a graph. */
static void files(void **state)
{
	(void)state;
	put_file("order", "3 2 1 0\n");
	put_file("down", "a0:a1\na2:b0;c0:c1\n");
	put_file("cables", "c0 c1 4\nc1 c2\n");
	put_file("more.conf", "MeshName=a Dims=2x2 Nodes=a[0-3] Order=order DownLinks=0,0:0,1\n"
			 "MeshNode=b0 Mesh=b Coord=0\n");
	put_file("t.conf", "MeshType=t Env=A={NAME}\nInclude more.conf\n"
		      "MeshName=b Type=t Dims=2\n"
		      "MeshName=c Nodes=c[0-2] Cables=cables\n"
		      "MeshName=d Dims=3 Nodes=d[0-2] DownLinks=d0:d1\n"
		      "Link=a2,b0,2\nLink=a0,a3\nDownLinksFile=down\n");
	each_in_turn("files", read_files, "t.conf");
}

/* --- strategies --------------------------------------------------------------------- */

struct placement {
	const struct strategy_ops *ops;
	const struct mesh *mesh;
	const struct nodeset *free;
	int *node; /* room for all */
	int count, segment;
	struct mesh_shape shape;
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

/* A strategy made and asked, where a decision may allocate. */
static bool decide(const void *data, struct mesh_err *err)
{
	const struct placement *p = data;
	struct mesh_state state = {.free = p->free};
	struct mesh_request request = {
		.count = p->count, .segment = p->segment, .shape = p->shape};
	struct mesh_answer answer = {.node = p->node};
	struct strategy *strategy = strategy_new(p->ops, p->mesh, err);
	enum mesh_result result;

	if (!strategy)
		return false;
	result = strategy_decide(strategy, &state, &request, &answer);
	*err = answer.err;
	strategy_free(strategy);
	if (result == MESH_OK)
		assert_int_equal(answer.count, p->count);
	return result == MESH_OK;
}

/* Machines with a graph: broken links and a cable, and one that is its cables. */
static void graphs(void **state)
{
	int node[64];
	struct nodeset all;
	struct placement p = {.free = &all, .node = node, .count = 5};
	struct mesh *mesh[] = {
		make_mesh(3, (int[]){4, 4, 4}, 7, 1), random_cables(&(uint64_t){7}, 40)};

	(void)state;
	random_links(&(uint64_t){3}, mesh[0], 10, 3);
	for (int i = 0; i < 2; i++) {
		p.mesh = mesh[i];
		assert_int_equal(nodeset_init(&all, mesh[i]->nnodes), 0);
		nodeset_set_all(&all);
		for (int j = 0; (p.ops = strategy_at(j)); j++)
			if (!(p.ops->flags & STRATEGY_CONTIGUOUS))
				each_in_turn(p.ops->name, decide, &p);
		nodeset_release(&all);
		mesh_free(mesh[i]);
	}
}

static void segments(void **state)
{
	int node[64];
	struct nodeset all;
	struct mesh *mesh = make_mesh(3, (int[]){4, 4, 4}, 7, 1);
	struct placement p = {
		.free = &all, .node = node, .count = 12, .segment = 4, .mesh = mesh};

	(void)state;
	assert_int_equal(nodeset_init(&all, 64), 0);
	nodeset_set_all(&all);
	p.ops = strategy_find("snug");
	each_in_turn("segments", decide, &p);
	p.ops = strategy_find("ff");
	each_in_turn("boxes", decide, &p);
	p.count = 6;
	p.segment = 3;
	p.shape = (struct mesh_shape){.ndims = 3, .side = {2, 2, 2}};
	each_in_turn("boxes in a box", decide, &p);
	nodeset_release(&all);
	mesh_free(mesh);
}

static bool ask_idle(const void *data, struct mesh_err *err)
{
	struct strategy *strategy = strategy_new(strategy_find("linear"), data, err);
	double hops = strategy ? strategy_idle_hops(strategy, 2, 0) : 0;

	strategy_free(strategy);
	if (strategy && isnan(hops))
		err_printf(err, "out of memory"); /* its contract: NAN may mean that */
	assert_true(!strategy || isnan(hops) || hops == 1);
	return strategy && !isnan(hops);
}

static void idle(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){4}, 0, 1);

	(void)state;
	each_in_turn("strategy_idle_hops", ask_idle, mesh);
	mesh_free(mesh);
}

/* --- several meshes ------------------------------------------------------------------- */

static int take_lowest(void *arg, int i, int count, int known)
{
	struct span *span = arg;
	struct span_mesh *in = &span->in[i];
	int n = nodeset_members(in->free, in->node);

	n = n < count ? n : count;
	n -= span->segment ? n % span->segment : 0;
	return n < known ? 0 : n;
}

/* With or without memory all that is wanted is found, and what is free stays so. */
static bool place_span(const void *data, struct mesh_err *err)
{
	struct span *span = (struct span *)(uintptr_t)data;
	int found = span_several(span, 6);

	for (int i = 0; i < span->n; i++)
		assert_int_equal(nodeset_count(span->in[i].free), 4);
	(void)err;
	assert_int_equal(found, 6);
	return true;
}

static void spans(void **state)
{
	struct mesh *mesh[2];
	struct nodeset all[2];
	int node[2][4];
	struct span_mesh in[2];
	struct span span = {.in = in, .n = 2, .ask = take_lowest, .arg = &span};

	(void)state;
	for (int i = 0; i < 2; i++) {
		mesh[i] = make_mesh(1, (int[]){4}, 0, 1);
		assert_int_equal(nodeset_init(&all[i], 4), 0);
		nodeset_set_all(&all[i]);
		in[i] = (struct span_mesh){mesh[i], &all[i], node[i], 0};
	}
	assert_int_equal(linkgraph_join(mesh, 2, &(struct linkgraph_cable){{0, 1}, {3, 0}, 1, 0}, 1,
		NULL), 0);
	each_in_turn("a span", place_span, &span);
	span.segment = 2;
	each_in_turn("a span of segments", place_span, &span);
	for (int i = 0; i < 2; i++) {
		nodeset_release(&all[i]);
		mesh_free(mesh[i]);
	}
}

/* --- other modules -------------------------------------------------------------------- */

static bool read_settings(const void *data, struct mesh_err *err)
{
	struct mesh_settings settings;

	if (mesh_settings_parse(data, &settings, err))
		return false;
	assert_string_equal(mesh_settings_strategy(&settings, "p")->name, "linear");
	mesh_settings_release(&settings);
	return true;
}

static void settings(void **state)
{
	(void)state;
	each_in_turn("settings", read_settings,
		"mesh_conf=x,mesh_strategy_p=linear,mesh_pattern_q=ring,mesh_fallback=snug");
}

static const char map[] = "MeshName=m Dims=3 Nodes=a,b,c Env=A={JOB_HOSTS};B=2\n"
			  "MeshName=k Dims=1 Nodes=d\n";

static struct topoconf *new_map(void)
{
	struct mesh_err err;
	struct topoconf *conf =
		topoconf_parse(map, strlen(map), "t.conf", &hostlist_libslurm, &err);

	assert_non_null(conf);
	return conf;
}

/* The map stays as it is, or has the new names. */
static bool rename_nodes(const void *data, struct mesh_err *err)
{
	static const struct places_node node[] = {{"x", "t:m:0"}, {"c", "t:k:0"}};
	long failing_then = failing, before = allocations;
	struct topoconf *conf;
	int rc;

	(void)data;
	failing = -1;
	conf = new_map();
	failing = failing_then;
	allocations = before;
	rc = places_rename(conf, node, 2);
	failing = -1;
	if (!rc) {
		assert_int_equal(mesh_node(conf->mesh[0], "x"), 0);
		assert_int_equal(mesh_node(conf->mesh[0], "-c"), 2);
	}
	topoconf_free(conf);
	failing = failing_then;
	if (rc)
		err_printf(err, "out of memory"); /* its contract: -1 means that */
	return !rc;
}

static bool hear(const void *data, struct mesh_err *err)
{
	long failing_then = failing, before = allocations;
	struct topoconf *conf;
	enum places_told heard;

	failing = -1;
	conf = new_map();
	failing = failing_then;
	allocations = before;
	heard = places_hear(conf, data);
	failing = -1;
	topoconf_free(conf);
	failing = failing_then;
	if (heard == PLACES_NOT_TOLD)
		err_printf(err, "out of memory"); /* its contract: nothing of use was told */
	return heard == PLACES_OTHER;
}

static void places(void **state)
{
	(void)state;
	each_in_turn("places_rename", rename_nodes, NULL);
	each_in_turn("places_hear", hear, "12:x=:m:0,y=:m:1,c=:k:0");
}

static void note(void *data, bool own, const char *name, const char *value)
{
	*(int *)data += own && name && value;
}

static bool tell_job(const void *data, struct mesh_err *err)
{
	int told = 0;
	struct jobenv job = {data, (const int[]){1, 0}, 2, 2, 0, note, &told};

	if (!jobenv_tell(&job) && told == 2)
		return true;
	err_printf(err, "out of memory"); /* its contract: -1 means that; or a variable lacks */
	return false;
}

static void jobs(void **state)
{
	struct topoconf *conf = new_map();
	struct mesh *mesh = conf->mesh[0];

	(void)state;
	each_in_turn("jobenv_tell", tell_job, mesh);
	mesh->cabled = true;
	assert_int_equal(linkgraph_join(&mesh, 1,
		&(struct linkgraph_cable){.vertex = {0, 1}, .weight = 1}, 1, NULL), 0);
	each_in_turn("jobenv_tell, with cables", tell_job, mesh);
	topoconf_free(conf);
}

static bool break_link(const void *data, struct mesh_err *err)
{
	static const struct linkgraph_cable cable[] = {
		{.vertex = {0, 3}, .weight = 2}, {.vertex = {1, 2}, .weight = 1, .lanes = 2}};
	struct mesh_spec spec = {.name = "m", .ndims = 1, .side = {4}, .nnodes = 4,
		.nodes_per_vertex = 1, .order = (const int[]){0, 1, 2, 3}, .env = "A=b",
		.nlegal = 1, .node_name = (char *[]){(char[]){"a"}, (char[]){"b"}, (char[]){"c"},
			(char[]){"d"}},
		.legal = &(const struct mesh_placement){.side = {2}, .step = {1}}};
	struct mesh *mesh = mesh_new(&spec, err);
	struct nodeset set = {0};
	bool good = mesh && !mesh_break(mesh, 0, 0) && !nodeset_init(&set, 4);

	(void)data;
	if (mesh && !good)
		err_printf(err, "out of memory"); /* their contract: -1 means that */
	good = good && !linkgraph_join(&mesh, 1, cable, 2, err);
	if (good)
		assert_int_equal(linkgraph_mesh_hops(mesh, 0, 1), 4);
	nodeset_release(&set);
	mesh_free(mesh);
	return good;
}

static void meshes(void **state)
{
	(void)state;
	each_in_turn("a mesh with links", break_link, NULL);
}

/* --- ranks and walks ------------------------------------------------------------------ */

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

static bool count_hops(const void *data, struct mesh_err *err)
{
	static const int node[] = {0, 3, 7, 12, 13, 40, 41, 63};

	if (mesh_pairwise_hops(data, node, (int)(sizeof(node) / sizeof(*node))) > 0)
		return true;
	err_printf(err, "out of memory"); /* its contract: -1 means that */
	return false;
}

static void metrics(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 3, 1);

	(void)state;
	each_in_turn("mesh_measure", measure, mesh);
	random_links(&(uint64_t){3}, mesh, 10, 3);
	each_in_turn("mesh_measure by links", measure, mesh);
	each_in_turn("mesh_pairwise_hops by links", count_hops, mesh);
	mesh_free(mesh);
	mesh = make_mesh(2, (int[]){600, 1}, 3, 1);
	each_in_turn("mesh_pairwise_hops of a long side", count_hops, mesh);
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
	mesh = random_cables(&(uint64_t){9}, 60);
	each_in_turn("curves along cables", order, mesh);
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
		cmocka_unit_test(files),
		cmocka_unit_test(strategies),
		cmocka_unit_test(graphs),
		cmocka_unit_test(segments),
		cmocka_unit_test(idle),
		cmocka_unit_test(spans),
		cmocka_unit_test(settings),
		cmocka_unit_test(places),
		cmocka_unit_test(jobs),
		cmocka_unit_test(meshes),
		cmocka_unit_test(walks),
		cmocka_unit_test(metrics),
		cmocka_unit_test(curves),
		cmocka_unit_test(partition),
		cmocka_unit_test(ranks),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
