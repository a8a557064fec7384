/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Static system utilisation, as table 2 of Srisawat and Alexandridis: an empty plane, tasks of
 * random sides that never end, until the first that cannot be placed. Prints the mean and
 * its 95% confidence interval for each strategy; doc/contiguous.md has theirs beside ours.
 *
 *	tables_contiguous [REPETITIONS [SIDE]...]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "strategy.h"

static const char *const names[] = {"qtree", "fsl", "bl", "bf", "tbl", "ff", "adaptive-scan",
	"frame-slide", "2d-buddy"};
enum { STRATEGIES = sizeof(names) / sizeof(*names), MAX_TASKS = 4096 };

struct plane {
	struct mesh *mesh;
	struct strategy *strategy;
	struct nodeset free;
	struct mesh_run run[MAX_TASKS];
	struct mesh_state state;
	int *node;
};

/* U(1, side), or N(side/2, side/2) drawn again until it is in 1..side. */
static int draw(struct sim_random *random, bool normal, int side)
{
	double value;

	if (!normal)
		return (int)sim_random_int(random, 1, side);
	do
		value = floor(sim_random_normal(random, side / 2.0, side / 2.0) + 0.5);
	while (value < 1 || value > side);
	return (int)value;
}

static bool place(struct plane *p, int rows, int columns)
{
	struct mesh_request request = {.shape = {.ndims = 2, .side = {rows, columns, 1, 1, 1, 1}}};
	struct mesh_answer answer = {.node = p->node};
	int *mine;

	if (p->state.nruns == MAX_TASKS ||
		strategy_decide(p->strategy, &p->state, &request, &answer) != MESH_OK)
		return false;
	mine = malloc((size_t)answer.count * sizeof(int));
	if (!mine)
		exit(1);
	memcpy(mine, p->node, (size_t)answer.count * sizeof(int));
	for (int i = 0; i < answer.count; i++)
		nodeset_del(&p->free, mine[i]);
	p->run[p->state.nruns++] = (struct mesh_run){.node = mine, .count = answer.count};
	return true;
}

/* The share of the plane that is busy when the first task finds no room. */
static double fill(struct plane *p, bool normal, uint64_t seed)
{
	struct sim_random random;
	int rows, columns;
	double busy;

	sim_random_init(&random, seed, 0);
	nodeset_set_all(&p->free);
	p->state = (struct mesh_state){.free = &p->free, .run = p->run};
	do {
		rows = draw(&random, normal, p->mesh->side[0]);
		columns = draw(&random, normal, p->mesh->side[1]);
	} while (place(p, rows, columns));
	busy = 1 - nodeset_count(&p->free) / (double)p->mesh->nnodes;
	while (p->state.nruns) {
		union {
			const int *borrowed;
			int *own;
		} node = {.borrowed = p->run[--p->state.nruns].node};

		free(node.own);
	}
	return busy;
}

static void table_row(struct plane *p, const char *name, bool normal, int repetitions)
{
	double sum = 0, squares = 0, mean, deviation;

	for (int i = 0; i < repetitions; i++) {
		double busy = fill(p, normal, (uint64_t)i + 1);

		sum += busy;
		squares += busy * busy;
	}
	mean = sum / repetitions;
	deviation = sqrt((squares / repetitions - mean * mean) / repetitions);
	printf("%-14s %5.2f %% +- %.2f\n", name, mean * 100, deviation * 196);
	fflush(stdout);
}

static struct mesh *square(int side)
{
	struct mesh_err err;

	return mesh_new(&(struct mesh_spec){.name = "plane", .ndims = 2, .side = {side, side},
		.nnodes = side * side, .nodes_per_vertex = 1}, &err);
}

static void table(int side, bool normal, int repetitions)
{
	static struct plane p;
	struct mesh_err err;

	p.mesh = square(side);
	if (!p.mesh || nodeset_init(&p.free, p.mesh->nnodes) ||
		!(p.node = malloc((size_t)p.mesh->nnodes * sizeof(int))))
		exit(1);
	printf("%d x %d, %s sides, %d runs\n", side, side, normal ? "normal" : "uniform",
		repetitions);
	for (int i = 0; i < STRATEGIES; i++) {
		p.strategy = strategy_new(strategy_find(names[i]), p.mesh, &err);
		if (!p.strategy)
			exit(1);
		table_row(&p, names[i], normal, repetitions);
		strategy_free(p.strategy);
	}
	nodeset_release(&p.free);
	free(p.node);
	mesh_free(p.mesh);
}

int main(int argc, char **argv)
{
	static const int sides[] = {128};
	int repetitions = argc > 1 ? atoi(argv[1]) : 1000;
	int count = argc > 2 ? argc - 2 : (int)(sizeof(sides) / sizeof(*sides));

	if (repetitions < 1)
		return 1;
	for (int i = 0; i < count; i++) {
		int side = argc > 2 ? atoi(argv[i + 2]) : sides[i];

		if (side < 1 || side > 1024)
			return 1;
		table(side, false, repetitions);
		table(side, true, repetitions);
	}
	return 0;
}
