/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh_runs.h"

#include <stdlib.h>

#include "mesh_bits.h"
#include "mesh_expect.h"
#include "route.h"

/* Kept between decisions: a scheduling cycle asks for the same thing a thousand times. */
static struct {
	const struct mesh_part *part; /* NULL: nothing is valid */
	time_t made;		      /* end times may have been changed by hand since */
	struct known {
		struct mesh_run run;
		time_t limit; /* its end by slurmctld; run.end is what is expected */
	} *known;
	struct mesh_run *run; /* those of known[] */
	int nruns, room;
	int *node;
	int nnodes, node_room;
} cache;

/* Likewise: the backfill scheduler asks when for every job that waits. */
static struct {
	time_t made; /* 0: nothing is valid */
	time_t *until;
	int *order;
	int n, room;
} ends;

static unsigned changes;

unsigned mesh_runs_changes(void)
{
	return changes;
}

void mesh_runs_changed(void)
{
	changes++;
	cache.part = NULL;
	ends.made = 0;
}

void mesh_runs_fini(void)
{
	xfree(cache.known);
	xfree(cache.run);
	xfree(cache.node);
	memset(&cache, 0, sizeof(cache));
	xfree(ends.until);
	xfree(ends.order);
	memset(&ends, 0, sizeof(ends));
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
		xrecalloc(cache.known, (size_t)cache.room, sizeof(*cache.known));
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

/* Mostly they are: Nodes= in the order of slurm.conf. */
static bool ascending(const int *node, int n)
{
	for (int i = 1; i < n; i++)
		if (node[i - 1] > node[i])
			return false;
	return true;
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
	mesh_bits_each(i, job->node_bitmap)
		if (conf->part_of[i] == which)
			cache.node[cache.nnodes++] = conf->position[i];
	if (cache.nnodes == first)
		return 0;
	if (!ascending(cache.node + first, cache.nnodes - first))
		qsort(cache.node + first, (size_t)(cache.nnodes - first), sizeof(int), by_position);
	/* An offset for now: the array may move. */
	cache.known[cache.nruns++] = (struct known){
		.run = {.count = cache.nnodes - first, .start = job->start_time,
			.end = mesh_expect_end(job, cache.made)},
		.limit = job->end_time};
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct mesh_run *x = &((const struct known *)a)->run, *y = &((const struct known *)b)->run;

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
			cache.known[i].run.node = node;
			node += cache.known[i].run.count;
		}
		qsort(cache.known, (size_t)cache.nruns, sizeof(*cache.known), by_start);
		for (int i = 0; i < cache.nruns; i++)
			cache.run[i] = cache.known[i].run;
	}
	*runs = cache.run;
	return cache.nruns;
}

static int add_end(void *x, void *unused)
{
	const job_record_t *job = x;
	time_t end;

	(void)unused;
	if (!job->node_bitmap || bit_size(job->node_bitmap) > node_record_count ||
		!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) || IS_JOB_COMPLETING(job)))
		return 0;
	end = IS_JOB_COMPLETING(job) || job->end_time <= ends.made ? ends.made + 1 : job->end_time;
	mesh_bits_each(i, job->node_bitmap)
		if (ends.until[i] < end)
			ends.until[i] = end;
	return 0;
}

static int by_end(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	if (ends.until[x] != ends.until[y])
		return ends.until[x] < ends.until[y] ? -1 : 1;
	return x - y;
}

static void read_ends(time_t now)
{
	ends.made = now;
	if (ends.room < node_record_count) {
		ends.room = node_record_count;
		xrecalloc(ends.until, (size_t)ends.room, sizeof(*ends.until));
		xrecalloc(ends.order, (size_t)ends.room, sizeof(*ends.order));
	}
	memset(ends.until, 0, (size_t)node_record_count * sizeof(*ends.until));
	list_for_each(job_list, add_end, NULL);
	ends.n = 0;
	for (int i = 0; i < node_record_count; i++) {
		/* Neither idle nor in a job: completing, or about to be. */
		if (!ends.until[i] && !bit_test(idle_node_bitmap, i))
			ends.until[i] = now + 1;
		if (ends.until[i])
			ends.order[ends.n++] = i;
	}
	qsort(ends.order, (size_t)ends.n, sizeof(*ends.order), by_end);
}

struct mesh_ends mesh_runs_ends(void)
{
	time_t now = time(NULL);

	if (ends.made != now || ends.room < node_record_count)
		read_ends(now);
	return (struct mesh_ends){.until = ends.until, .order = ends.order, .n = ends.n};
}

void mesh_runs_remove_routes(const struct mesh_part *part, time_t when, struct nodeset *set)
{
	const struct mesh_run *runs;
	int n = mesh_runs_in(part, &runs);
	struct mesh_hull hull;

	for (int i = 0; i < n; i++) {
		if (cache.known[i].limit <= when)
			continue;
		route_hull(part->mesh, runs[i].node, runs[i].count, &hull);
		route_remove(part->mesh, &hull, set);
	}
}
