/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_attempt.h"

enum { MOST_GRES = 64 }; /* kinds of GRES that one job asks for */

/*
 * --contiguous is by node index in the stock plugin: off for the call where we see to it. All of a
 * shape may be more nodes than the least of the job's own numbers, but never more than the most.
 */
static int call(struct mesh_attempt *a, bitstr_t *nodes, struct job_test how)
{
	job_details_t *details = how.job->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	bit_copybits(how.bitmap, nodes);
	if (a->want.no_contiguous)
		details->contiguous = 0;
	if (a->want.all_of_shape) {
		how.min_nodes = how.req_nodes = mesh_request_least(&a->want, nodes);
	}
	rc = a->want.all_of_shape && how.min_nodes > how.max_nodes ? SLURM_ERROR : how.stock(&how);
	details->contiguous = contiguous;
	return rc;
}

int mesh_delegate(struct mesh_attempt *a, bitstr_t *nodes)
{
	return call(a, nodes, *a->test);
}

int mesh_delegate_now(struct mesh_attempt *a, bitstr_t *nodes)
{
	struct job_test now = *a->test;
	job_record_t *job = now.job;
	uint64_t flags = job->bit_flags;
	time_t start = job->start_time;
	int rc;

	now.preemptees = NULL;
	now.preempted = NULL;
	if (now.mode == SELECT_MODE_WILL_RUN)
		job->bit_flags |= TEST_NOW_ONLY;
	rc = call(a, nodes, now);
	job->bit_flags = flags;
	if (rc != SLURM_SUCCESS)
		job->start_time = start;
	return rc;
}

/*
 * What each of its nodes must give the job, as all others together cannot give more than all
 * they have: -N2 -n8 is nothing for a node with three free CPUs where nodes have four. How many
 * nodes a shape has may differ from mesh to mesh.
 */
static uint32_t least_cpus(struct mesh_attempt *a)
{
	uint64_t wanted = a->test->job->details->min_cpus;
	uint64_t others = (uint64_t)MAX(a->want.max - 1, 0) * mesh_request_largest_node(a->given);

	return !a->want.all_of_shape && wanted > others ? (uint32_t)(wanted - others) : 0;
}

/*
 * GRES of a whole job (--gpus=40): a test takes as many nodes as have them all together, and leaves
 * the others out. For a probe one of them on a node is enough.
 */
struct whole_job_gres {
	uint64_t count[MOST_GRES]; /* of each entry of the job's list; 0: as it is */
	int n;
	bool restore;
};

static int each_gres(void *entry, void *arg)
{
	gres_job_state_t *gres = ((gres_state_t *)entry)->gres_data;
	struct whole_job_gres *whole = arg;
	int i = whole->n++;

	if (i >= MOST_GRES)
		return -1;
	if (whole->restore && whole->count[i]) {
		gres->gres_per_job = whole->count[i];
		gres->gres_per_node = 0;
	} else if (!whole->restore && gres->gres_per_job && !gres->gres_per_node) {
		whole->count[i] = gres->gres_per_job;
		gres->gres_per_job = 0;
		gres->gres_per_node = 1;
	}
	return 0;
}

static void whole_job_gres(job_record_t *job, struct whole_job_gres *whole, bool restore)
{
	whole->n = 0;
	whole->restore = restore;
	if (job->gres_list_req)
		list_for_each(job->gres_list_req, each_gres, whole);
}

bitstr_t *mesh_delegate_probe(struct mesh_attempt *a)
{
	job_record_t *job = a->test->job;
	job_details_t *details = job->details;
	job_details_t saved = *details;
	uint32_t total_cpus = job->total_cpus, req_switch = job->req_switch;
	uint32_t count = (uint32_t)bit_set_count(a->given), least = least_cpus(a);
	uint64_t flags = job->bit_flags;
	time_t start = job->start_time;
	struct job_test all = {.job = job, .bitmap = a->test->bitmap, .min_nodes = 1,
		.max_nodes = count, .req_nodes = count, .mode = SELECT_MODE_WILL_RUN,
		.excluded = a->test->excluded, .stock = a->test->stock};
	bool best_switch = job->best_switch;
	struct whole_job_gres gres = {.n = 0};
	bitstr_t *preempt;
	int rc;

	if (!count)
		return NULL;
	bit_copybits(all.bitmap, a->given);
	details->num_tasks = 0;
	details->min_cpus = 1;
	details->pn_min_cpus = MAX(details->pn_min_cpus, least);
	details->contiguous = 0;
	/* All nodes together are on many; and it may be said of nodes tried before that they were. */
	job->req_switch = 0;
	job->best_switch = true;
	job->bit_flags |= TEST_NOW_ONLY;
	preempt = compat_take_preempt(job);
	whole_job_gres(job, &gres, false);
	rc = all.stock(&all);
	whole_job_gres(job, &gres, true);
	compat_put_preempt(job, preempt);
	details->num_tasks = saved.num_tasks;
	details->min_cpus = saved.min_cpus;
	details->pn_min_cpus = saved.pn_min_cpus;
	details->contiguous = saved.contiguous;
	job->bit_flags = flags;
	job->req_switch = req_switch;
	job->best_switch = best_switch;
	job->total_cpus = total_cpus;
	job->start_time = start;
	return rc == SLURM_SUCCESS ? bit_copy(all.bitmap) : NULL;
}
