/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "shared/mesh_runs.h"

struct waiting {
	uint32_t tier, priority, job_id; /* job_id 0: nobody waits */
};

/* The first waiting job of each mesh, cached between decisions as mesh_runs.c does. */
static struct {
	time_t made;
	unsigned changes;
	struct waiting *of;
} cache;

void mesh_queue_fini(void)
{
	xfree(cache.of);
	memset(&cache, 0, sizeof(cache));
}

/*
 * Did the job wait for something else than nodes when Slurm last looked at it? PartitionDown,
 * BeginTime and the like do not count: they may be out of date.
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

/* The nodes that the job wants. Without -N slurmctld guesses how many its tasks will take. */
static uint32_t nodes_wanted(const job_record_t *job)
{
	return MAX(MAX(job->details->min_nodes, job->node_cnt_wag), 1);
}

/* Not a job that is held, begins later or waits for another job. */
static bool waits_for_nodes(const job_record_t *job, time_t now)
{
	return IS_JOB_PENDING(job) && job->priority && job->details &&
	       job->details->begin_time <= now && !waits_otherwise(job);
}

/* Slurm's order. Of two jobs with the same priority the older one comes first. */
static bool before(const struct waiting *x, const struct waiting *y)
{
	if (x->tier != y->tier)
		return x->tier > y->tier;
	return x->priority > y->priority || (x->priority == y->priority && x->job_id < y->job_id);
}

/* May another task of the job array run now? */
static bool may_run(const job_array_struct_t *array)
{
	return !array || !array->max_run_tasks || array->tot_run_tasks < array->max_run_tasks;
}

/* Note the job for each mesh where it could run and comes before the first job so far. */
static int note_waiting(void *x, void *unused)
{
	const job_record_t *job = x;
	const struct mesh_conf *conf = mesh_conf();
	struct waiting w = {.priority = job->priority, .job_id = job->job_id};

	(void)unused;
	if (!job->part_ptr || !waits_for_nodes(job, cache.made) || !may_run(job->array_recs))
		return 0;
	w.tier = job->part_ptr->priority_tier;
	for (int i = 0; i < conf->topo->nmeshes; i++)
		if (nodes_wanted(job) <= (uint32_t)conf->part[i].mesh->nnodes &&
			could_run_in(job->part_ptr, &conf->part[i]) &&
			(!cache.of[i].job_id || before(&w, &cache.of[i])))
			cache.of[i] = w;
	return 0;
}

static void read_queue(time_t now)
{
	mesh_queue_fini();
	cache.of = xcalloc((size_t)mesh_conf()->topo->nmeshes, sizeof(*cache.of));
	cache.made = now;
	cache.changes = mesh_runs_changes();
	list_for_each(job_list, note_waiting, NULL);
}

/* Has the first job of some mesh left the queue since the cache was made? */
static bool is_stale(void)
{
	for (int i = 0; i < mesh_conf()->topo->nmeshes; i++) {
		uint32_t id = cache.of[i].job_id;
		job_record_t *job = id ? find_job_record(id) : NULL;

		if (id && !(job && IS_JOB_PENDING(job)))
			return true;
	}
	return false;
}

bool mesh_queue_first(const job_record_t *job)
{
	time_t now = time(NULL);

	if (cache.made != now || cache.changes != mesh_runs_changes() || is_stale())
		read_queue(now);
	for (int i = 0; i < mesh_conf()->topo->nmeshes; i++)
		if (cache.of[i].job_id == job->job_id)
			return true;
	return false;
}
