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
static int64_t choose_step(const struct record *r)
{
	int moments = CELLS / r->mesh->nnodes;
	int64_t longest = 0, last = 0;
	double work = 0;

	for (int i = 0; i < r->trace->njobs; i++) {
		const struct trace_job *job = &r->trace->job[i];

		longest = job->run > longest ? job->run : longest;
		last = job->submit;
		work += (double)job->run * job->count / r->mesh->nnodes;
	}
	moments = moments > MOST_MOMENTS ? MOST_MOMENTS
		: moments < LEAST_MOMENTS ? LEAST_MOMENTS : moments;
	/* One job of a week must not blur a log of a day. */
	longest = last && longest > last / 2 ? last / 2 : longest;
	return (int64_t)fmax((double)(last + longest), work) / moments + 1;
}

void record_init(struct record *r, const struct mesh *mesh, const struct trace *trace)
{
	*r = (struct record){.mesh = mesh, .trace = trace};
	r->step = choose_step(r);
	need_array(&r->arena, r->run_of, trace->njobs);
}

void record_release(struct record *r)
{
	for (int i = 0; i < r->nruns; i++)
		free(r->run[i].node);
	arena_release(&r->arena);
	memset(r, 0, sizeof(*r));
}

/* The first moment that is not before a time. */
static int moment_from(const struct record *r, int64_t time)
{
	return (int)((time + r->step - 1) / r->step);
}

/* --- while it runs ------------------------------------------------------------------ */

/* Count so many more jobs and nodes from a time on; sums are made at the end. */
static void count(struct record *r, int64_t from, int jobs, int nodes)
{
	int moment = moment_from(r, from);

	for (int n = r->moments; r->moments <= moment; n = r->moments) {
		need_append(&r->arena, r->running, r->moments, 0);
		need_append(&r->arena, r->busy, n, 0);
	}
	r->running[moment] += jobs;
	r->busy[moment] += nodes;
}

/* Drop the runs that no moment shows. */
static void squeeze(struct record *r)
{
	int n = 0;

	for (int i = 0; i < r->nruns; i++)
		if (r->run[i].node) {
			if (r->run[i].end < 0)
				r->run_of[r->run[i].job] = n;
			r->run[n++] = r->run[i];
		}
	r->nruns = n;
}

void record_placed(void *data, int job, const int *node, int count_of, int64_t now)
{
	struct record *r = data;
	int *copy;

	if (!r)
		return;
	if (!(r->nruns & (r->nruns - 1))) /* before the array grows */
		squeeze(r);
	copy = need(malloc(((size_t)count_of + 1) * sizeof(*copy)));
	memcpy(copy, node, (size_t)count_of * sizeof(*copy));
	r->run_of[job] = r->nruns;
	need_append(&r->arena, r->run, r->nruns,
		(struct record_run){job, copy, count_of, now, -1, 0});
	count(r, now, 1, count_of);
}

void record_ended(void *data, int job, int64_t now)
{
	struct record *r = data;
	struct record_run *run;

	if (!r)
		return;
	run = &r->run[r->run_of[job]];
	run->end = now;
	count(r, now, -1, -run->count);
	if (moment_from(r, run->start) < moment_from(r, now))
		return;
	free(run->node);
	run->node = NULL;
}

/* --- afterwards --------------------------------------------------------------------- */

/* Count waiting jobs: from submission to end, except while they run. */
static void count_waiting(struct record *r, const struct engine_record *of_job)
{
	for (int i = 0; i < r->trace->njobs; i++) {
		int64_t submit = r->trace->job[i].submit;

		if (of_job[i].start < 0)
			continue;
		r->waiting[moment_from(r, submit)]++;
		r->waiting[moment_from(r, of_job[i].end)]--;
	}
	for (int i = 1; i < r->moments; i++) {
		r->waiting[i] += r->waiting[i - 1];
		r->busy[i] += r->busy[i - 1];
		r->running[i] += r->running[i - 1];
	}
	for (int i = 0; i < r->moments; i++)
		r->waiting[i] -= r->running[i];
}

static void fill_box(struct record *r, const struct engine_result *result)
{
	for (int m = 0, i = 0; r->box && m < r->moments; m++) {
		while (i + 1 < result->nspace && result->space[i + 1].from <= m * r->step)
			i++;
		r->box[m] = result->space[i].vertices;
	}
}

static bool under_way(const struct record_run *run, int64_t at)
{
	return run->node && run->start <= at && (run->end < 0 || at < run->end);
}

static void free_at(const struct record *r, int64_t at, struct nodeset *free)
{
	nodeset_set_all(free);
	if (r->down)
		nodeset_remove(free, r->down);
	for (int i = 0; i < r->nruns; i++)
		for (int j = 0; under_way(&r->run[i], at) && j < r->run[i].count; j++)
			nodeset_del(free, r->run[i].node[j]);
}

/* Weigh the free nodes for few kinds, chosen evenly among all. */
static void weigh_free(struct record *r)
{
	struct arena arena = {0};
	struct vacancy *vacancy = vacancy_new(r->mesh, &arena);
	struct nodeset free;
	int n = vacancy->nkinds;
	double loss;

	need_done(nodeset_get(&free, r->mesh->nnodes, &arena));
	r->nkinds = n < RECORD_KINDS ? n : RECORD_KINDS;
	for (int k = 0; k < r->nkinds; k++) {
		struct record_kind *kind = &r->kind[k];
		int which = (k + 1) * n / (r->nkinds + 1);

		memcpy(kind->name, vacancy->kind[which].name, sizeof(kind->name));
		need_array(&r->arena, kind->boxes, r->moments);
		need_array(&r->arena, kind->loss, r->moments);
		for (int m = 0; m < r->moments; m++) {
			free_at(r, m * r->step, &free);
			kind->boxes[m] = vacancy_fit(vacancy, which, &free);
			loss = vacancy_risk(vacancy, which, &free).node.mean;
			kind->loss[m] = isnan(loss) ? 0 : loss;
		}
	}
	arena_release(&arena);
}

void record_finish(struct record *r, const struct engine_result *result)
{
	need_array(&r->arena, r->waiting, r->moments);
	if (result->nspace)
		need_array(&r->arena, r->box, r->moments);
	squeeze(r);
	count_waiting(r, result->record);
	fill_box(r, result);
	if (r->box)
		weigh_free(r);
	for (int i = 0; i < r->nruns; i++)
		r->run[i].mean_hops = result->record[r->run[i].job].mean_hops;
}

int64_t record_moment(const struct record *r)
{
	double most = 0;
	int best = 0;

	for (int i = 0; i < r->moments; i++)
		if ((double)r->busy[i] * r->running[i] > most) {
			most = (double)r->busy[i] * r->running[i];
			best = i;
		}
	return best * r->step;
}

void record_picture(const struct record *r, int64_t at, struct picture *picture)
{
	for (int i = 0; i < r->nruns; i++) {
		const struct record_run *run = &r->run[i];
		const struct trace_job *job = &r->trace->job[run->job];
		char id[TRACE_NAME];
		struct picture_owner owner = {.id = trace_job_name(job, id),
			.user = job->user >= 0 ? r->trace->user[job->user] : NULL};

		if (under_way(run, at))
			picture_add(picture, owner, run->node, run->count);
	}
	picture_measure(picture);
}
