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

static topology_eval *stock; /* what topology_choose() got, the same in each call */
__thread bool topology_imagined;

#if MESH_SLURM_26_05
__thread enum walk_kind topology_walk;

/* Note the job's walk for topology_p_get_rank(), under select/mesh too: only that orders tasks. */
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
	(void)job; /* this version does not ask for the order of tasks */
}
#endif

bool topology_chosen_by_select(void)
{
	return xstrcasestr(slurm_conf.select_type, "mesh");
}

/*
 * Ask the stock plugin about test->bitmap, which is eval->node_map. On failure only that changes.
 * It takes cores away only for GRES: a copy of all nodes' cores takes as long as its choice.
 */
static int ask_stock(const struct job_test *test)
{
	topology_eval_t *eval = test->eval, saved = *eval;
	bitstr_t **cores_before =
		eval->job_ptr->gres_list_req ? copy_core_array(eval->avail_core) : NULL;
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
 * Can the job not start on these nodes now? For whole nodes that is so if a job is on one of them.
 * Slurm then asks when the job could start, or whether ever. The choice does not count: Slurm asks
 * again when the job starts.
 */
static bool is_future(const struct mesh_want *want, bitstr_t *nodes)
{
	return want->whole_nodes && !bit_super_set(nodes, idle_node_bitmap);
}

/* Nothing tells a topology plugin that jobs begin or end. For whole nodes the idle nodes tell. */
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

/*
 * Offer the strategy's nodes, then those of mesh_fallback=, then let the stock plugin choose; but
 * a job that waits for a box gets an error.
 */
static int propose(struct mesh_attempt *a)
{
	int rc = mesh_propose_until(a, a->given);

	if (rc != SLURM_SUCCESS && a->want.box && a->want.fallback) {
		mesh_want_relax(&a->want, a->want.fallback);
		rc = mesh_propose_until(a, a->given);
	}
	/* No box among these nodes: the job waits, as a later future has more free nodes. If the
	 * strategy failed, nobody has looked for a box. */
	if (rc != SLURM_SUCCESS && (!a->want.box || a->failed)) {
		a->want.box = false;
		rc = a->want.all_of_shape ? mesh_offer(a, a->given) : stock(a->test->eval);
	}
	return mesh_want_reason(&a->want, rc);
}

/*
 * May slurmctld be asking whether the job could ever run? It does not say. It asks so about nodes
 * on which no job could start now, or right after it was told that the job cannot start.
 */
static bool may_ask_ever(const struct mesh_attempt *a)
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

/*
 * Can there be a box for the job later: on these nodes once they are idle, or once broken links
 * are mended? Not if an update made the job ask for more nodes than its shape has.
 */
static bool may_have_box(struct mesh_attempt *a)
{
	struct mesh_proposal best = {.nodes = NULL};

	if (mesh_validate_contradicts(a->test->job->details, &a->want.request.shape))
		return false;
	if (mesh_want_queued(a->test->job))
		return true;
	best.nodes = bit_alloc(bit_size(a->given));
	mesh_propose_ever(a, &best);
	FREE_NULL_BITMAP(best.nodes);
	return best.part;
}

/* Say that the nodes are enough, but not to start on, as for a job that waits for --switches. */
static int hold_back(struct mesh_attempt *a)
{
	int rc;

	a->want.box = false;
	rc = mesh_offer(a, a->given);
	a->test->job->best_switch = rc != SLURM_SUCCESS;
	return rc;
}

static int decide(struct mesh_attempt *a)
{
	int rc;

	note_changes(&a->want);
	topology_imagined = is_future(&a->want, a->given);
	if (!a->want.box && topology_imagined) {
		/* There are as many nodes as the job wants; which ones, does not matter. */
		if (mesh_conf_holds(a->given))
			return stock(a->test->eval);
		a->want.ops = strategy_for(STRATEGY_QUICK);
	}
	rc = propose(a);
	if (mesh_conf_logs())
		info("%s: JobId=%u strategy=%s wanted=%d %s", plugin_type, a->test->job->job_id,
			a->want.ops->name, a->want.request.count,
			rc == SLURM_SUCCESS ? "chosen" : "nothing");
	if (rc != SLURM_SUCCESS && a->want.box && may_ask_ever(a) && may_have_box(a))
		rc = hold_back(a);
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
	struct mesh_attempt a;
	int rc = mesh_attempt_begin(&a, &test);

	eval->min_nodes = test.min_nodes;
	eval->max_nodes = test.max_nodes;
	eval->req_nodes = test.req_nodes;
	if (rc != SLURM_SUCCESS)
		return rc;
	bit_copybits(eval->node_map, a.given);
	rc = a.want.stock ? stock(eval) : decide(&a);
	FREE_NULL_BITMAP(a.given);
	return rc;
}

int topology_choose(topology_eval_t *eval, topology_eval *stock_eval)
{
	int rc;

	stock = stock_eval;
	topology_imagined = false;
	eval->job_ptr->best_switch = true; /* see hold_back() */
	note_walk(eval->job_ptr);
	/* Slurm does not tell a topology plugin of nodes without Topology=, and may sort the node
	 * table after build_config. */
	if (!mesh_conf_fits(eval->node_map) || topology_chosen_by_select())
		return stock(eval);
	rc = evaluate(eval);
	/* Slurm does not tell when a job begins, so each choice is told; the last one stays. */
	if (rc == SLURM_SUCCESS)
		mesh_tell(eval->job_ptr, eval->node_map);
	return rc;
}
