/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Static system utilisation, as table 2 of Srisawat and Alexandridis: an empty plane, tasks of
 * random sides that never end, until the first that cannot be placed. Prints the mean and
 * its 95% confidence interval for each strategy; doc/lab/contiguous.md has theirs beside ours.
 *
 *	tables_contiguous [-n] [REPETITIONS [SIDE]...]	(-n: tasks are not turned)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

/* A strategy, and the one that is asked where the first finds nothing. */
static const char *const names[][2] = {{"qtree"}, {"qtree", "ff"}, {"bf"}, {"tbl"}, {"ff"}};
enum { STRATEGIES = sizeof(names) / sizeof(*names), MAX_TASKS = 4096 };

struct plane {
	struct mesh *mesh;
	struct strategy *strategy[2];
	bool norotate;
	struct nodeset free;
	struct mesh_run run[MAX_TASKS];
	struct mesh_state state;
	int *node;
};

/* U(1, side), or N(side/2, side/2) drawn again until it is in 1..side. */
static int draw(uint64_t *random, bool normal, int side)
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
	struct mesh_request request = {.shape = {.ndims = 2, .side = {rows, columns, 1, 1, 1, 1},
		.norotate = p->norotate}};
	struct mesh_answer answer = {.node = p->node};
	bool placed = false;
	int *mine;

	for (int i = 0; i < 2 && !placed && p->strategy[i]; i++)
		placed = p->state.nruns < MAX_TASKS &&
			strategy_decide(p->strategy[i], &p->state, &request, &answer) == MESH_OK;
	if (!placed)
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
	uint64_t random;
	int rows, columns;
	double busy;

	random = random_stream(seed, 0);
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

static void table_row(struct plane *p, const char *const *name, bool normal, int repetitions)
{
	double sum = 0, squares = 0, mean, deviation;

	for (int i = 0; i < repetitions; i++) {
		double busy = fill(p, normal, (uint64_t)i + 1);

		sum += busy;
		squares += busy * busy;
	}
	mean = sum / repetitions;
	deviation = sqrt((squares / repetitions - mean * mean) / repetitions);
	printf("%-13s %-3s %5.2f %% +- %.2f\n", name[0], name[1] ? name[1] : "", mean * 100,
		deviation * 196);
	fflush(stdout);
}

static struct mesh *square(int side)
{
	struct mesh_err err;

	return mesh_new(&(struct mesh_spec){.name = "plane", .ndims = 2, .side = {side, side},
		.nnodes = side * side, .nodes_per_vertex = 1}, &err);
}

static void table(int side, bool normal, bool norotate, int repetitions)
{
	static struct plane p;
	struct mesh_err err;

	p.norotate = norotate;
	p.mesh = square(side);
	if (!p.mesh || nodeset_init(&p.free, p.mesh->nnodes) ||
		!(p.node = malloc((size_t)p.mesh->nnodes * sizeof(int))))
		exit(1);
	printf("%d x %d, %s sides%s, %d runs\n", side, side, normal ? "normal" : "uniform",
		norotate ? ", not turned" : "", repetitions);
	for (int i = 0; i < STRATEGIES; i++) {
		for (int j = 0; j < 2; j++) {
			p.strategy[j] = NULL;
			if (names[i][j] &&
				!(p.strategy[j] = strategy_new(
					  strategy_find(names[i][j]), p.mesh, &err)))
				exit(1);
		}
		table_row(&p, names[i], normal, repetitions);
		strategy_free(p.strategy[0]);
		strategy_free(p.strategy[1]);
	}
	nodeset_release(&p.free);
	free(p.node);
	mesh_free(p.mesh);
}

int main(int argc, char **argv)
{
	bool norotate = argc > 1 && !strcmp(argv[1], "-n");
	char **arg = argv + 1 + norotate;
	int repetitions = *arg ? atoi(*arg++) : 1000;

	if (repetitions < 1)
		return 1;
	do {
		int side = *arg ? atoi(*arg++) : 128;

		if (side < 1 || side > 1024)
			return 1;
		table(side, false, norotate, repetitions);
		table(side, true, norotate, repetitions);
	} while (*arg);
	return 0;
}
