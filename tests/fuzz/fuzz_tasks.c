/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a file with the times of tasks, as smesh part reads it. Whatever the bytes,
 * there is one line of text, or tasks among which the nodes of a small mesh can be divided:
 * within the tables, each part on nodes of its own.
 */
#include <math.h>

#include "fuzz.h"
#include "ranks/placement.h"
#include "cli/tasktable.h"

enum { SIDE = 6, NODES = SIDE * SIDE, MOST_TASKS = 4096 };

static const struct mesh *machine(void)
{
	static struct mesh *mesh; /* made once */
	struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {SIDE, SIDE},
		.wrap = {true, false}, .nnodes = NODES, .nodes_per_vertex = 1};

	if (!mesh)
		mesh = mesh_new(&spec, NULL);
	fuzz_require(mesh);
	return mesh;
}

static void check_task(const struct partition_task *task, const char *command)
{
	fuzz_require(task->name && *task->name && command);
	fuzz_require(task->npoints >= 1);
	for (int i = 0; i < task->npoints; i++) {
		fuzz_require(task->nodes[i] > (i ? task->nodes[i - 1] : 0));
		fuzz_require(isfinite(task->time[i]) && task->time[i] >= 0);
	}
}

/* Every node of a part is one of the machine, and no other part's. */
static void place(const int *size, int nparts)
{
	struct nodeset all, left;
	int node[NODES], at = 0;
	struct placement_input in = {.mesh = machine(), .allocation = &all, .size = size,
		.nparts = nparts};
	struct mesh_err err = {{0}};

	fuzz_require(!nodeset_init(&all, NODES) && !nodeset_init(&left, NODES));
	nodeset_set_all(&all);
	nodeset_set_all(&left);
	fuzz_require(!placement_solve(&in, node, &err));
	for (int i = 0; i < nparts; i++)
		for (int end = at + size[i]; at < end; at++) {
			fuzz_require(node[at] >= 0 && node[at] < NODES);
			fuzz_require(nodeset_has(&left, node[at]));
			nodeset_del(&left, node[at]);
		}
	nodeset_release(&all);
	nodeset_release(&left);
}

static void divide(const struct tasktable *table, double deadline)
{
	static int size[MOST_TASKS];
	static double time[MOST_TASKS];
	struct partition_problem problem = {.task = table->task, .ntasks = table->count,
		.nodes = NODES, .deadline = deadline};
	struct partition_answer answer = {.size = size, .time = time};
	int used = 0;

	if (table->count > MOST_TASKS)
		return;
	if (partition_solve(&problem, &answer) != MESH_OK) {
		fuzz_require(*answer.err.text);
		fuzz_text(&answer.err);
		return;
	}
	for (int i = 0; i < table->count; i++) {
		const struct partition_task *task = &table->task[i];

		fuzz_require(size[i] >= task->nodes[0]);
		fuzz_require(size[i] <= task->nodes[task->npoints - 1]);
		fuzz_require(!(deadline > 0) || time[i] <= deadline);
		fuzz_require(time[i] <= answer.longest);
		used += size[i];
	}
	fuzz_require(used == answer.used && used <= NODES);
	place(size, table->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tasktable table = {0};
	struct mesh_err err = {{0}};
	char path[FUZZ_PATH];
	int fd = fuzz_file(data, size, path);

	if (tasktable_read(&table, path, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
	} else {
		fuzz_require(table.count >= 1);
		for (int i = 0; i < table.count; i++)
			check_task(&table.task[i], table.command[i]);
		divide(&table, 0);
		divide(&table, 100);
	}
	arena_release(&table.arena);
	close(fd);
	return 0;
}
