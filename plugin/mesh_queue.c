/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh_queue.h"

#include "mesh_runs.h"

struct waiting {
	uint32_t priority, job_id;
	int nodes;
	int tasks; /* of a job array, that have not begun */
};

/* Kept between decisions, like the runs; one more than is asked for, which may be the job itself. */
enum { ROOM = MESH_LOOK_AHEAD + 1 };

static struct {
	const struct mesh_part *part;
	time_t made;
	unsigned changes;
	struct waiting job[ROOM];
	int n;
} cache;

/* Not one that is held, has to begin later, waits for another job, or could not run here. */
static bool could_run(const job_record_t *job, const struct mesh_part *part, time_t now)
{
	return IS_JOB_PENDING(job) && job->priority && job->details &&
	       job->details->begin_time <= now && job->state_reason != WAIT_DEPENDENCY &&
	       job->part_ptr && job->part_ptr->node_bitmap &&
	       bit_size(job->part_ptr->node_bitmap) == bit_size(part->nodes) &&
	       bit_overlap_any(job->part_ptr->node_bitmap, part->nodes);
}

/* Slurm's order of what has the same priority: the older first. */
static bool before(const struct waiting *x, const struct waiting *y)
{
	return x->priority > y->priority || (x->priority == y->priority && x->job_id < y->job_id);
}

static int take(void *x, void *unused)
{
	const job_record_t *job = x;
	struct waiting w = {.priority = job->priority, .job_id = job->job_id};
	int at;

	(void)unused;
	if (!could_run(job, cache.part, cache.made))
		return 0;
	/* Without -N slurmctld guesses how many nodes the tasks will take. */
	w.nodes = (int)MIN(MAX(MAX(job->details->min_nodes, job->node_cnt_wag), 1), INT32_MAX);
	w.tasks = job->array_recs ? (int)MIN(MAX(job->array_recs->task_cnt, 1), INT32_MAX) : 1;
	at = cache.n < ROOM ? cache.n++ : before(&w, &cache.job[ROOM - 1]) ? ROOM - 1 : ROOM;
	if (at == ROOM)
		return 0;
	for (; at > 0 && before(&w, &cache.job[at - 1]); at--)
		cache.job[at] = cache.job[at - 1];
	cache.job[at] = w;
	return 0;
}

int mesh_queue_next(const struct mesh_part *part, const job_record_t *except,
	int wanted[MESH_LOOK_AHEAD])
{
	int n = 0, most = (int)mesh_conf()->settings.look_ahead;
	time_t now = time(NULL);

	if (!most)
		return 0;
	if (cache.part != part || cache.made != now || cache.changes != mesh_runs_changes()) {
		cache.part = part;
		cache.made = now;
		cache.changes = mesh_runs_changes();
		cache.n = 0;
		list_for_each(job_list, take, NULL);
	}
	for (int i = 0; i < cache.n; i++) {
		int tasks = cache.job[i].tasks - (cache.job[i].job_id == except->job_id);

		for (; tasks > 0 && n < most; tasks--)
			wanted[n++] = cache.job[i].nodes;
	}
	return n;
}
