/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh_place.h"

#include "mesh_conf.h"
#include "mesh_log.h"
#include "mesh_request.h"
#include "metrics.h"

/* One call of job_test on its way. */
struct attempt {
	const struct job_test *test;
	struct mesh_want want;
	bitstr_t *given; /* the nodes as they came: test->bitmap is spoiled by each try */
	const char *by;	 /* who chose the nodes in the end */
};

/* --- asking the stock plugin ------------------------------------------------------ */

/*
 * Offer it these nodes, as `mode`. --contiguous is by node index there: off for the call.
 */
static int delegate(struct attempt *a, bitstr_t *nodes, const struct job_test *how)
{
	struct job_details *details = a->test->job->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	bit_copybits(a->test->bitmap, nodes);
	if (a->want.box)
		details->contiguous = 0;
	rc = base_job_test(how);
	details->contiguous = contiguous;
	return rc;
}

/* Only whether and how it can start now, without preemption. */
static int delegate_now(struct attempt *a, bitstr_t *nodes)
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
	rc = delegate(a, nodes, &now);
	job->bit_flags = flags;
	if (rc != SLURM_SUCCESS)
		job->start_time = start;
	return rc;
}

/* Nodes on which the job could start now if one were enough, as the stock plugin sees it. */
static bitstr_t *probe(struct attempt *a)
{
	struct job_test all = *a->test;
	job_record_t *job = all.job;
	struct job_details *details = job->details;
	uint32_t tasks = details->num_tasks, min_cpus = details->min_cpus;
	uint32_t total_cpus = job->total_cpus, count = (uint32_t)bit_set_count(a->given);
	uint64_t flags = job->bit_flags;
	time_t start = job->start_time;
	int rc;

	all.preemptees = NULL;
	all.preempted = NULL;
	all.mode = SELECT_MODE_WILL_RUN;
	all.min_nodes = 1;
	all.max_nodes = all.req_nodes = count;
	details->num_tasks = 0;
	details->min_cpus = 1;
	job->bit_flags |= TEST_NOW_ONLY;
	rc = count ? delegate(a, a->given, &all) : SLURM_ERROR;
	details->num_tasks = tasks;
	details->min_cpus = min_cpus;
	job->bit_flags = flags;
	job->total_cpus = total_cpus;
	job->start_time = start;
	return rc == SLURM_SUCCESS ? bit_copy(all.bitmap) : NULL;
}

/* --- asking the strategy ---------------------------------------------------------- */

struct proposal {
	struct mesh_part *part; /* NULL: nothing found */
	int count;
	double mean_hops;
	int spare; /* nodes left free in the part */
	bitstr_t *nodes;
};

/* Slurm's set to ours. */
static void to_nodeset(const struct mesh_part *part, bitstr_t *nodes, struct nodeset *set)
{
	nodeset_clear_all(set);
	for (int i = 0; i < part->mesh->nnodes; i++)
		if (part->slurm_node[i] >= 0 && bit_test(nodes, part->slurm_node[i]))
			nodeset_add(set, i);
}

/* Required nodes into part->required; false if one is not in this part. */
static bool required_here(struct attempt *a, struct mesh_part *part,
	const struct nodeset **required)
{
	bitstr_t *nodes = a->test->job->details->req_node_bitmap;

	*required = NULL;
	if (!nodes || bit_ffs(nodes) < 0)
		return true;
	if (!bit_super_set(nodes, part->nodes))
		return false;
	to_nodeset(part, nodes, &part->required);
	*required = &part->required;
	return true;
}

static enum mesh_result ask(struct attempt *a, struct mesh_part *part, int count,
	const struct nodeset *required, struct mesh_answer *answer)
{
	struct mesh_request request = a->want.request;
	struct mesh_state state = {.free = &part->free, .now = time(NULL)};
	struct mesh_err err = {{0}};
	struct strategy *strategy = mesh_conf_strategy(part, a->want.ops, &err);
	enum mesh_result result;

	if (!strategy) {
		error("%s: strategy %s: %s", plugin_type, a->want.ops->name, err.text);
		return MESH_ERROR;
	}
	request.count = count;
	request.required = required;
	answer->node = part->answer;
	result = strategy_decide(strategy, &state, &request, answer);
	if (result == MESH_ERROR)
		error("%s: JobId=%u strategy %s: %s; the stock choice is used", plugin_type,
			a->test->job->job_id, a->want.ops->name, answer->err.text);
	return result;
}

/* The best of one part among the nodes that can be had, if better than what is known. */
static void propose_part(struct attempt *a, struct mesh_part *part, bitstr_t *can, int count,
	struct proposal *best)
{
	const struct nodeset *required;
	struct mesh_answer answer;
	double mean_hops;
	int nfree;

	if (!required_here(a, part, &required))
		return;
	to_nodeset(part, can, &part->free);
	nfree = nodeset_count(&part->free);
	if (count > nfree)
		count = nfree;
	if (count < a->want.min || count < best->count || count < 1)
		return;
	if (ask(a, part, count, required, &answer) != MESH_OK)
		return;
	mean_hops = answer.count < 2 ? 0
				     : (double)mesh_pairwise_hops(part->mesh, answer.node,
					       answer.count) /
					       ((double)answer.count * (answer.count - 1) / 2);
	if (best->part && answer.count == best->count &&
		(mean_hops > best->mean_hops ||
			(mean_hops == best->mean_hops && nfree - answer.count >= best->spare)))
		return;
	best->part = part;
	best->count = answer.count;
	best->mean_hops = mean_hops;
	best->spare = nfree - answer.count;
	bit_clear_all(best->nodes);
	for (int i = 0; i < answer.count; i++)
		bit_set(best->nodes, part->slurm_node[answer.node[i]]);
}

static void propose(struct attempt *a, bitstr_t *can, int count, struct proposal *best)
{
	struct mesh_conf *conf = mesh_conf();

	best->part = NULL;
	best->count = 0;
	for (int i = 0; i < conf->topo->nmeshes; i++)
		propose_part(a, &conf->part[i], can, count, best);
}

/* --- now -------------------------------------------------------------------------- */

/* Place on nodes that can be had now; more of them where too few were guessed. */
static int place_on(struct attempt *a, bitstr_t *can)
{
	struct proposal best = {.nodes = bit_alloc(bit_size(can))};
	int count = a->want.request.count, rc = SLURM_ERROR;

	for (int tries = 0; tries < 8; tries++) {
		propose(a, can, count, &best);
		if (!best.part)
			break;
		rc = delegate_now(a, best.nodes);
		if (rc == SLURM_SUCCESS || !a->want.count_open || best.count < count ||
			count >= a->want.max)
			break;
		count = MIN(count + MAX(1, count / 4), a->want.max);
	}
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

static int place_now(struct attempt *a)
{
	bitstr_t *can = NULL;
	int rc = SLURM_ERROR;

	if (a->want.whole_nodes) {
		can = bit_copy(a->given);
		bit_and(can, idle_node_bitmap);
		if (bit_set_count(can) >= a->want.min)
			rc = place_on(a, can);
	}
	if (rc != SLURM_SUCCESS && (!can || bit_set_count(can) >= a->want.min)) {
		FREE_NULL_BITMAP(can);
		if ((can = probe(a)))
			rc = place_on(a, can);
	}
	FREE_NULL_BITMAP(can);
	a->by = a->want.ops->name;
	return rc;
}

/* --- all of it -------------------------------------------------------------------- */

/* The stock plugin's choice among all the nodes. */
static int place_wide(struct attempt *a)
{
	a->by = "stock";
	return delegate(a, a->given, a->test);
}

static int place(struct attempt *a)
{
	int rc = SLURM_ERROR;

	if (!a->want.stock && a->test->mode != SELECT_MODE_TEST_ONLY)
		rc = place_now(a);
	return rc == SLURM_SUCCESS ? rc : place_wide(a);
}

int mesh_place(const struct job_test *test)
{
	struct attempt a = {.test = test};
	int64_t started = mesh_clock();
	int rc;

	if (!mesh_conf() || mesh_conf()->nnodes != bit_size(test->bitmap))
		return base_job_test(test);
	mesh_request_from_job(test, &a.want);
	a.given = bit_copy(test->bitmap);
	rc = place(&a);
	FREE_NULL_BITMAP(a.given);
	mesh_log_decision(&(struct mesh_decision){test, &a.want, a.by, started, rc});
	return rc;
}
