/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dividing 10,000 nodes among 100 tasks, with a time for every size and with sparse tables.
 */
#include <stdio.h>

#include "bench.h"
#include "ranks/partition.h"

enum { NODES = 10000, TASKS = 100, RUNS = 9 };

/* Tables with every step-th size; `rough` ones do not fall evenly. */
static void run(const char *name, int step, int rough)
{
	static int nodes[NODES];
	static double time[TASKS][NODES];
	struct partition_task task[TASKS];
	int size[TASKS], points = 0;
	double took[TASKS], ms[RUNS];
	struct partition_problem problem = {.task = task, .ntasks = TASKS, .nodes = NODES};
	struct partition_answer answer = {.size = size, .time = took};

	for (int n = 1; n <= NODES; n += step)
		nodes[points++] = n;
	for (int t = 0; t < TASKS; t++) {
		for (int i = 0; i < points; i++)
			time[t][i] = 1e5 * (t + 1) / nodes[i] + nodes[i] * 0.01 +
				(rough ? nodes[i] * 7 % 11 : 0);
		task[t] = (struct partition_task){.name = "t", .nodes = nodes, .time = time[t],
			.npoints = points};
	}
	for (int i = 0; i < RUNS; i++) {
		double from = bench_us();

		if (partition_solve(&problem, &answer) != MESH_OK)
			printf("%s\n", answer.err.text);
		ms[i] = (bench_us() - from) / 1e3;
	}
	printf("%d nodes, %d tasks, %-28s median %6.2f ms, longest %.3f\n", NODES, TASKS, name,
		bench_median(ms, RUNS), answer.longest);
}

int main(void)
{
	run("every size, smooth:", 1, 0);
	run("every size, rough:", 1, 1);
	run("every 100th size:", 100, 0);
	return 0;
}
