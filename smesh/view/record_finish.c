/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A record after the run: what was at each moment, and runs that failures have cut short.
 */
#include <stdlib.h>

#include "geometry/metrics.h"
#include "view/record.h"

/* Add n to the moments in from..to, as differences. */
static void span(const struct record *r, int *of, struct record_span when, int n)
{
	int64_t first = record_moment_from(r, when.from) / r->step,
		last = record_moment_from(r, when.to) / r->step;

	if (first < r->moments && first < last) {
		of[first] += n;
		if (last < r->moments)
			of[last] -= n;
	}
}

/* A job waits from its submission to its last start, but for the runs between. */
static void count(struct record *r, const struct engine_record *of_job)
{
	for (int i = 0; i < r->trace->njobs; i++)
		if (of_job[i].start >= 0)
			span(r, r->waiting,
				(struct record_span){i,
					engine_submitted(&r->trace->job[i], &of_job[i]),
					of_job[i].start},
				1);
	for (int i = 0; i < r->cut.n; i++)
		if (of_job[r->cut.at[i].of].start >= 0)
			span(r, r->waiting, r->cut.at[i], -1);
	for (int i = 0; i < r->runs.n; i++) {
		span(r, r->running, r->runs.at[i], 1);
		span(r, r->busy, r->runs.at[i], r->trace->job[r->runs.at[i].of].count);
	}
	for (int i = 1; i < r->moments; i++) {
		r->waiting[i] += r->waiting[i - 1];
		r->busy[i] += r->busy[i - 1];
		r->running[i] += r->running[i - 1];
	}
}

/* Of a run that is not the job's last; -1: memory is out. */
static double hops_of(const struct record *r, const struct record_job *j, const int *node_of)
{
	int n, *node = record_nodes(r, j, node_of, &n);
	double hops = node ? mesh_mean_hops(mesh_pairwise_hops(r->mesh, node, n), n) : -1;

	free(node);
	return hops;
}

static void finish_jobs(struct record *r, const struct engine_record *of_job)
{
	int *node_of = r->cut.n ? record_nodes_of_cells(r) : NULL;

	for (int i = 0; i < r->njobs; i++) {
		struct record_job *j = &r->job[i];

		if (j->job < 0)
			continue;
		j->moved = of_job[j->job].moved;
		j->mean_hops = j->start == of_job[j->job].start ? of_job[j->job].mean_hops
								: hops_of(r, j, node_of);
		r->failed |= j->mean_hops < 0;
	}
	free(node_of);
}

void record_finish(struct record *r, const struct engine_record *of_job)
{
	int64_t end = 0;

	for (int i = 0; i < r->runs.n; i++) {
		struct record_span run = r->runs.at[i];

		end = run.to > end ? run.to : end;
		if (run.from != of_job[run.of].start)
			record_span(r, &r->cut, run);
	}
	for (int i = 0; i < r->mesh->nnodes; i++)
		if (r->out_since[i] >= 0)
			record_span(r, &r->out, (struct record_span){i, r->out_since[i], end});
	r->moments = (int)(end / r->step) + 2;
	r->waiting = calloc((size_t)r->moments, sizeof(*r->waiting));
	r->busy = calloc((size_t)r->moments, sizeof(*r->busy));
	r->running = calloc((size_t)r->moments, sizeof(*r->running));
	if (!r->waiting || !r->busy || !r->running) {
		r->failed = true;
		return;
	}
	count(r, of_job);
	finish_jobs(r, of_job);
}
