/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_runs.h"

#include <stdlib.h>

#include "base/sort.h"
#include "shared/mesh_bits.h"
#include "geometry/box.h"

/* The running jobs of one mesh. */
struct runs {
	struct mesh_run *run;
	int *node; /* the nodes of all runs, one run after the other */
	int nruns, room, nnodes, node_room;
	const job_record_t *job; /* the job whose nodes are being added */
};

/*
 * The runs of all meshes, cached between decisions: a scheduling cycle asks for them a thousand
 * times, for one mesh after the other.
 */
static struct {
	time_t made; /* 0: invalid. Valid for a second, as end times may be changed by hand */
	struct runs *of; /* [meshes of the configuration] */
	int room;
} cache;

/* The ends of jobs, cached likewise: backfill needs them for every job that waits. */
static struct {
	time_t made; /* 0: nothing is valid */
	time_t *until;
	int *order;
	int n, room;
	bool suspended;
} ends;

static unsigned changes, ties; /* ties: mesh_conf_ties() when the caches were made */

void mesh_runs_changed(void)
{
	changes++;
	cache.made = 0;
	ends.made = 0;
}

static void follow_map(void)
{
	if (ties != mesh_conf_ties())
		mesh_runs_changed();
	ties = mesh_conf_ties();
}

unsigned mesh_runs_changes(void)
{
	follow_map();
	return changes;
}

void mesh_runs_fini(void)
{
	for (int i = 0; i < cache.room; i++) {
		xfree(cache.of[i].run);
		xfree(cache.of[i].node);
	}
	xfree(cache.of);
	memset(&cache, 0, sizeof(cache));
	xfree(ends.until);
	xfree(ends.order);
	memset(&ends, 0, sizeof(ends));
}

static bool holds_nodes(const job_record_t *job)
{
	return job->node_bitmap && (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job));
}

static void begin_run(struct runs *r, const job_record_t *job)
{
	if (r->nruns == r->room) {
		r->room = r->room * 2 + 64;
		xrecalloc(r->run, (size_t)r->room, sizeof(*r->run));
	}
	r->job = job;
	r->run[r->nruns++] = (struct mesh_run){
		.start = job->start_time, .end = job->end_time};
}

static void add_node(struct runs *r, const job_record_t *job, int node)
{
	if (r->job != job)
		begin_run(r, job);
	if (r->nnodes == r->node_room) {
		r->node_room = r->node_room * 2 + 256;
		xrecalloc(r->node, (size_t)r->node_room, sizeof(*r->node));
	}
	r->run[r->nruns - 1].count++;
	r->node[r->nnodes++] = node;
}

static int add_job(void *x, void *unused)
{
	const job_record_t *job = x;
	const struct mesh_conf *conf = mesh_conf();

	(void)unused;
	if (!holds_nodes(job) || bit_size(job->node_bitmap) > conf->nnodes)
		return 0;
	mesh_bits_each(i, job->node_bitmap)
		if (conf->part_of[i] >= 0)
			add_node(&cache.of[conf->part_of[i]], job, conf->position[i]);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct mesh_run *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (*x->node > *y->node) - (*x->node < *y->node);
}

/* Sort the nodes of each run, and the runs by start. All are read, so the arrays stay in place. */
static void sort_runs(struct runs *r)
{
	int *node = r->node;

	for (int i = 0; i < r->nruns; i++) {
		/* Mostly they are: Nodes= has the order of slurm.conf. */
		if (!sort_ascends(node, r->run[i].count))
			sort_ints(node, r->run[i].count);
		r->run[i].node = node;
		node += r->run[i].count;
	}
	if (r->nruns)
		qsort(r->run, (size_t)r->nruns, sizeof(*r->run), by_start);
}

static void read_runs(time_t now)
{
	int n = mesh_conf()->topo->nmeshes;

	if (cache.room < n) {
		cache.room = n;
		xrecalloc(cache.of, (size_t)n, sizeof(*cache.of));
	}
	cache.made = now;
	for (int i = 0; i < n; i++) {
		cache.of[i].nruns = cache.of[i].nnodes = 0;
		cache.of[i].job = NULL;
	}
	list_for_each(job_list, add_job, NULL);
	for (int i = 0; i < n; i++)
		sort_runs(&cache.of[i]);
}

static const struct runs *runs_of(const struct mesh_part *part)
{
	time_t now = time(NULL);

	follow_map();
	if (cache.made != now)
		read_runs(now);
	return &cache.of[part - mesh_conf()->part];
}

int mesh_runs_in(const struct mesh_part *part, const struct mesh_run **runs)
{
	const struct runs *r = runs_of(part);

	*runs = r->run;
	return r->nruns;
}

static int add_end(void *x, void *unused)
{
	const job_record_t *job = x;
	time_t end;

	(void)unused;
	if (!job->node_bitmap || bit_size(job->node_bitmap) > node_record_count ||
		!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) || IS_JOB_COMPLETING(job)))
		return 0;
	/* The priority is 0 if somebody has suspended the job, not gang scheduling. */
	ends.suspended |= IS_JOB_SUSPENDED(job) && !job->priority;
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
	ends.suspended = false;
	list_for_each(job_list, add_end, NULL);
	ends.n = 0;
	for (int i = 0; i < node_record_count; i++) {
		/* The node is neither idle nor in a job: it is completing, or will be soon. */
		if (!ends.until[i] && !bit_test(idle_node_bitmap, i))
			ends.until[i] = now + 1;
		if (ends.until[i])
			ends.order[ends.n++] = i;
	}
	qsort(ends.order, (size_t)ends.n, sizeof(*ends.order), by_end);
}

struct mesh_runs_ends mesh_runs_ends(void)
{
	time_t now = time(NULL);

	follow_map();
	if (ends.made != now || ends.room < node_record_count)
		read_ends(now);
	return (struct mesh_runs_ends){.until = ends.until, .order = ends.order, .n = ends.n,
		.suspended = ends.suspended};
}

void mesh_runs_remove_routes(const struct mesh_part *part, time_t when, struct nodeset *set)
{
	const struct runs *r = runs_of(part);
	struct mesh_box hull;

	for (int i = 0; i < r->nruns; i++) {
		if (r->run[i].end <= when)
			continue;
		hull = box_of_routes(part->mesh, r->run[i].node, r->run[i].count);
		box_remove(part->mesh, &hull, set);
	}
}
