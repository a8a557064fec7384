/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prices do not depend on what was asked before, and are what loads say.
 */
#include "contention/forecast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "contention/shift.h"

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static struct mesh *new_mesh(int ndims, int side, bool wrap)
{
	struct mesh_spec spec = {.name = "m", .ndims = ndims, .nnodes = 1, .nodes_per_vertex = 1};
	struct mesh_err err;

	for (int d = 0; d < ndims; d++) {
		spec.side[d] = side + d % 2;
		spec.wrap[d] = wrap;
		spec.nnodes *= spec.side[d];
	}
	return mesh_new(&spec, &err);
}

/* Up to 5 jobs on random nodes, ascending: job j has count[j] from node[j * nnodes] on. */
static int random_jobs(uint64_t *seed, const struct mesh *mesh, int *node, int *count)
{
	int njobs = 1 + (int)random_below(seed, 5);

	for (int j = 0; j < njobs; j++)
		count[j] = 0;
	for (int i = 0; i < mesh->nnodes; i++) {
		int j = (int)random_below(seed, 8);

		if (j < njobs)
			node[j * mesh->nnodes + count[j]++] = i;
	}
	return njobs;
}

static void tell(struct forecast *f, const struct mesh *mesh, const int *node, const int *count,
	int njobs)
{
	forecast_begin(f, NULL);
	for (int j = 0; j < njobs; j++)
		if (count[j])
			assert_true(forecast_run(f, node + j * mesh->nnodes, count[j]));
	assert_true(forecast_end(f));
}

static double cost_below(struct forecast *f, const int *vertex, int count,
	const struct forecast_times *ideal, double most)
{
	const struct forecast_set set = {vertex, count, 0};
	const struct forecast_goal goal = {comm_mix_default, ideal, true};

	return forecast_cost(f, &set, &goal, most);
}

static double cost_of(struct forecast *f, const int *vertex, int count,
	const struct forecast_times *ideal)
{
	return cost_below(f, vertex, count, ideal, HUGE_VAL);
}

/* A set on vertex[count] is asked about in one way or another, and expected. */
static void expect(struct forecast *f, const int *vertex, int count, uint64_t *seed)
{
	const struct comm_grid grid = {1, {count}};
	const struct forecast_set set = {vertex, count, 0};
	const struct forecast_times ideal = {{0, 1, 1, 1, 1}};
	const struct forecast_goal goal = {comm_mix_of((enum comm_pattern)random_below(seed, COMM_PATTERNS)), &ideal,
		random_below(seed, 2)};
	struct forecast_part part;

	forecast_grid(f, random_below(seed, 2) ? &grid : NULL);
	forecast_part(f, &set, &goal, random_below(seed, 2) ? 1.2 : HUGE_VAL, &part);
	forecast_expect(f, &set);
	forecast_grid(f, NULL);
}

/* One that has seen other states before gives the same price to the last bit, and one that expected a job or another. */
static void against_fresh_ones(uint64_t seed, int turns, bool expecting)
{
	for (int m = 0; m < 12; m++) {
		struct mesh *mesh = new_mesh(1 + m % 3, 3 + m % 4, m % 2);
		struct forecast *used = forecast_new(mesh);
		int *node = calloc((size_t)mesh->nnodes * 6, sizeof(int)), count[6];
		const struct forecast_times ideal = {{0, 1, 1, 1, 1}};

		for (int turn = 0; turn < turns; turn++) {
			struct forecast *fresh = forecast_new(mesh);
			int njobs = random_jobs(&seed, mesh, node, count);
			int next = expecting ? (int)random_below(&seed, 5) : njobs;

			if (expecting)
				tell(used, mesh, node, count, njobs - 1);
			if (next < njobs && count[next] > 1)
				expect(used, node + next * mesh->nnodes, count[next], &seed);
			if (expecting && count[0] > 1 && turn % 2)
				cost_of(used, node, count[0], &ideal);
			tell(used, mesh, node, count, njobs);
			tell(fresh, mesh, node, count, njobs);
			if (count[0] > 1)
				assert_true(cost_of(used, node, count[0], &ideal) ==
					cost_of(fresh, node, count[0], &ideal));
			forecast_free(fresh);
		}
		free(node);
		forecast_free(used);
		mesh_free(mesh);
	}
}

static void test_history_does_not_matter(void **state)
{
	(void)state;
	against_fresh_ones(1, 20, false);
}

/* What a run was expected to put on links is what it does, whether it is the one that comes or not. */
static void test_expected(void **state)
{
	(void)state;
	against_fresh_ones(7, 40, true);
}

/* A job alone in a row: by hand. */
static void test_row(void **state)
{
	static const int vertex[] = {0, 1, 2, 3};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct forecast *f = forecast_new(mesh);
	struct forecast_times times;
	const double load = (9.0 + 16 + 9) / 10 / 3;

	(void)state;
	forecast_alone(f, &(struct forecast_set){vertex, 4, 0}, true, &times);
	/* The last rank's message goes back over all links. */
	assert_near(times.time[COMM_RING], 1);
	/* The ends send all they have to one neighbour. */
	assert_near(times.time[COMM_GRID], 1);
	/* Links carry 3, 4 and 3 of 12 pairs each way, a third of a message each; in its three steps
	 * the fullest carries 1, 2 and 1. */
	assert_near(times.time[COMM_RANDOM], 1 + 1.25 * load);
	assert_near(times.time[COMM_ALL_TO_ALL], 1.2 * load + 0.35 * (1 + 2 + 1) / 3);
	/* All at once they wait for the fullest, which carries a third of 4 messages. */
	forecast_alone(f, &(struct forecast_set){vertex, 4, 0}, false, &times);
	assert_near(times.time[COMM_ALL_TO_ALL], 1.2 * load + 0.35 * 4 / 3);
	forecast_free(f);
	mesh_free(mesh);
}

/* Others on the way cost time, and more so the more they send. */
static void test_others_cost(void **state)
{
	static const int across[] = {0, 8}, beside[] = {3, 4};
	static const int vertex[] = {3, 4};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct forecast *f = forecast_new(mesh);
	struct forecast_times ideal;
	double with;

	(void)state;
	forecast_alone(f, &(struct forecast_set){vertex, 2, 0}, true, &ideal);
	assert_near(cost_of(f, vertex, 2, &ideal), 1);
	forecast_begin(f, NULL);
	assert_true(forecast_run(f, across, 2));
	assert_true(forecast_end(f));
	with = cost_of(f, vertex, 2, &ideal);
	/* Twice the load, and as much again for the other one, at what it is worth. */
	assert_true(with > 2);
	forecast_begin(f, NULL);
	assert_true(forecast_run(f, across, 2));
	assert_true(forecast_run(f, beside, 2));
	assert_true(forecast_end(f));
	assert_true(cost_of(f, vertex, 2, &ideal) > with);
	forecast_begin(f, NULL);
	assert_true(forecast_end(f));
	assert_near(cost_of(f, vertex, 2, &ideal), 1);
	forecast_free(f);
	mesh_free(mesh);
}

/* Rings wait for each other as long as the fullest link is fuller than before. */
static void test_rings_wait(void **state)
{
	static const int across[] = {0, 2, 4, 8}, vertex[] = {3, 5};
	const struct forecast_times ideal = {{0, 1, 1, 1, 1}};
	const struct forecast_goal goal = {{{[COMM_RING] = 1}}, &ideal, false};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct forecast *f = forecast_new(mesh);

	(void)state;
	forecast_begin(f, NULL);
	assert_true(forecast_run(f, across, 4));
	assert_true(forecast_end(f));
	/* Two messages on each link: 2 for its own ring, and 1 more for the 4 ranks of the other. */
	assert_near(forecast_cost(f, &(struct forecast_set){vertex, 2, 0}, &goal, HUGE_VAL),
		2 + 4.0 / 2);
	forecast_free(f);
	mesh_free(mesh);
}

/* A job's ring by its links: messages on each, as links_route() has them. */
static void plain_ring(const struct mesh *mesh, const int *vertex, int count, int *load)
{
	int *link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));

	memset(load, 0, (size_t)links_count(mesh) * sizeof(int));
	for (int i = 0; i < count; i++)
		for (int n = links_route(mesh, vertex[i], vertex[(i + 1) % count], link); n > 0; n--)
			load[link[n - 1]]++;
	free(link);
}

static int fullest_of(const struct mesh *mesh, const int *load, const int *all)
{
	int most = 1;

	for (int l = 0; l < links_count(mesh); l++)
		most = load[l] && all[l] > most ? all[l] : most;
	return most;
}

/*
 * The cost of a set by rings alone, from the loads of all: its own, and what the others lose by name. Of
 * the jobs on a link only the first and the last, by their nodes, are looked at. Jobs 1.. run.
 */
static double plain_rings(const struct mesh *mesh, const int *node, const int *count, int njobs)
{
	size_t links = (size_t)links_count(mesh), n = (size_t)mesh->nnodes;
	int *all = calloc(links, sizeof(int)), *own = calloc(links, sizeof(int));
	int *load[6], before[6], after[6] = {0};
	double lost = 0;

	for (int j = 1; j < njobs; j++) {
		load[j] = calloc(links, sizeof(int));
		if (count[j] > 1)
			plain_ring(mesh, node + (size_t)j * n, count[j], load[j]);
		for (size_t l = 0; l < links; l++)
			all[l] += load[j][l];
	}
	for (int j = 1; j < njobs; j++)
		before[j] = fullest_of(mesh, load[j], all);
	plain_ring(mesh, node, count[0], own);
	for (size_t l = 0; l < links; l++) {
		int first = 0, last = 0;

		all[l] += own[l];
		for (int j = 1; j < njobs; j++)
			if (load[j][l]) {
				first = !first || node[(size_t)j * n] < node[(size_t)first * n] ? j : first;
				last = !last || node[(size_t)j * n] > node[(size_t)last * n] ? j : last;
			}
		if (own[l] && first) {
			after[first] = all[l] > after[first] ? all[l] : after[first];
			after[last] = all[l] > after[last] ? all[l] : after[last];
		}
	}
	for (int j = 1; j < njobs; j++) {
		lost += after[j] > before[j] ? count[j] * (after[j] - before[j]) : 0;
		free(load[j]);
	}
	lost = fullest_of(mesh, own, all) + lost / count[0];
	free(all);
	free(own);
	return lost;
}

/* Jobs come and go, and what rings wait is what all loads say. */
static void test_rings_are_those_of_all_loads(void **state)
{
	const struct forecast_times ideal = {{0, 1, 1, 1, 1}};
	const struct forecast_goal goal = {{{[COMM_RING] = 1}}, &ideal, false};
	uint64_t seed = 5;

	(void)state;
	for (int m = 0; m < 12; m++) {
		struct mesh *mesh = new_mesh(1 + m % 3, 3 + m % 5, m % 2);
		struct forecast *f = forecast_new(mesh);
		size_t n = (size_t)mesh->nnodes;
		int *node = calloc(n * 6, sizeof(int)), count[6];
		int njobs = random_jobs(&seed, mesh, node, count);

		for (int turn = 0; turn < 40; turn++) {
			const struct forecast_set set = {node, count[0], 0};
			int *other = calloc(n * 6, sizeof(int)), many[6];

			tell(f, mesh, node + n, count + 1, njobs - 1);
			if (count[0] > 1)
				assert_near(forecast_cost(f, &set, &goal, HUGE_VAL),
					plain_rings(mesh, node, count, njobs));
			/* All are others, or one moves into the place of the set and of one that ended. */
			if (random_below(&seed, 3) == 0) {
				njobs = random_jobs(&seed, mesh, other, many);
				memcpy(node, other, n * 6 * sizeof(int));
				memcpy(count, many, sizeof(count));
			} else {
				size_t j = random_below(&seed, (uint64_t)njobs);

				memcpy(other, node, n * sizeof(int));
				memmove(node, node + j * n, n * sizeof(int));
				memcpy(node + j * n, other, n * sizeof(int));
				many[0] = count[0];
				count[0] = count[j];
				count[j] = many[0];
			}
			free(other);
		}
		free(node);
		forecast_free(f);
		mesh_free(mesh);
	}
}

/* In two parts it is the same, and the first is no more than that. */
static void check_parts(struct forecast *f, const int *vertex, int count,
	const struct forecast_times *ideal, double cost)
{
	const struct forecast_set set = {vertex, count, 0};
	struct forecast_goal goal = {comm_mix_default, ideal, true};
	struct forecast_part part;

	forecast_part(f, &set, &goal, HUGE_VAL, &part);
	assert_true(part.cost <= cost && part.steps >= 0);
	assert_true(forecast_rest(f, &set, &goal, HUGE_VAL, &part) == cost);
	assert_true(forecast_rest(f, &set, &goal, part.cost, &part) == part.cost);
	/* Where steps are not looked at there is no second part. */
	goal.steps = false;
	forecast_part(f, &set, &goal, HUGE_VAL, &part);
	assert_true(part.steps < 0 && part.cost <= cost);
}

/* What is too dear need not be looked at to the end; what is not is priced the same. */
static void test_most(void **state)
{
	uint64_t seed = 7;
	struct mesh *mesh = new_mesh(2, 6, true);
	struct forecast *f = forecast_new(mesh);
	int *node = calloc((size_t)mesh->nnodes * 6, sizeof(int)), count[6];

	(void)state;
	for (int turn = 0; turn < 50; turn++) {
		int njobs = random_jobs(&seed, mesh, node, count);
		struct forecast_times ideal;
		double cost;

		if (count[0] < 2)
			continue;
		tell(f, mesh, node + mesh->nnodes, count + 1, njobs - 1);
		forecast_alone(f, &(struct forecast_set){node, count[0], 0}, true, &ideal);
		cost = cost_of(f, node, count[0], &ideal);
		assert_true(cost >= FORECAST_LEAST);
		check_parts(f, node, count[0], &ideal, cost);
		assert_true(cost_below(f, node, count[0], &ideal, cost * 1.01) == cost);
		for (double most = 0; most <= cost; most += cost / 8)
			assert_true(cost_below(f, node, count[0], &ideal, most) >= most - 1e-9);
	}
	free(node);
	forecast_free(f);
	mesh_free(mesh);
}

/* Who asks makes no difference, nor which of two is expected. */
static void test_two_ask(void **state)
{
	const struct forecast_times ideal = {{0, 1, 1, 1, 1}};
	const struct forecast_goal goal = {comm_mix_default, &ideal, true};
	uint64_t seed = 17;

	(void)state;
	for (int m = 0; m < 12; m++) {
		struct mesh *mesh = new_mesh(1 + m % 3, 3 + m % 4, m % 2);
		struct forecast *f = forecast_new(mesh), *plain = forecast_new(mesh);
		int *node = calloc((size_t)mesh->nnodes * 6, sizeof(int)), count[6];

		for (int turn = 0; turn < 8; turn++) {
			const struct forecast_set *set[2];
			struct forecast_part part[2], expected;

			int njobs = random_jobs(&seed, mesh, node, count);

			tell(f, mesh, node, count, njobs);
			tell(plain, mesh, node, count, njobs);
			if (njobs < 2 || count[0] < 2 || count[1] < 2)
				continue;
			assert_int_equal(forecast_two(f), 0);
			set[0] = &(struct forecast_set){node, count[0], 0};
			set[1] = &(struct forecast_set){node + mesh->nnodes, count[1], 1};
			for (int i = 2; i-- > 0;)
				forecast_part(f, set[i], &goal, HUGE_VAL, &part[i]);
			for (int i = 0; i < 2; i++) {
				forecast_part(plain, &(struct forecast_set){set[i]->vertex, set[i]->count, 0}, &goal,
					HUGE_VAL, &expected);
				assert_true(part[i].cost == expected.cost && part[i].steps == expected.steps);
			}
			forecast_expect(f, set[turn % 2]);
			/* The one expected runs, and its loads are those that were kept. */
			memcpy(node, set[turn % 2]->vertex, (size_t)set[turn % 2]->count * sizeof(int));
			count[0] = set[turn % 2]->count;
			tell(f, mesh, node, count, 1);
			tell(plain, mesh, node, count, 1);
			assert_true(cost_of(f, node, count[0], &ideal) == cost_of(plain, node, count[0], &ideal));
		}
		free(node);
		forecast_free(f);
		forecast_free(plain);
		mesh_free(mesh);
	}
}

/* Steps tell boxes apart that have the same loads: the long side had better be the quick one. */
static void test_steps_know_the_order(void **state)
{
	struct mesh *mesh = new_mesh(2, 16, true);
	struct shift *shift = shift_new(mesh);
	struct load_traffic *other = calloc((size_t)links_count(mesh), sizeof(*other));
	int wide[32], high[32], row[4] = {0, 1, 2, 3};
	double alone;

	(void)state;
	for (int i = 0; i < 32; i++) {
		wide[i] = i % 8 * mesh->stride[0] + i / 8 * mesh->stride[1];
		high[i] = i % 4 * mesh->stride[0] + i / 4 * mesh->stride[1];
	}
	alone = shift_time(shift, &(struct shift_ranks){wide, 32}, NULL, HUGE_VAL);
	assert_true(alone * 1.2 < shift_time(shift, &(struct shift_ranks){high, 32}, NULL, HUGE_VAL));
	/* A message of others on every link, all the time: one more than its own. */
	for (int i = 0; i < links_count(mesh); i++)
		other[i].load = LOAD_UNIT;
	assert_near(shift_time(shift, &(struct shift_ranks){row, 4}, NULL, HUGE_VAL), 4.0 / 3);
	assert_near(shift_time(shift, &(struct shift_ranks){row, 4}, other, HUGE_VAL), 4.0 / 3 + 1);
	assert_true(shift_time(shift, &(struct shift_ranks){wide, 32}, other, HUGE_VAL) > alone);
	assert_true(shift_time(shift, &(struct shift_ranks){wide, 32}, NULL, HUGE_VAL) == alone);
	/* What is too long anyway is not looked at to its end. */
	assert_true(shift_time(shift, &(struct shift_ranks){wide, 32}, NULL, alone) == alone);
	assert_true(shift_time(shift, &(struct shift_ranks){wide, 32}, NULL, alone / 4) >= alone / 4);
	free(other);
	shift_free(shift);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history_does_not_matter),
		cmocka_unit_test(test_expected),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_others_cost),
		cmocka_unit_test(test_rings_wait),
		cmocka_unit_test(test_rings_are_those_of_all_loads),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_two_ask),
		cmocka_unit_test(test_steps_know_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
