/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The optimal partition against the paper's example, the paper's own algorithm and
 * exhaustive search.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/partition.h"
#include "support.h"

enum { MAX_TASKS = 5, MAX_POINTS = 16 };

struct table {
	int nodes[MAX_POINTS];
	double time[MAX_POINTS];
};

static const int eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const double sor[] = {133.227, 82.447, 61.655, 51.537, 49.229, 46.465, 47.400, 49.279};
static const double ge[] = {153.773, 104.329, 81.157, 67.943, 62.084, 61.440, 61.474, 63.145};
static const struct partition_task paper[] = {
	{.name = "SOR", .nodes = eight, .time = sor, .npoints = 8},
	{.name = "GE", .nodes = eight, .time = ge, .npoints = 8},
};

static void test_paper(void **state)
{
	int size[2];
	double time[2];
	struct partition_answer answer = {.size = size, .time = time};
	struct partition_problem problem = {.task = paper, .ntasks = 2, .nodes = 8};

	(void)state;
	assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
	assert_int_equal(size[0], 3);
	assert_int_equal(size[1], 5);
	assert_true(answer.longest == 62.084);
	assert_int_equal(answer.used, 8);
	assert_false(answer.all_best);

	problem.nodes = 20; /* both at their best sizes, S_K = 6, and 8 nodes are left over */
	assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
	assert_int_equal(size[0], 6);
	assert_int_equal(size[1], 6);
	assert_true(answer.all_best);
	assert_true(answer.longest == 61.440);
}

static void test_deadline(void **state)
{
	int size[2];
	double time[2];
	struct partition_answer answer = {.size = size, .time = time};
	struct partition_problem problem = {.task = paper, .ntasks = 2, .nodes = 8, .deadline = 90};

	(void)state;
	assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
	assert_int_equal(size[0], 2);
	assert_int_equal(size[1], 3);
	assert_int_equal(answer.used, 5);
	problem.deadline = 62;
	assert_int_equal(partition_solve(&problem, &answer), MESH_NO_FIT);
	problem.nodes = 9; /* 3 for 61.655, 6 for 61.440 */
	assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
	assert_int_equal(size[0], 3);
	assert_int_equal(size[1], 6);
	problem.deadline = 61;
	assert_int_equal(partition_solve(&problem, &answer), MESH_NEVER);
}

/* --- plain references ------------------------------------------------------------- */

/* Time by the definition; NAN where the task may not run. */
static double plain_time(const struct partition_task *task, int n)
{
	for (int i = 0; i < task->npoints; i++) {
		if (task->nodes[i] == n)
			return task->time[i];
		if (i && task->nodes[i - 1] < n && n < task->nodes[i])
			return task->time[i - 1] + (task->time[i] - task->time[i - 1]) *
				(n - task->nodes[i - 1]) / (task->nodes[i] - task->nodes[i - 1]);
	}
	return NAN;
}

/* The least longest time of tasks t.. with at most `nodes`; INFINITY if there is no way. */
static double exhaustive(const struct partition_problem *problem, int t, int nodes)
{
	double least = INFINITY;

	if (t == problem->ntasks)
		return 0;
	for (int n = 1; n <= nodes; n++) {
		double time = plain_time(&problem->task[t], n), rest;

		if (isnan(time))
			continue;
		rest = exhaustive(problem, t + 1, nodes - n);
		least = fmin(least, fmax(time, rest));
	}
	return least;
}

/* The fewest nodes in all with which tasks t.. meet the deadline; more than `nodes`: none. */
static int fewest(const struct partition_problem *problem, int t, int nodes)
{
	int least = nodes + 1;

	if (t == problem->ntasks)
		return 0;
	for (int n = 1; n <= nodes; n++) {
		double time = plain_time(&problem->task[t], n);

		if (isnan(time) || time > problem->deadline)
			continue;
		int rest = fewest(problem, t + 1, nodes - n);

		least = n + rest < least ? n + rest : least;
	}
	return least;
}

/* Tables of any form: gaps, rises, equal times. */
static void random_task(uint64_t *seed, struct partition_task *task, struct table *table)
{
	int size = random_int(seed, 1, 4) == 1 ? random_int(seed, 1, 3) : 1;

	*task = (struct partition_task){.name = "t", .nodes = table->nodes, .time = table->time};
	task->npoints = random_int(seed, 1, 8);
	for (int i = 0; i < task->npoints; i++) {
		table->nodes[i] = size;
		table->time[i] = random_int(seed, 1, 100) / (double)random_int(seed, 1, 2 * size);
		size += random_int(seed, 1, 3) == 1 ? random_int(seed, 1, 4) : 1;
	}
}

static void test_exhaustive(void **state)
{
	int solved = 0, refused = 0;

	(void)state;
	for (struct rounds r = rounds(9, 6000); rounds_next(&r);) {
		struct table table[MAX_TASKS];
		struct partition_task task[MAX_TASKS];
		int size[MAX_TASKS], sum = 0;
		double time[MAX_TASKS], least;
		struct partition_answer answer = {.size = size, .time = time};
		struct partition_problem problem = {
			.task = task, .ntasks = random_int(&r.seed, 1, 4)};

		problem.nodes = random_int(&r.seed, problem.ntasks, 12);
		if (random_int(&r.seed, 1, 3) == 1)
			problem.deadline = random_int(&r.seed, 1, 80);
		for (int i = 0; i < problem.ntasks; i++)
			random_task(&r.seed, &task[i], &table[i]);
		enum mesh_result result = partition_solve(&problem, &answer);

		assert_int_not_equal(result, MESH_ERROR);
		least = exhaustive(&problem, 0, problem.nodes);
		if (result != MESH_OK) {
			refused++;
			assert_true(*answer.err.text);
			if (problem.deadline > 0)
				assert_true(fewest(&problem, 0, problem.nodes) > problem.nodes);
			else
				assert_true(isinf(least));
			continue;
		}
		solved++;
		for (int i = 0; i < problem.ntasks; i++) {
			sum += size[i];
			assert_true(time[i] == plain_time(&task[i], size[i]));
			assert_true(time[i] <= answer.longest);
		}
		assert_int_equal(sum, answer.used);
		assert_in_range(sum, problem.ntasks, problem.nodes);
		if (problem.deadline > 0)
			assert_int_equal(sum, fewest(&problem, 0, problem.nodes));
		else
			assert_true(answer.longest == least);
	}
	assert_in_range(solved, 2000, 6000);
	assert_in_range(refused, 500, 6000);
}

/* NEVER is never, NO_FIT is answered when more nodes help. */
static void test_never(void **state)
{
	(void)state;
	for (struct rounds r = rounds(4, 3000); rounds_next(&r);) {
		struct table table[2];
		struct partition_task task[2];
		int size[2];
		double time[2];
		struct partition_answer answer = {.size = size, .time = time};
		struct partition_problem problem = {.task = task, .ntasks = 2,
			.nodes = random_int(&r.seed, 2, 8)};

		problem.deadline = random_int(&r.seed, 0, 1) * random_int(&r.seed, 1, 50);
		for (int i = 0; i < 2; i++)
			random_task(&r.seed, &task[i], &table[i]);
		enum mesh_result result = partition_solve(&problem, &answer);

		problem.nodes = 1000;
		if (result == MESH_NO_FIT)
			assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
		else if (result == MESH_NEVER)
			assert_int_equal(partition_solve(&problem, &answer), MESH_NEVER);
	}
}

/* Figure 5 of the paper, for tables that fall up to S_K (here: everywhere). */
static double papers_algorithm(const struct partition_problem *problem)
{
	int size[MAX_TASKS], sum = 0, order[MAX_TASKS], count = problem->ntasks;
	double longest = 0;

	for (int i = 0; i < count; i++) {
		order[i] = i;
		sum += size[i] = problem->task[i].npoints;
	}
	for (int i = 0; sum > problem->nodes; i = (i + 1) % count)
		if (size[i] > 1) {
			size[i]--;
			sum--;
		}
#define TIME(i, s) problem->task[i].time[(s)-1]
	for (int j = 0; j < count;) {
		for (int a = 1; a < count; a++) /* keep A sorted by time */
			for (int b = a; b && TIME(order[b - 1], size[order[b - 1]]) >
				TIME(order[b], size[order[b]]); b--) {
				int swap = order[b];

				order[b] = order[b - 1];
				order[b - 1] = swap;
			}
		int J = order[j], P = order[count - 1];

		if (J == P || size[P] == problem->task[P].npoints)
			break;
		if (size[J] > 1 && TIME(J, size[J] - 1) < TIME(P, size[P])) {
			size[J]--;
			size[P]++;
		} else {
			j++;
		}
	}
	for (int i = 0; i < count; i++)
		longest = fmax(longest, TIME(i, size[i]));
	return longest;
#undef TIME
}

static void test_papers_algorithm(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 3000); rounds_next(&r);) {
		struct table table[MAX_TASKS];
		struct partition_task task[MAX_TASKS];
		int size[MAX_TASKS];
		double time[MAX_TASKS];
		struct partition_answer answer = {.size = size, .time = time};
		struct partition_problem problem = {
			.task = task, .ntasks = random_int(&r.seed, 1, 5)};

		problem.nodes = random_int(&r.seed, problem.ntasks, 30);
		for (int i = 0; i < problem.ntasks; i++) {
			double t = random_int(&r.seed, 500, 1000);

			task[i] = (struct partition_task){.name = "t", .nodes = table[i].nodes,
				.time = table[i].time, .npoints = random_int(&r.seed, 1, 12)};
			for (int p = 0; p < task[i].npoints; p++) {
				table[i].nodes[p] = p + 1;
				table[i].time[p] = t;
				t *= random_int(&r.seed, 60, 99) / 100.0;
			}
		}
		assert_int_equal(partition_solve(&problem, &answer), MESH_OK);
		assert_true(answer.longest == papers_algorithm(&problem));
	}
}

/* What is refused, and with which words. */
static void test_errors(void **state)
{
	static const int one[] = {1}, twice[] = {1, 1}, nil[] = {0};
	static const double fine[] = {1, 2}, negative[] = {-1}, nan_time[] = {NAN};
	static const struct {
		struct partition_task task;
		const char *text;
	} bad[] = {
		{{.name = "a", .nodes = one, .time = fine}, "table is empty"},
		{{.name = "a", .nodes = one, .time = negative, .npoints = 1},
			"time for 1 nodes is -1"},
		{{.name = "a", .nodes = one, .time = nan_time, .npoints = 1}, "is nan"},
		{{.name = "a", .nodes = nil, .time = fine, .npoints = 1}, "a time for 0 nodes"},
		{{.name = "a", .nodes = twice, .time = fine, .npoints = 2}, "must ascend"},
	};
	int size[3];
	double time[3];
	struct partition_answer answer = {.size = size, .time = time};
	struct partition_task many[3] = {paper[0], paper[1], paper[0]};
	struct partition_problem crowd = {.task = many, .ntasks = 3, .nodes = 2};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct partition_problem problem = {.task = &bad[i].task, .ntasks = 1, .nodes = 4};

		assert_int_equal(partition_solve(&problem, &answer), MESH_ERROR);
		assert_non_null(strstr(answer.err.text, bad[i].text));
	}
	assert_int_equal(partition_solve(&crowd, &answer), MESH_ERROR);
	assert_non_null(strstr(answer.err.text, "3 tasks on 2 nodes"));
	crowd.nodes = 0;
	assert_int_equal(partition_solve(&crowd, &answer), MESH_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paper),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_exhaustive),
		cmocka_unit_test(test_never),
		cmocka_unit_test(test_papers_algorithm),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
