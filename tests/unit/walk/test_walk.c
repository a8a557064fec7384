/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graph/linkgraph.h"
#include "conf/shape.h"
#include "conf/strategies.h"
#include "support.h"
#include "walk/walk.h"
#include "decide/strategy_decide.h"

/* --- all walks of a small machine, one by one --------------------------------------- */

enum { SMALL = 11 };

struct plain {
	const struct mesh *mesh;
	int node[SMALL], n;
	bool used[SMALL];
	int path[SMALL];
	bool line[SMALL + 1], ring[SMALL + 1]; /* is there one of this length? */
};

static bool next_to(const struct mesh *mesh, int a, int b)
{
	return linkgraph_mesh_hops(mesh, mesh->vertex_of[a], mesh->vertex_of[b]) <= 1;
}

static void enumerate(struct plain *p, int length)
{
	for (int i = 0; i < p->n; i++) {
		int a = p->node[i];

		if (p->used[i] || (length && !next_to(p->mesh, p->path[length - 1], a)))
			continue;
		p->used[i] = true;
		p->path[length] = a;
		p->line[length + 1] = true;
		if (next_to(p->mesh, a, p->path[0]))
			p->ring[length + 1] = true;
		enumerate(p, length + 1);
		p->used[i] = false;
	}
}

static void check_walk(const struct walk_question *q, const int *node)
{
	struct nodeset left;

	assert_false(nodeset_init(&left, q->mesh->nnodes));
	nodeset_copy(&left, q->free);
	for (int i = 0; i < q->length; i++) {
		assert_true(nodeset_has(&left, node[i]));
		nodeset_del(&left, node[i]);
		assert_true(!i || next_to(q->mesh, node[i - 1], node[i]));
	}
	assert_true(q->kind == WALK_LINE || next_to(q->mesh, node[0], node[q->length - 1]));
	assert_true(!q->required || !nodeset_count(q->required) ||
		!nodeset_has(&left, nodeset_next(q->required, 0)));
	nodeset_release(&left);
}

static void compare(const struct plain *p, struct walk_question *q)
{
	int node[SMALL];
	struct mesh_err err;

	for (q->length = 1; q->length <= p->n; q->length++)
		for (q->kind = WALK_LINE; q->kind <= WALK_RING; q->kind++) {
			bool there = q->kind == WALK_RING ? p->ring[q->length] : p->line[q->length];

			assert_int_equal(walk_find(q, node), there ? WALK_FOUND : WALK_PROVED);
			if (there)
				check_walk(q, node);
			assert_false(there &&
				walk_never(q->mesh, q->free, &(struct mesh_shape){
					.walk = q->kind, .ndims = 1, .side = {q->length}}, &err));
		}
}

/* A link in ten is broken, and a cable is where no link was. */
static void break_some(uint64_t *seed, struct mesh *mesh)
{
	struct linkgraph_cable cable = {.vertex = {random_int(seed, 0, mesh->nvertices - 1),
		random_int(seed, 0, mesh->nvertices - 1)}, .weight = random_int(seed, 1, 2)};
	struct mesh_err err;

	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (!random_int(seed, 0, 9))
				assert_false(mesh_break(mesh, v, d));
	assert_false(linkgraph_join(&mesh, 1, &cable, cable.vertex[0] != cable.vertex[1], &err));
}

/* Any mesh of up to three dimensions: wraps, holes, several nodes on a vertex, broken links. */
static void one_mesh(uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 3, 40);
	struct plain p = {.mesh = mesh};
	struct nodeset free;
	struct walk_question q = {.mesh = mesh, .free = &free};

	assert_false(nodeset_init(&free, mesh->nnodes));
	random_set(seed, &free, random_int(seed, 10, 100));
	if (random_int(seed, 0, 1))
		break_some(seed, mesh);
	for (int i = nodeset_next(&free, 0), n = 0; i >= 0; i = nodeset_next(&free, i + 1))
		if (++n > SMALL)
			nodeset_del(&free, i);
	p.n = nodeset_members(&free, p.node);
	enumerate(&p, 0);
	compare(&p, &q);
	nodeset_release(&free);
	mesh_free(mesh);
}

static void test_enumeration(void **unused)
{
	(void)unused;
	for (struct rounds r = rounds(1, 300); rounds_next(&r);)
		one_mesh(&r.seed);
}

/* --- cables of different lanes ------------------------------------------------------- */

/* Of all walks of a length: the most lanes that the narrowest link of one has, and the least cost
 * of those; lanes 0: there is none. */
struct best {
	int lanes, cost;
};

struct cabled {
	struct mesh *mesh;
	int widest, path[SMALL];
	bool used[SMALL];
	struct best line[SMALL + 1], ring[SMALL + 1];
};

static int lanes_of(const struct mesh *mesh, int a, int b)
{
	return linkgraph_lanes(mesh->graph, mesh->graph_first + mesh->vertex_of[a],
		mesh->graph_first + mesh->vertex_of[b]);
}

static struct best with_link(const struct cabled *c, struct best walk, int a, int b)
{
	int lanes = lanes_of(c->mesh, a, b);

	walk.lanes = lanes < walk.lanes ? lanes : walk.lanes;
	walk.cost += lanes ? (c->widest + lanes / 2) / lanes : 0;
	return walk;
}

static void keep_best(struct best *best, struct best walk)
{
	if (walk.lanes > best->lanes || (walk.lanes == best->lanes && walk.cost < best->cost))
		*best = walk;
}

static void enumerate_cabled(struct cabled *c, int length, struct best walk)
{
	for (int a = 0; a < c->mesh->nnodes; a++) {
		struct best next = walk;

		if (c->used[a])
			continue;
		if (length)
			next = with_link(c, walk, c->path[length - 1], a);
		if (!next.lanes)
			continue;
		c->used[a] = true;
		c->path[length] = a;
		keep_best(&c->line[length + 1], next);
		if (length > 1)
			keep_best(&c->ring[length + 1], with_link(c, next, a, c->path[0]));
		enumerate_cabled(c, length + 1, next);
		c->used[a] = false;
	}
}

static struct best measure_walk(const struct cabled *c, const struct walk_question *q,
	const int *node)
{
	struct best walk = {.lanes = INT_MAX};

	for (int i = 1; i < q->length + (q->kind == WALK_RING); i++)
		walk = with_link(c, walk, node[i - 1], node[i % q->length]);
	return walk;
}

/* Some hosts and cables of 1 to 16 lanes. */
static void make_cabled(uint64_t *seed, struct cabled *c)
{
	int n = random_int(seed, 3, 9), most = 0;
	struct mesh_spec spec = {.name = "c", .ndims = 1, .side = {n}, .nodes_per_vertex = 1,
		.nnodes = n, .cabled = true};
	struct linkgraph_cable cable[SMALL * SMALL];
	struct mesh_err err;

	c->mesh = mesh_new(&spec, &err);
	assert_non_null(c->mesh);
	for (int a = 0; a < n; a++)
		for (int b = 0; b < a; b++)
			if (!random_int(seed, 0, 2))
				cable[most++] = (struct linkgraph_cable){{0, 0}, {b, a}, 1,
					1 << random_int(seed, 0, 4)};
	for (int i = 0; i < most; i++)
		c->widest = cable[i].lanes > c->widest ? cable[i].lanes : c->widest;
	assert_false(linkgraph_join(&c->mesh, 1, cable, most, &err));
}

static void check_cabled(const struct cabled *c, struct walk_question *q, struct best best)
{
	const struct mesh_shape shape = {.walk = q->kind, .ndims = 1, .side = {q->length},
		.lanes = q->lanes};
	bool there = best.lanes && best.lanes >= q->lanes;
	struct mesh_err err = {{0}};
	struct best found;
	int node[SMALL];

	assert_int_equal(walk_find(q, node), there ? WALK_FOUND : WALK_PROVED);
	if (walk_never(q->mesh, NULL, &shape, &err)) {
		assert_false(there);
		assert_true(*err.text);
	}
	if (!there)
		return;
	check_walk(q, node);
	found = measure_walk(c, q, node);
	assert_int_equal(found.lanes, best.lanes);
	assert_int_equal(found.cost, best.cost);
}

/* The walk that is found has the widest narrowest link, and costs the least of those. */
static void test_lanes(void **unused)
{
	(void)unused;
	for (struct rounds r = rounds(7, 100); rounds_next(&r);) {
		struct cabled c = {.mesh = NULL};
		struct walk_question q = {.lanes = random_int(&r.seed, 0, 1) ? 0 : 4};
		struct nodeset all;

		make_cabled(&r.seed, &c);
		enumerate_cabled(&c, 0, (struct best){.lanes = INT_MAX});
		assert_false(nodeset_init(&all, c.mesh->nnodes));
		nodeset_set_all(&all);
		q.mesh = c.mesh;
		q.free = &all;
		for (q.length = 3; q.length <= c.mesh->nnodes; q.length++)
			for (q.kind = WALK_LINE; q.kind <= WALK_RING; q.kind++)
				check_cabled(&c, &q, q.kind == WALK_LINE ? c.line[q.length]
									 : c.ring[q.length]);
		nodeset_release(&all);
		mesh_free(c.mesh);
	}
}

/* Why there is none: the text names the cut or a node of one link. */
static void why_not(const int (*link)[2], int links, int n, const char *shape_text, const char *why)
{
	struct mesh_spec spec = {.name = "c", .ndims = 1, .side = {n}, .nodes_per_vertex = 1,
		.nnodes = n, .cabled = true};
	struct linkgraph_cable cable[16];
	struct mesh_shape shape;
	struct mesh_err err = {{0}};
	struct mesh *mesh = mesh_new(&spec, &err);

	assert_non_null(mesh);
	for (int i = 0; i < links; i++)
		cable[i] = (struct linkgraph_cable){{0, 0}, {link[i][0], link[i][1]}, 1, 8};
	assert_false(linkgraph_join(&mesh, 1, cable, links, &err));
	assert_false(shape_parse(shape_text, &shape, &err));
	assert_true(walk_never(mesh, NULL, &shape, &err));
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	mesh_free(mesh);
}

static void test_why(void **unused)
{
	/* A ring of four with a tail, one of three; two of three with a node in common; two nodes
	 * that are joined, and four others to both. */
	static const int tail[][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}};
	static const int twins[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {2, 4}};
	static const int small[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
	static const int two[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 2}, {1, 3}, {1, 4},
		{1, 5}};

	(void)unused;
	why_not(tail, 5, 5, "ring:4:lanes=9", "over links of 9 lanes or more");
	why_not(twins, 6, 5, "ring:4", "a ring has at most 1 of them");
	why_not(two, 9, 6, "ring:5", "at most 2 of them: it has at most 4 nodes");
	why_not(two, 9, 6, "line:6", "at most 3 of them: it has at most 5 nodes");
	why_not(small, 4, 4, "ring:4", "1 of 4 are on none, as a node, which has 1 link");
	why_not(tail, 5, 5, "ring:5", "an odd number");
}

static int add_cable(struct linkgraph_cable *to, int a, int b, int lanes)
{
	*to = (struct linkgraph_cable){{0, 0}, {a, b}, 16 / lanes, lanes};
	return 1;
}

/* Nine rings of four with 16 lanes, three and three with 4 lanes between, and few of 1 lane. */
static struct mesh *make_rings(void)
{
	struct mesh_spec spec = {.name = "c", .ndims = 1, .side = {36}, .nodes_per_vertex = 1,
		.nnodes = 36, .cabled = true};
	struct linkgraph_cable cable[90];
	struct mesh_err err = {{0}};
	struct mesh *mesh = mesh_new(&spec, &err);
	int n = 0;

	assert_non_null(mesh);
	for (int v = 0; v < 36; v++) {
		int r = v / 4, i = v % 4, next = (i + 1) % 4;

		n += add_cable(&cable[n], v, 4 * r + next, 16);
		n += add_cable(&cable[n], v, 4 * (r / 3 * 3 + (r + 1) % 3) + next, 4);
		if (i < 2)
			n += add_cable(&cable[n], v, 4 * ((r + 3) % 9) + i + 2, 1);
	}
	assert_false(linkgraph_join(&mesh, 1, cable, n, &err));
	return mesh;
}

/* Rings of all lengths but 5, though a first search goes wrong for the long ones. */
static void test_anew(void **unused)
{
	struct mesh *mesh = make_rings();
	struct walk_question q = {.mesh = mesh, .kind = WALK_RING};
	struct nodeset all;
	int node[36];

	(void)unused;
	assert_false(nodeset_init(&all, 36));
	nodeset_set_all(&all);
	q.free = &all;
	for (q.length = 4; q.length <= 36; q.length++) {
		assert_int_equal(walk_find(&q, node), q.length == 5 ? WALK_PROVED : WALK_FOUND);
		for (int i = 0; q.length != 5 && i < q.length; i++)
			assert_true(linkgraph_lanes(
				mesh->graph, node[i], node[(i + 1) % q.length]) > 0);
	}
	nodeset_release(&all);
	mesh_free(mesh);
}

/* --- what must be on it ------------------------------------------------------------- */

static void test_required(void **unused)
{
	struct mesh *mesh = make_mesh(2, (const int[]){5, 5}, 0, 1);
	struct nodeset free, required;
	struct walk_question q = {.mesh = mesh, .free = &free, .required = &required,
		.kind = WALK_RING, .length = 8};
	int node[25];

	(void)unused;
	assert_false(nodeset_init(&free, 25) || nodeset_init(&required, 25));
	nodeset_set_all(&free);
	for (int i = 0; i < 25; i++) {
		nodeset_clear_all(&required);
		nodeset_add(&required, i);
		assert_int_equal(walk_find(&q, node), WALK_FOUND);
		check_walk(&q, node);
	}
	nodeset_add(&required, 0); /* opposite corners: a ring of 16 at least */
	assert_int_equal(walk_find(&q, node), WALK_PROVED);
	nodeset_release(&free);
	nodeset_release(&required);
	mesh_free(mesh);
}

/* --- sizes that were asked for ------------------------------------------------------ */

struct asked {
	struct mesh *mesh;
	struct nodeset free;
	int *node;
};

static void ask_on(struct asked *a, struct mesh *mesh)
{
	a->mesh = mesh;
	a->node = malloc((size_t)a->mesh->nnodes * sizeof(int));
	assert_non_null(a->node);
	assert_false(nodeset_init(&a->free, a->mesh->nnodes));
	nodeset_set_all(&a->free);
}

static void ask(struct asked *a, int ndims, const int *side, unsigned wrap)
{
	ask_on(a, make_mesh(ndims, side, wrap, 1));
}

static enum walk_result find(struct asked *a, enum walk_kind kind, int length)
{
	struct walk_question q = {
		.mesh = a->mesh, .free = &a->free, .kind = kind, .length = length};
	clock_t from = clock();
	enum walk_result result = walk_find(&q, a->node);

	/* 100 ms is the promise; a machine under load and with sanitizers has more. */
	assert_true(clock() - from < CLOCKS_PER_SEC * 2);
	if (result == WALK_FOUND)
		check_walk(&q, a->node);
	return result;
}

static void done(struct asked *a)
{
	nodeset_release(&a->free);
	free(a->node);
	mesh_free(a->mesh);
}

/* 19 of 20 hosts are usable: 16 and 18 of them make a ring, wherever the bad one is. */
static void test_one_bad(void **unused)
{
	struct asked a;

	(void)unused;
	ask(&a, 2, (const int[]){4, 5}, 0);
	for (int bad = 0; bad < 20; bad++) {
		nodeset_set_all(&a.free);
		nodeset_del(&a.free, bad);
		assert_int_equal(find(&a, WALK_RING, 16), WALK_FOUND);
		assert_int_equal(find(&a, WALK_RING, 18), WALK_FOUND);
		assert_int_equal(find(&a, WALK_RING, 17), WALK_PROVED);
		assert_int_equal(find(&a, WALK_LINE, 19), WALK_FOUND);
	}
	done(&a);
}

/* 512 nodes on each vertex have 84 million links: too many to look at. */
static void test_crowded(void **unused)
{
	const struct mesh_shape shape = {.walk = WALK_RING, .ndims = 1, .side = {1001}};
	struct nodeset required;
	struct mesh_err err;
	struct asked a;
	clock_t from;

	(void)unused;
	ask_on(&a, make_mesh(2, (const int[]){8, 8}, 3, 512));
	assert_int_equal(find(&a, WALK_RING, 100), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, 1001), WALK_FOUND);
	assert_int_equal(find(&a, WALK_LINE, 1000), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, a.mesh->nnodes), WALK_UNKNOWN);
	from = clock();
	assert_false(walk_never(a.mesh, NULL, &shape, &err));
	assert_true(clock() - from < CLOCKS_PER_SEC * 2);
	assert_false(nodeset_init(&required, a.mesh->nnodes));
	nodeset_add(&required, 511); /* the last one on its vertex */
	assert_int_equal(walk_find(&(struct walk_question){.mesh = a.mesh, .free = &a.free,
		.required = &required, .kind = WALK_RING, .length = 100}, a.node), WALK_UNKNOWN);
	nodeset_release(&required);
	done(&a);
}

static void test_pods(void **unused)
{
	static const struct {
		int ndims, side[3];
		unsigned wrap;
	} pod[] = {{2, {4, 6}, 0}, {2, {4, 8}, 0}, {2, {6, 6}, 3}, {3, {2, 3, 4}, 0},
		{3, {3, 3, 4}, 7}, {3, {4, 4, 2}, 0}};

	(void)unused;
	for (size_t i = 0; i < sizeof(pod) / sizeof(*pod); i++) {
		struct asked a;
		int n;

		ask(&a, pod[i].ndims, pod[i].side, pod[i].wrap);
		n = a.mesh->nnodes;
		for (int length = 4; length <= n; length += 2)
			assert_int_equal(find(&a, WALK_RING, length), WALK_FOUND);
		for (int length = 1; length <= n; length++)
			assert_int_equal(find(&a, WALK_LINE, length), WALK_FOUND);
		done(&a);
	}
}

/* Round a dimension, round a hole, through nodes of a large machine. */
static void test_odd_places(void **unused)
{
	struct asked a;
	uint64_t seed = 3;

	(void)unused;
	ask(&a, 1, (const int[]){1000}, 1);
	assert_int_equal(find(&a, WALK_RING, 1000), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, 998), WALK_UNKNOWN);
	done(&a);
	ask(&a, 1, (const int[]){200}, 1);
	assert_int_equal(find(&a, WALK_RING, 200), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, 198), WALK_PROVED);
	done(&a);
	ask(&a, 2, (const int[]){3, 3}, 0);
	nodeset_del(&a.free, 4);
	assert_int_equal(find(&a, WALK_RING, 8), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, 6), WALK_PROVED);
	done(&a);
	ask(&a, 2, (const int[]){5, 8}, 1); /* odd round the first dimension */
	assert_int_equal(find(&a, WALK_RING, 15), WALK_FOUND);
	assert_int_equal(find(&a, WALK_RING, 3), WALK_PROVED);
	done(&a);
	/* Two parts, of 420 and of 450 nodes: it is plain at once that no line is longer. */
	ask(&a, 2, (const int[]){30, 30}, 0);
	for (int i = 14 * 30; i < 15 * 30; i++)
		nodeset_del(&a.free, i);
	assert_int_equal(find(&a, WALK_LINE, 450), WALK_FOUND);
	assert_int_equal(find(&a, WALK_LINE, 451), WALK_PROVED);
	done(&a);
	ask(&a, 3, (const int[]){20, 20, 20}, 7);
	random_set(&seed, &a.free, 60);
	assert_int_equal(find(&a, WALK_RING, 128), WALK_FOUND);
	assert_int_equal(find(&a, WALK_LINE, 129), WALK_FOUND);
	done(&a);
}

/* All of a large machine, hardly less of it, half, and nearly all when a node is down. */
static void test_large(void **unused)
{
	static const struct {
		int side[3];
		unsigned wrap;
	} machine[] = {{{64, 32, 1}, 0}, {{16, 16, 16}, 7}, {{9, 20, 12}, 7}, {{15, 7, 10}, 0}};

	(void)unused;
	for (size_t i = 0; i < sizeof(machine) / sizeof(*machine); i++) {
		struct asked a;
		int n;

		ask(&a, 3, machine[i].side, machine[i].wrap);
		n = a.mesh->nnodes;
		assert_int_equal(find(&a, WALK_LINE, n - 1 - n % 4 * 2), WALK_FOUND);
		assert_int_equal(find(&a, WALK_RING, n - 2 - n % 4 * 2), WALK_FOUND);
		assert_int_equal(find(&a, WALK_RING, n / 4 * 2), WALK_FOUND);
		if (n % 4 == 0)
			assert_int_equal(find(&a, WALK_RING, n), WALK_FOUND);
		nodeset_del(&a.free, 5);
		assert_int_equal(find(&a, WALK_RING, n * 49 / 100 * 2), WALK_FOUND);
		done(&a);
	}
}

/* A ring of so many nodes, grown at random from a square: on a mesh without gaps. */
static void plant(uint64_t *seed, const struct mesh *mesh, int length, struct nodeset *ring)
{
	const int step[] = {1, mesh->side[0], -1, -mesh->side[0]};
	int next[256], n = 4;

	nodeset_clear_all(ring);
	for (int i = 0, v = 0; i < 4; i++, v = next[v])
		nodeset_add(ring, next[v] = v + step[i]);
	while (n < length) {
		int a = random_int(seed, 0, mesh->nnodes - 1), b, c, d, by = random_int(seed, 0, 3);

		if (!nodeset_has(ring, a))
			continue;
		b = next[a];
		c = a + step[by];
		d = b + step[by];
		if (c < 0 || d < 0 || c >= mesh->nnodes || d >= mesh->nnodes ||
			nodeset_has(ring, c) || nodeset_has(ring, d) ||
			mesh_hops(mesh, a, c) > 1 || mesh_hops(mesh, b, d) > 1)
			continue;
		next[a] = c;
		next[c] = d;
		next[d] = b;
		nodeset_add(ring, c);
		nodeset_add(ring, d);
		n += 2;
	}
}

/* A ring of 200 among 205 free nodes, most of which were found by no search for all 200. */
static void test_planted(void **unused)
{
	struct asked a;
	uint64_t seed = 1;
	int found = 0;

	(void)unused;
	ask(&a, 2, (const int[]){16, 16}, 0);
	for (int round = 0; round < 20; round++) {
		plant(&seed, a.mesh, 200, &a.free);
		for (int left = 5; left;) {
			int i = random_int(&seed, 0, a.mesh->nnodes - 1);

			left -= !nodeset_has(&a.free, i);
			nodeset_add(&a.free, i);
		}
		found += find(&a, WALK_RING, 200) == WALK_FOUND;
	}
	assert_true(found >= 15);
	done(&a);
}

/* --- as a shape --------------------------------------------------------------------- */

static enum mesh_result decide(struct asked *a, const char *name, const char *text,
	struct mesh_answer *answer)
{
	struct mesh_state state = {.free = &a->free};
	struct mesh_request request = {.count = 0};
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), a->mesh, &err);
	enum mesh_result result;

	assert_non_null(strategy);
	assert_false(shape_parse(text, &request.shape, &err));
	result = strategy_decide(strategy, &state, &request, answer);
	strategy_free(strategy);
	return result;
}

/* The same under each strategy; never only what is so. */
static void test_decide(void **unused)
{
	static const char *const names[] = {"snug", "bf", "linear", "mm"};
	struct asked a;
	int by_rank[20];
	struct mesh_answer answer = {.by_rank = by_rank};

	(void)unused;
	ask(&a, 2, (const int[]){4, 5}, 0);
	answer.node = a.node;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		nodeset_set_all(&a.free);
		nodeset_del(&a.free, 7);
		assert_int_equal(decide(&a, names[i], "ring:16", &answer), MESH_OK);
		assert_int_equal(answer.count, 16);
		assert_true(answer.ranked);
		assert_true(next_to(a.mesh, by_rank[0], by_rank[15]));
		assert_int_equal(decide(&a, names[i], "ring:17", &answer), MESH_NEVER);
		assert_string_equal(answer.err.text,
			"a ring of an odd number of nodes cannot close on this mesh");
		assert_int_equal(decide(&a, names[i], "ring:20", &answer), MESH_NO_FIT);
		assert_false(answer.ranked);
		assert_int_equal(decide(&a, names[i], "line:21", &answer), MESH_NEVER);
	}
	done(&a);
}

/* The CPU time of 16 decisions, where the free nodes are in two parts, too small both. */
static clock_t decisions(struct asked *a, int64_t budget_ns)
{
	struct mesh_state state = {.free = &a->free};
	struct mesh_request request = {.budget_ns = budget_ns};
	struct mesh_answer answer = {.node = a->node};
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find("snug"), a->mesh, &err);
	clock_t from = clock();

	assert_non_null(strategy);
	assert_false(shape_parse("ring:24", &request.shape, &err));
	for (int i = 0; i < 16; i++)
		assert_int_equal(strategy_decide(strategy, &state, &request, &answer), MESH_NO_FIT);
	strategy_free(strategy);
	return clock() - from;
}

/* Where no time is left, it is not looked whether there could ever be a walk: that takes long. */
static void test_no_time(void **unused)
{
	struct asked a;

	(void)unused;
	ask(&a, 2, (const int[]){5, 9}, 0);
	for (int i = 20; i < 25; i++)
		nodeset_del(&a.free, i);
	assert_true(decisions(&a, 1) < decisions(&a, 0) / 4);
	done(&a);
}

static void test_text(void **unused)
{
	static const char *const wrong[] = {"ring", "ring:", "ring:0", "ring:x", "ring:4x4",
		"ring:16:torus", "line:40000", "ring:-4", "t:ring", "t:ring:0", "t:",
		"ring:8:lanes=0", "ring:8:lanes=", "ring:8:lanes=2x", "ring:8:lanes=2:torus",
		"4x4:lanes=2", "a23456789012345678901234:ring:8"};
	struct mesh_shape shape;
	struct mesh_err err;

	(void)unused;
	assert_false(shape_parse("line:12", &shape, &err));
	assert_int_equal(shape.walk, WALK_LINE);
	assert_int_equal(shape.side[0], 12);
	assert_false(shape_parse("t:ring:8", &shape, &err));
	assert_true(shape.walk == WALK_RING && shape.side[0] == 8 && !shape.chips);
	assert_string_equal(shape.type, "t");
	assert_false(shape_parse("a2345678901234567890123:ring:8", &shape, &err));
	assert_string_equal(shape.type, "a2345678901234567890123");
	assert_false(shape_parse("t:ring:8:lanes=16", &shape, &err));
	assert_true(shape.walk == WALK_RING && shape.side[0] == 8 && shape.lanes == 16);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(shape_parse(wrong[i], &shape, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enumeration),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_anew),
		cmocka_unit_test(test_required),
		cmocka_unit_test(test_one_bad),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_pods),
		cmocka_unit_test(test_odd_places),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_decide),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
