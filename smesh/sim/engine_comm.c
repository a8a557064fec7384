/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contention in the engine: running jobs slow each other down, and their ends move.
 */
#include <string.h>

#include "sim/engine_state.h"

static const double LEAST_SHARE = 1e-6;

void engine_add_traffic(struct engine *e, int job, int count)
{
	struct job_traffic *t = &e->traffic[job];
	const struct engine_comm *comm = &e->options->comm;
	int kind = comm->job[job].kind;
	double share = comm->job[job].share > LEAST_SHARE ? comm->job[job].share : LEAST_SHARE;

	/* Patterns are judged as if jobs only sent. */
	t->job = contention_add(e->net, kind, e->node, kind_ranks(kind, count),
		kind < COMM_PATTERNS ? 0 : comm->calibration[kind] * (1 - share) / share);
	e->net_changed = true;
}

/* A job's pace is known when all that start now are there: engine_change_pace(). */
void engine_begin_traffic(struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];

	e->traffic[job] = (struct job_traffic){.left = (double)j->run,
		.slowdown = 1,
		.comm = 1,
		.since = e->now,
		.promise = e->now + trace_expected(j)};
}

/* Account for what the job has done until now. */
static void advance_traffic(struct engine *e, int job)
{
	struct job_traffic *t = &e->traffic[job];

	t->left -= (double)(e->now - t->since) / t->slowdown;
	t->left = t->left > 0 ? t->left : 0;
	t->comm_sum += t->comm * (double)(e->now - t->since);
	t->since = e->now;
}

void engine_end_traffic(struct engine *e, int job)
{
	struct job_traffic *t = &e->traffic[job];
	struct engine_record *record = &e->result->record[job];

	advance_traffic(e, job);
	record->slowdown = e->now > record->start
		? t->comm_sum / (double)(e->now - record->start) : t->comm;
	contention_remove(e->net, t->job);
	t->job = NULL;
	e->net_changed = true;
}

/* Give the i-th running job another promise. */
static void promise_again(struct engine *e, int i, int64_t end)
{
	int job = e->run_job[i];

	engine_drop_promise(e, job);
	engine_add_promise(e, end, job, e->run[i].count);
	e->traffic[job].promise = end;
	e->run[i].end = end / SIM_SECOND;
}

/* Let the rest of the i-th running job go on at this pace. */
static void set_pace(struct engine *e, int i, double slowdown)
{
	int job = e->run_job[i];
	const struct trace_job *j = &e->trace->job[job];
	struct engine_record *record = &e->result->record[job];
	struct job_traffic *t = &e->traffic[job];
	double done = (double)j->run - t->left;
	double limit = (double)trace_expected(j);

	t->slowdown = slowdown;
	record->end = e->now + (int64_t)(t->left * slowdown + 0.5);
	record->killed = record->end > engine_limit_end(e, job);
	if (record->killed)
		record->end = engine_limit_end(e, job);
	heap_rekey(&e->ends, job, (double)record->end);
	if (engine_limit_end(e, job) == INT64_MAX)
		promise_again(e, i,
			e->now + (int64_t)((limit > done ? limit - done : 0) * slowdown + 0.5));
}

/* The running jobs have changed: let the rest of each go on at another pace. */
void engine_change_pace(struct engine *e)
{
	const struct engine_comm *comm = &e->options->comm;

	e->net_changed = false;
	e->mean_pace = 1;
	contention_solve(e->net);
	for (int i = 0; i < e->nruns; i++) {
		int job = e->run_job[i];
		const struct jobcomm *c = &comm->job[job];
		struct job_traffic *t = &e->traffic[job];
		double peak = contention_peak(e->net, t->job);
		double slow = contention_slowdown(t->job) / comm->calibration[c->kind];
		double slowdown = comm->keep_times || e->run[i].count < 2 || c->kind == COMM_NONE
			? 1 : 1 - c->share + c->share * slow;

		if (peak > e->result->peak_load)
			e->result->peak_load = peak;
		e->mean_pace += slowdown / e->nruns - 1.0 / e->nruns;
		advance_traffic(e, job);
		t->comm = contention_slowdown(t->job);
		if (slowdown > t->slowdown || slowdown < t->slowdown)
			set_pace(e, i, slowdown);
	}
}

void engine_note_messages(struct engine *e, double seconds)
{
	const double *now = contention_messages(e->net);

	for (int l = 0; l < links_count(e->mesh); l++)
		e->result->messages[l] += seconds * now[l];
}

/* Turn sums over time into means. */
void engine_finish_messages(struct engine *e)
{
	double seconds = (double)e->now / (double)SIM_SECOND;

	for (int l = 0; e->result->messages && seconds > 0 && l < links_count(e->mesh); l++)
		e->result->messages[l] /= seconds;
}
