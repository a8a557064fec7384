/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh_runs.h"

#include <stdlib.h>

#include "route.h"

/* Kept between decisions: a scheduling cycle asks for the same thing a thousand times. */
static struct {
	const struct mesh_part *part; /* NULL: nothing is valid */
	time_t made;		      /* end times may have been changed by hand since */
	struct mesh_run *run;
	int nruns, room;
	int *node;
	int nnodes, node_room;
} cache;

void mesh_runs_changed(void)
{
	cache.part = NULL;
}

static bool holds_nodes(const job_record_t *job)
{
	return job->node_bitmap && (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job));
}

/* Room for one more allocation of up to n nodes. */
static void make_room(int n)
{
	if (cache.nruns == cache.room) {
		cache.room = cache.room * 2 + 64;
		xrecalloc(cache.run, (size_t)cache.room, sizeof(*cache.run));
	}
	if (cache.nnodes + n > cache.node_room) {
		cache.node_room = (cache.nnodes + n) * 2;
		xrecalloc(cache.node, (size_t)cache.node_room, sizeof(*cache.node));
	}
}

static int by_position(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int add_run(void *x, void *unused)
{
	const job_record_t *job = x;
	const struct mesh_conf *conf = mesh_conf();
	int which = (int)(cache.part - conf->part), first = cache.nnodes;

	(void)unused;
	if (!holds_nodes(job) || bit_size(job->node_bitmap) > conf->nnodes)
		return 0;
	make_room(bit_set_count(job->node_bitmap));
	for (int i = bit_ffs(job->node_bitmap), last = bit_fls(job->node_bitmap);
		i >= 0 && i <= last; i++)
		if (bit_test(job->node_bitmap, i) && conf->part_of[i] == which)
			cache.node[cache.nnodes++] = conf->position[i];
	if (cache.nnodes == first)
		return 0;
	qsort(cache.node + first, (size_t)(cache.nnodes - first), sizeof(int), by_position);
	/* An offset for now: the array may move. */
	cache.run[cache.nruns++] = (struct mesh_run){
		.count = cache.nnodes - first, .start = job->start_time, .end = job->end_time};
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct mesh_run *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (*x->node > *y->node) - (*x->node < *y->node);
}

int mesh_runs_in(const struct mesh_part *part, const struct mesh_run **runs)
{
	time_t now = time(NULL);

	if (cache.part != part || cache.made != now) {
		const int *node;

		cache.part = part;
		cache.made = now;
		cache.nruns = cache.nnodes = 0;
		list_for_each(job_list, add_run, NULL);
		node = cache.node;
		for (int i = 0; i < cache.nruns; i++) {
			cache.run[i].node = node;
			node += cache.run[i].count;
		}
		qsort(cache.run, (size_t)cache.nruns, sizeof(*cache.run), by_start);
	}
	*runs = cache.run;
	return cache.nruns;
}

struct until {
	time_t *until;
	time_t now;
};

static int add_end(void *x, void *arg)
{
	const job_record_t *job = x;
	const struct until *u = arg;
	time_t end;

	if (!job->node_bitmap ||
		!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) || IS_JOB_COMPLETING(job)))
		return 0;
	end = IS_JOB_COMPLETING(job) || job->end_time <= u->now ? u->now + 1 : job->end_time;
	for (int i = bit_ffs(job->node_bitmap), last = bit_fls(job->node_bitmap);
		i >= 0 && i <= last && i < node_record_count; i++)
		if (bit_test(job->node_bitmap, i) && u->until[i] < end)
			u->until[i] = end;
	return 0;
}

void mesh_runs_until(time_t *until, time_t now)
{
	memset(until, 0, (size_t)node_record_count * sizeof(*until));
	list_for_each(job_list, add_end, &(struct until){until, now});
}

void mesh_runs_remove_routes(const struct mesh_part *part, time_t when, struct nodeset *set)
{
	const struct mesh_run *runs;
	int n = mesh_runs_in(part, &runs);
	struct mesh_hull hull;

	for (int i = 0; i < n; i++) {
		if (runs[i].end <= when)
			continue;
		route_hull(part->mesh, runs[i].node, runs[i].count, &hull);
		route_remove(part->mesh, &hull, set);
	}
}
