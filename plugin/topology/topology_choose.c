/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topology/topology_mesh.h"

#include "src/common/core_array.h"

#include "base/hash.h"
#include "shared/mesh_attempt.h"
#include "shared/mesh_bits.h"
#include "shared/mesh_conf.h"
#include "shared/mesh_validate.h"
#include "shared/mesh_runs.h"
#include "shared/mesh_tell.h"
#include "shared/job_test.h"
#include "conf/strategies.h"

static topology_eval *stock; /* the same in each call */
__thread bool topology_imagined;

#if MESH_SLURM_26_05
__thread enum walk_kind topology_walk;

/* select/mesh chooses nodes and is not asked for the order of tasks: it is noted for both. */
static void note_walk(const job_record_t *job)
{
	struct useroptions asked;

	topology_walk = WALK_NONE;
	if (!mesh_conf())
		return;
	mesh_validate_options(job, mesh_conf()->settings.user_options, &asked);
	topology_walk = asked.shape.walk;
}
#else
static void note_walk(const job_record_t *job)
{
	(void)job; /* nobody asks for the order of tasks */
}
#endif

/* select/mesh has narrowed already. */
bool topology_chosen_by_select(void)
{
	return xstrcasestr(slurm_conf.select_type, "mesh");
}

/* Of test->bitmap, which is the map of nodes. On failure everything is as it was, but for that. */
static int ask_stock(const struct job_test *test)
{
	topology_eval_t *eval = test->eval, saved = *eval;
	bitstr_t **cores_before = copy_core_array(eval->avail_core);
	int rc;

	eval->min_nodes = test->min_nodes;
	eval->req_nodes = test->req_nodes;
	rc = stock(eval);
	eval->min_nodes = saved.min_nodes;
	eval->req_nodes = saved.req_nodes;
	if (rc != SLURM_SUCCESS) {
		*eval = saved;
		if (cores_before)
			core_array_or(eval->avail_core, cores_before);
	}
	free_core_array(&cores_before);
	return rc;
}

/*
 * Nodes that no job has now, whole: the job would start. Else it is asked when it could, or whether
 * ever, and what is chosen then is of no account: when it starts it is asked again.
 */
static bool is_future(const struct mesh_want *want, bitstr_t *nodes)
{
	return want->whole_nodes && !bit_super_set(nodes, idle_node_bitmap);
}

/* Nobody tells us of jobs' beginnings and ends: for jobs of whole nodes, idle nodes do. */
static void note_changes(const struct mesh_want *want)
{
	static uint64_t seen;
	uint64_t hash = HASH_BEGIN;

	mesh_bits_each(i, idle_node_bitmap)
		hash = hash_add(hash, (uint64_t)i);
	if (hash != seen || !want->whole_nodes)
		mesh_runs_changed();
	seen = hash;
}

/* The strategy's nodes, or those of a wish that is given up; else the stock plugin's, unless the job
 * waits for a box. */
static int propose(struct mesh_attempt *a)
{
	int rc = mesh_propose_until(a, a->given);

	if (rc != SLURM_SUCCESS && a->want.box && a->want.fallback) {
		mesh_request_relax(&a->want, a->want.fallback);
		rc = mesh_propose_until(a, a->given);
	}
	/* No box among these nodes: wait, as a later future has more of them; unless nobody
	 * looked. */
	if (rc != SLURM_SUCCESS && (!a->want.box || a->failed)) {
		a->want.box = false;
		rc = a->want.all_of_shape ? mesh_offer(a, a->given) : stock(a->test->eval);
	}
	return mesh_request_reason(&a->want, rc);
}

/*
 * May slurmctld be asking whether the job could ever run? It does not say so: it asks that of nodes
 * on which no job could start now; or next, when it was told that the job cannot start.
 */
static bool may_be_ever(const struct mesh_attempt *a)
{
	static uint32_t refused;
	static time_t round;
	const job_record_t *job = a->test->job;
	bool again = refused == job->job_id && round == job->last_sched_eval;

	refused = again ? 0 : job->job_id;
	round = job->last_sched_eval;
	return again || !bit_super_set(a->given,
		a->want.whole_nodes ? idle_node_bitmap : share_node_bitmap);
}

/* A box that there is not, on any nodes, may come; as may that which has broken links. Not for who
 * asks for more nodes than its shape has, by an update. */
static bool may_come(struct mesh_attempt *a)
{
	struct mesh_proposal best = {.nodes = NULL};

	if (mesh_validate_contradicts(a->test->job->details, &a->want.request.shape))
		return false;
	if (mesh_request_queued(a->test->job))
		return true;
	best.nodes = bit_alloc(bit_size(a->given));
	a->when = WHEN_IDLE;
	a->want.request.shape.any_links = true;
	mesh_propose(a, a->given, a->want.request.count, &best);
	FREE_NULL_BITMAP(best.nodes);
	return best.part;
}

/* Nodes enough, but none to start on: as for a job that waits for --switches. */
static int hold_back(struct mesh_attempt *a)
{
	int rc;

	a->want.box = false;
	rc = mesh_offer(a, a->given);
	a->test->job->best_switch = rc != SLURM_SUCCESS;
	return rc;
}

static int evaluate(topology_eval_t *eval)
{
	struct job_test test = {
		.job = eval->job_ptr,
		.bitmap = eval->node_map,
		.min_nodes = eval->min_nodes,
		.max_nodes = eval->max_nodes,
		.req_nodes = eval->req_nodes,
		.mode = SELECT_MODE_RUN_NOW,
		.eval = eval,
		.stock = ask_stock,
	};
	struct mesh_attempt a = {.test = &test, .start = eval->job_ptr->start_time};
	int rc;

	if (!mesh_validate(&test))
		return ESLURM_NODES_BUSY;
	eval->min_nodes = test.min_nodes;
	eval->max_nodes = test.max_nodes;
	eval->req_nodes = test.req_nodes;
	mesh_request_from_job(&test, &a.want);
	if (a.want.uneven)
		return COMPAT_UNEVEN;
	mesh_conf_keep_type(eval->node_map, a.want.request.shape.type);
	if (a.want.stock)
		return stock(eval);
	note_changes(&a.want);
	topology_imagined = is_future(&a.want, eval->node_map);
	if (!a.want.box && topology_imagined) {
		/* As many as are asked for are to be had there, whichever they are. */
		if (mesh_conf_holds(eval->node_map))
			return stock(eval);
		a.want.ops = strategy_for(STRATEGY_QUICK);
	}
	a.given = bit_copy(eval->node_map);
	rc = propose(&a);
	if (mesh_conf_logs())
		info("%s: JobId=%u strategy=%s wanted=%d %s", plugin_type, eval->job_ptr->job_id,
			a.want.ops->name, a.want.request.count,
			rc == SLURM_SUCCESS ? "chosen" : "nothing");
	if (rc != SLURM_SUCCESS && a.want.box && may_be_ever(&a) && may_come(&a))
		rc = hold_back(&a);
	FREE_NULL_BITMAP(a.given);
	return rc;
}

int topology_choose(topology_eval_t *eval, topology_eval *base)
{
	int rc;

	stock = base;
	topology_imagined = false;
	eval->job_ptr->best_switch = true; /* see hold_back() */
	note_walk(eval->job_ptr);
	/* Nobody tells a topology plugin of nodes without Topology=, and their table may be sorted
	 * after build_config. */
	mesh_conf_refresh();
	if (topology_chosen_by_select() || !mesh_conf() ||
		mesh_conf()->nnodes != bit_size(eval->node_map))
		return stock(eval);
	rc = evaluate(eval);
	/* Nobody tells us that a job begins: the last that it is told counts. */
	if (rc == SLURM_SUCCESS)
		mesh_tell(eval->job_ptr, eval->node_map);
	return rc;
}
