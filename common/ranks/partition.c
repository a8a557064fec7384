/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * S. Figueira, "Allocating concurrent parallel tasks in parallel environments". The paper gives
 * every task its best size S_K, takes nodes away until they fit, and then moves nodes one by one
 * to the longest task. Moves of one node get stuck where a table does not fall at every step. So
 * this code begins at the other end: every task has its fewest nodes, and the longest one takes
 * what it needs for its next shorter time.
 *
 * Why that is optimal for any table: the longest time can only fall if the longest task takes its
 * step. So at every moment the sizes are the fewest that allow any longest time below the present
 * one. If the longest task has no step, or too few nodes are left for it, no shorter time is
 * possible. On tables that fall up to S_K the paper's algorithm ends at the same longest time
 * (tests/unit/ranks/test_partition.c runs both).
 *
 * O(T + P + M + N log T), see partition.h.
 */
#include "ranks/partition.h"

#include <math.h>

#include "base/arena.h"
#include "base/heap.h"

/* A task on its way up its table. */
struct climber {
	const struct partition_task *task;
	int best; /* the smallest possible size with the least time */
	int size, point; /* now; nodes[point] <= size */
	double time;
};

/* The time with `size` nodes, a size inside the table. Only moves the point up. */
static double time_at(const struct partition_task *task, int size, int *point)
{
	int p = *point;

	while (p + 1 < task->npoints && task->nodes[p + 1] <= size)
		p++;
	*point = p;
	if (task->nodes[p] == size)
		return task->time[p];
	return task->time[p] + (task->time[p + 1] - task->time[p]) *
		(size - task->nodes[p]) / (task->nodes[p + 1] - task->nodes[p]);
}

/* The smallest size in low..high with the least time: it is at an end or on a point. */
static int best_size(const struct partition_task *task, int low, int high)
{
	int point = 0, best = low;
	double least = time_at(task, low, &point), last;

	while (point + 1 < task->npoints && task->nodes[point + 1] <= high) {
		point++;
		if (task->time[point] < least) {
			least = task->time[point];
			best = task->nodes[point];
		}
	}
	last = time_at(task, high, &point);
	return last < least ? high : best;
}

/*
 * The next size with a shorter time than now, or with time <= until; otherwise the best size. Not
 * to be called at the best size.
 */
static int next_step(const struct climber *c, double until, int *point, double *time)
{
	int size = c->size;

	*point = c->point;
	do {
		size++;
		*time = time_at(c->task, size, point);
	} while (size < c->best && !(*time < c->time && *time <= until));
	return size;
}

static int check_task(const struct partition_task *task, struct mesh_err *err)
{
	if (task->npoints < 1)
		return err_printf(err, "task %s: the table is empty", task->name);
	for (int i = 0; i < task->npoints; i++) {
		if (task->nodes[i] < 1)
			return err_printf(err, "task %s: a time for %d nodes", task->name,
				task->nodes[i]);
		if (i && task->nodes[i] <= task->nodes[i - 1])
			return err_printf(err, "task %s: the sizes of the table must ascend, %d"
				" comes after %d", task->name, task->nodes[i], task->nodes[i - 1]);
		if (!(task->time[i] >= 0) || !isfinite(task->time[i]))
			return err_printf(err, "task %s: the time for %d nodes is %g", task->name,
				task->nodes[i], task->time[i]);
	}
	return 0;
}

static int check(const struct partition_problem *problem, struct mesh_err *err)
{
	if (problem->ntasks < 1 || problem->nodes < 1)
		return err_printf(err, "%d tasks on %d nodes", problem->ntasks, problem->nodes);
	if (!(problem->deadline >= 0) || !isfinite(problem->deadline))
		return err_printf(err, "the deadline is negative or not a number");
	for (int i = 0; i < problem->ntasks; i++)
		if (check_task(&problem->task[i], err))
			return -1;
	if (problem->ntasks > problem->nodes)
		return err_printf(err, "%d tasks on %d node%s: every task needs at least one",
			problem->ntasks, problem->nodes, problem->nodes == 1 ? "" : "s");
	return 0;
}

/* Begin the climb with the fewest nodes, within the deadline if there is one. */
static enum mesh_result start(const struct partition_problem *problem, struct climber *c,
	struct mesh_err *err)
{
	double until = problem->deadline > 0 ? problem->deadline : INFINITY;
	int low = c->task->nodes[0], last = c->task->nodes[c->task->npoints - 1], point = 0;
	double least = time_at(c->task, best_size(c->task, low, last), &point);

	if (least > until) {
		err_printf(err, "task %s takes %g at best: not the %g that it may", c->task->name,
			least, until);
		return MESH_NEVER;
	}
	if (low > problem->nodes) {
		err_printf(err, "task %s needs at least %d nodes, there are %d", c->task->name,
			low, problem->nodes);
		return MESH_NO_FIT;
	}
	c->best = best_size(c->task, low, last < problem->nodes ? last : problem->nodes);
	c->size = low;
	c->time = time_at(c->task, low, &c->point);
	if (c->time > until && c->size < c->best) {
		double time;

		c->size = next_step(c, until, &point, &time);
		c->point = point;
		c->time = time;
	}
	if (c->time <= until)
		return MESH_OK;
	err_printf(err, "task %s takes %g at best on %d nodes: not the %g that it may",
		c->task->name, c->time, problem->nodes, until);
	return MESH_NO_FIT;
}

/* The longest task takes steps as long as it can; what it cannot use goes to the next. */
static void climb(struct climber *c, struct heap *heap, int spare)
{
	for (int i = 0; i < heap->size; i++)
		heap->item[i] = (struct heap_item){-c[i].time, i, i};
	heap_make(heap);
	while (heap->size && spare > 0) {
		struct climber *top = &c[heap->item[0].id];
		int point, size = top->size;
		double time;

		if (size < top->best)
			size = next_step(top, INFINITY, &point, &time);
		if (size > top->size && size - top->size <= spare) {
			spare -= size - top->size;
			top->size = size;
			top->point = point;
			top->time = time;
			heap_rekey_first(heap, -time);
		} else {
			heap_pop(heap);
		}
	}
}

static enum mesh_result solve(const struct partition_problem *problem, struct climber *c,
	struct heap *heap, struct mesh_err *err)
{
	int64_t need = 0, best = 0;
	enum mesh_result result = MESH_OK;

	/* A task that can never end in time comes before one that needs more nodes. */
	for (int i = 0; i < problem->ntasks && result != MESH_NEVER; i++) {
		struct mesh_err why;
		enum mesh_result one;

		c[i].task = &problem->task[i];
		one = start(problem, &c[i], &why);
		if (one != MESH_OK && (one == MESH_NEVER || result == MESH_OK)) {
			result = one;
			*err = why;
		}
		need += c[i].size;
		best += c[i].best;
	}
	if (result != MESH_OK)
		return result;
	if (need > problem->nodes) {
		err_printf(err, "the tasks need at least %lld nodes, there are %d", (long long)need,
			problem->nodes);
		return MESH_NO_FIT;
	}
	if (problem->deadline > 0)
		return MESH_OK;
	if (best > problem->nodes) {
		climb(c, heap, problem->nodes - (int)need);
		return MESH_OK;
	}
	for (int i = 0; i < problem->ntasks; i++) {
		c[i].size = c[i].best;
		c[i].time = time_at(c[i].task, c[i].best, &c[i].point);
	}
	return MESH_OK;
}

static void write_answer(const struct climber *c, int count, struct partition_answer *answer)
{
	answer->longest = 0;
	answer->used = 0;
	answer->all_best = true;
	for (int i = 0; i < count; i++) {
		answer->size[i] = c[i].size;
		answer->time[i] = c[i].time;
		answer->used += c[i].size;
		answer->all_best = answer->all_best && c[i].size == c[i].best;
		if (c[i].time > answer->longest)
			answer->longest = c[i].time;
	}
}

enum mesh_result partition_solve(
	const struct partition_problem *problem, struct partition_answer *answer)
{
	enum mesh_result result = MESH_ERROR;
	struct climber *c;
	struct arena arena = {0};
	struct heap heap = {.size = problem->ntasks};

	answer->err.text[0] = '\0';
	if (check(problem, &answer->err))
		return MESH_ERROR;
	c = arena_get(&arena, problem->ntasks, sizeof(*c));
	if (arena_array(&arena, heap.item, problem->ntasks))
		result = solve(problem, c, &heap, &answer->err);
	else
		err_printf(&answer->err, "out of memory");
	if (result == MESH_OK)
		write_answer(c, problem->ntasks, answer);
	arena_release(&arena);
	return result;
}
