/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ranks onto nodes, beside Scotch (its program scotch_gmap): hops a byte of block order, of ours,
 * and of the best of Scotch's three strategies and five seeds among its maps that give each node
 * its number of ranks. Fixed cases first, then cases drawn from a seed. Scotch's maps are read back
 * and priced by the function that prices ours. Its program takes no seed: but for the first, each
 * seed is another order of the graph's vertices.
 *
 *	tests/lab/bench/ranks [--ours] [--only=TEXT] [CASES [SEED]]
 *
 * Times are CPU time on one thread: of ours, the median of three; of one run of scotch_gmap with
 *its default strategy, the median of five; and of all the runs that the best was taken of. A run
 *that is that good is one of 15, and nobody knows beforehand which: ours is to take at most 5 times
 *one run of the default strategy all the same, in every case of 4,096 ranks. Exit status 1 when
 *Scotch was ahead somewhere or ours took longer than that. --ours: without Scotch, and once.
 *--only: those with TEXT in their names.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/random.h"
#include "bench.h"
#include "ranks/assign.h"
#include "ranks/rankmap.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

enum { SEEDS = 5, STRATEGIES = 3, TIMED_RANKS = 4096, MAX_TIMED = 256, REPEATS = 3 };

static const char *const strategy[STRATEGIES] = {"", "-b0.0", "-b0.01 -cq"};

struct machine {
	int ndims, side[MESH_MAX_DIMS];
	bool wrap;
};

struct problem {
	char name[128];
	struct machine machine;
	int per_node;
	struct traffic_grid grid; /* ndims 0: traffic only */
	bool shuffled;	       /* ranks in any order, and the grid not told */
	struct traffic traffic;
};

struct outcome {
	double block, ours, scotch; /* hops a byte; scotch < 0: no map of its was balanced */
	double our_seconds, scotch_once, scotch_all; /* one run by default; all */
};

/* Of what was run so far. */
struct score {
	bool alone;	  /* without Scotch */
	const char *only; /* text in the names of those that run, or NULL */
	int cases, behind, timed;
	double once[MAX_TIMED], all[MAX_TIMED]; /* ratios of our time, with 4,096 ranks */
};

static char dir[] = "/tmp/bench-ranks-XXXXXX";

static int draw(uint64_t *seed, int low, int high)
{
	return low + (int)random_below(seed, (uint64_t)(high - low + 1));
}

/* --- Scotch ----------------------------------------------------------------------- */

static FILE *open_file(const char *name, const char *mode)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, mode);
	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

/* A random order; the first of all is the order as it is. */
static void make_order(int *order, int n, uint64_t seed)
{
	for (int i = 0; i < n; i++) {
		int j = seed ? draw(&seed, 0, i) : i;

		order[i] = order[j];
		order[j] = i;
	}
}

/* Vertex i is rank order[i]. Weights are whole numbers there. */
static void write_graph(const struct traffic *t, const int *order, int *number)
{
	FILE *file = open_file("graph", "w");

	for (int i = 0; i < t->n; i++)
		number[order[i]] = i;
	fprintf(file, "0\n%d %zu\n0 010\n", t->n, t->start[t->n]);
	for (int i = 0; i < t->n; i++) {
		int rank = order[i];

		fprintf(file, "%zu", t->start[rank + 1] - t->start[rank]);
		for (size_t e = t->start[rank]; e < t->start[rank + 1]; e++)
			fprintf(file, " %.0f %d", fmax(1, t->weight[e]), number[t->to[e]]);
		fputc('\n', file);
	}
	fclose(file);
}

static void write_target(const struct machine *m)
{
	FILE *file = open_file("target", "w");

	fprintf(file, "%s %d", m->wrap ? "torusXD" : "meshXD", m->ndims);
	for (int d = 0; d < m->ndims; d++)
		fprintf(file, " %d", m->side[d]);
	fputc('\n', file);
	fclose(file);
}

/* The map of the last run; false when a node has another number of ranks than per_node. */
static bool read_map(const struct problem *c, int nnodes, const int *order, int *site)
{
	FILE *file = open_file("map", "r");
	int *count = calloc((size_t)nnodes, sizeof(int)), n = 0;
	bool good = count && fscanf(file, "%d", &n) == 1 && n == c->traffic.n;

	for (int i = 0; good && i < n; i++) {
		int vertex, node;

		good = fscanf(file, "%d %d", &vertex, &node) == 2 && node >= 0 &&
			node < nnodes && vertex >= 0 && vertex < n &&
			count[node]++ < c->per_node;
		if (good)
			site[order[vertex]] = node;
	}
	fclose(file);
	free(count);
	return good;
}

static double children_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_CHILDREN, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
		(double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

static void run_once(const char *options)
{
	char command[256];

	snprintf(command, sizeof(command), "SCOTCH_PTHREAD_NUMBER=1 scotch_gmap -Cf %s %s/graph"
		" %s/target %s/map", options, dir, dir, dir);
	if (system(command)) {
		fprintf(stderr, "failed: %s\n", command);
		exit(2);
	}
}

static void run_scotch(const struct problem *c, const struct assign_sites *table,
	struct outcome *out)
{
	size_t n = (size_t)c->traffic.n;
	int *site = malloc(n * sizeof(int)), *order = malloc(n * sizeof(int));
	int *number = malloc(n * sizeof(int));
	double from = children_seconds(), total = traffic_total(&c->traffic), once[SEEDS];

	write_target(&c->machine);
	out->scotch = -1;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		make_order(order, c->traffic.n, seed);
		write_graph(&c->traffic, order, number);
		for (int s = 0; s < STRATEGIES; s++) {
			double cost, start = children_seconds();

			run_once(strategy[s]);
			if (!s)
				once[seed] = children_seconds() - start;
			if (!read_map(c, table->n, order, site))
				continue;
			cost = assign_cost(&c->traffic, table, site) / total;
			if (out->scotch < 0 || cost < out->scotch)
				out->scotch = cost;
		}
	}
	out->scotch_all = children_seconds() - from;
	out->scotch_once = bench_median(once, SEEDS);
	free(site);
	free(order);
	free(number);
}

/* --- ours ------------------------------------------------------------------------- */

static int nodes_of(const struct machine *m)
{
	int n = 1;

	for (int d = 0; d < m->ndims; d++)
		n *= m->side[d];
	return n;
}

static struct mesh *make_mesh(const struct machine *m)
{
	struct mesh_spec spec = {.name = "m", .ndims = m->ndims, .nnodes = nodes_of(m),
		.nodes_per_vertex = 1};

	for (int d = 0; d < m->ndims; d++) {
		spec.side[d] = m->side[d];
		spec.wrap[d] = m->wrap;
	}
	return mesh_new(&spec, NULL);
}

static void run_ours(const struct problem *c, const struct mesh *mesh, int repeats,
	struct outcome *out)
{
	int *node = malloc((size_t)mesh->nnodes * sizeof(int));
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = mesh->nnodes,
		.per_node = c->per_node, .traffic = &c->traffic,
		.grid = c->grid.ndims && !c->shuffled ? &c->grid : NULL};
	struct rankmap_answer answer = {.place = malloc((size_t)c->traffic.n * sizeof(int))};
	struct mesh_err err = {{0}};
	double seconds[REPEATS], total = traffic_total(&c->traffic);

	for (int i = 0; i < mesh->nnodes; i++)
		node[i] = i;
	for (int i = 0; i < repeats; i++) {
		double from = bench_us();

		if (rankmap_solve(&in, &answer, &err)) {
			fprintf(stderr, "%s: %s\n", c->name, err.text);
			exit(2);
		}
		seconds[i] = (bench_us() - from) / 1e6;
	}
	out->our_seconds = bench_median(seconds, repeats);
	out->ours = answer.hop_bytes / total;
	out->block = answer.block_hop_bytes / total;
	free(answer.place);
	free(node);
}

static void print_outcome(const struct problem *c, const struct outcome *out, bool behind)
{
	printf("%-58s %7.3f %7.3f ", c->name, out->block, out->ours);
	if (out->scotch >= 0)
		printf("%7.3f", out->scotch);
	else
		printf("%7s", "-");
	printf(" %7.3f %7.3f %7.3f%s\n", out->our_seconds, out->scotch_once, out->scotch_all,
		behind ? "  BEHIND" : "");
	fflush(stdout);
}

/* A line of the table. Times count where there are 4,096 ranks. */
static void run_problem(struct problem *c, struct score *score)
{
	struct outcome out = {.scotch = -1};
	struct mesh *mesh;
	struct assign_sites table;
	bool behind;

	if (score->only && !strstr(c->name, score->only)) {
		traffic_release(&c->traffic);
		return;
	}
	mesh = make_mesh(&c->machine);
	if (assign_sites_init(&table, mesh, mesh->vertex_of, mesh->nnodes, &arena))
		exit(2);
	run_ours(c, mesh, score->alone ? 1 : REPEATS, &out);
	if (!score->alone)
		run_scotch(c, &table, &out);
	behind = out.scotch >= 0 && out.ours > out.scotch * (1 + 1e-9);
	print_outcome(c, &out, behind);
	score->cases++;
	score->behind += behind;
	if (c->traffic.n == TIMED_RANKS && !score->alone && score->timed < MAX_TIMED) {
		score->once[score->timed] = out.our_seconds / out.scotch_once;
		score->all[score->timed++] = out.our_seconds / out.scotch_all;
	}
	arena_release(&arena);
	traffic_release(&c->traffic);
	mesh_free(mesh);
}

/* --- problems --------------------------------------------------------------------- */

static void say_sides(char *text, size_t room, const int *side, int ndims)
{
	for (int d = 0; d < ndims; d++) {
		size_t length = strlen(text);

		snprintf(text + length, room - length, "%s%d", d ? "x" : "", side[d]);
	}
}

static void name_problem(struct problem *c, const char *kind)
{
	size_t room = sizeof(c->name);

	c->name[0] = '\0';
	if (c->grid.ndims)
		say_sides(c->name, room, c->grid.side, c->grid.ndims);
	if (c->grid.diagonal)
		snprintf(c->name + strlen(c->name), room - strlen(c->name), ":%.0f",
			pow(3, c->grid.ndims));
	snprintf(c->name + strlen(c->name), room - strlen(c->name), "%s%s on ", kind,
		c->shuffled ? " shuffled" : "");
	say_sides(c->name, room, c->machine.side, c->machine.ndims);
	snprintf(c->name + strlen(c->name), room - strlen(c->name), " %s",
		c->machine.wrap ? "torus" : "mesh");
	if (c->per_node > 1)
		snprintf(c->name + strlen(c->name), room - strlen(c->name), ", %d a node",
			c->per_node);
}

/* The edges of a graph as traffic, the ranks shuffled if asked for. */
static void take_edges(struct problem *c, int n, struct traffic_edge *edge, size_t count,
	uint64_t seed)
{
	int *order = malloc((size_t)n * sizeof(int));
	struct mesh_err err = {{0}};

	make_order(order, n, c->shuffled ? seed | 1 : 0);
	for (size_t e = 0; e < count; e++) {
		edge[e].a = order[edge[e].a];
		edge[e].b = order[edge[e].b];
	}
	if (traffic_init(&c->traffic, n, edge, count, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
	free(order);
}

static void take_grid(struct problem *c, uint64_t seed)
{
	struct traffic plain;
	struct traffic_edge *edge;
	struct mesh_err err = {{0}};
	size_t count = 0;

	if (traffic_init_grid(&plain, &c->grid, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
	edge = malloc((plain.start[plain.n] + 1) * sizeof(*edge));
	for (int i = 0; i < plain.n; i++)
		for (size_t e = plain.start[i]; e < plain.start[i + 1]; e++)
			if (i < plain.to[e])
				edge[count++] = (struct traffic_edge){i, plain.to[e],
					plain.weight[e]};
	take_edges(c, plain.n, edge, count, seed);
	traffic_release(&plain);
	free(edge);
}

static void grid_problem(struct score *score, const struct problem *from, uint64_t seed)
{
	struct problem c = *from;
	bool weights = false;
	char kind[64];

	for (int d = 0; d < c.grid.ndims; d++)
		weights = weights || c.grid.weight[d] != 1;
	snprintf(kind, sizeof(kind), "%s%s", c.grid.wrap[0] ? " periodic" : "",
		weights ? " weighted" : "");
	take_grid(&c, seed);
	name_problem(&c, kind);
	run_problem(&c, score);
}

/* Matrices of the kinds found in the SuiteSparse collection, in the same few numbers. */
struct matrix {
	const char *name;
	/* Edges of n ranks; how many. There is room for 16 n. */
	size_t (*fill)(int n, uint64_t *seed, struct traffic_edge *edge);
};

/* A structural mesh: points in a square, each with those nearby. */
static size_t fill_nearby(int n, uint64_t *seed, struct traffic_edge *edge)
{
	double *x = malloc(2 * (size_t)n * sizeof(double)), *y = x + n;
	double reach = 7.0 / n;
	size_t count = 0;

	for (int i = 0; i < 2 * n; i++)
		x[i] = (double)draw(seed, 0, 1000000) / 1e6;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i && count < 15 * (size_t)n; j++) {
			double dx = x[i] - x[j], dy = y[i] - y[j];

			if (3.14 * (dx * dx + dy * dy) < reach)
				edge[count++] = (struct traffic_edge){i, j, draw(seed, 1, 9)};
		}
	for (int i = 1; i < n; i++) /* in one piece */
		edge[count++] = (struct traffic_edge){i - 1, i, 1};
	free(x);
	return count;
}

/* A banded matrix. */
static size_t fill_band(int n, uint64_t *seed, struct traffic_edge *edge)
{
	size_t count = 0;
	int far = draw(seed, 8, 40);

	for (int i = 0; i < n; i++)
		for (int k = 0; k < 6; k++) {
			int j = i + (k < 2 ? k + 1 : draw(seed, 1, far));

			if (j < n)
				edge[count++] = (struct traffic_edge){i, j, draw(seed, 1, 4)};
		}
	return count;
}

/* A circuit: most talk to few, few to many. */
static size_t fill_circuit(int n, uint64_t *seed, struct traffic_edge *edge)
{
	size_t count = 0;

	for (int i = 1; i < n; i++)
		for (int k = 0; k < 3; k++) {
			/* One end of an edge drawn so far, or anyone: preferential attachment. */
			int j = count && k ? edge[draw(seed, 0, (int)count - 1)].b
					   : draw(seed, 0, i - 1);

			edge[count++] = (struct traffic_edge){i, j, draw(seed, 1, 3)};
		}
	return count;
}

/* A 9-point stencil on a grid nearly square, with corners that send little. */
static size_t fill_stencil(int n, uint64_t *seed, struct traffic_edge *edge)
{
	size_t count = 0;
	int wide = 1, corner = draw(seed, 1, 4);

	for (int w = 1; w * w <= n; w++)
		wide = n % w ? wide : w;
	for (int i = 0; i < n; i++)
		for (int dy = 0; dy < 2; dy++)
			for (int dx = -1; dx < 2; dx++) {
				int x = i % wide + dx, y = i / wide + dy;

				if ((!dy && dx < 1) || x < 0 || x >= wide || y >= n / wide)
					continue;
				edge[count++] = (struct traffic_edge){i, y * wide + x,
					dx && dy ? corner : 8};
			}
	return count;
}

/* An optimisation problem: a grid, and constraints that tie some of it together. */
static size_t fill_saddle(int n, uint64_t *seed, struct traffic_edge *edge)
{
	size_t count = 0;
	int most = n * 3 / 4;

	for (int i = 0; i < most; i++) {
		if (i + 1 < most)
			edge[count++] = (struct traffic_edge){i, i + 1, 2};
		if (i + 16 < most)
			edge[count++] = (struct traffic_edge){i, i + 16, 2};
	}
	for (int i = most; i < n; i++)
		for (int k = 0, at = draw(seed, 0, most - 1); k < 5; k++)
			edge[count++] = (struct traffic_edge){i, (at + k * 5) % most, 1};
	return count;
}

static const struct matrix matrices[] = {
	{"nearby points", fill_nearby}, {"band", fill_band}, {"circuit", fill_circuit},
	{"9-point", fill_stencil}, {"saddle point", fill_saddle},
};

static void matrix_problem(struct score *score, const struct problem *from,
	const struct matrix *matrix, uint64_t seed)
{
	struct problem copy = *from, *c = &copy;
	int n = nodes_of(&c->machine) * c->per_node;
	struct traffic_edge *edge = malloc(16 * (size_t)n * sizeof(*edge));

	take_edges(c, n, edge, matrix->fill(n, &seed, edge), seed);
	name_problem(c, matrix->name);
	free(edge);
	run_problem(c, score);
}

/* --- drawn ------------------------------------------------------------------------ */

static void draw_machine(uint64_t *seed, struct machine *m)
{
	do {
		m->ndims = draw(seed, 2, 5);
		for (int d = 0; d < m->ndims; d++)
			m->side[d] = draw(seed, 2, m->ndims > 3 ? 6 : m->ndims > 2 ? 10 : 24);
	} while (nodes_of(m) < 48 || nodes_of(m) > 600);
	m->wrap = draw(seed, 0, 1);
}

/* n as a product, one factor after another on any side. */
static void draw_grid(uint64_t *seed, int n, struct traffic_grid *grid)
{
	bool wrap = draw(seed, 0, 1), weights = !draw(seed, 0, 2);

	*grid = (struct traffic_grid){.ndims = draw(seed, 1, 4)};
	for (int d = 0; d < grid->ndims; d++) {
		grid->side[d] = 1;
		grid->wrap[d] = wrap;
		grid->weight[d] = weights ? draw(seed, 1, 10) : 1;
	}
	for (int p = 2; n > 1; p++)
		for (; n % p == 0; n /= p)
			grid->side[draw(seed, 0, grid->ndims - 1)] *= p;
}

static void drawn_problem(struct score *score, uint64_t *seed, int i)
{
	static const int per_node[] = {1, 1, 1, 2, 4};
	struct problem c = {.per_node = per_node[draw(seed, 0, 4)]};

	draw_machine(seed, &c.machine);
	if (i % 4 == 3) {
		c.shuffled = draw(seed, 0, 1);
		matrix_problem(score, &c, &matrices[i / 4 % 5], random_next(seed));
		return;
	}
	draw_grid(seed, nodes_of(&c.machine) * c.per_node, &c.grid);
	c.shuffled = i % 4 == 2;
	grid_problem(score, &c, random_next(seed));
}

static const struct problem fixed[] = {
	{.machine = {3, {4, 4, 4}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {8, 8}, .weight = {1, 1}}},
	{.machine = {3, {4, 4, 4}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {8, 8}, .weight = {1, 1}, .wrap = {true, true}}},
	{.machine = {3, {8, 8, 4}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {16, 16}, .weight = {1, 1}}},
	{.machine = {3, {8, 8, 8}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {16, 32}, .weight = {1, 1}}},
	{.machine = {3, {8, 8, 8}, true}, .per_node = 1,
		.grid = {.ndims = 3, .side = {4, 8, 16}, .weight = {1, 1, 1}}},
	{.machine = {2, {16, 16}, false}, .per_node = 1,
		.grid = {.ndims = 2, .side = {8, 32}, .weight = {1, 1}}},
	{.machine = {3, {6, 6, 6}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {12, 18}, .weight = {1, 1}}},
	{.machine = {3, {8, 8, 8}, true}, .per_node = 1, .shuffled = true,
		.grid = {.ndims = 3, .side = {8, 8, 8}, .weight = {1, 1, 1},
			.wrap = {true, true, true}}},
	{.machine = {3, {8, 8, 8}, true}, .per_node = 8,
		.grid = {.ndims = 2, .side = {64, 64}, .weight = {1, 1}}},
	{.machine = {3, {8, 8, 8}, true}, .per_node = 1, .shuffled = true,
		.grid = {.ndims = 3, .side = {4, 8, 16}, .weight = {1, 1, 1}}},
	{.machine = {3, {16, 16, 16}, true}, .per_node = 1,
		.grid = {.ndims = 2, .side = {64, 64}, .weight = {1, 1}}},
	{.machine = {3, {16, 16, 16}, true}, .per_node = 1, .shuffled = true,
		.grid = {.ndims = 2, .side = {32, 128}, .weight = {1, 1}}},
};

/* 4,096 ranks: what the times are for. */
static void run_large(struct score *score)
{
	static const struct problem machines[] = {
		{.machine = {3, {16, 16, 16}, true}, .per_node = 1},
		{.machine = {3, {8, 8, 16}, true}, .per_node = 4},
		{.machine = {3, {8, 8, 8}, true}, .per_node = 8},
		{.machine = {2, {16, 16}, false}, .per_node = 16},
	};
	static const struct traffic_grid grids[] = {
		{.ndims = 2, .side = {64, 64}, .weight = {1, 1}},
		{.ndims = 3, .side = {16, 16, 16}, .weight = {1, 1, 1}, .wrap = {true, true, true}},
		{.ndims = 2, .side = {32, 128}, .weight = {1, 3}},
	};

	for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
		for (size_t g = 0; g < 2 * sizeof(grids) / sizeof(*grids); g++) {
			struct problem c = machines[m];

			c.grid = grids[g / 2];
			c.shuffled = g % 2;
			grid_problem(score, &c, 1);
		}
		for (size_t i = 0; i < sizeof(matrices) / sizeof(*matrices); i++) {
			struct problem c = machines[m];

			c.shuffled = i % 2;
			matrix_problem(score, &c, &matrices[i], 1);
		}
	}
}

/* Stencils with the diagonal neighbours, as much to each; once more with the ranks shuffled. */
static void run_stencils(struct score *score)
{
	static const struct problem stencils[] = {
		{.machine = {2, {16, 16}, false}, .per_node = 1,
			.grid = {.ndims = 2, .side = {16, 16}, .weight = {1, 1}, .diagonal = true}},
		{.machine = {3, {8, 8, 8}, true}, .per_node = 1,
			.grid = {.ndims = 2, .side = {16, 32}, .weight = {1, 1}, .diagonal = true}},
		{.machine = {3, {8, 8, 8}, true}, .per_node = 1,
			.grid = {.ndims = 3, .side = {4, 8, 16}, .weight = {1, 1, 1},
				.diagonal = true}},
		{.machine = {3, {8, 8, 8}, false}, .per_node = 1,
			.grid = {.ndims = 3, .side = {8, 8, 8}, .weight = {1, 1, 1},
				.diagonal = true}},
		{.machine = {3, {6, 6, 6}, true}, .per_node = 4,
			.grid = {.ndims = 3, .side = {12, 12, 6}, .weight = {1, 1, 1},
				.wrap = {true, true, true}, .diagonal = true}},
		{.machine = {3, {16, 16, 16}, true}, .per_node = 1,
			.grid = {.ndims = 2, .side = {64, 64}, .weight = {1, 1}, .diagonal = true}},
		{.machine = {3, {8, 8, 8}, true}, .per_node = 8,
			.grid = {.ndims = 3, .side = {16, 16, 16}, .weight = {1, 1, 1},
				.wrap = {true, true, true}, .diagonal = true}},
		{.machine = {2, {16, 16}, false}, .per_node = 16,
			.grid = {.ndims = 3, .side = {16, 16, 16}, .weight = {1, 1, 1},
				.diagonal = true}},
	};

	for (size_t i = 0; i < 2 * sizeof(stencils) / sizeof(*stencils); i++) {
		struct problem c = stencils[i / 2];

		c.shuffled = i % 2;
		grid_problem(score, &c, 1);
	}
}

static double greatest(const double *value, int count)
{
	double most = 0;

	for (int i = 0; i < count; i++)
		most = fmax(most, value[i]);
	return most;
}

/* The last lines; the exit status. */
static int conclude(struct score *s)
{
	double worst = greatest(s->once, s->timed);

	if (s->alone)
		return 0;
	printf("behind Scotch in %d of %d\n", s->behind, s->cases);
	printf("times Scotch's time, %d cases of %d ranks: of one run at most %.2f, median %.2f;"
		" of its %d runs at most %.2f, median %.2f\n", s->timed, TIMED_RANKS, worst,
		bench_median(s->once, s->timed), SEEDS * STRATEGIES, greatest(s->all, s->timed),
		bench_median(s->all, s->timed));
	return s->behind || worst > 5;
}

int main(int argc, char **argv)
{
	enum { FIXED = sizeof(fixed) / sizeof(fixed[0]) };
	struct score score = {0};
	int cases;
	uint64_t seed;

	for (; argc > 1 && *argv[1] == '-'; argc--, argv++) {
		score.alone = score.alone || !strcmp(argv[1], "--ours");
		if (!strncmp(argv[1], "--only=", 7))
			score.only = argv[1] + 7;
	}
	cases = argc > 1 ? atoi(argv[1]) : 40;
	seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	if (!score.alone && system("scotch_gmap -V >/dev/null 2>&1")) {
		fprintf(stderr, "scotch_gmap is not installed (Debian: scotch)\n");
		return 2;
	}
	if (!mkdtemp(dir)) {
		perror(dir);
		return 2;
	}
	printf("%-58s %7s %7s %7s %7s %7s %7s\n", "hops a byte; seconds", "block", "ours", "Scotch",
		"ours", "Scotch", "all 15");
	for (int i = 0; i < FIXED; i++)
		grid_problem(&score, &fixed[i], 1);
	run_stencils(&score);
	run_large(&score);
	for (int i = 0; i < cases; i++)
		drawn_problem(&score, &seed, i);
	for (int i = 0; i < 3; i++) {
		static const char *const name[] = {"graph", "target", "map"};
		char path[128];

		snprintf(path, sizeof(path), "%s/%s", dir, name[i]);
		remove(path);
	}
	rmdir(dir);
	return conclude(&score);
}
