/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/trace.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "sim/need.h"
#include "sim/random.h"

struct trace_job *trace_add(struct trace *trace)
{
	struct trace_job *job = need_next(&trace->arena, &trace->job, &trace->njobs, sizeof(*job));

	*job = (struct trace_job)TRACE_JOB;
	return job;
}

/* What tsearch() keeps of a user. */
struct named {
	const char *name;
	int index;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

int trace_user(struct trace *trace, const char *name)
{
	struct named key = {name, trace->nusers}, **found;

	if (!name || !*name)
		return -1;
	found = need(tsearch(&key, &trace->user_index, by_name));
	if (*found == &key) {
		need_append(&trace->arena, trace->user, trace->nusers,
			need_text(&trace->arena, name));
		*found = need_get(&trace->arena, 1, sizeof(key));
		**found = (struct named){trace->user[key.index], key.index};
	}
	return (*found)->index;
}

const char *trace_keep_name(struct trace *trace, const char *name)
{
	static const char letters[] = "0123456789_+!.-[]abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (!name || !name[strspn(name, "0123456789")] || name[strspn(name, letters)])
		return NULL;
	return need_text(&trace->arena, name);
}

/* Of the arena. */
static void leave(void *named)
{
	(void)named;
}

void trace_release(struct trace *trace)
{
	tdestroy(trace->user_index, leave);
	arena_release(&trace->arena);
	memset(trace, 0, sizeof(*trace));
}

/* qsort() may swap equal jobs, so their lines decide, or the numbers of generated jobs. */
static int by_submit(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return trace_order(x->submit, y->submit);
	return x->line != y->line ? x->line - y->line : trace_order(x->id, y->id);
}

static void start_at_zero(struct trace *trace)
{
	int64_t first = trace->njobs ? trace->job[0].submit : 0;

	for (int i = 0; i < trace->njobs; i++)
		trace->job[i].submit -= first;
}

void trace_sort(struct trace *trace)
{
	if (trace->njobs)
		qsort(trace->job, (size_t)trace->njobs, sizeof(*trace->job), by_submit);
	start_at_zero(trace);
}

const char *trace_job_name(const struct trace_job *job, char buffer[TRACE_NAME])
{
	if (job->name)
		return job->name;
	snprintf(buffer, TRACE_NAME, "%lld", (long long)job->id);
	return buffer;
}

struct change {
	int64_t at;
	int nodes;
};

/* An end makes room for a start at the same moment. */
static int by_moment(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->at != y->at ? trace_order(x->at, y->at) : trace_order(x->nodes, y->nodes);
}

/* Most busy nodes at once by the log; 0: it does not tell. */
static int busiest(const struct trace *trace)
{
	struct change *change = need(calloc(2 * (size_t)trace->njobs + 1, sizeof(*change)));
	int64_t now = 0, most = 0;
	size_t n = 0;

	for (int i = 0; i < trace->njobs; i++) {
		const struct trace_job *job = &trace->job[i];

		if (job->wait < 0)
			continue;
		change[n++] = (struct change){job->submit + job->wait, job->count};
		change[n++] = (struct change){job->submit + job->wait + job->run, -job->count};
	}
	if (n)
		qsort(change, n, sizeof(*change), by_moment);
	for (size_t i = 0; i < n; i++) {
		now += change[i].nodes;
		most = now > most ? now : most;
	}
	free(change);
	return most < INT32_MAX ? (int)most : INT32_MAX;
}

void trace_fit(struct trace *trace, const struct trace_fit_options *options)
{
	int kept = 0, per_node = trace->nodes ? 1 : options->procs_per_node;

	for (int i = 0; i < trace->njobs; i++) {
		struct trace_job *job = &trace->job[i];

		if (job->run <= 0 || job->count <= 0) {
			trace_count_one(
				job->run <= 0 ? &trace->no_time : &trace->no_size, job->line);
			continue;
		}
		job->count = (job->count - 1) / per_node + 1;
		if (job->count > options->nnodes) {
			trace_count_one(&trace->too_large, job->line);
			if (options->too_large == TRACE_DROP)
				continue;
			job->count = options->nnodes;
			job->shape.ndims = 0;
		}
		trace->job[kept++] = *job;
	}
	trace->njobs = kept;
	trace->machine = options->nnodes;
	trace->processors = !trace->nodes && per_node == 1;
	trace->said_nodes = trace->nodes;
	trace->nodes = true;
	start_at_zero(trace);
	trace->busiest = busiest(trace);
}

double trace_load(const struct trace *trace, int nnodes)
{
	double work = 0, span = trace->njobs ? (double)trace->job[trace->njobs - 1].submit : 0;

	for (int i = 0; i < trace->njobs; i++)
		work += (double)trace->job[i].count * (double)trace->job[i].run;
	return span > 0 ? work / (span * nnodes) : (double)NAN;
}

/* Products of large numbers are limited to this: 3,000 years. */
static const double LONGEST = 1e17;

void trace_set_load(struct trace *trace, int nnodes, double load)
{
	double factor = trace_load(trace, nnodes) / load;

	for (int i = 0; i < trace->njobs && !isnan(factor); i++)
		trace->job[i].submit =
			llround(fmin((double)trace->job[i].submit * factor, LONGEST));
}

void trace_shake(struct trace *trace, int64_t spread, uint64_t seed)
{
	uint64_t random = random_stream(seed, 2);

	for (int i = 0; i < trace->njobs; i++)
		trace->job[i].submit += sim_random_int(&random, -spread, spread);
	trace_sort(trace);
}
