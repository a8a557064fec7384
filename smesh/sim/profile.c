/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/profile.h"

#include <math.h>
#include <string.h>

static int size_class(int count)
{
	int class = 0;

	while (class < PROFILE_SIZES - 1 && 1 << class < count)
		class++;
	return class;
}

/* Spread what there is so much of, from..to in seconds, over the bins. */
static void add(double bin[PROFILE_BINS], double width, double from, double to, double much)
{
	int first = (int)(from /= width), last = (int)(to /= width);

	for (int i = first; i <= last && i < PROFILE_BINS; i++) {
		double begin = i > first ? i : from, end = i < last ? i + 1 : to;

		bin[i] += (end - begin) * much;
	}
}

void profile_add(struct profile *p, double from, double to, double share)
{
	add(p->busy, p->end / PROFILE_BINS, from, to, share);
}

void profile_space(struct profile *p, const struct engine_result *result, int vertices)
{
	p->has_box = result->nspace;
	for (int i = 0; i < result->nspace; i++) {
		double from = sim_seconds(result->space[i].from);
		double to =
			i + 1 < result->nspace ? sim_seconds(result->space[i + 1].from) : p->end;

		add(p->box, p->end / PROFILE_BINS, from, to,
			(double)result->space[i].vertices / vertices);
	}
}

static double slowdown(const struct trace_job *job, const struct engine_record *r)
{
	double run = sim_seconds(r->end - r->start),
	       wait = sim_seconds(r->start - engine_submitted(job, r));

	return fmax(1, (wait + run) / fmax(run, 10));
}

void profile_make(struct profile *p, const struct trace *trace, const struct engine_record *record,
	int nodes)
{
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < trace->njobs; i++)
		p->end = sim_seconds(record[i].end) > p->end ? sim_seconds(record[i].end) : p->end;
	for (int i = 0; i < trace->njobs; i++) {
		const struct engine_record *r = &record[i];
		int class = size_class(trace->job[i].count);

		if (r->start < 0)
			continue;
		p->jobs[class]++;
		p->mean_hops[class] += r->mean_hops;
		p->mean_wait[class] += sim_seconds(r->start - engine_submitted(&trace->job[i], r));
		p->mean_slowdown[class] += slowdown(&trace->job[i], r);
		add(p->waiting, p->end / PROFILE_BINS,
			sim_seconds(engine_submitted(&trace->job[i], r)), sim_seconds(r->start), 1);
		p->mean_stretch[class] += (double)(r->end - r->start) / (double)trace->job[i].run;
		profile_add(p, sim_seconds(r->start), sim_seconds(r->end),
			(double)trace->job[i].count / nodes);
	}
	for (int i = 0; i < PROFILE_SIZES; i++)
		if (p->jobs[i]) {
			p->mean_hops[i] /= p->jobs[i];
			p->mean_wait[i] /= p->jobs[i];
			p->mean_stretch[i] /= p->jobs[i];
			p->mean_slowdown[i] /= p->jobs[i];
		}
}
