/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug: the sweeps over all bases against boxes walked vertex by vertex, and what its choices
 * are meant to be.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/metrics_meter.h"
#include "snug/snug_sweep.h"
#include "links/links.h"
#include "snug/snug_trial.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* --- sweeps ----------------------------------------------------------------------------- */

struct check {
	const struct mesh *mesh;
	struct snug_sweep *sweep;
	const struct snug_level *level;
	const uint32_t *nfree, *weight;
	int64_t seen; /* open bases with enough */
	bool *closed; /* [nvertices] bases that have been closed in this chain */
	uint64_t *seed;
	struct snug_search search;
};

static void check_base(struct check *c, int64_t number, uint32_t count, uint32_t weight)
{
	int base[MESH_MAX_DIMS] = {0};

	snug_sweep_base(c->sweep, number, base);
	assert_int_equal(count, plain_box_sum(c->mesh, c->nfree, base, c->level->side));
	assert_int_equal(weight, plain_box_faces(c->mesh, c->weight, base, c->level->side));
	assert_false(c->closed[mesh_vertex(c->mesh, base)]);
	c->seen++;
	/* Most are closed, as a box that has enough is not looked for again. */
	if (random_int(c->seed, 0, 3) == 0)
		snug_sweep_reopen(c->sweep, number);
	else
		c->closed[mesh_vertex(c->mesh, base)] = true;
}

static void check_bases(void *data, struct snug_bases *bases)
{
	struct check *c = data;

	for (int at = 0, n; at < bases->n; at += n) {
		uint32_t weight[SNUG_BLOCK];
		uint8_t mark[SNUG_BLOCK];

		n = random_int(c->seed, 1, SNUG_BLOCK);
		n = n < bases->n - at ? n : bases->n - at;
		snug_sweep_faces(c->sweep, bases->first + at, n, weight);
		snug_bases_mark(bases, at, n, (int)c->search.want, mark);
		for (int i = 0; i < n; i++) {
			int64_t number = bases->first + at + i;

			if (!mark[i])
				continue;
			assert_int_equal(snug_sweep_face(c->sweep, number), weight[i]);
			check_base(c, number, (uint32_t)snug_bases_count(bases, at + i),
				weight[i]);
		}
	}
}

/* Bases that the level should have found. */
static int64_t count_bases(const struct check *c)
{
	int base[MESH_MAX_DIMS] = {0}, bases[MESH_MAX_DIMS], d;
	int64_t found = 0;

	for (d = 0; d < c->mesh->ndims; d++) {
		int side = c->level->side[d], all = c->mesh->side[d];

		bases[d] = !c->mesh->wrap[d] ? all - side + 1 : side == all ? 1 : all;
	}
	do {
		found += !c->closed[mesh_vertex(c->mesh, base)] &&
			plain_box_sum(c->mesh, c->nfree, base, c->level->side) >= c->search.want;
		for (d = 0; d < c->mesh->ndims && ++base[d] == bases[d]; d++)
			base[d] = 0;
	} while (d < c->mesh->ndims);
	return found;
}

/* Level by level; nothing but the border and check_bases() closes a base. */
static void check_chain(struct check *c, const struct snug_chain *chain)
{
	bool more = true;

	memset(c->closed, 0, (size_t)c->mesh->nvertices);
	c->search.last = random_int(c->seed, 0, chain->nlevels - 1);
	snug_sweep_open(c->sweep, chain);
	for (int l = 0; l <= c->search.last; l++) {
		int64_t expected;

		c->level = &chain->level[l];
		c->seen = 0;
		snug_sweep_level(c->sweep, l);
		expected = count_bases(c);
		/* What is said to be no use has nothing. */
		assert_true(more || !expected);
		more = snug_sweep_each(c->sweep, &c->search, check_bases, c);
		assert_int_equal(c->seen, expected);
	}
}

static void sweep_round(uint64_t *seed)
{
	struct mesh *drawn = random_mesh(seed, 5, 300), heavy = *drawn;
	const struct mesh *mesh = &heavy;
	uint32_t *nfree = malloc((size_t)mesh->nvertices * sizeof(*nfree));
	uint32_t *weight = malloc((size_t)mesh->nvertices * sizeof(*weight));
	int most_free = random_int(seed, 0, 3) ? 2 : 9, none = random_int(seed, 0, 9);
	struct snug_sweep sweep;
	struct snug_plan plan;
	int vertices = random_int(seed, 1, mesh->nvertices);
	struct check c = {.mesh = mesh, .sweep = &sweep, .nfree = nfree, .weight = weight,
		.seed = seed, .closed = malloc((size_t)mesh->nvertices)};

	/* Some vertices have so many nodes that larger boxes are counted in 32 bits. */
	if (random_int(seed, 0, 2) == 0)
		heavy.nodes_per_vertex = most_free = random_int(seed, 30, 2000);
	assert_int_equal(snug_sweep_init(&sweep, mesh, &arena), 0);
	for (int v = 0; v < mesh->nvertices; v++) {
		/* A vertex never has more than the mesh says. */
		nfree[v] = random_int(seed, 0, 9) < none ? 0
			: (uint32_t)random_int(seed, 0, most_free < mesh->nodes_per_vertex
				? most_free : mesh->nodes_per_vertex);
		weight[v] = (uint32_t)random_int(seed, 0, 256);
	}
	c.search.want = (uint32_t)(vertices *
		(heavy.nodes_per_vertex == drawn->nodes_per_vertex ? 1 : most_free / 2));
	snug_plan_make(&plan, mesh, vertices, 4.0 * vertices);
	snug_sweep_load(&sweep, nfree, weight, plan.reach);
	for (int i = 0; i < plan.nchains; i++)
		check_chain(&c, &plan.chain[i]);
	arena_release(&arena);
	free(c.closed);
	free(nfree);
	free(weight);
	mesh_free(drawn);
}

/* Bases with random counts: which bases are marked and closed, one by one. */
static void mark_round(uint64_t *seed)
{
	bool wide = random_int(seed, 0, 1);
	int most = wide && random_int(seed, 0, 1) ? 1 << 20 : INT16_MAX,
	    n = random_int(seed, 1, SNUG_BLOCK), marks = 0;
	int want = random_int(seed, 1, most);
	uint32_t wide_count[SNUG_BLOCK], wide_open[SNUG_BLOCK];
	uint16_t narrow_count[SNUG_BLOCK], narrow_open[SNUG_BLOCK];
	struct snug_bases bases = {0, n, wide, wide ? (void *)wide_count : narrow_count,
		wide ? (void *)wide_open : narrow_open};
	uint8_t mark[SNUG_BLOCK];
	bool open[SNUG_BLOCK];

	for (int i = 0; i < n; i++) {
		wide_count[i] = (uint32_t)random_int(seed, 0, most);
		narrow_count[i] = (uint16_t)wide_count[i];
		open[i] = random_int(seed, 0, 2) > 0;
		wide_open[i] = open[i] ? UINT32_MAX : 0;
		narrow_open[i] = (uint16_t)wide_open[i];
	}
	marks = snug_bases_mark(&bases, 0, n, want, mark);
	for (int i = 0; i < n; i++) {
		int32_t nodes = snug_bases_count(&bases, i);
		bool have = open[i] && nodes >= want,
		     left = wide ? wide_open[i] : narrow_open[i];

		assert_int_equal(nodes, wide_count[i]);
		assert_int_equal(mark[i], have);
		assert_int_equal(left, open[i] && !have);
		marks -= mark[i];
	}
	assert_int_equal(marks, 0);
}

static void marks(void **state)
{
	(void)state;
	for (struct rounds r = rounds(16, 3000); rounds_next(&r);)
		mark_round(&r.seed);
}

static void sweeps(void **state)
{
	(void)state;
	for (struct rounds r = rounds(6, 300); rounds_next(&r);)
		sweep_round(&r.seed);
}

/* --- choices ---------------------------------------------------------------------------- */

struct bench {
	struct mesh *mesh;
	struct strategy *strategy;
	struct nodeset free;
	struct mesh_answer answer;
};

static void bench_open(struct bench *b, int ndims, const int *side, unsigned wrap)
{
	struct mesh_err err;

	memset(b, 0, sizeof(*b));
	b->mesh = make_mesh(ndims, side, wrap, 1);
	b->strategy = strategy_new(strategy_find("snug"), b->mesh, &err);
	assert_non_null(b->strategy);
	assert_int_equal(nodeset_init(&b->free, b->mesh->nnodes), 0);
	nodeset_set_all(&b->free);
	b->answer.node = malloc((size_t)b->mesh->nnodes * sizeof(int));
}

static void bench_close(struct bench *b)
{
	free(b->answer.node);
	nodeset_release(&b->free);
	strategy_free(b->strategy);
	mesh_free(b->mesh);
}

static bool taken(const struct bench *b, int node)
{
	for (int i = 0; i < b->answer.count; i++)
		if (b->answer.node[i] == node)
			return true;
	return false;
}

/* 16 nodes on an idle 8x8 mesh: a 4x4 block in a corner, where it exposes 8 links, not 16. */
static void corner(void **state)
{
	struct mesh_request request = {.count = 16};
	struct mesh_metrics m;
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){8, 8}, 0);
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(mesh_measure(b.mesh, b.answer.node, b.answer.count, &m), 0);
	assert_int_equal(m.box[0], 4);
	assert_int_equal(m.box[1], 4);
	assert_true(taken(&b, 0) || taken(&b, 7) || taken(&b, 56) || taken(&b, 63));
	bench_close(&b);
}

/*
 * 5 nodes, where three rows and one node elsewhere are free: a box of two by three but a node.
 * Boxes of three by two fill the list of the best first.
 */
static void other_shape(void **state)
{
	struct mesh_request request = {.count = 5};
	struct mesh_metrics m;
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){10, 8}, 0);
	for (int i = 0; i < 50; i++)
		if (i != 1)
			nodeset_del(&b.free, i);
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(mesh_measure(b.mesh, b.answer.node, b.answer.count, &m), 0);
	assert_int_equal(m.box[0], 2);
	assert_int_equal(m.box[1], 3);
	bench_close(&b);
}

/* A job whose grid of ranks is known gets the box that it lies in as its nodes are numbered. */
static void grids(void **state)
{
	static const struct {
		struct comm_grid grid;
		int box[2];
	} want[] = {{{2, {16, 4}}, {4, 16}}, {{3, {16, 1, 4}}, {4, 16}}, {{2, {8, 8}}, {8, 8}},
		{{2, {5, 3}}, {8, 8}}, {{0, {0}}, {8, 8}}};
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){16, 16}, 3);
	for (unsigned i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct mesh_request request = {
			.count = 64, .pattern = COMM_GRID, .grid = want[i].grid};
		struct mesh_metrics m;

		assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
			&request, &b.answer), MESH_OK);
		assert_int_equal(mesh_measure(b.mesh, b.answer.node, b.answer.count, &m), 0);
		assert_int_equal(m.box[0], want[i].box[0]);
		assert_int_equal(m.box[1], want[i].box[1]);
	}
	bench_close(&b);
}

/* One node goes into the pocket that nobody else can use. */
static void pocket(void **state)
{
	struct mesh_request request = {.count = 1};
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){8, 8}, 3);
	for (int v = 0; v < 64; v++)
		if (mesh_hops(b.mesh, v, 36) == 1 || mesh_hops(b.mesh, v, 9) == 0)
			nodeset_del(&b.free, v);
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(b.answer.node[0], 36);
	/* A job that does not communicate leaves the large space alone as well. */
	request.hint = MESH_HINT_SCATTER;
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(b.answer.node[0], 36);
	bench_close(&b);
}

/* Required nodes far apart: all of them, and the count right. */
static void pinned(void **state)
{
	struct mesh_request request = {.count = 10};
	struct nodeset required;
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){16, 16}, 0);
	assert_int_equal(nodeset_init(&required, 256), 0);
	nodeset_add(&required, 0);
	nodeset_add(&required, 255);
	nodeset_add(&required, 17);
	request.required = &required;
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(b.answer.count, 10);
	nodeset_each(i, &required)
		assert_true(taken(&b, i));
	nodeset_release(&required);
	bench_close(&b);
}

static bool answers(struct bench *b, const char *name, const struct mesh_request *request)
{
	struct mesh_answer answer = {.node = malloc((size_t)b->mesh->nnodes * sizeof(int))};
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), b->mesh, &err);
	bool same;

	assert_non_null(strategy);
	assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &b->free}, request,
		&answer), MESH_OK);
	same = answer.count == b->answer.count &&
		!memcmp(answer.node, b->answer.node, (size_t)answer.count * sizeof(int));
	strategy_free(strategy);
	free(answer.node);
	return same;
}

/* Out of time at once: the answer of another strategy, and it says so. */
static void no_time(void **state)
{
	struct mesh_request request = {.count = 1000, .budget_ns = 1};
	struct bench b;

	(void)state;
	bench_open(&b, 3, (int[]){48, 48, 48}, 7);
	assert_int_equal(strategy_decide(b.strategy, &(struct mesh_state){.free = &b.free},
				 &request, &b.answer),
		MESH_OK);
	assert_int_equal(b.answer.count, 1000);
	assert_true(b.answer.out_of_time);
	assert_true(answers(&b, "gmbs", &request) || answers(&b, "hilbert-bf", &request));
	bench_close(&b);
}

/* --- machines and jobs of other kinds ------------------------------------------------------ */

static void ask_bench(struct bench *b, const struct mesh_request *request)
{
	assert_int_equal(strategy_decide(b->strategy, &(struct mesh_state){.free = &b->free},
				 request, &b->answer),
		MESH_OK);
	assert_int_equal(b->answer.count, request->count);
	assert_true(!b->answer.out_of_time);
}

/* No compact box has room for so many of so short sides: the whole machine is trimmed. */
static void short_sides(void **state)
{
	struct mesh_request request = {.count = 500};
	struct bench b;

	(void)state;
	bench_open(&b, 6, (int[]){3, 3, 3, 3, 3, 3}, 0);
	ask_bench(&b, &request);
	bench_close(&b);
}

/* More boxes have exactly so many vertices than are tried. */
static void many_boxes(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 6, (int[]){4, 4, 4, 4, 4, 4}, 0);
	ask_bench(&b, &(struct mesh_request){.count = 64});
	/* A corner of 2x2x2x2x2x2. */
	assert_int_equal(mesh_pairwise_hops(b.mesh, b.answer.node, 64), 6 * 32 * 32);
	bench_close(&b);
}

/* Without prices for so many vertices: the box of least hops. */
static void largest(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){400, 400}, 0);
	ask_bench(&b, &(struct mesh_request){.count = 4});
	assert_int_equal(mesh_pairwise_hops(b.mesh, b.answer.node, 4), 8);
	bench_close(&b);
	/* With prices, and no boxes that suit so large a job best. */
	bench_open(&b, 2, (int[]){72, 72}, 3);
	ask_bench(&b, &(struct mesh_request){.count = 4100, .pattern = COMM_RING});
	bench_close(&b);
}

/* The only room is in a pocket of a machine with rows that are short, and many of them. */
static void thin_slabs(void **state)
{
	int node[16];
	struct bench b;

	(void)state;
	bench_open(&b, 3, (int[]){20, 300, 3}, 3);
	for (int i = 0; i < 16; i++)
		node[i] = 18 + i % 2 + (150 + i / 2 % 4) * 20 + i / 8 * 6000;
	nodeset_clear_all(&b.free);
	for (int i = 0; i < 18000; i += 97)
		nodeset_add(&b.free, i);
	for (int i = 0; i < 16; i++)
		nodeset_add(&b.free, node[i]);
	ask_bench(&b, &(struct mesh_request){.count = 16});
	assert_memory_equal(b.answer.node, node, sizeof(node));
	bench_close(&b);
}

/* Jobs with grids of their own, one after another: each is placed as if it were the only one. */
static void own_grids(void **state)
{
	static const struct {
		enum comm_pattern pattern;
		int count;
		struct comm_grid grid;
	} jobs[] = {
		{COMM_GRID, 16, {2, {2, 8}}},
		{COMM_GRID, 16, {2, {2, 8}}},
		{COMM_GRID, 16, {2, {8, 2}}},
		{COMM_GRID, 16, {1, {16}}},
		{COMM_GRID, 8, {2, {2, 4}}},
		{COMM_RING, 8, {2, {2, 4}}},
		{COMM_GRID, 16, {4, {2, 2, 2, 2}}},
	};
	int node[512];
	struct bench b, alone;

	(void)state;
	bench_open(&b, 3, (int[]){8, 8, 8}, 0);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		const struct mesh_request request = {.count = jobs[i].count,
			.pattern = jobs[i].pattern, .grid = jobs[i].grid};

		bench_open(&alone, 3, (int[]){8, 8, 8}, 0);
		ask_bench(&alone, &request);
		memcpy(node, alone.answer.node, (size_t)request.count * sizeof(int));
		bench_close(&alone);
		ask_bench(&b, &request);
		assert_memory_equal(b.answer.node, node, (size_t)request.count * sizeof(int));
	}
	bench_close(&b);
}

/* --- sets measured ------------------------------------------------------------------------ */

/* Sets of two groups in one order, none twice in whichever order its nodes come. */
static void sets_once(void **state)
{
	static const int square[] = {5, 4, 1, 0}, row[] = {0, 1, 2, 3}, apart[] = {0, 2, 5, 7};
	struct snug_trial t = {0};
	struct bench b;

	(void)state;
	bench_open(&b, 2, (int[]){4, 4}, 0);
	assert_int_equal(snug_trial_init(&t, b.mesh, &arena), 0);
	memset(t.pinned, 0, 16 * sizeof(*t.pinned));
	for (int v = 0; v < 16; v++) {
		t.nfree[v] = 1;
		t.weight[v] = 1;
	}
	t.count = 4;
	t.hop_weight = 1;
	snug_trial_group(&t, 3);
	snug_trial_nodes(&t, row);
	snug_trial_nodes(&t, apart);
	snug_trial_box(&t, (int[]){0, 0}, (int[]){2, 2});
	snug_trial_group(&t, 4);
	snug_trial_box(&t, (int[]){1, 2}, (int[]){2, 2});
	snug_trial_nodes(&t, apart);
	snug_trial_nodes(&t, square);
	assert_int_equal(t.nkept, 6);
	snug_trial_order(&t);
	assert_int_equal(t.nkept, 4);
	for (int i = 1; i < 4; i++)
		assert_true(t.kept[i].score >= t.kept[i - 1].score);
	assert_true(t.kept[1].score < t.kept[2].score); /* two squares, the row, and apart */
	for (int v = 0; v < 16; v++)
		assert_int_equal(t.taken[v], 0);
	arena_release(&arena);
	bench_close(&b);
}

/* The weight of v's neighbours that are not taken, each of them once. */
static double plain_border(
	const struct mesh *mesh, const struct snug_trial *t, const struct nodeset *taken, int v)
{
	double sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		for (int by = -1; by <= 1; by += 2) {
			int at[MESH_MAX_DIMS], side = mesh->side[d], w;

			for (int i = 0; i < MESH_MAX_DIMS; i++)
				at[i] = mesh->coord[v][i];
			at[d] += by;
			if (side == 1 || (side == 2 && at[d] != 0 && at[d] != 1) ||
				(!mesh->wrap[d] && (at[d] < 0 || at[d] == side)))
				continue;
			at[d] = (at[d] + side) % side;
			w = mesh_vertex(mesh, at);
			sum += nodeset_has(taken, w) ? 0 : t->weight[w];
		}
	return sum;
}

/* Hops and border of random sets on random machines, by pairs and neighbours one by one. */
static void sets_plain(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct mesh *mesh = random_mesh(&seed, 1 + i % 4, 150);
		struct snug_trial t = {0};
		struct nodeset taken;
		int *node = calloc((size_t)mesh->nnodes, sizeof(int));
		double border = 0, hops;

		assert_int_equal(snug_trial_init(&t, mesh, &arena), 0);
		nodeset_init(&taken, mesh->nvertices);
		for (int n = 0, most = random_int(&seed, 1, 5); n < mesh->nnodes; n++) {
			int v = mesh->vertex_of[n];

			if (random_int(&seed, 0, most) == 0)
				continue;
			node[t.count++] = n;
			nodeset_add(&taken, v);
			t.nfree[v]++;
			t.weight[v] = 1;
		}
		nodeset_each(v, &taken)
			border += plain_border(mesh, &t, &taken, v);
		t.hop_weight = t.exposure_weight = 1;
		snug_trial_group(&t, 1);
		snug_trial_nodes(&t, node);
		hops = t.count > 1 ? (double)plain_pairwise_hops(mesh, node, t.count) * 2 /
				t.count / (t.count - 1)
				   : 0;
		assert_float_equal((float)t.kept[0].border, (float)border, 1e-3);
		assert_float_equal((float)(t.kept[0].score - t.kept[0].border), (float)hops, 1e-3);
		for (int v = 0; v < mesh->nvertices; v++)
			assert_true(t.taken[v] == 0 && t.weight[v] == (t.nfree[v] > 0));
		arena_release(&arena);
		nodeset_release(&taken);
		free(node);
		mesh_free(mesh);
	}
}

/* The vertex that a box is best without: by hops to all of it, and by links to what is left and
 * outside. */
static int plain_best(
	const struct mesh *mesh, const struct snug_trial *t, const struct nodeset *taken)
{
	double most = -1e30;
	int best = -1, beside[2 * MESH_MAX_DIMS];

	nodeset_each(v, taken) {
		double gain = 0, left = 0;

		for (int u = 0; u < mesh->nvertices; u++)
			gain += t->nfree[u] * (double)mesh_hops(mesh, v, u);
		for (int j = mesh_neighbours(mesh, v, beside); j-- > 0;)
			left += nodeset_has(taken, beside[j]);
		gain += plain_border(mesh, t, taken, v) - left;
		if (gain > most) {
			most = gain;
			best = v;
		}
	}
	return best;
}

/* A box of all of a machine with one node a vertex is trimmed as one vertex after another is given
 * back. */
static void trims_plain(void **state)
{
	uint64_t seed = 13;

	(void)state;
	for (int i = 0; i < 120; i++) {
		struct mesh *mesh = random_mesh(&seed, 1 + i % 4, 60);
		struct snug_trial t = {0};
		struct nodeset taken;
		int base[MESH_MAX_DIMS] = {0}, left = 0;

		assert_int_equal(snug_trial_init(&t, mesh, &arena), 0);
		nodeset_init(&taken, mesh->nvertices);
		for (int v = 0; v < mesh->nvertices; v++) {
			t.nfree[v] = random_int(&seed, 0, 3) > 0;
			t.weight[v] = t.nfree[v];
			left += (int)t.nfree[v];
			if (t.nfree[v])
				nodeset_add(&taken, v);
		}
		t.count = random_int(&seed, 1, left > 1 ? left : 1);
		/* So that all gains are whole numbers. */
		t.hop_weight = t.count * t.count / 2.0;
		t.exposure_weight = 1;
		snug_trial_group(&t, 1);
		for (; left > t.count; left--)
			nodeset_del(&taken, plain_best(mesh, &t, &taken));
		snug_trial_box(&t, base, mesh->side);
		assert_int_equal(t.kept[0].n, left);
		for (int n = 0; n < left; n++)
			assert_true(nodeset_has(&taken, t.kept[0].vertex[n]));
		arena_release(&arena);
		nodeset_release(&taken);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweeps),
		cmocka_unit_test(marks),
		cmocka_unit_test(sets_once),
		cmocka_unit_test(sets_plain),
		cmocka_unit_test(trims_plain),
		cmocka_unit_test(corner),
		cmocka_unit_test(other_shape),
		cmocka_unit_test(grids),
		cmocka_unit_test(pocket),
		cmocka_unit_test(pinned),
		cmocka_unit_test(no_time),
		cmocka_unit_test(short_sides),
		cmocka_unit_test(many_boxes),
		cmocka_unit_test(largest),
		cmocka_unit_test(thin_slabs),
		cmocka_unit_test(own_grids),
	};

	return cmocka_run_group_tests_name("snug", tests, NULL, NULL);
}
