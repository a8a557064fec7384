/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several meshes: which of them, against all taken one by one; and over some of them.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"
#include "conf/strategies.h"
#include "decide/span.h"
#include "decide/strategy_decide.h"
#include "sim/span_hops.h"

enum { MOST = 4, CABLES = 8 };

struct machine {
	struct arena arena;
	struct mesh *mesh[MOST];
	struct nodeset free[MOST];
	struct span_mesh in[MOST];
	struct strategy *strategy[MOST];
	struct span span;
	int nfree;
	bool fewer; /* a mesh that has less gives what it has */
};

static int ask(void *arg, int i, int count, int known)
{
	struct machine *m = arg;
	struct mesh_state state = {.free = &m->free[i]};
	struct mesh_request request = {.count = count, .segment = m->span.segment};
	struct mesh_answer answer = {.node = m->in[i].node};
	int nfree = nodeset_count(&m->free[i]), step = request.segment ? request.segment : 1;

	if (m->fewer && count > nfree)
		request.count = nfree / step * step;
	if (!request.count || request.count < known)
		return 0;
	strategy_decide(m->strategy[i], &state, &request, &answer);
	return answer.count;
}

/* Cables between meshes, a chain of all of them first. */
static void join(struct machine *m, uint64_t *seed)
{
	struct linkgraph_cable cable[CABLES];

	for (int i = 0; i < CABLES; i++) {
		cable[i].weight = random_int(seed, 1, 3);
		for (int end = 0; end < 2; end++) {
			int at = i < m->span.n - 1 ? i + end : random_int(seed, 0, m->span.n - 1);

			cable[i].mesh[end] = at;
			cable[i].vertex[end] = random_int(seed, 0, m->mesh[at]->nvertices - 1);
		}
	}
	assert_false(linkgraph_join(m->mesh, m->span.n, cable, CABLES, NULL));
}

static void make(struct machine *m, uint64_t *seed, bool joined)
{
	*m = (struct machine){.span = {.in = m->in, .ask = ask, .arg = m}};
	m->span.n = random_int(seed, 1 + joined, MOST);
	for (int i = 0; i < m->span.n; i++) {
		m->mesh[i] = random_mesh(seed, 3, 40);
		assert_false(nodeset_get(&m->free[i], m->mesh[i]->nnodes, &m->arena));
		random_set(seed, &m->free[i], random_int(seed, 0, 100));
		m->nfree += nodeset_count(&m->free[i]);
		m->in[i] = (struct span_mesh){m->mesh[i], &m->free[i],
			arena_get(&m->arena, m->mesh[i]->nnodes, sizeof(int)), 0};
	}
	if (joined)
		join(m, seed);
	for (int i = 0; i < m->span.n; i++)
		m->strategy[i] = strategy_new(strategy_find("mc1x1"), m->mesh[i], NULL);
}

static void done(struct machine *m)
{
	for (int i = 0; i < m->span.n; i++) {
		strategy_free(m->strategy[i]);
		mesh_free(m->mesh[i]);
	}
	arena_release(&m->arena);
}

/* Of free nodes, each once, ascending, in whole segments: how many, and of how many meshes. */
static int check(const struct machine *m, int *meshes)
{
	int all = *meshes = 0;

	for (int i = 0; i < m->span.n; i++) {
		const struct span_mesh *in = &m->in[i];

		for (int j = 0; j < in->count; j++) {
			assert_true(nodeset_has(in->free, in->node[j]));
			assert_true(!j || in->node[j] > in->node[j - 1]);
		}
		assert_true(!m->span.segment || in->count % m->span.segment == 0);
		all += in->count;
		*meshes += in->count > 0;
	}
	return all;
}

static double hops_of(const struct span_mesh *in, int n)
{
	return mesh_mean_hops(mesh_pairwise_hops(in->mesh, in->node, n), n);
}

static void test_one(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct machine m;
		int count = random_int(&seed, 1, 20), found, meshes, spare = 0;
		double hops = 0;

		make(&m, &seed, false);
		m.fewer = random_int(&seed, 0, 1);
		found = span_one(&m.span, count);
		assert_int_equal(check(&m, &meshes), found);
		assert_int_equal(meshes, found > 0);
		for (int i = 0; i < m.span.n; i++)
			if (m.in[i].count) {
				hops = hops_of(&m.in[i], found);
				spare = nodeset_count(&m.free[i]) - found;
			}
		for (int i = 0; i < m.span.n; i++) {
			int n = ask(&m, i, count, 0), left = nodeset_count(&m.free[i]) - n;

			assert_true(n < found || (n == found && hops_of(&m.in[i], n) >= hops));
			assert_true(n < found || m.span.n < 2 || hops_of(&m.in[i], n) > hops ||
				left >= spare);
		}
		done(&m);
	}
}

/* The fewest meshes that have so many, where each gives all that it has. */
static int plain_fewest(const struct machine *m, int count)
{
	int fewest = MOST + 1;

	for (unsigned set = 0; set < 1u << m->span.n; set++) {
		int n = 0, room = 0;

		for (int i = 0; i < m->span.n; i++)
			if (set >> i & 1) {
				n++;
				room += nodeset_count(&m->free[i]);
			}
		fewest = room >= count && n < fewest ? n : fewest;
	}
	return fewest;
}

static void test_several(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 300); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct machine m;
		bool cables = random_int(&seed, 0, 1);
		int segment = random_int(&seed, 0, 3), count, found, meshes, nfree = 0;

		make(&m, &seed, cables);
		m.fewer = true;
		m.span.segment = segment;
		count = random_int(&seed, 1, m.nfree + 2);
		count += segment ? (segment - count % segment) % segment : 0;
		found = span_several(&m.span, count);
		assert_int_equal(check(&m, &meshes), found);
		assert_true(found <= count);
		for (int i = 0; i < m.span.n; i++)
			nfree += nodeset_count(&m.free[i]);
		assert_int_equal(nfree, m.nfree);
		if (!segment)
			assert_int_equal(found == count, count <= m.nfree);
		if (!segment && !cables && found == count)
			assert_int_equal(meshes, plain_fewest(&m, count));
		if (!cables)
			assert_int_equal(span_hops(&m.span), -1);
		done(&m);
	}
}

/* No more of a mesh than the caller wants; what has no cables to the others has its own graph. */
static void test_most(void **state)
{
	struct machine m;
	int meshes;

	(void)state;
	for (uint64_t seed = 1; seed < 30; seed++) {
		uint64_t s = seed;

		make(&m, &s, false);
		m.fewer = true;
		m.span.most = 2;
		if (span_several(&m.span, 4) == 4) {
			assert_int_equal(check(&m, &meshes), 4);
			for (int i = 0; i < m.span.n; i++)
				assert_true(m.in[i].count <= 2);
		}
		done(&m);
	}
}

static void test_apart(void **state)
{
	(void)state;
	for (struct rounds r = rounds(3, 60); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct machine m;
		int meshes, last;

		make(&m, &seed, true);
		m.fewer = true;
		m.span.segment = random_int(&seed, 0, 2);
		last = m.span.n - 1;
		/* The first mesh leaves the others' graph. */
		random_links(&seed, m.mesh[0], 10, 1);
		assert_int_equal(m.mesh[0]->graph->nmeshes, 1);
		if (last > 1 || m.nfree > 2)
			span_several(&m.span, 2);
		check(&m, &meshes);
		done(&m);
	}
}

/* Hops over all pairs of nodes, each asked for. */
static void test_hops(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 100); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct machine m;
		int64_t sum = 0;
		int *at, n = 0;

		make(&m, &seed, true);
		arena_array(&m.arena, at, m.nfree + 1);
		m.fewer = true;
		if (m.nfree)
			span_several(&m.span, random_int(&seed, 1, m.nfree));
		for (int i = 0; i < m.span.n; i++)
			for (int j = 0; j < m.in[i].count; j++)
				at[n++] = m.mesh[i]->graph_first +
					m.mesh[i]->vertex_of[m.in[i].node[j]];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < i; j++)
				sum += linkgraph_search(m.mesh[0]->graph, at[i], at[j]);
		assert_int_equal(span_hops(&m.span), n ? sum : -1);
		done(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_hops),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
