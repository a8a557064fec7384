/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/need.h"
#include "sim/vacancy.h"

/* Numbers of moments: fewer on machines with so many nodes that they would fill the page. */
enum { MOST_MOMENTS = 300, LEAST_MOMENTS = 60, CELLS = 2000000 };

/*
 * Spread the moments over the submissions and the longest job after them, or the least time of
 * all.
 */
static int64_t choose_step(const struct timeline *t)
{
	int moments = CELLS / t->mesh->nnodes;
	int64_t longest = 0, last = 0;
	double work = 0;

	for (int i = 0; i < t->trace->njobs; i++) {
		const struct trace_job *job = &t->trace->job[i];

		longest = job->run > longest ? job->run : longest;
		last = job->submit;
		work += (double)job->run * job->count / t->mesh->nnodes;
	}
	moments = moments > MOST_MOMENTS ? MOST_MOMENTS
		: moments < LEAST_MOMENTS ? LEAST_MOMENTS : moments;
	/* One job of a week must not blur a log of a day. */
	longest = last && longest > last / 2 ? last / 2 : longest;
	return (int64_t)fmax((double)(last + longest), work) / moments + 1;
}

void timeline_init(struct timeline *t, const struct mesh *mesh, const struct trace *trace)
{
	*t = (struct timeline){.mesh = mesh, .trace = trace};
	t->step = choose_step(t);
	need_array(&t->arena, t->run_of, trace->njobs);
}

void timeline_release(struct timeline *t)
{
	for (int i = 0; i < t->nruns; i++)
		free(t->run[i].node);
	arena_release(&t->arena);
	memset(t, 0, sizeof(*t));
}

/* The first moment that is not before a time. */
static int moment_from(const struct timeline *t, int64_t time)
{
	return (int)((time + t->step - 1) / t->step);
}

/* --- while it runs ------------------------------------------------------------------ */

/* Count so many more jobs and nodes from a time on; sums are made at the end. */
static void count(struct timeline *t, int64_t from, int jobs, int nodes)
{
	int moment = moment_from(t, from);

	for (int n = t->moments; t->moments <= moment; n = t->moments) {
		need_append(&t->arena, t->running, t->moments, 0);
		need_append(&t->arena, t->busy, n, 0);
	}
	t->running[moment] += jobs;
	t->busy[moment] += nodes;
}

/* Drop the runs that no moment shows. */
static void squeeze(struct timeline *t)
{
	int n = 0;

	for (int i = 0; i < t->nruns; i++)
		if (t->run[i].node) {
			if (t->run[i].end < 0)
				t->run_of[t->run[i].job] = n;
			t->run[n++] = t->run[i];
		}
	t->nruns = n;
}

void timeline_placed(void *data, int job, const int *node, int count_of, int64_t now)
{
	struct timeline *t = data;
	int *copy;

	if (!t)
		return;
	if (!(t->nruns & (t->nruns - 1))) /* before the array grows */
		squeeze(t);
	copy = need(malloc(((size_t)count_of + 1) * sizeof(*copy)));
	memcpy(copy, node, (size_t)count_of * sizeof(*copy));
	t->run_of[job] = t->nruns;
	need_append(&t->arena, t->run, t->nruns,
		(struct timeline_run){job, copy, count_of, now, -1, 0});
	count(t, now, 1, count_of);
}

void timeline_ended(void *data, int job, int64_t now)
{
	struct timeline *t = data;
	struct timeline_run *run;

	if (!t)
		return;
	run = &t->run[t->run_of[job]];
	run->end = now;
	count(t, now, -1, -run->count);
	if (moment_from(t, run->start) < moment_from(t, now))
		return;
	free(run->node);
	run->node = NULL;
}

/* --- afterwards --------------------------------------------------------------------- */

/* Count waiting jobs: from submission to end, except while they run. */
static void count_waiting(struct timeline *t, const struct engine_record *of_job)
{
	for (int i = 0; i < t->trace->njobs; i++) {
		int64_t submit = t->trace->job[i].submit;

		if (of_job[i].start < 0)
			continue;
		t->waiting[moment_from(t, submit)]++;
		t->waiting[moment_from(t, of_job[i].end)]--;
	}
	for (int i = 1; i < t->moments; i++) {
		t->waiting[i] += t->waiting[i - 1];
		t->busy[i] += t->busy[i - 1];
		t->running[i] += t->running[i - 1];
	}
	for (int i = 0; i < t->moments; i++)
		t->waiting[i] -= t->running[i];
}

static bool under_way(const struct timeline_run *run, int64_t at)
{
	return run->node && run->start <= at && (run->end < 0 || at < run->end);
}

static void free_at(const struct timeline *t, int64_t at, struct nodeset *free)
{
	nodeset_set_all(free);
	if (t->down)
		nodeset_remove(free, t->down);
	for (int i = 0; i < t->nruns; i++)
		for (int j = 0; under_way(&t->run[i], at) && j < t->run[i].count; j++)
			nodeset_del(free, t->run[i].node[j]);
}

/* Weigh the free nodes for few kinds, chosen evenly among all. */
static void weigh_free(struct timeline *t)
{
	struct arena arena = {0};
	struct vacancy *vacancy = vacancy_new(t->mesh, &arena);
	struct nodeset free;
	int n = vacancy->nkinds;
	double loss;

	need_done(nodeset_get(&free, t->mesh->nnodes, &arena));
	t->nkinds = n < TIMELINE_KINDS ? n : TIMELINE_KINDS;
	for (int k = 0; k < t->nkinds; k++) {
		struct timeline_kind *kind = &t->kind[k];
		int which = (k + 1) * n / (t->nkinds + 1);

		memcpy(kind->name, vacancy->kind[which].name, sizeof(kind->name));
		need_array(&t->arena, kind->boxes, t->moments);
		need_array(&t->arena, kind->loss, t->moments);
		for (int m = 0; m < t->moments; m++) {
			free_at(t, m * t->step, &free);
			kind->boxes[m] = vacancy_fit(vacancy, which, &free);
			loss = vacancy_risk(vacancy, which, &free).node.mean;
			kind->loss[m] = isnan(loss) ? 0 : loss;
		}
	}
	arena_release(&arena);
}

void timeline_finish(struct timeline *t, const struct engine_result *result)
{
	need_array(&t->arena, t->waiting, t->moments);
	if (result->nspace)
		need_array(&t->arena, t->box, t->moments);
	squeeze(t);
	count_waiting(t, result->record);
	for (int m = 0, i = 0; t->box && m < t->moments; m++) {
		while (i + 1 < result->nspace && result->space[i + 1].from <= m * t->step)
			i++;
		t->box[m] = result->space[i].vertices;
	}
	if (t->box)
		weigh_free(t);
	for (int i = 0; i < t->nruns; i++)
		t->run[i].mean_hops = result->record[t->run[i].job].mean_hops;
}

int64_t timeline_moment(const struct timeline *t)
{
	double most = 0;
	int best = 0;

	for (int i = 0; i < t->moments; i++)
		if ((double)t->busy[i] * t->running[i] > most) {
			most = (double)t->busy[i] * t->running[i];
			best = i;
		}
	return best * t->step;
}

static const char *user_of(const struct timeline *t, const struct trace_job *job)
{
	return job->user >= 0 ? t->trace->user[job->user] : NULL;
}

/* Put the jobs that have come and not started into the picture's queue. */
static void add_waiting(const struct timeline *t, const struct engine_record *of_job, int64_t at,
	struct picture *picture)
{
	for (int i = 0; i < t->trace->njobs && t->trace->job[i].submit <= at; i++) {
		const struct trace_job *job = &t->trace->job[i];
		char id[TRACE_NAME];

		if (of_job[i].start < 0 && !of_job[i].refused)
			picture_wait(picture, &(struct picture_waiting){
				.id = trace_job_name(job, id), .user = user_of(t, job),
				.why = picture->nwaiting ? "Priority" : "Resources",
				.nodes = job->count, .box = job->shape.ndims, .shape = job->shape,
				.since = sim_seconds(at - job->submit), .start = -1});
	}
}

void timeline_picture(const struct timeline *t, const struct engine_result *result, int64_t at,
	struct picture *picture)
{
	for (int i = 0; i < t->nruns; i++) {
		const struct timeline_run *run = &t->run[i];
		const struct trace_job *job = &t->trace->job[run->job];
		char id[TRACE_NAME];
		struct picture_owner owner = {
			.id = trace_job_name(job, id), .user = user_of(t, job)};

		if (under_way(run, at))
			picture_add(picture, owner, run->node, run->count)->left = fmax(0,
				sim_seconds(run->start + trace_expected(job) - at));
	}
	add_waiting(t, result->record, at, picture);
	picture_measure(picture);
}
