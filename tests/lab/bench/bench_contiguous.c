/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decision times of the contiguous strategies: against the machine's size with jobs that grow
 * with it (so that the number m of busy boxes stays), and against m on one machine. "decision"
 * is the whole of it; "search" leaves out what reads the free set in and hands the nodes out,
 * which grow with the machine whatever the strategy. Medians, in microseconds
 * of processor time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "boxes/contiguous.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

enum { MAX_JOBS = 600, TIMES = 101 };

struct machine {
	struct mesh *mesh;
	struct nodeset free;
	struct mesh_run run[MAX_JOBS];
	struct mesh_state state;
	int *node;
};

static void open_machine(struct machine *m, int side, bool wrap)
{
	struct mesh_err err;

	memset(m, 0, sizeof(*m));
	m->mesh = mesh_new(&(struct mesh_spec){.name = "cube", .ndims = 3,
		.side = {side, side, side}, .wrap = {wrap, wrap, wrap},
		.nnodes = side * side * side, .nodes_per_vertex = 1}, &err);
	if (!m->mesh || nodeset_init(&m->free, m->mesh->nnodes) ||
		!(m->node = malloc((size_t)m->mesh->nnodes * sizeof(int))))
		exit(1);
	nodeset_set_all(&m->free);
	m->state = (struct mesh_state){.free = &m->free, .run = m->run};
}

static void close_machine(struct machine *m)
{
	for (int i = 0; i < m->state.nruns; i++) {
		union {
			const int *borrowed;
			int *own;
		} node = {.borrowed = m->run[i].node};

		free(node.own);
	}
	nodeset_release(&m->free);
	free(m->node);
	mesh_free(m->mesh);
}

/* Up to `jobs` cubes of one side, wherever random bases have room for them. */
static void fill(struct machine *m, int jobs, int side, uint64_t seed)
{
	int all = m->mesh->side[0], volume = side * side * side;

	for (int tries = 0; tries < 200 * jobs && m->state.nruns < jobs; tries++) {
		int at[3], n = 0, *node = malloc((size_t)volume * sizeof(int));

		if (!node)
			exit(1);
		for (int d = 0; d < 3; d++)
			at[d] = (int)(random_below(&seed, (uint64_t)(all - side + 1)));
		for (int i = 0; i < volume; i++) {
			int v = mesh_vertex(m->mesh, (int[]){at[0] + i % side,
				at[1] + i / side % side, at[2] + i / side / side});

			if (nodeset_has(&m->free, v))
				node[n++] = v;
		}
		if (n < volume) {
			free(node);
			continue;
		}
		for (int i = 0; i < n; i++)
			nodeset_del(&m->free, node[i]);
		m->run[m->state.nruns++] = (struct mesh_run){.node = node, .count = n};
	}
}

struct figure {
	double decision, search;
	enum mesh_result result;
};

static struct figure measure(struct machine *m, const char *name, const struct mesh_shape *shape)
{
	struct mesh_err err;
	struct strategy *s = strategy_new(strategy_find(name), m->mesh, &err);
	struct mesh_request request = {.shape = *shape};
	struct mesh_answer answer = {.node = m->node};
	double time[2][TIMES];
	struct figure f;

	if (!s)
		exit(1);
	const struct contiguous_ops *ops = s->ops->preset;
	struct contiguous *scratch = s->scratch;

	for (int i = 0; i < TIMES; i++) {
		struct mesh_box box;
		double from = bench_us();

		f.result = strategy_decide(s, &m->state, &request, &answer);
		time[0][i] = bench_us() - from;
		from = bench_us();
		ops->find(scratch, scratch->plan.row, scratch->plan.count, &box);
		time[1][i] = bench_us() - from;
	}
	f.decision = bench_median(time[0], TIMES);
	f.search = bench_median(time[1], TIMES);
	strategy_free(s);
	return f;
}

static struct mesh_shape shaped(int a, int b, int c)
{
	return (struct mesh_shape){.ndims = 3, .side = {a, b, c, 1, 1, 1}};
}

static void against_size(void)
{
	static const int sides[] = {8, 16, 32, 64, 100};
	static const char *const names[] = {"ff", "bf", "tbl"};

	printf("24 cubes of side/4, request side/4 x side/2 x side/2 (mesh)\n"
		"%6s %4s %8s", "side", "m", "result");
	for (int i = 0; i < 3; i++)
		printf(" %9s %9s", names[i], "search");
	printf("\n");
	for (size_t k = 0; k < sizeof(sides) / sizeof(*sides); k++) {
		struct machine m;
		struct figure f[3];

		struct mesh_shape shape = shaped(sides[k] / 4, sides[k] / 2, sides[k] / 2);

		open_machine(&m, sides[k], false);
		fill(&m, 24, sides[k] / 4, 1);
		for (int i = 0; i < 3; i++)
			f[i] = measure(&m, names[i], &shape);
		printf("%6d %4d %8s", sides[k], m.state.nruns, mesh_result_name(f[0].result));
		for (int i = 0; i < 3; i++)
			printf(" %9.2f %9.2f", f[i].decision, f[i].search);
		printf("\n");
		close_machine(&m);
	}
}

static void against_jobs(void)
{
	static const char *const names[] = {"ff", "bf", "tbl", "qtree"};

	printf("\n32x32x32, cubes of side 3, request 6x6x6 (mesh): search\n%6s %8s", "m", "result");
	for (int i = 0; i < 4; i++)
		printf(" %9s", names[i]);
	printf("\n");
	for (int jobs = 4; jobs <= 256; jobs *= 2) {
		struct mesh_shape shape = shaped(6, 6, 6);
		struct machine m;

		open_machine(&m, 32, false);
		fill(&m, jobs, 3, 2);
		for (int i = 0; i < 4; i++) {
			struct figure f = measure(&m, names[i], &shape);

			if (!i)
				printf("%6d %8s", m.state.nruns, mesh_result_name(f.result));
			printf(" %9.2f", f.search);
			fflush(stdout);
		}
		printf("\n");
		close_machine(&m);
	}
}

/* The figures promised: less than 5 us at 16^3, less than 200 us at 100^3; turned, if at all. */
static void promises(void)
{
	static const struct {
		int side, a, b, c;
		bool turn;
		double limit;
	} row[] = {{16, 4, 4, 4, true, 5}, {16, 4, 8, 12, false, 5}, {16, 4, 8, 12, true, 0},
		{100, 10, 10, 10, true, 200}, {100, 20, 30, 40, false, 200},
		{100, 20, 30, 40, true, 0}};

	printf("\n%-22s %6s %6s %8s %10s %10s\n", "ff, a decision", "turned", "torus", "result",
		"us", "promised");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int wrap = 0; wrap < 2; wrap++) {
			struct mesh_shape shape = shaped(row[i].a, row[i].b, row[i].c);
			struct machine m;

			shape.norotate = !row[i].turn;
			open_machine(&m, row[i].side, wrap);
			fill(&m, 40, row[i].side / 4, 3);
			struct figure f = measure(&m, "ff", &shape);

			printf("%4d^3: %2d x %2d x %2d     %6s %6s %8s %10.2f", row[i].side,
				row[i].a, row[i].b, row[i].c, row[i].turn ? "yes" : "no",
				wrap ? "yes" : "no", mesh_result_name(f.result), f.decision);
			if (row[i].limit > 0)
				printf(" %10.0f", row[i].limit);
			printf("\n");
			close_machine(&m);
		}
}

int main(void)
{
	against_size();
	against_jobs();
	promises();
	return 0;
}
