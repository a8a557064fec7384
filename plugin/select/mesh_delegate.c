/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "conf/strategies.h"

bool mesh_delegate_enough(const struct mesh_attempt *a, bitstr_t *nodes)
{
	bitstr_t *required = a->test->job->details->req_node_bitmap;

	return bit_set_count(nodes) >= MAX(a->want.min, 1) &&
		(!required || bit_super_set(required, nodes));
}

/* --- the probe -------------------------------------------------------------------- */

/* What the probe asks of each node alone, in place of what the job asks of all nodes together. */
struct node_need {
	struct mesh_attempt *a;
	bool even;	/* ask for an even share; otherwise for what all other nodes cannot give */
	bitstr_t *sizes; /* the job's list of node counts, set aside */
	uint64_t tasks; /* the least number of the job's tasks on a node */
};

/*
 * The part of `total` that one node must give, if no node gives more than `most`. 0 for a shape
 * whose number of nodes differs between meshes.
 */
static uint64_t share(const struct node_need *need, uint64_t total, uint64_t most)
{
	uint64_t nodes = (uint64_t)MAX(need->a->want.max, 1), others = (nodes - 1) * most;

	if (need->a->want.all_of_shape)
		return 0;
	if (need->even)
		return (total + nodes - 1) / nodes;
	return total > others ? total - others : 0;
}

/*
 * Turn a GRES demand of the whole job (--gpus=40) or of its tasks into a demand of each node. With
 * the job's own demand the stock plugin would return only as many nodes as have all of it
 * together.
 */
static int need_gres(void *entry, void *arg)
{
	gres_job_state_t *gres = ((gres_state_t *)entry)->gres_data;
	const struct node_need *need = arg;
	uint64_t each = need->tasks * gres->gres_per_task;

	if (!gres->gres_per_job && !gres->gres_per_task)
		return 0;
	if (gres->ntasks_per_gres && gres->ntasks_per_gres != NO_VAL16)
		each = need->tasks / gres->ntasks_per_gres;
	if (gres->gres_per_job)
		each = MAX(each, share(need, gres->gres_per_job,
					 mesh_want_most_gres(need->a->given, entry)));
	gres->gres_per_node = MAX(MAX(gres->gres_per_node, each), 1);
	gres->gres_per_job = gres->gres_per_task = 0;
	gres->ntasks_per_gres = 0;
	return 0;
}

static bool is_set(uint16_t number)
{
	return number && number != NO_VAL16;
}

/*
 * Round a node's CPUs up to whole tasks, at most as many as the largest node holds. For a part of
 * a task 24.11 makes up tasks, and refuses every node that does not hold them. More tasks than the
 * largest node holds would exclude all nodes: 22.05 starts -N2 -n5 -c3 on two nodes of 8 CPUs.
 */
static uint32_t whole_tasks(const job_details_t *details, uint64_t cpus, uint64_t largest)
{
	uint64_t each = is_set(details->cpus_per_task) ? details->cpus_per_task : 1;

	return (uint32_t)(MIN((cpus + each - 1) / each, largest / each) * each);
}

/* Change the job's record for the probe. Its GRES list becomes a copy; unset_need() frees it. */
static void set_need(struct node_need *need)
{
	job_record_t *job = need->a->test->job;
	job_details_t *details = job->details;
	uint64_t largest = mesh_want_largest_node(need->a->given);
	uint64_t cpus = share(need, details->min_cpus, largest);

	need->tasks = is_set(details->ntasks_per_node) ? details->ntasks_per_node : 1;
	if (is_set(details->ntasks_per_tres)) { /* each node then has the same number of tasks */
		need->tasks = MAX(details->num_tasks / MAX(details->min_nodes, 1), 1);
		details->ntasks_per_node = (uint16_t)need->tasks;
		details->ntasks_per_tres = 0;
		cpus = MAX(cpus, need->tasks * MAX(details->cpus_per_task, 1));
	}
	details->num_tasks = 0;
	details->min_cpus = 1;
	details->pn_min_cpus = MAX(details->pn_min_cpus, whole_tasks(details, cpus, largest));
	details->contiguous = 0;
	/* The stock plugin distributes no tasks for a job of 0 nodes, which saves time. */
	if (!job->gres_list_req && !details->overcommit)
		details->min_nodes = 0;
	need->sizes = compat_swap_sizes(details, NULL);
	/* The probe's nodes are on many switches, and an earlier test may have cleared
	 * best_switch. */
	job->req_switch = 0;
	job->best_switch = true;
	job->bit_flags |= TEST_NOW_ONLY;
	job->gres_list_req = gres_job_state_list_dup(job->gres_list_req);
	job->gres_list_req_accum = NULL;
	if (job->gres_list_req)
		list_for_each(job->gres_list_req, need_gres, need);
}

/* Restore what set_need() and the stock plugin have changed. */
static void unset_need(job_record_t *job, const job_record_t *was, const job_details_t *details)
{
	FREE_NULL_LIST(job->gres_list_req);
	FREE_NULL_LIST(job->gres_list_req_accum);
	job->gres_list_req = was->gres_list_req;
	job->gres_list_req_accum = was->gres_list_req_accum;
	job->bit_flags = was->bit_flags;
	job->req_switch = was->req_switch;
	job->best_switch = was->best_switch;
	job->total_cpus = was->total_cpus;
	job->start_time = was->start_time;
	job->details->ntasks_per_node = details->ntasks_per_node;
	job->details->ntasks_per_tres = details->ntasks_per_tres;
	job->details->num_tasks = details->num_tasks;
	job->details->min_cpus = details->min_cpus;
	job->details->pn_min_cpus = details->pn_min_cpus;
	job->details->contiguous = details->contiguous;
	job->details->min_nodes = details->min_nodes;
}

static bitstr_t *probe(struct mesh_attempt *a, bool even, uint16_t mode, int least)
{
	job_record_t *job = a->test->job, was = *job;
	job_details_t details = *job->details;
	uint32_t count = (uint32_t)bit_set_count(a->given);
	struct job_test all = {.job = job, .bitmap = a->test->bitmap, .min_nodes = (uint32_t)least,
		.max_nodes = count, .req_nodes = count, .mode = mode,
		.excluded = a->test->excluded, .stock = a->test->stock};
	struct node_need need = {.a = a, .even = even};
	bitstr_t *preempt;
	int rc;

	if (!count)
		return NULL;
	bit_copybits(all.bitmap, a->given);
	set_need(&need);
	preempt = compat_swap_preempt(job, NULL);
	rc = all.stock(&all);
	preempt = compat_swap_preempt(job, preempt); /* the probe's */
	FREE_NULL_BITMAP(preempt);
	compat_swap_sizes(job->details, need.sizes);
	unset_need(job, &was, &details);
	return rc == SLURM_SUCCESS ? bit_copy(all.bitmap) : NULL;
}

bitstr_t *mesh_delegate_probe(struct mesh_attempt *a, bool even)
{
	bitstr_t *can = NULL;

	/* The stock plugin looks at CPUs of other jobs only if too few nodes have idle ones. */
	if (mesh_may_share(a->test->job) && a->want.min > 1)
		can = probe(a, even, SELECT_MODE_WILL_RUN, a->want.min);
	return can ? can : probe(a, even, SELECT_MODE_WILL_RUN, 1);
}

/* --- what boxes need ---------------------------------------------------------------- */

/* How many nodes the stock plugin takes if all given ones are idle; 0: it refuses them all. */
static int nodes_taken(struct mesh_attempt *a)
{
	const struct job_test *asked = a->test;
	struct job_test ever = *asked;
	int count = 0;

	ever.mode = SELECT_MODE_TEST_ONLY;
	ever.preemptees = NULL;
	ever.preempted = NULL;
	a->test = &ever;
	if (mesh_offer(a, a->given) == SLURM_SUCCESS)
		count = bit_set_count(ever.bitmap);
	a->test = asked;
	return count;
}

/* A job that does not say its number of nodes: take the stock plugin's in the place of a guess. */
static bool learn_count(struct mesh_attempt *a)
{
	struct mesh_request *request = &a->want.request;
	int each = MAX(request->segment, 1), count;

	if (!a->want.count_open)
		return false;
	count = MIN((nodes_taken(a) + each - 1) / each, a->want.max / each) * each;
	if (count <= request->count)
		return false;
	request->count = count;
	return true;
}

/* No mesh has so many nodes, and the job may have them without a box. */
static void give_up_box(struct mesh_attempt *a)
{
	a->want.stock |= a->test->job->details->contiguous;
	a->want.no_contiguous = false;
	mesh_want_relax(&a->want, strategy_for(STRATEGY_RELAXED));
}

/*
 * The given nodes that can host a part of the job when they are idle. Where the job is to start,
 * those are better of which any will do; but a job is refused for good only if no others do either.
 */
static bitstr_t *fit_nodes(struct mesh_attempt *a)
{
	bool even = !a->want.count_open && a->test->mode != SELECT_MODE_TEST_ONLY;
	bitstr_t *can = probe(a, even, SELECT_MODE_TEST_ONLY, 1);

	if (!even || (can && mesh_delegate_enough(a, can)))
		return can;
	FREE_NULL_BITMAP(can);
	return probe(a, false, SELECT_MODE_TEST_ONLY, 1);
}

bool mesh_delegate_learn(struct mesh_attempt *a)
{
	bitstr_t *can;
	bool fewer;

	if (a->learnt)
		return false;
	a->learnt = true;
	can = fit_nodes(a);
	fewer = can && mesh_delegate_enough(a, can) && !bit_super_set(a->given, can);
	if (fewer)
		bit_and(a->given, can);
	FREE_NULL_BITMAP(can);
	if (!learn_count(a))
		return fewer;
	if (mesh_want_outgrows(a->test->job, &a->want))
		give_up_box(a);
	return true;
}
