/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_queue.h"

#include "shared/mesh_runs.h"

struct waiting {
	uint32_t tier, priority, job_id;
	int nodes;
	int tasks; /* of a job array, that have not begun */
};

/* More than are asked for: one may be the job itself, and others begin while these are kept. */
enum { ROOM = MESH_LOOK_AHEAD + 32 };

struct queue {
	struct waiting job[ROOM];
	int n;
	bool more; /* wait behind these */
};

/* Kept between decisions, like the runs. */
static struct {
	time_t made;
	unsigned changes;
	struct queue *of; /* [meshes of the configuration] */
	int room;
} cache;

void mesh_queue_fini(void)
{
	xfree(cache.of);
	memset(&cache, 0, sizeof(cache));
}

/*
 * Found to wait for something else than nodes when it was last looked at? Of the other reasons some
 * are out of date by now: PartitionDown, BeginTime.
 */
static bool waits_otherwise(const job_record_t *job)
{
	switch (job->state_reason) {
	case WAIT_DEPENDENCY:
	case WAIT_LICENSES:
	case WAIT_RESERVATION:
	case WAIT_ARRAY_TASK_LIMIT:
	case WAIT_ASSOC_JOB_LIMIT:
	case WAIT_ASSOC_RESOURCE_LIMIT:
	case WAIT_ASSOC_TIME_LIMIT:
	case WAIT_QOS_JOB_LIMIT:
	case WAIT_QOS_RESOURCE_LIMIT:
	case WAIT_QOS_TIME_LIMIT: return true;
	default: /* the limits of each resource */
		return job->state_reason >= WAIT_QOS_GRP_CPU &&
		       job->state_reason <= WAIT_ASSOC_MAX_SUB_JOB;
	}
}

static bool could_run_in(const part_record_t *partition, const struct mesh_part *part)
{
	return partition->state_up & PARTITION_SCHED && partition->node_bitmap &&
	       bit_size(partition->node_bitmap) == bit_size(part->nodes) &&
	       bit_overlap_any(partition->node_bitmap, part->nodes);
}

/* Without -N slurmctld guesses how many nodes the tasks will take. */
static uint32_t nodes_wanted(const job_record_t *job)
{
	return MAX(MAX(job->details->min_nodes, job->node_cnt_wag), 1);
}

/* Not one that is held, has to begin later or waits for another job. */
static bool waits_for_nodes(const job_record_t *job, time_t now)
{
	return IS_JOB_PENDING(job) && job->priority && job->details &&
	       job->details->begin_time <= now && !waits_otherwise(job);
}

/* Slurm's order; of what has the same priority the older first. */
static bool before(const struct waiting *x, const struct waiting *y)
{
	if (x->tier != y->tier)
		return x->tier > y->tier;
	return x->priority > y->priority || (x->priority == y->priority && x->job_id < y->job_id);
}

/* Of a job array, as many as may run at a time. */
static int tasks_waiting(const job_array_struct_t *array)
{
	uint32_t n = array ? MAX(array->task_cnt, 1) : 1;

	if (array && array->max_run_tasks)
		n = MIN(n, array->max_run_tasks - MIN(array->tot_run_tasks, array->max_run_tasks));
	return (int)MIN(n, INT32_MAX);
}

static void insert(struct queue *q, const struct waiting *w)
{
	int at = q->n < ROOM ? q->n++ : before(w, &q->job[ROOM - 1]) ? ROOM - 1 : ROOM;

	q->more |= at >= ROOM - 1;
	if (at == ROOM)
		return;
	for (; at > 0 && before(w, &q->job[at - 1]); at--)
		q->job[at] = q->job[at - 1];
	q->job[at] = *w;
}

/* Into the queue of each mesh where it could run. */
static int take(void *x, void *unused)
{
	const job_record_t *job = x;
	const struct mesh_conf *conf = mesh_conf();
	struct waiting w = {.priority = job->priority, .job_id = job->job_id,
		.tasks = tasks_waiting(job->array_recs)};

	(void)unused;
	if (!w.tasks || !job->part_ptr || !waits_for_nodes(job, cache.made))
		return 0;
	w.tier = job->part_ptr->priority_tier;
	w.nodes = (int)MIN(nodes_wanted(job), INT32_MAX);
	for (int i = 0; i < conf->topo->nmeshes; i++)
		if (w.nodes <= conf->part[i].mesh->nnodes &&
			could_run_in(job->part_ptr, &conf->part[i]))
			insert(&cache.of[i], &w);
	return 0;
}

static void read_queue(time_t now)
{
	int n = mesh_conf()->topo->nmeshes;

	if (cache.room < n) {
		cache.room = n;
		xrecalloc(cache.of, (size_t)n, sizeof(*cache.of));
	}
	cache.made = now;
	cache.changes = mesh_runs_changes();
	for (int i = 0; i < n; i++) {
		cache.of[i].n = 0;
		cache.of[i].more = false;
	}
	list_for_each(job_list, take, NULL);
}

/*
 * Those that have begun since the queue was read wait no more. False where one was of an array,
 * whose other tasks go on under a number of their own, or where too few are left.
 */
static bool leave_out_begun(struct queue *q)
{
	int kept = 0;

	for (int i = 0; i < q->n; i++) {
		job_record_t *job = find_job_record(q->job[i].job_id);

		if (job && IS_JOB_PENDING(job))
			q->job[kept++] = q->job[i];
		else if (q->job[i].tasks > 1)
			return false;
	}
	q->n = kept;
	return kept > MESH_LOOK_AHEAD || !q->more;
}

/* As it is now. */
static const struct queue *queue_of(const struct mesh_part *part)
{
	const struct mesh_conf *conf = mesh_conf();
	time_t now = time(NULL);

	if (cache.made != now || cache.changes != mesh_runs_changes() ||
		!leave_out_begun(&cache.of[part - conf->part]))
		read_queue(now);
	return &cache.of[part - conf->part];
}

int mesh_queue_next(const struct mesh_part *part, const job_record_t *except,
	int wanted[MESH_LOOK_AHEAD])
{
	int n = 0, most = (int)mesh_conf()->settings.look_ahead;
	const struct queue *q;

	if (!most)
		return 0;
	q = queue_of(part);
	for (int i = 0; i < q->n && n < most; i++) {
		int tasks = q->job[i].tasks - (q->job[i].job_id == except->job_id);

		for (; tasks > 0 && n < most; tasks--)
			wanted[n++] = q->job[i].nodes;
	}
	return n;
}

bool mesh_queue_first(const job_record_t *job)
{
	const struct mesh_conf *conf = mesh_conf();

	for (int i = 0; i < conf->topo->nmeshes; i++) {
		const struct queue *q = queue_of(&conf->part[i]);

		if (q->n && q->job[0].job_id == job->job_id)
			return true;
	}
	return false;
}
