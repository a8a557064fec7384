/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "again.h"
#include "decide/strategy_decide.h"

#include <stdlib.h>
#include <string.h>

enum { YEAR = 365 * 24 * 3600 }; /* what slurmctld takes for the length of a job without limit */

struct again {
	const struct mesh *mesh;
	const struct trace *trace;
	const struct drive_result *result;
	double factor;
	struct strategy *strategy;
	struct nodeset free;
	struct mesh_run *run; /* [njobs] those that run; in slurmctld's order for a decision */
	int *run_job;	      /* [njobs] before they are sorted: whose */
	int nruns;
	int *node;  /* [nnodes] the answer */
	int *order; /* [njobs] jobs as they started */
	int *ends;  /* [njobs] of a job: before how many starts its nodes were free again */
	int nstarts;
};

int64_t again_limit(const struct trace_job *job, double factor)
{
	uint32_t minutes = drive_limit(job, factor);

	return minutes == DRIVE_NO_LIMIT ? 0 : (int64_t)minutes * 60;
}

static int by_start(const void *a, const void *b)
{
	const struct mesh_run *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (*x->node > *y->node) - (*x->node < *y->node);
}

/* With the clock of events jobs start first come, first served, whatever the order in which their
 * launches reached the nodes. Otherwise the log tells. */
static void order_starts(struct again *a)
{
	const struct drive_job *job = a->result->job;

	for (int i = 0; i < a->trace->njobs; i++) {
		a->ends[i] = job[i].starts_before_end;
		if (a->factor <= 0)
			a->order[a->nstarts++] = i;
		else if (job[i].decided)
			a->order[job[i].turn] = i, a->nstarts++;
	}
	for (int i = 0; a->factor > 0 && i < a->trace->njobs; i++) {
		int low = 0, high = a->nstarts;

		while (low < high) {
			int middle = (low + high) / 2;

			if (job[i].freed && job[a->order[middle]].decided >= job[i].freed)
				high = middle;
			else
				low = middle + 1;
		}
		a->ends[i] = low;
	}
}

/* Take out what had ended before this start. */
static void drop_ended(struct again *a, int next)
{
	int kept = 0;

	for (int i = 0; i < a->nruns; i++) {
		const struct drive_job *job = &a->result->job[a->run_job[i]];
		int count = a->trace->job[a->run_job[i]].count;

		if (a->ends[a->run_job[i]] > next)
			a->run_job[kept++] = a->run_job[i];
		else
			for (int j = 0; j < count; j++)
				nodeset_add(&a->free, job->node[j]);
	}
	a->nruns = kept;
}

static int64_t start_of(const struct again *a, const struct drive_job *job)
{
	return a->factor > 0 ? job->decided / 1000 : job->start;
}

static void list_runs(struct again *a)
{
	for (int i = 0; i < a->nruns; i++) {
		const struct drive_job *job = &a->result->job[a->run_job[i]];
		const struct trace_job *from = &a->trace->job[a->run_job[i]];
		int64_t limit = again_limit(from, a->factor), start = start_of(a, job);

		a->run[i] = (struct mesh_run){
			job->node, from->count, start, start + (limit ? limit : YEAR)};
	}
	qsort(a->run, (size_t)a->nruns, sizeof(*a->run), by_start);
}

/* 1 the strategy says the same, 0 it does not, -1 it fails. Uninformed: of limit and runs. */
static int decide(struct again *a, int job, int64_t now, bool informed, struct mesh_err *err)
{
	const struct drive_job *placed = &a->result->job[job];
	const struct trace_job *from = &a->trace->job[job];
	struct mesh_state state = {.free = &a->free,
		.run = informed ? a->run : NULL,
		.nruns = informed ? a->nruns : 0,
		.now = now};
	struct mesh_request request = {.count = from->count,
		.seed = placed->id,
		.time_limit = informed ? again_limit(from, a->factor) : 0};
	struct mesh_answer answer = {.node = a->node};

	switch (strategy_decide(a->strategy, &state, &request, &answer)) {
	case MESH_OK:
		return !memcmp(a->node, placed->node, (size_t)from->count * sizeof(*a->node));
	case MESH_ERROR:
		return err_printf(err, "job %u: %s", placed->id, answer.err.text);
	default:
		return 0;
	}
}

/* slurmctld looks at its clock when it takes up a job, the plugin a moment later: at times it is
 * the next second then. */
static int same(struct again *a, int job, struct mesh_err *err)
{
	int64_t start = start_of(a, &a->result->job[job]);
	int rc = decide(a, job, start, true, err);

	return rc ? rc : decide(a, job, start + 1, true, err);
}

static int compare(struct again *a, struct again_result *out, struct mesh_err *err)
{
	for (int next = 0; next < a->nstarts; next++) {
		int job = a->order[next], with = 1, without = 1;

		drop_ended(a, next);
		list_runs(a);
		if (a->factor > 0 && a->result->job[job].offered < nodeset_count(&a->free)) {
			out->narrowed++;
		} else {
			out->asked++;
			with = same(a, job, err);
			without = decide(a, job, start_of(a, &a->result->job[job]), false, err);
		}
		if (with < 0 || without < 0)
			return -1;
		if (!with && !out->different++)
			out->first = job;
		out->informed += with && !without;
		for (int j = 0; j < a->trace->job[job].count; j++)
			nodeset_del(&a->free, a->result->job[job].node[j]);
		a->run_job[a->nruns++] = job;
	}
	return 0;
}

static int prepare(struct again *a, const struct strategy_ops *ops, struct mesh_err *err)
{
	size_t jobs = (size_t)a->trace->njobs + 1;

	a->run = calloc(jobs, sizeof(*a->run));
	a->run_job = calloc(jobs, sizeof(int));
	a->order = calloc(jobs, sizeof(int));
	a->ends = calloc(jobs, sizeof(int));
	a->node = calloc((size_t)a->mesh->nnodes, sizeof(int));
	if (nodeset_init(&a->free, a->mesh->nnodes) || !a->run || !a->run_job || !a->node ||
		!a->order || !a->ends)
		return err_printf(err, "out of memory");
	order_starts(a);
	for (int i = 0; i < a->mesh->nnodes; i++)
		nodeset_add(&a->free, i);
	a->strategy = strategy_new(ops, a->mesh, err);
	return a->strategy ? 0 : -1;
}

int again_compare(struct again_result *out, const struct again_replay *replay, struct mesh_err *err)
{
	struct again a = {.mesh = replay->mesh, .trace = replay->trace, .result = replay->result,
		.factor = replay->factor};
	int rc = prepare(&a, replay->ops, err);

	*out = (struct again_result){.first = -1};
	if (!rc)
		rc = compare(&a, out, err);
	strategy_free(a.strategy);
	nodeset_release(&a.free);
	free(a.run);
	free(a.run_job);
	free(a.node);
	free(a.order);
	free(a.ends);
	return rc;
}
