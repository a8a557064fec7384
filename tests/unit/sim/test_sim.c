/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event simulation: what must hold whatever strategy places, and a plain scheduler that
 * only counts nodes as reference for the times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/freebox.h"
#include "sim/generate.h"
#include "sim/random.h"
#include "sim/summary.h"
#include "conf/strategies.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* --- invariants, watched from outside ---------------------------------------------- */

struct watch {
	const struct trace *trace;
	const struct mesh *mesh;
	struct nodeset busy;
	int **held; /* [njobs] the nodes of running jobs */
	int64_t last_start;
	int last_job;
	bool in_order;
};

static void watch_placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct watch *w = data;

	assert_int_equal(count, w->trace->job[job].count);
	assert_true(now >= w->trace->job[job].submit);
	assert_true(now >= w->last_start);
	if (w->in_order)
		assert_true(job > w->last_job);
	w->last_start = now;
	w->last_job = job;
	w->held[job] = malloc((size_t)count * sizeof(int));
	memcpy(w->held[job], node, (size_t)count * sizeof(int));
	for (int i = 0; i < count; i++) {
		assert_true(node[i] >= 0 && node[i] < w->mesh->nnodes);
		assert_false(nodeset_has(&w->busy, node[i]));
		nodeset_add(&w->busy, node[i]);
	}
}

static void watch_ended(void *data, int job, int64_t now)
{
	struct watch *w = data;

	(void)now;
	for (int i = 0; i < w->trace->job[job].count; i++) {
		assert_true(nodeset_has(&w->busy, w->held[job][i]));
		nodeset_del(&w->busy, w->held[job][i]);
	}
	free(w->held[job]);
	w->held[job] = NULL;
}

static void run_watched(struct engine_result *result, const struct mesh *mesh,
	const struct trace *trace, const struct strategy_ops *ops, enum engine_scheduler scheduler)
{
	struct watch watch = {.trace = trace, .mesh = mesh, .last_job = -1,
		.in_order = scheduler == ENGINE_FCFS};
	struct engine_options options = {.scheduler = scheduler, .seed = 5, .stop_at = -1,
		.placed = watch_placed, .ended = watch_ended, .data = &watch};
	struct mesh_err err = {{0}};

	assert_int_equal(nodeset_init(&watch.busy, mesh->nnodes), 0);
	watch.held = calloc((size_t)trace->njobs, sizeof(*watch.held));
	if (engine_run(result, &(struct engine_input){mesh, trace, ops}, &options, &err))
		fail_msg("%s: %s", ops->name, err.text);
	assert_int_equal(nodeset_count(&watch.busy), 0);
	for (int i = 0; i < trace->njobs; i++) {
		const struct engine_record *r = &result->record[i];

		if (r->refused)
			continue;
		assert_true(r->start >= trace->job[i].submit);
		assert_int_equal(r->end, r->start + trace->job[i].run);
	}
	nodeset_release(&watch.busy);
	free(watch.held);
}

/* --- the reference ------------------------------------------------------------------ */

struct plain {
	const struct trace *trace;
	enum engine_scheduler scheduler;
	int nnodes;
	int64_t *start; /* -1: waiting */
	int64_t now;
};

static int64_t limit_of(const struct trace_job *job)
{
	return job->estimate ? job->estimate : job->run;
}

static bool running(const struct plain *p, int job)
{
	return p->start[job] >= 0 && p->now < p->start[job] + p->trace->job[job].run;
}

/* Free nodes at a later time, going by the limits; a job that is over its limit ends now. */
static int free_at(const struct plain *p, int64_t time)
{
	int nodes = p->nnodes;

	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t end = p->start[i] + limit_of(&p->trace->job[i]);

		end = end > p->now ? end : p->now;
		if (running(p, i) && (end > time || time < p->now))
			nodes -= p->trace->job[i].count;
	}
	return nodes;
}

static int free_now(const struct plain *p)
{
	return free_at(p, -1);
}

/* The first moment at which the head fits: now, or the end of some running job. */
static int64_t shadow_of(const struct plain *p, int head)
{
	int64_t best = INT64_MAX;

	if (free_at(p, p->now) >= p->trace->job[head].count)
		return p->now;
	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t end = p->start[i] + limit_of(&p->trace->job[i]);

		if (running(p, i) && end > p->now && end < best &&
			free_at(p, end) >= p->trace->job[head].count)
			best = end;
	}
	return best;
}

static void plain_pass(struct plain *p)
{
	int head = -1;
	int64_t shadow = 0;
	int extra = 0;

	for (int i = 0; i < p->trace->njobs && p->trace->job[i].submit <= p->now; i++) {
		const struct trace_job *job = &p->trace->job[i];

		if (p->start[i] >= 0)
			continue;
		if (head < 0 && job->count > free_now(p)) {
			head = i;
			if (p->scheduler == ENGINE_FCFS)
				return;
			shadow = shadow_of(p, head);
			extra = free_at(p, shadow) - p->trace->job[head].count;
			continue;
		}
		if (job->count > free_now(p))
			continue;
		if (head >= 0 && p->now + limit_of(job) > shadow) {
			if (job->count > extra)
				continue;
			extra -= job->count;
		}
		p->start[i] = p->now;
	}
}

/* The next time at which something happens, or INT64_MAX. */
static int64_t plain_next(const struct plain *p)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < p->trace->njobs; i++) {
		const struct trace_job *job = &p->trace->job[i];
		int64_t at = p->start[i] >= 0 ? p->start[i] + job->run : job->submit;

		if (at > p->now && at < next)
			next = at;
	}
	return next;
}

static void plain_run(struct plain *p)
{
	for (int i = 0; i < p->trace->njobs; i++)
		p->start[i] = -1;
	for (p->now = 0; p->now < INT64_MAX; p->now = plain_next(p))
		plain_pass(p);
}

/* --- tests -------------------------------------------------------------------------- */

/* Small numbers, so that ends, submissions and limits meet at the same moments. */
static void random_trace(struct trace *trace, uint64_t *seed, int nnodes, int jobs)
{
	memset(trace, 0, sizeof(*trace));
	for (int i = 0; i < jobs; i++) {
		struct trace_job *job = trace_add(trace);

		job->id = i;
		job->submit = random_int(seed, 0, jobs * 3);
		job->run = random_int(seed, 1, 20);
		job->count = random_int(seed, 1, random_int(seed, 1, nnodes));
		if (random_int(seed, 0, 1))
			job->estimate = random_int(seed, 1, 40);
	}
	trace_sort(trace);
}

static void times_are_plain(void **state)
{
	(void)state;
	for (struct rounds r = rounds(11, 300); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 299);
		struct mesh *mesh = random_mesh(&r.seed, 3, 60);
		struct trace trace;
		struct engine_result result;
		struct plain plain = {.nnodes = mesh->nnodes,
			.scheduler = round & 1 ? ENGINE_EASY : ENGINE_FCFS};

		random_trace(&trace, &r.seed, mesh->nnodes, 40);
		plain.trace = &trace;
		plain.start = malloc((size_t)trace.njobs * sizeof(*plain.start));
		plain_run(&plain);
		run_watched(&result, mesh, &trace, strategy_find("linear"), plain.scheduler);
		for (int i = 0; i < trace.njobs; i++)
			assert_int_equal(result.record[i].start, plain.start[i]);
		free(plain.start);
		engine_release(&result);
		trace_release(&trace);
		mesh_free(mesh);
	}
}

/* Every row of the table, with shapes and without, under both schedulers. */
static void every_strategy(void **state)
{
	static const char *const models[] = {"uniform", "exponential", "lublin"};
	const struct strategy_ops *ops;
	struct mesh *mesh = make_mesh(3, (int[]){4, 3, 3}, 1, 1);

	(void)state;
	for (int i = 0; (ops = strategy_at(i)); i++)
		for (int m = 0; m < 3; m++) {
			struct generate_options options = {.model = models[m],
				.jobs = 60,
				.seed = 3,
				.mean_run = 100,
				.arrival_rate = 3};
			struct engine_result result, again;
			struct trace trace;
			struct mesh_err err = {{0}};
			struct strategy *probe = strategy_new(ops, mesh, &err);

			if (!probe) /* some are for two dimensions only */
				break;
			strategy_free(probe);
			assert_int_equal(generate(&trace, mesh, &options, &err), 0);
			run_watched(&result, mesh, &trace, ops, m & 1 ? ENGINE_EASY : ENGINE_FCFS);
			run_watched(&again, mesh, &trace, ops, m & 1 ? ENGINE_EASY : ENGINE_FCFS);
			for (int j = 0; j < trace.njobs; j++) {
				assert_int_equal(result.record[j].start, again.record[j].start);
				assert_int_equal(result.record[j].pairwise_hops,
					again.record[j].pairwise_hops);
			}
			engine_release(&result);
			engine_release(&again);
			trace_release(&trace);
		}
	mesh_free(mesh);
}

/* Whoever overtakes must not move the box that the head waits for. */
static void boxes_are_reserved(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	struct engine_options options = {.scheduler = ENGINE_EASY, .stop_at = -1};
	struct engine_result result;
	struct mesh_err err = {{0}};
	struct trace trace = {0};
	/* 4x2 until 10, 2x2 until 100; 4x4-ish head waits for 4x2 at 10; a long 2x2 fits
	 * beside (0..), a long 4x1 does not leave the head's box alone. */
	static const struct {
		int submit, run, a, b;
	} jobs[] = {{0, 10, 4, 2}, {0, 100, 2, 2}, {1, 10, 4, 2}, {2, 100, 2, 2}, {3, 5, 1, 1}};

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct trace_job *job = trace_add(&trace);

		job->submit = jobs[i].submit * SIM_SECOND;
		job->run = jobs[i].run * SIM_SECOND;
		job->count = jobs[i].a * jobs[i].b;
		job->shape = (struct mesh_shape){.ndims = 2, .side = {jobs[i].a, jobs[i].b}};
	}
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("ff")},
			&options, &err),
		0);
	assert_int_equal(result.record[2].start, 10 * SIM_SECOND);
	assert_int_equal(result.record[3].start, 2 * SIM_SECOND);
	assert_true(result.fragmented >= 0);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

/* Nor the nodes of a ring, which any strategy finds: enough nodes are no ring. */
static void rings_are_reserved(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){5, 2}, 0, 1);
	struct engine_options options = {.scheduler = ENGINE_EASY, .stop_at = -1};
	struct engine_result result;
	struct mesh_err err = {{0}};
	struct trace trace = {0};
	/* The first row is busy. At 100 there is a ring with its first two nodes; the last job must
	 * not take one of the two below them, though five are free and the ring has four. */
	static const struct {
		int run, count;
	} jobs[] = {{100, 2}, {10000, 3}, {10, 4}, {5000, 1}};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct trace_job *job = trace_add(&trace);

		job->submit = i * SIM_SECOND;
		job->run = jobs[i].run * SIM_SECOND;
		job->count = jobs[i].count;
	}
	trace.job[2].shape = (struct mesh_shape){.ndims = 1, .side = {4}, .walk = WALK_RING};
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			&options, &err),
		0);
	assert_int_equal(result.record[2].start, 100 * SIM_SECOND);
	assert_int_equal(result.record[3].start, 3 * SIM_SECOND);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void mean_of(double (*draw)(uint64_t *), double mean, double tolerance)
{
	uint64_t random;
	double sum = 0;

	random = random_stream(1, 2);
	for (int i = 0; i < 100000; i++)
		sum += draw(&random);
	if (fabs(sum / 100000 - mean) > tolerance)
		fail_msg("mean %f, not %f", sum / 100000, mean);
}

static double draw_gamma(uint64_t *random)
{
	return sim_random_gamma(random, 4.2, 0.94);
}

static double draw_small_gamma(uint64_t *random)
{
	return sim_random_gamma(random, 0.5, 2);
}

static double draw_exponential(uint64_t *random)
{
	return sim_random_exponential(random, 3);
}

static double draw_normal_square(uint64_t *random)
{
	double x = sim_random_normal(random, 0, 2);

	return x * x;
}

static void distributions(void **state)
{
	(void)state;
	mean_of(draw_gamma, 4.2 * 0.94, 0.03);
	mean_of(draw_small_gamma, 1, 0.02);
	mean_of(draw_exponential, 3, 0.04);
	mean_of(draw_normal_square, 4, 0.08);
}

/* The published shares of the model: 24.4% serial, 57.6% powers of two among the rest. */
static void lublin_model(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){16, 8}, 0, 1);
	struct generate_options options = {.model = "lublin", .jobs = 20000, .seed = 9};
	struct trace trace;
	struct mesh_err err;
	int serial = 0, powers = 0;
	double log_run = 0;

	(void)state;
	assert_int_equal(generate(&trace, mesh, &options, &err), 0);
	for (int i = 0; i < trace.njobs; i++) {
		int count = trace.job[i].count;

		assert_true(count >= 1 && count <= 128);
		serial += count == 1;
		powers += count > 1 && !(count & (count - 1));
		log_run += log((double)trace.job[i].run / SIM_SECOND);
	}
	assert_true(fabs(serial / 20000.0 - 0.244) < 0.01);
	assert_true(powers / 20000.0 > 0.57 && powers / 20000.0 < 0.70);
	/* p is near 0.78 - 0.0054 * mean size: between the means of the two gammas. */
	assert_true(log_run / 20000 > 4.2 * 0.94 && log_run / 20000 < 312 * 0.03);
	trace_set_load(&trace, mesh->nnodes, 0.7);
	assert_true(fabs(trace_load(&trace, mesh->nnodes) - 0.7) < 1e-6);
	trace_release(&trace);
	mesh_free(mesh);
}

/* Every box at every base. */
static int plain_free_box(const struct mesh *mesh, const struct nodeset *set)
{
	uint32_t *value = calloc((size_t)mesh->nvertices, sizeof(*value));
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, best = 0, d;

	for (int v = 0; v < mesh->nvertices; v++) {
		int nodes = 0;

		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			nodes += nodeset_has(set, mesh->node_at[i]);
		value[v] = nodes && nodes == mesh->first[v + 1] - mesh->first[v];
	}
	do {
		int volume = 1;

		for (d = 0; d < mesh->ndims; d++)
			volume *= side[d];
		for (int v = 0; volume > best && v < mesh->nvertices; v++) {
			int base[MESH_MAX_DIMS] = {0};

			for (d = 0; d < mesh->ndims; d++)
				base[d] = mesh->coord[v][d];
			if (plain_box_sum(mesh, value, base, side) == (uint32_t)volume)
				best = volume;
		}
		for (d = 0; d < mesh->ndims && ++side[d] > mesh->side[d]; d++)
			side[d] = 1;
	} while (d < mesh->ndims);
	free(value);
	return best;
}

static void largest_free_box(void **state)
{
	(void)state;
	for (struct rounds r = rounds(31, 300); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 6, 60);
		struct freebox *box = freebox_new(mesh, &arena);
		struct nodeset set;

		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		random_set(&r.seed, &set,
			random_int(&r.seed, 0, 4) ? random_int(&r.seed, 40, 99) : 100);
		assert_int_equal(freebox_largest(box, &set), plain_free_box(mesh, &set));
		nodeset_release(&set);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

static void summaries(void **state)
{
	struct trace trace = {0};
	struct engine_record record[3] = {
		{.start = 0, .end = 100 * SIM_SECOND, .mean_hops = 1, .pairwise_hops = 1},
		{.start = 50 * SIM_SECOND,
			.end = 150 * SIM_SECOND,
			.mean_hops = 3,
			.pairwise_hops = 9},
		{.start = -1, .end = -1, .refused = true}};
	struct engine_result result = {.record = record};
	struct summary s, runs[2], mean, plusminus;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct trace_job *job = trace_add(&trace);

		job->run = 100 * SIM_SECOND;
		job->count = i + 2;
	}
	summarise(&s, &trace, &result, &(struct summary_options){.nodes = 5});
	assert_true(fabs(s.jobs - 2) + fabs(s.refused - 1) + fabs(s.unstarted) < 1e-9);
	assert_true(fabs(s.makespan - 150) < 1e-9);
	assert_true(fabs(s.mean_wait - 25) < 1e-9 && fabs(s.p95_wait - 50) < 1e-9);
	assert_true(fabs(s.mean_hops - 2) < 1e-9 && fabs(s.mean_pairwise_hops - 5) < 1e-9);
	assert_true(fabs(s.weighted_mean_hops - (200 * 1 + 300 * 3) / 500.0) < 1e-9);
	assert_true(fabs(s.utilization - 500 / 750.0) < 1e-9);
	runs[0] = runs[1] = s;
	runs[1].mean_hops = 4;
	summary_average(&mean, &plusminus, runs, 2);
	assert_true(fabs(mean.mean_hops - 3) < 1e-9);
	assert_true(fabs(plusminus.mean_hops - 12.706) < 1e-3);
	assert_true(plusminus.mean_wait < 1e-9);
	trace_release(&trace);
}

/* More runs have a smaller t, down to the normal distribution's; from tables of Student's t. */
static void students(void **state)
{
	static const struct {
		int freedom;
		double t;
	} known[] = {{1, 12.706}, {30, 2.042}, {31, 2.040}, {40, 2.021}, {60, 2.000}, {120, 1.980},
		{9999, 1.960}};

	(void)state;
	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		assert_true(fabs(summary_student(known[i].freedom) - known[i].t) < 1e-3);
	for (int f = 1; f < 200; f++)
		assert_true(summary_student(f) > summary_student(f + 1));
}

/* A quartile or percentile is the least value that so many of the jobs do not exceed. */
static void shares_of_jobs(void **state)
{
	(void)state;
	for (int n = 1; n <= 100; n++) {
		struct trace trace = {0};
		struct engine_record *record = calloc((size_t)n, sizeof(*record));
		struct profile *profile = malloc(sizeof(*profile));

		for (int i = 0; i < n; i++) {
			struct trace_job *job = trace_add(&trace);

			job->run = 100 * SIM_SECOND;
			job->count = 1;
			record[i].start = (i + 1) * SIM_SECOND;
			record[i].end = record[i].start + (i + 1) * job->run;
		}
		profile_make(profile, &trace, record);
		for (int p = 0; p < PROFILE_SHARES; p++)
			assert_true(fabs(profile->wait[p] - fmax(1, (p * n + 99) / 100)) < 1e-9);
		for (int q = 0; q < PROFILE_QUARTILES; q++)
			assert_true(fabs(profile->size[0].variation[q] -
					    ((q + 1) * n + 3) / 4) < 1e-9);
		free(profile);
		free(record);
		trace_release(&trace);
	}
}

/* The slowdown of a job on all nodes of a mesh of these sides. */
static double slowdown_on(int ndims, const int *side, unsigned wrap, int pattern)
{
	struct mesh *mesh = make_mesh(ndims, side, wrap, 1);
	struct contention *net = contention_new(mesh, 1);
	int *node = malloc((size_t)mesh->nnodes * sizeof(int));
	struct contention_job *job;
	double slowdown;

	for (int i = 0; i < mesh->nnodes; i++)
		node[i] = i;
	job = contention_add(net, pattern, node, mesh->nnodes, 0);
	contention_solve(net);
	slowdown = contention_slowdown(job);
	contention_remove(net, job);
	contention_free(net);
	mesh_free(mesh);
	free(node);
	return slowdown;
}

/* A grid on a box of its own shape, and a ring on a ring, are what they are compared with. On a
 * line the last rank's message goes all the way back, against the others. */
static void the_best_place_is_the_reference(void **state)
{
	(void)state;
	assert_true(fabs(slowdown_on(3, (int[]){2, 2, 4}, 0, COMM_GRID) - 1) < 1e-9);
	assert_true(fabs(slowdown_on(3, (int[]){4, 4, 8}, 0, COMM_GRID) - 1) < 1e-9);
	assert_true(fabs(slowdown_on(3, (int[]){4, 4, 4}, 7, COMM_GRID) - 1) < 1e-9);
	assert_true(fabs(slowdown_on(1, (int[]){9}, 1, COMM_RING) - 1) < 1e-9);
	assert_true(fabs(slowdown_on(1, (int[]){9}, 0, COMM_RING) - 1) < 1e-9);
	assert_true(fabs(slowdown_on(2, (int[]){5, 5}, 0, COMM_ALL_TO_ALL) - 1) < 0.01);
	assert_true(fabs(slowdown_on(2, (int[]){5, 5}, 0, COMM_RANDOM) - 1) < 1e-6);
}

/* 64 ranks of a grid of 8x8 on 16x4: SimGrid has 9.3 (a row of 8 is half a row of the machine). */
static void a_wrong_shape_costs(void **state)
{
	double slowdown = slowdown_on(2, (int[]){16, 4}, 0, COMM_GRID);

	(void)state;
	assert_true(slowdown > 4 && slowdown < 16);
}

/* On a line of 6: a job alone in its place is not slowed, nor is one whose messages go past
 * another's; two that interleave share a link half of the time that both are there. */
static void company_slows(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){6}, 0, 1);
	struct contention *net = contention_new(mesh, 1);
	struct contention_job *a = contention_add(net, COMM_RING, (int[]){0, 1}, 2, 0), *b, *c;

	(void)state;
	assert_true(fabs(contention_slowdown(a) - 1) < 1e-9);
	b = contention_add(net, COMM_RING, (int[]){2, 4}, 2, 0);
	contention_solve(net);
	assert_true(fabs(contention_slowdown(b) - 1) < 1e-9);
	c = contention_add(net, COMM_RING, (int[]){3, 5}, 2, 0);
	contention_solve(net);
	assert_int_equal(contention_shared(net), 2);
	/* Each always has a message on the link between 3 and 4. */
	assert_true(fabs(contention_slowdown(b) - 2) < 1e-9);
	assert_true(fabs(contention_slowdown(c) - 2) < 1e-9);
	assert_true(fabs(contention_peak(net, b) - 2) < 1e-9);
	assert_true(fabs(contention_slowdown(a) - 1) < 1e-9);
	contention_remove(net, c);
	contention_solve(net);
	assert_true(fabs(contention_slowdown(b) - 1) < 1e-9);
	assert_int_equal(contention_shared(net), 0);
	contention_remove(net, a);
	contention_remove(net, b);
	contention_free(net);
	mesh_free(mesh);
}

/*
 * The pace changes when the company does. Three jobs of one node make the next one take nodes
 * 0 and 2, and the last one 1 and 3 while that runs: they share the link between 1 and 2.
 */
struct pace_case {
	int64_t estimate; /* of the last two jobs, s; 0: none */
	bool kill;
	double calibration;
	int64_t end[2];	  /* theirs, s; with `kill` the first one is killed */
};

static void check_pace(const struct pace_case *c)
{
	static const struct {
		int submit, run, count;
	} jobs[] = {{0, 1, 1}, {0, 3, 1}, {0, 1, 1}, {2, 45, 2}, {32, 30, 2}};
	struct mesh *mesh = make_mesh(1, (int[]){6}, 0, 1);
	struct jobcomm comm[5];
	struct engine_options options = {
		.stop_at = -1, .kill_at_limit = c->kill, .comm = {.job = comm, .contention = true}};
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err;

	for (int p = 0; p < COMM_KINDS; p++)
		options.comm.calibration[p] = c->calibration;
	for (int i = 0; i < 5; i++) {
		struct trace_job *job = trace_add(&trace);

		comm[i] = (struct jobcomm){.kind = COMM_RING, .share = 1};
		job->submit = jobs[i].submit * SIM_SECOND;
		job->run = jobs[i].run * SIM_SECOND;
		job->count = jobs[i].count;
		job->estimate = i > 2 ? c->estimate * SIM_SECOND : 0;
	}
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			&options, &err),
		0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(result.record[3 + i].end, c->end[i] * SIM_SECOND);
		assert_int_equal(result.record[3 + i].killed, c->kill && !i);
	}
	assert_true(fabs(result.peak_load - 2) < 1e-9);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void pace_changes(void **state)
{
	(void)state;
	/* Alone until 32 s, 30 of 45 s are done. Together half as fast: the other 15 take 30, and
	 * the last one has 15 s to go by then, alone. */
	check_pace(&(struct pace_case){.calibration = 1, .end = {62, 77}});
	/* Estimates change nothing when they are not enforced. */
	check_pace(&(struct pace_case){.calibration = 1, .estimate = 50, .end = {62, 77}});
	/* Limits of 50 s: the first is ended at 52, 20 s after 32; the last has done 10 then, and
	 * ends 20 s later. */
	check_pace(&(struct pace_case){
		.calibration = 1, .estimate = 50, .kill = true, .end = {52, 72}});
}

static void calibration_divides(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){6}, 0, 1);
	struct jobcomm comm[] = {{.kind = COMM_RING, .share = 0.5}};
	struct engine_options options = {.stop_at = -1, .comm = {.job = comm, .contention = true}};
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err;
	struct trace_job *job = trace_add(&trace);

	(void)state;
	*job = (struct trace_job){.run = 80 * SIM_SECOND, .count = 2};
	for (int p = 0; p < COMM_KINDS; p++)
		options.comm.calibration[p] = 2;
	/* Half of it is communication, twice as fast as the run times have it: 40 + 20 s. */
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			&options, &err),
		0);
	assert_int_equal(result.record[0].end, 60 * SIM_SECOND);
	assert_true(fabs(result.record[0].slowdown - 1) < 1e-9);
	engine_release(&result);
	/* Measured only. */
	options.comm.keep_times = true;
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			&options, &err),
		0);
	assert_int_equal(result.record[0].end, 80 * SIM_SECOND);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void mixes_are_read(void **state)
{
	struct jobcomm_mix mix;
	struct mesh_err err;

	(void)state;
	assert_int_equal(jobcomm_parse("neighbour", &mix, &err), 0);
	assert_true(mix.share[COMM_GRID] >= 1);
	assert_int_equal(jobcomm_parse("mix", &mix, &err), 0);
	assert_true(fabs(mix.share[COMM_RING] - 0.25) < 1e-12);
	assert_int_equal(jobcomm_parse("gossip", &mix, &err), -1);
}

/* --- what strategies are told ------------------------------------------------------- */

static int64_t told_limit[8], told_end[8]; /* by decision: this job's, the oldest running one's */
static int told;

static enum mesh_result listen(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	(void)strategy;
	told_limit[told] = request->time_limit;
	told_end[told++] = state->nruns ? state->run[0].end : -1;
	for (int i = 0; i < request->count; i++)
		answer->node[i] = i ? nodeset_next(state->free, answer->node[i - 1] + 1)
				    : nodeset_next(state->free, 0);
	answer->count = request->count;
	return MESH_OK;
}

/*
 * Jobs of 100, 50 and 70 s after each other, the last of them beside one of 1,000 s that has an
 * estimate, and then one more.
 */
static void ends_are_told(void **state)
{
	static const struct {
		int64_t submit, run, estimate;
	} jobs[] = {{0, 100, 0}, {100, 50, 0}, {200, 70, 0}, {210, 1000, 2000}, {290, 5, 0}};
	static const int64_t limit[] = {100, 50, 70, 2000, 5};
	static const struct strategy_ops ops = {.name = "listen", .decide = listen};
	struct mesh *mesh = make_mesh(1, (int[]){8}, 0, 1);
	struct engine_options options = {.stop_at = -1};
	struct trace trace = {.nodes = true};
	struct engine_result result;
	struct mesh_err err;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct trace_job *job = trace_add(&trace);

		job->submit = jobs[i].submit * SIM_SECOND;
		job->run = jobs[i].run * SIM_SECOND;
		job->estimate = jobs[i].estimate * SIM_SECOND;
		job->count = 2;
	}
	told = 0;
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, &ops}, &options, &err), 0);
	assert_int_equal(told, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(told_limit[i], limit[i]);
	/* Of the third job, when the fourth starts; of the fourth, when the fifth starts. */
	assert_int_equal(told_end[3], 270);
	assert_int_equal(told_end[4], 2210);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_plain),
		cmocka_unit_test(every_strategy),
		cmocka_unit_test(boxes_are_reserved),
		cmocka_unit_test(rings_are_reserved),
		cmocka_unit_test(distributions),
		cmocka_unit_test(lublin_model),
		cmocka_unit_test(largest_free_box),
		cmocka_unit_test(summaries),
		cmocka_unit_test(students),
		cmocka_unit_test(shares_of_jobs),
		cmocka_unit_test(the_best_place_is_the_reference),
		cmocka_unit_test(a_wrong_shape_costs),
		cmocka_unit_test(calibration_divides),
		cmocka_unit_test(mixes_are_read),
		cmocka_unit_test(company_slows),
		cmocka_unit_test(pace_changes),
		cmocka_unit_test(ends_are_told),
	};

	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
