/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Failures inside the engine: nodes go and come, jobs on them begin again.
 */
#include <stdlib.h>

#include "sim/engine_state.h"
#include "sim/faults.h"

struct outage {
	struct faults *faults;
	int *down; /* [nnodes] reasons for which it is out of service now */
	int ndown;
	int64_t *saved; /* [njobs] work that is safe, microseconds */
	struct nodeset set;
};

void engine_end_faults(struct engine *e)
{
	if (!e->outage)
		return;
	faults_free(e->outage->faults);
	nodeset_release(&e->outage->set);
	free(e->outage->down);
	free(e->outage->saved);
	free(e->outage);
}

int engine_begin_faults(struct engine *e)
{
	const struct engine_options *o = e->options;
	int n = e->mesh->nnodes;

	if (!faults_any(&o->faults))
		return 0;
	if (!(e->outage = calloc(1, sizeof(*e->outage))))
		return engine_no_memory(e);
	e->outage->faults = faults_new(&o->faults, o->down, n, o->seed);
	e->outage->down = calloc((size_t)n + 1, sizeof(*e->outage->down));
	e->outage->saved = calloc((size_t)e->trace->njobs + 1, sizeof(*e->outage->saved));
	if (!e->outage->faults || !e->outage->down || !e->outage->saved ||
		nodeset_init(&e->outage->set, n))
		return engine_no_memory(e);
	return 0;
}

bool engine_is_whole(const struct engine *e)
{
	return !e->outage || !e->outage->ndown;
}

/* No checkpoint is written at the end. */
int64_t engine_wall(const struct engine *e, int job)
{
	const struct faults_options *o = &e->options->faults;
	int64_t work = e->trace->job[job].run - (e->outage ? e->outage->saved[job] : 0);

	return o->checkpoint && work > 0 ? work + (work - 1) / o->checkpoint * o->cost : work;
}

/* What is left of what it has run: work, checkpoints, and what is lost. */
void engine_account(struct engine *e, int job, bool whole)
{
	const struct faults_options *o = &e->options->faults;
	struct engine_outages *sum = &e->result->outages;
	int64_t ran = e->now - e->result->record[job].start, overhead, safe;
	double nodes = e->trace->job[job].count / (double)SIM_SECOND;

	/* With contention there are no checkpoints: the rest of the time is that of messages. */
	if (!e->outage || (whole && e->net))
		return;
	if (whole) { /* all that was left, and the rest of the time went into checkpoints */
		safe = e->trace->job[job].run - e->outage->saved[job];
		overhead = ran - safe;
	} else {
		int64_t written = o->checkpoint ? ran / (o->checkpoint + o->cost) : 0;

		safe = written * o->checkpoint;
		overhead = written * o->cost;
	}
	e->outage->saved[job] += safe;
	sum->overhead += nodes * (double)overhead;
	sum->lost += nodes * (double)(ran - safe - overhead);
}

/* It is stopped before its end, and waits again where it was. 0, -1 failure. */
static int requeue(struct engine *e, int job)
{
	struct engine_record *r = &e->result->record[job];

	engine_account(e, job, false);
	if (engine_take_off(e, job))
		return -1;
	e->result->outages.tried += e->trace->job[job].count * sim_seconds(e->now - r->start);
	r->start = r->end = -1;
	r->killed = false;
	engine_enqueue(e, job);
	return 0;
}

/* Its nodes are gone: it waits again where it was, or is lost. */
static int interrupt(struct engine *e, int job)
{
	struct engine_record *r = &e->result->record[job];

	if (e->result->outages.interruptions++ > 1e6 + 1e3 * e->trace->njobs)
		return err_printf(e->err,
			"jobs are interrupted again and again: they are longer than nodes last");
	if (!e->options->faults.lose)
		return requeue(e, job);
	engine_account(e, job, false);
	if (engine_take_off(e, job))
		return -1;
	r->end = e->now;
	r->killed = true;
	e->done++;
	return 0;
}

static int job_on(const struct engine *e, int node)
{
	for (int i = 0; i < e->nruns; i++)
		for (int j = 0; j < e->run[i].count; j++)
			if (e->run[i].node[j] == node)
				return e->run_job[i];
	return -1;
}

static void tell(const struct engine *e, int node, bool up)
{
	if (e->options->turned && e->options->data)
		e->options->turned(e->options->data, node, up, e->now);
}

static int node_down(struct engine *e, int node)
{
	if ((e->options->down && nodeset_has(e->options->down, node)) || e->outage->down[node]++)
		return 0;
	e->outage->ndown++;
	if (!nodeset_has(&e->free, node)) {
		int job = job_on(e, node);

		if (job >= 0 && interrupt(e, job))
			return -1;
	}
	nodeset_del(&e->free, node);
	e->nfree--;
	e->largest = -1;
	tell(e, node, false);
	return 0;
}

static void node_up(struct engine *e, int node)
{
	if ((e->options->down && nodeset_has(e->options->down, node)) || --e->outage->down[node])
		return;
	e->outage->ndown--;
	nodeset_add(&e->free, node);
	e->nfree++;
	e->largest = -1;
	e->head_failed = false;
	tell(e, node, true);
}

static int turn(struct engine *e, int node, bool up)
{
	if (!up)
		return node_down(e, node);
	node_up(e, node);
	return 0;
}

int engine_take_faults(struct engine *e)
{
	for (int64_t at; e->outage && (at = faults_next(e->outage->faults)) >= 0 && at <= e->now;) {
		struct faults_event event = faults_take(e->outage->faults);

		if (!event.window) {
			e->result->outages.failures += !event.up;
			if (turn(e, event.node, event.up))
				return -1;
			continue;
		}
		nodeset_each(node, &event.window->nodes)
			if (turn(e, node, event.up))
				return -1;
	}
	return 0;
}

int64_t engine_next_fault(const struct engine *e)
{
	return e->outage ? faults_next(e->outage->faults) : -1;
}

void engine_pass_outage(struct engine *e, double seconds)
{
	if (e->outage)
		e->result->outages.down += seconds * e->outage->ndown;
}
