/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile.h"

#include <string.h>

static int size_class(int count)
{
	int class = 0;

	while (class < PROFILE_SIZES - 1 && 1 << class < count)
		class++;
	return class;
}

/* Spread count nodes from..to (in bins) over the bins. */
static void add_busy(struct profile *p, double from, double to, double nodes)
{
	int first = (int)from, last = (int)to;

	for (int i = first; i <= last && i < PROFILE_BINS; i++) {
		double begin = i > first ? i : from, end = i < last ? i + 1 : to;

		p->busy[i] += (end - begin) * nodes;
	}
}

void profile_add(struct profile *p, double from, double to, double share)
{
	add_busy(p, from / p->end * PROFILE_BINS, to / p->end * PROFILE_BINS, share);
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
		p->mean_stretch[class] += (double)(r->end - r->start) / (double)trace->job[i].run;
		profile_add(p, sim_seconds(r->start), sim_seconds(r->end), (double)trace->job[i].count / nodes);
	}
	for (int i = 0; i < PROFILE_SIZES; i++)
		if (p->jobs[i]) {
			p->mean_hops[i] /= p->jobs[i];
			p->mean_wait[i] /= p->jobs[i];
			p->mean_stretch[i] /= p->jobs[i];
		}
}
