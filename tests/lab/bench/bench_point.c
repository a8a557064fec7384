/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Microseconds per decision of the point strategies on random states and on those that streams of
 * jobs leave (streams.h; the machine is s75 or s90 busy: the load offered), and how many times as
 * long the plain way takes: for each centre sort the free nodes by distance and add up the
 * hops over all pairs of the k nearest. The plain way is timed on a few centres and scaled to
 * all of them.
 *
 * bench_point [MESH [DECISIONS [STRATEGY...]]]: only meshes whose name begins so. With BENCH_K=N
 * in the environment all requests are for N nodes, and the plain way is not timed; with
 * BENCH_VERBOSE=1 each decision has a line. BENCH_STATES=LOAD, in percent, prints a stream's states
 * instead, a line each: the nodes wanted and a 1 for each free node, as smesh alloc --decisions
 * reads them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "base/mesh.h"
#include "base/nodeset.h"
#include "conf/strategies.h"
#include "streams.h"
#include "decide/strategy_decide.h"

static const struct machine {
	const char *name;
	int ndims, side[MESH_MAX_DIMS];
	bool torus;
	int decisions;
	enum { WHOLE, HOLES, MIXED } nodes; /* every 20th vertex has none; in another order */
} machines[] = {
	{"16x16", 2, {16, 16}, false, 200, WHOLE},
	{"32x32", 2, {32, 32}, false, 200, WHOLE},
	{"8x8x8", 3, {8, 8, 8}, false, 200, WHOLE},
	{"16x16x16", 3, {16, 16, 16}, false, 100, WHOLE},
	{"32x32x32", 3, {32, 32, 32}, false, 40, WHOLE},
	{"torus-32x32x32", 3, {32, 32, 32}, true, 40, WHOLE},
	{"torus-16x16x16", 3, {16, 16, 16}, true, 100, WHOLE},
	{"holes-16x16x16", 3, {16, 16, 16}, true, 100, HOLES},
	{"mixed-16x16x16", 3, {16, 16, 16}, true, 100, MIXED},
	{"64x64x32", 3, {64, 64, 32}, false, 16, WHOLE},
	{"64x64x64", 3, {64, 64, 64}, false, 16, WHOLE},
	{"100x100x100", 3, {100, 100, 100}, false, 12, WHOLE},
	{"256x256-torus", 2, {256, 256}, true, 16, WHOLE},
	{"8x8x8x8x2-torus", 5, {8, 8, 8, 8, 2}, true, 40, WHOLE},
};

static uint64_t seed;

/* Loads of streams, in percent, are told from parts that are busy by being this much more. */
#define STREAM 1000

static void fill(struct nodeset *set, int busy)
{
	nodeset_clear_all(set);
	for (int i = 0; i < set->n; i++)
		if ((int)(random_next(&seed) % 100) >= busy)
			nodeset_add(set, i);
}

/* k from 2 to half of the free nodes, evenly on a logarithmic scale. */
static int size_of(int i, int n, int nfree)
{
	return n < 2 ? 2 : (int)(2 * pow(nfree / 4.0, (double)i / (n - 1)) + 0.5);
}

static volatile int64_t sink;

/* A centre anywhere, the plain way. */
static void plain_centre(
	const struct mesh *mesh, const struct nodeset *set, int k, int *start, int *sorted)
{
	int centre = (int)(random_next(&seed) % (uint64_t)mesh->nvertices);
	int64_t total = 0;
	int longest = 0;

	for (int d = 0; d < mesh->ndims; d++)
		longest += mesh->side[d];
	memset(start, 0, ((size_t)longest + 2) * sizeof(int));
	nodeset_each(i, set)
		start[mesh_hops(mesh, centre, mesh->vertex_of[i]) + 1]++;
	for (int r = 0; r < longest; r++)
		start[r + 1] += start[r];
	nodeset_each(i, set)
		sorted[start[mesh_hops(mesh, centre, mesh->vertex_of[i])]++] = i;
	/* Half of the pairs cost too much on large machines: every s-th node stands for s. */
	int step = k > 2000 ? k / 2000 : 1;

	for (int i = 0; i < k; i += step)
		for (int j = i + 1; j < k; j += step)
			total += mesh_hops(mesh, sorted[i], sorted[j]);
	sink += total;
}

static double plain_us(const struct mesh *mesh, const struct nodeset *set, int k)
{
	int *start = malloc((size_t)(1 << 16) * sizeof(int)), samples = 3;
	int *sorted = malloc((size_t)mesh->nnodes * sizeof(int));
	double from = bench_us(), us;
	int step = k > 2000 ? k / 2000 : 1;

	for (int i = 0; i < samples; i++)
		plain_centre(mesh, set, k, start, sorted);
	us = bench_us() - from;
	free(start);
	free(sorted);
	return us / samples * mesh->nvertices * step * step;
}

/* Where nodes are that are not one on each vertex, in their order. */
static int *place_nodes(const struct machine *m, struct mesh_spec *spec)
{
	int *vertex = malloc((size_t)spec->nnodes * sizeof(int)), n = 0;

	for (int v = 0; v < spec->nnodes; v++)
		if (m->nodes == MIXED || v % 20 != 19)
			vertex[n++] =
				m->nodes == MIXED ? (int)((int64_t)v * 1237 % spec->nnodes) : v;
	spec->nnodes = n;
	spec->vertex_of = vertex;
	return vertex;
}

static struct mesh *make_mesh(const struct machine *m)
{
	struct mesh_spec spec = {.name = "bench", .ndims = m->ndims, .nnodes = 1,
		.nodes_per_vertex = 1};
	struct mesh_err err;
	struct mesh *mesh;
	int *vertex;

	for (int d = 0; d < m->ndims; d++) {
		spec.side[d] = m->side[d];
		spec.wrap[d] = m->torus;
		spec.nnodes *= m->side[d];
	}
	vertex = m->nodes == WHOLE ? NULL : place_nodes(m, &spec);
	mesh = mesh_new(&spec, &err);
	free(vertex);
	return mesh;
}

struct states {
	int busy, n;
	struct stream_state *recorded; /* [n], or NULL: random */
};

/* The i-th of them; the first one for the warm-up too. */
static int next_state(struct nodeset *set, const struct states *states, int i)
{
	const struct stream_state *state = states->recorded;

	if (state) {
		nodeset_copy(set, &state[i < 0 ? 0 : i].free);
		return state[i < 0 ? 0 : i].count;
	}
	fill(set, states->busy);
	return size_of(i < 0 ? 0 : i, states->n, nodeset_count(set));
}

static int bench(const struct machine *m, const struct mesh *mesh, const char *name,
	const struct states *states)
{
	int decisions = states->n;
	struct mesh_err err;
	struct nodeset set;
	double *us = calloc((size_t)decisions, sizeof(*us)), plain = 0, sum = 0;
	const char *only = getenv("BENCH_K");
	struct strategy *s = strategy_new(strategy_find(name), mesh, &err);
	struct mesh_answer answer = {.node = malloc((size_t)mesh->nnodes * sizeof(int))};

	nodeset_init(&set, mesh->nnodes);
	seed = 42;
	for (int i = -1; i < decisions; i++) {
		struct mesh_state state = {.free = &set};
		struct mesh_request request = {
			.count = next_state(&set, states, i)};

		if (only)
			request.count = atoi(only);
		double from = bench_us();

		if (strategy_decide(s, &state, &request, &answer) != MESH_OK)
			return fprintf(stderr, "%s: %s\n", name, answer.err.text);
		if (i < 0)
			continue; /* warm up */
		us[i] = bench_us() - from;
		sum += us[i];
		if (getenv("BENCH_VERBOSE"))
			printf("  k=%d %.1f\n", request.count, us[i]);
		if (i == decisions / 2 && !only)
			plain = plain_us(mesh, &set, request.count) / us[i];
	}
	qsort(us, (size_t)decisions, sizeof(*us), bench_by_value);
	printf("%-16s %s%d%% %-8s %12.1f %12.1f %12.1f %10.0f\n", m->name,
		states->recorded ? "s" : " ", states->busy % STREAM, name, us[decisions / 2],
		us[(decisions * 99 + 99) / 100 - 1], sum / decisions, plain);
	fflush(stdout);
	free(us);
	free(answer.node);
	nodeset_release(&set);
	strategy_free(s);
	return 0;
}

static void print_states(const struct stream_state *state, int n)
{
	for (int i = 0; i < n; i++) {
		printf("%d ", state[i].count);
		for (int node = 0; node < state[i].free.n; node++)
			putchar(nodeset_has(&state[i].free, node) ? '1' : '0');
		putchar('\n');
	}
}

/* The strategies, or those by default, on one kind of state. */
static int bench_states(const struct machine *m, const struct mesh *mesh, int busy, int decisions,
	const char *const *name)
{
	static const char *const all[] = {"mm", "mc1x1", "mm+inc", NULL};
	struct states states = {.busy = busy, .n = decisions};
	int failed = 0;

	if (busy >= STREAM) {
		struct stream_state *state = states.recorded =
			calloc((size_t)decisions, sizeof(*state));

		states.n =
			state ? stream_record(mesh, (busy - STREAM) / 100.0, decisions, state) : -1;
	}
	if (states.n > 0 && getenv("BENCH_STATES"))
		print_states(states.recorded, states.n);
	else
		for (name = *name ? name : all; states.n > 0 && !failed && *name; name++)
			failed = bench(m, mesh, *name, &states);
	if (states.recorded)
		stream_release(states.recorded, states.n);
	free(states.recorded);
	return failed || states.n < 0;
}

int main(int argc, char **argv)
{
	static const int kinds[] = {30, 60, STREAM + 75, STREAM + 90};
	const char *print = getenv("BENCH_STATES");
	int failed = 0;

	if (!print)
		printf("%-16s %4s %-8s %12s %12s %12s %10s\n", "mesh", "busy", "strategy",
			"median us", "p99 us", "mean us", "plain/ours");
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		int decisions = argc > 2 ? atoi(argv[2]) : m->decisions;
		struct mesh *mesh;

		if (argc > 1 && strncmp(m->name, argv[1], strlen(argv[1])))
			continue;
		mesh = make_mesh(m);
		for (size_t k = 0; !failed && k < (print ? 1 : 4); k++)
			failed = bench_states(m, mesh, print ? STREAM + atoi(print) : kinds[k],
				decisions, (const char *const *)argv + (argc < 3 ? argc : 3));
		mesh_free(mesh);
	}
	return failed;
}
