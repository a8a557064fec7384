/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Schedulers against a second, plain implementation that only counts nodes: no profile, no heap,
 * every question answered by going through all jobs.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "conf/strategies.h"
#include "support.h"

enum { JOBS = 40, NEVER = -1 };

struct plain {
	const struct trace *trace;
	const struct engine_options *options;
	int nnodes;
	int64_t now;
	int64_t start[JOBS], end[JOBS], plan[JOBS]; /* NEVER: none */
};

static int64_t limit_of(const struct trace_job *j)
{
	return j->estimate ? j->estimate : j->run;
}

static bool running(const struct plain *p, int i)
{
	return p->start[i] != NEVER && p->now < p->end[i];
}

static bool waiting(const struct plain *p, int i)
{
	return p->start[i] == NEVER && p->trace->job[i].submit <= p->now;
}

/* When a running job is thought to be over. */
static int64_t promise(const struct plain *p, int i)
{
	int64_t end = p->start[i] + limit_of(&p->trace->job[i]);

	return end > p->now ? end : p->now + 1;
}

/* At a moment from now on, with what is planned. */
static int free_at(const struct plain *p, int64_t time)
{
	int nodes = p->nnodes;

	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t planned = p->plan[i];

		if (running(p, i) && promise(p, i) > time)
			nodes -= p->trace->job[i].count;
		if (planned != NEVER && planned <= time &&
			time < planned + limit_of(&p->trace->job[i]))
			nodes -= p->trace->job[i].count;
	}
	return nodes;
}

/* Nodes get fewer only where something planned begins. */
static bool fits(const struct plain *p, int job, int64_t from)
{
	const struct trace_job *j = &p->trace->job[job];

	if (free_at(p, from) < j->count)
		return false;
	for (int i = 0; i < p->trace->njobs; i++)
		if (p->plan[i] > from && p->plan[i] < from + limit_of(j) &&
			free_at(p, p->plan[i]) < j->count)
			return false;
	return true;
}

/* Now, or when something ends. */
static int64_t earliest(const struct plain *p, int job)
{
	int64_t best = INT64_MAX;

	if (fits(p, job, p->now))
		return p->now;
	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t end = running(p, i) ? promise(p, i)
			: p->plan[i] != NEVER ? p->plan[i] + limit_of(&p->trace->job[i]) : -1;

		if (end > p->now && end < best && fits(p, job, end))
			best = end;
	}
	return best;
}

static void begin(struct plain *p, int i)
{
	const struct trace_job *j = &p->trace->job[i];

	p->plan[i] = NEVER;
	p->start[i] = p->now;
	p->end[i] = p->now + (p->options->kill_at_limit && j->estimate && j->estimate < j->run
			? j->estimate : j->run);
}

/* --- the scheduler -------------------------------------------------------------------------- */

static void pass(struct plain *p)
{
	bool reserved = false;

	for (int i = 0; i < p->trace->njobs; i++)
		p->plan[i] = NEVER;
	for (int i = 0; i < p->trace->njobs; i++) {
		if (!waiting(p, i))
			continue;
		if (fits(p, i, p->now)) {
			begin(p, i);
			continue;
		}
		if (p->options->scheduler == ENGINE_FCFS)
			return;
		if (!reserved)
			p->plan[i] = earliest(p, i);
		reserved = true;
	}
}

static int64_t next_time(const struct plain *p)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < p->trace->njobs; i++) {
		const int64_t times[] = {
			p->trace->job[i].submit, p->start[i] == NEVER ? -1 : p->end[i]};

		for (int k = 0; k < 2; k++)
			if (times[k] > p->now && times[k] < next)
				next = times[k];
	}
	return next;
}

static void plain_run(struct plain *p)
{
	for (int i = 0; i < p->trace->njobs; i++)
		p->start[i] = p->end[i] = p->plan[i] = NEVER;
	for (p->now = 0; p->now < INT64_MAX; p->now = next_time(p))
		pass(p);
}

/* --- tests ------------------------------------------------------------------------------- */

static void random_trace(struct trace *trace, uint64_t *seed, int nnodes)
{
	memset(trace, 0, sizeof(*trace));
	for (int i = 0; i < JOBS; i++) {
		struct trace_job *job = trace_add(trace);

		job->id = i + 1;
		job->submit = random_int(seed, 0, JOBS * 3) * SIM_SECOND;
		job->run = random_int(seed, 1, 20) * SIM_SECOND;
		job->count = random_int(seed, 1, random_int(seed, 1, nnodes));
		if (random_int(seed, 0, 1))
			job->estimate = random_int(seed, 1, 40) * SIM_SECOND;
	}
	trace_sort(trace);
}

static void compare(struct engine_options *options, uint64_t *seed, const char *what)
{
	struct mesh *mesh = random_mesh(seed, 3, 60);
	struct engine_result result;
	struct plain plain = {.options = options, .nnodes = mesh->nnodes};
	struct trace trace;
	struct mesh_err err = {{0}};

	random_trace(&trace, seed, mesh->nnodes);
	plain.trace = &trace;
	options->stop_at = -1;
	plain_run(&plain);
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			options, &err),
		0);
	for (int i = 0; i < trace.njobs; i++)
		if (result.record[i].start != plain.start[i])
			fail_msg("%s: job %d starts at %.0f, not %.0f", what, i,
				(double)result.record[i].start / 1e6, (double)plain.start[i] / 1e6);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void all_alike(void **state)
{
	static const struct {
		enum engine_scheduler scheduler;
		const char *name;
	} rows[] = {{ENGINE_FCFS, "first come first served"}, {ENGINE_EASY, "EASY"}};

	(void)state;
	for (struct rounds r = rounds(21, 1000); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 3);
		struct engine_options o = {.scheduler = rows[round / 2].scheduler,
			.kill_at_limit = round & 1};

		compare(&o, &r.seed, rows[round / 2].name);
	}
}

/* Every strategy that wants boxes: nobody is lost, nodes are not shared. */
struct owner {
	int nodes[256];
	int jobs, count;
};

static void took(void *data, int job, const int *node, int count, int64_t now)
{
	struct owner *o = data;

	(void)now;
	for (int i = 0; i < count; i++) {
		assert_int_equal(o->nodes[node[i]], 0);
		o->nodes[node[i]] = job + 1;
	}
	o->jobs++;
}

static void gave(void *data, int job, int64_t now)
{
	struct owner *o = data;

	(void)now;
	for (int i = 0; i < 256; i++)
		if (o->nodes[i] == job + 1)
			o->nodes[i] = 0;
}

static void boxes(void **state)
{
	static const char *const names[] = {"ff", "bf", "snug-box"};
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 0, 1);

	(void)state;
	for (struct rounds r = rounds(25, 30); rounds_next(&r);) {
		int name = random_int(&r.seed, 0, 2);
		struct owner owner = {.count = 0};
		struct engine_options o = {
			.scheduler = ENGINE_EASY,
			.stop_at = -1,
			.placed = took,
			.ended = gave,
			.data = &owner};
		struct engine_result result;
		struct trace trace;
		struct mesh_err err = {{0}};
		int ran = 0;

		random_trace(&trace, &r.seed, 40);
		assert_int_equal(engine_run(&result,
					 &(struct engine_input){
						 mesh, &trace, strategy_find(names[name])},
					 &o, &err),
			0);
		for (int i = 0; i < trace.njobs; i++)
			ran += result.record[i].start >= 0 || result.record[i].refused;
		assert_int_equal(ran, trace.njobs);
		engine_release(&result);
		trace_release(&trace);
	}
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_alike),
		cmocka_unit_test(boxes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
