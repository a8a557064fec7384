/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int size_class(int count)
{
	int class = 0;

	while (class < PROFILE_SIZES - 1 && 1 << class < count)
		class++;
	return class;
}

static double slowdown(const struct trace_job *job, const struct engine_record *r)
{
	double run = sim_seconds(r->end - r->start),
	       wait = sim_seconds(r->start - job->submit);

	return fmax(1, (wait + run) / fmax(run, 10));
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_job(
	struct profile_size *size, const struct trace_job *job, const struct engine_record *r)
{
	size->jobs++;
	size->hops += r->mean_hops;
	size->wait += sim_seconds(r->start - job->submit);
	size->stretch += (double)(r->end - r->start) / (double)job->run;
}

int profile_make(
	struct profile *p, const struct trace *trace, const struct engine_record *record)
{
	double *value = malloc(((size_t)trace->njobs + 1) * sizeof(*value));

	memset(p, 0, sizeof(*p));
	for (int class = 0; value && class < PROFILE_SIZES; class++) {
		struct profile_size *size = &p->size[class];

		for (int i = 0; i < trace->njobs; i++) {
			const struct trace_job *job = &trace->job[i];

			if (record[i].start < 0 || size_class(job->count) != class)
				continue;
			value[size->jobs] = slowdown(job, &record[i]);
			add_job(size, job, &record[i]);
		}
		if (!size->jobs)
			continue;
		qsort(value, (size_t)size->jobs, sizeof(*value), compare);
		for (int q = 0; q < 3; q++)
			size->slowdown[q] = value[(size->jobs - 1) * (q + 1) / 4];
		size->hops /= size->jobs;
		size->wait /= size->jobs;
		size->stretch /= size->jobs;
	}
	free(value);
	return value ? 0 : -1;
}
