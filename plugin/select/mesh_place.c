/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "compat/select_api.h"
#include "shared/mesh_attempt.h"
#include "shared/mesh_bits.h"
#include "shared/mesh_validate.h"
#include "conf/strategies.h"

/* --- now -------------------------------------------------------------------------- */

bool mesh_may_share(const job_record_t *job)
{
	unsigned share = job->part_ptr ? job->part_ptr->max_share : 1;

	if (slurm_conf.preempt_mode & (PREEMPT_MODE_SUSPEND | PREEMPT_MODE_GANG))
		return true;
	return (share & ~(unsigned)SHARED_FORCE) > 1 &&
	       (share & SHARED_FORCE || job->details->share_res == 1);
}

/* Propose among the nodes that mesh_delegate_probe() finds. */
static int place_probed(struct mesh_attempt *a, bool even)
{
	bitstr_t *can = mesh_delegate_probe(a, even);
	bool few = !can || bit_set_count(can) < a->want.min;
	int rc = few ? SLURM_ERROR : mesh_propose_until(a, can);

	/* With GRES few nodes prove nothing: the demand may be of the whole job or of its tasks. */
	a->hopeless = few && !even && !a->test->job->gres_list_req &&
		      !mesh_may_share(a->test->job);
	FREE_NULL_BITMAP(can);
	return rc;
}

/*
 * Place the job on nodes that are available now. A job that shares no node is offered idle nodes.
 * For other jobs, and where the stock plugin refuses these (memory, GRES, cores kept by
 * reservations), a probe of the stock plugin finds the nodes.
 */
static int place_now(struct mesh_attempt *a)
{
	bitstr_t *can = NULL;
	int rc = SLURM_ERROR;

	a->by = a->want.ops->name;
	/* Backfill asks about a later start, so nodes that are free now are no answer. */
	if (a->window.start)
		return SLURM_ERROR;
	if (a->want.whole_nodes) {
		a->refused = false;
		can = bit_copy(a->given);
		bit_and(can, idle_node_bitmap);
		a->hopeless = bit_set_count(can) < a->want.min && !mesh_may_share(a->test->job);
		rc = a->hopeless ? SLURM_ERROR : mesh_propose_until(a, can);
		FREE_NULL_BITMAP(can);
		if (!a->refused)
			return rc;
	}
	rc = place_probed(a, false);
	/* Each of the nodes could hold a part of the job, but together they cannot hold it. */
	if (rc != SLURM_SUCCESS && a->refused && !a->want.count_open)
		rc = place_probed(a, true);
	return rc;
}

/* --- without a strategy ----------------------------------------------------------- */

/* Are the job's required nodes in several meshes? */
static bool required_span(struct mesh_attempt *a)
{
	struct mesh_conf *conf = mesh_conf();
	bitstr_t *required = a->test->job->details->req_node_bitmap;
	int first = required ? mesh_bits_next(required, 0) : -1;

	for (int i = first; i >= 0; i = mesh_bits_next(required, i + 1))
		if (conf->part_of[i] != conf->part_of[first])
			return true;
	return false;
}

/*
 * The given nodes of mesh `which`, or of no mesh (-1): a new set. NULL if they are too few, or
 * lack a node that the job requires.
 */
static bitstr_t *given_in(struct mesh_attempt *a, int which)
{
	struct mesh_conf *conf = mesh_conf();
	bitstr_t *nodes = bit_copy(a->given);

	if (which >= 0)
		bit_and(nodes, conf->part[which].nodes);
	else
		bit_and_not(nodes, conf->mapped);
	if (!mesh_delegate_enough(a, nodes))
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/*
 * Offer one mesh after the other, then the nodes of no mesh. The first counts that the stock
 * plugin accepts; for WILL_RUN the one with the earliest start.
 */
static int place_stock(struct mesh_attempt *a)
{
	bool later = a->test->mode == SELECT_MODE_WILL_RUN;
	int rc = SLURM_ERROR, meshes = mesh_conf()->topo->nmeshes;
	bitstr_t *best = NULL;
	time_t first = 0;

	for (int i = 0; i <= meshes && (later || !best); i++) {
		bitstr_t *nodes = given_in(a, i == meshes ? -1 : i);

		if (nodes && mesh_offer(a, nodes) == SLURM_SUCCESS &&
			(!best || a->test->job->start_time < first)) {
			first = a->test->job->start_time;
			FREE_NULL_BITMAP(best);
			best = bit_copy(nodes);
		}
		FREE_NULL_BITMAP(nodes);
	}
	/* Offer it again: the job's record and the list of jobs to preempt must match it. */
	if (best)
		rc = later ? mesh_offer(a, best) : SLURM_SUCCESS;
	FREE_NULL_BITMAP(best);
	return rc;
}

/* Offer the nodes of no mesh, if they are enough. For WILL_RUN only a start now counts. */
static int place_elsewhere(struct mesh_attempt *a)
{
	bitstr_t *nodes = given_in(a, -1);
	int rc = SLURM_ERROR;

	if (nodes)
		rc = a->test->mode == SELECT_MODE_WILL_RUN ? mesh_offer_now(a, nodes)
							   : mesh_offer(a, nodes);

	FREE_NULL_BITMAP(nodes);
	return rc;
}

/*
 * Let the stock plugin choose: among all nodes, or with mesh_span=no among the nodes of one mesh,
 * or of no mesh.
 */
static int place_wide(struct mesh_attempt *a)
{
	struct mesh_conf *conf = mesh_conf();

	a->by = "stock";
	if (a->want.stock || required_span(a) ||
		(conf->topo->nmeshes == 1 && bit_super_set(a->given, conf->part[0].nodes)))
		return mesh_offer(a, a->given);
	if (conf->settings.span) {
		if (a->test->mode == SELECT_MODE_RUN_NOW && place_elsewhere(a) == SLURM_SUCCESS)
			return SLURM_SUCCESS;
		return mesh_offer(a, a->given);
	}
	return place_stock(a);
}

/* --- ever ------------------------------------------------------------------------- */

/* Reduce the set to `count` nodes: the required ones and the lowest others. */
static void keep_first(bitstr_t *nodes, bitstr_t *required, int count)
{
	int room = count - (required ? bit_set_count(required) : 0);

	mesh_bits_each(i, nodes)
		if (!(required && bit_test(required, i)) && room-- <= 0)
			bit_clear(nodes, i);
}

/*
 * Could the job ever run? The stock plugin examines all nodes that it is offered, and the answer
 * is mostly yes. So it is offered only a few nodes of one mesh, and all nodes if it refuses these.
 */
static int place_ever(struct mesh_attempt *a)
{
	const job_record_t *job = a->test->job;
	bitstr_t *few = NULL;
	int rc = SLURM_ERROR;

	/*
	 * --switches: the job's record keeps what the stock plugin says, so it must see all nodes.
	 */
	if (a->want.stock || job->req_switch)
		return place_wide(a);
	a->by = "stock";
	for (int i = 0; i < mesh_conf()->topo->nmeshes && !few; i++)
		few = given_in(a, i);
	if (few) {
		keep_first(few, job->details->req_node_bitmap, a->want.request.count);
		rc = mesh_offer(a, few);
		FREE_NULL_BITMAP(few);
	}
	if (rc != SLURM_SUCCESS)
		rc = place_wide(a);
	/* Segments of one job may be in several meshes. */
	return rc == SLURM_SUCCESS || !a->want.request.segment ? rc : mesh_offer(a, a->given);
}

/* --- later ------------------------------------------------------------------------ */

/*
 * May mesh_future() say when the job can start? Only for whole nodes, where the stock plugin need
 * not choose jobs to preempt and has not just refused free nodes. With mesh_span=no also only where
 * the nodes of no mesh are too few for the job.
 */
static bool knows_future(struct mesh_attempt *a)
{
	const struct job_test *test = a->test;
	bitstr_t *elsewhere;
	bool none;

	if (test->mode != SELECT_MODE_WILL_RUN || (test->job->bit_flags & TEST_NOW_ONLY) ||
		test->preemptees || !a->want.whole_nodes || mesh_may_share(test->job) ||
		compat_whole_topology(test->job) ||
		a->want.count_open || a->failed || a->refused || required_span(a))
		return false;
	if (mesh_conf()->settings.span)
		return true;
	elsewhere = given_in(a, -1);
	none = !elsewhere;
	FREE_NULL_BITMAP(elsewhere);
	return none;
}

/* place_now() found no room: place the job anywhere, for WILL_RUN also later. */
static int place_later(struct mesh_attempt *a)
{
	if (knows_future(a)) {
		a->by = "stock";
		/* Nodes of no mesh may be free now; mesh_future() looks only at ends of jobs. */
		if (mesh_conf()->settings.span && place_elsewhere(a) == SLURM_SUCCESS)
			return SLURM_SUCCESS;
		if (mesh_future(a) == SLURM_SUCCESS)
			return SLURM_SUCCESS;
		/* Backfill asks again about a later window. */
		if (a->hopeless && a->window.end)
			return SLURM_ERROR;
	}
	return place_wide(a);
}

/*
 * WILL_RUN of a job that shares nodes. Only the stock plugin knows where there is room, and mostly
 * there is none. So the stock plugin says when the job can start; only if that is now, the
 * strategy is asked.
 */
static int place_shared(struct mesh_attempt *a)
{
	int rc = place_wide(a);

	if (rc != SLURM_SUCCESS || a->test->job->start_time > time(NULL) || a->window.start)
		return rc;
	rc = place_now(a);
	if (rc == SLURM_SUCCESS)
		return rc;
	/* Ask again: the job's record has cores and GRES of the stock plugin's last answer. */
	return place_wide(a);
}

/* --- by preemption ---------------------------------------------------------------- */

static bool can_start_now(const struct mesh_attempt *a)
{
	return a->test->mode != SELECT_MODE_WILL_RUN || a->test->job->start_time <= time(NULL);
}

struct room {
	bitstr_t *free;	  /* nodes that are available without preemption */
	bitstr_t *chosen; /* only jobs with a node of these leave; NULL: any job may */
	int jobs;	  /* that are looked at, of those that Slurm would preempt the first */
	bool emptied;	  /* leave out nodes where other jobs stay */
	bitstr_t *made;	  /* nodes to propose among */
	int *leaves;	  /* [node] how many of these jobs run there */
};

static int add_room(void *x, void *arg)
{
	const job_record_t *job = x;
	struct room *room = arg;

	if (room->jobs-- <= 0 || !job->node_bitmap ||
		bit_size(job->node_bitmap) != bit_size(room->made) ||
		(room->chosen && !bit_overlap_any(job->node_bitmap, room->chosen)))
		return 0;
	bit_or(room->made, job->node_bitmap);
	mesh_bits_each(i, job->node_bitmap)
		room->leaves[i] += IS_JOB_RUNNING(job);
	return 0;
}

/* Propose free nodes and those of jobs that leave. Fails if none may leave, or not now. */
static int place_in_room(struct mesh_attempt *a, struct room room)
{
	struct mesh_proposal best = {.nodes = bit_alloc(bit_size(a->given))};
	int rc = SLURM_ERROR;

	room.made = bit_alloc(bit_size(a->given));
	room.leaves = xcalloc((size_t)bit_size(a->given), sizeof(*room.leaves));
	list_for_each(a->test->preemptees, add_room, &room);
	mesh_bits_each(i, room.made)
		if (room.emptied &&
			(!compat_node(i) || compat_node(i)->run_job_cnt > room.leaves[i]))
			bit_clear(room.made, i);
	xfree(room.leaves);
	if (!room.chosen || bit_ffs(room.made) >= 0) {
		bit_or(room.made, room.free);
		bit_and(room.made, a->given);
		mesh_propose(a, a->want.ops, room.made, a->want.request.count, &best);
	}
	if (best.part) {
		rc = mesh_offer(a, best.nodes);
		a->refused = rc != SLURM_SUCCESS || !can_start_now(a);
		rc = a->refused ? SLURM_ERROR : SLURM_SUCCESS;
	}
	FREE_NULL_BITMAP(room.made);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

/*
 * Few jobs shall end for a box: the more of them are asked, the more a box may overlap. One that
 * shares nodes may, at each step, have a box beside jobs that stay if there is no other.
 */
static int place_in_little_room(struct mesh_attempt *a)
{
	bitstr_t *can = a->want.whole_nodes ? NULL : mesh_delegate_probe(a, false);
	struct room room = {.free = can ? can : idle_node_bitmap};
	int rc = SLURM_ERROR, all = list_count(a->test->preemptees);

	for (int jobs = 1; rc != SLURM_SUCCESS && jobs < 2 * all; jobs *= 2) {
		room.jobs = jobs;
		room.emptied = true;
		rc = place_in_room(a, room);
		room.emptied = false;
		if (rc != SLURM_SUCCESS && !a->want.whole_nodes)
			rc = place_in_room(a, room);
	}
	FREE_NULL_BITMAP(can);
	return rc;
}

/*
 * The stock plugin chooses which jobs are preempted. The strategy chooses among the nodes that
 * these jobs leave. Requeued or cancelled jobs end first, and Slurm then asks again; suspended
 * ones stay.
 */
static int place_preempting(struct mesh_attempt *a)
{
	int rc = place_later(a);
	bitstr_t *chosen;

	if (rc != SLURM_SUCCESS || !a->want.whole_nodes || !can_start_now(a))
		return rc;
	chosen = bit_copy(a->test->bitmap);
	rc = place_in_room(a, (struct room){.free = idle_node_bitmap, .chosen = chosen,
				      .jobs = INT32_MAX, .emptied = true});
	if (rc == SLURM_SUCCESS)
		a->by = a->want.ops->name;
	else
		rc = mesh_offer(a, chosen);
	FREE_NULL_BITMAP(chosen);
	return rc;
}

/* --- boxes ------------------------------------------------------------------------ */

/*
 * Has an update made the job want more nodes than its shape has? Slurm holds a job that can never
 * run, with the reason BadConstraints.
 */
static bool contradicts_itself(const struct mesh_attempt *a)
{
	const job_record_t *job = a->test->job;
	bool wrong = mesh_validate_contradicts(job->details, &a->want.request.shape);

	if (wrong)
		info("%s: JobId=%u: it can never run: it asks for %u nodes, its shape is of others",
			plugin_type, job->job_id, job->details->min_nodes);
	return wrong;
}

/* Offer a box that there would be if all given nodes were idle: *best. */
static int offer_ever(struct mesh_attempt *a, struct mesh_proposal *best)
{
	mesh_propose_ever(a, best);
	return best->part ? mesh_offer(a, best->nodes) : SLURM_ERROR;
}

/* Could there ever be a box, if all given nodes were idle? */
static int test_box(struct mesh_attempt *a)
{
	struct mesh_proposal best = {.nodes = bit_alloc(bit_size(a->given))};
	int rc;

	a->by = a->want.ops->name;
	rc = offer_ever(a, &best);
	/* This box may lack what another box has: memory, say. */
	if (rc != SLURM_SUCCESS && best.part && mesh_delegate_learn(a))
		rc = a->want.box ? offer_ever(a, &best) : SLURM_ERROR;
	if (rc != SLURM_SUCCESS && best.part && !a->want.all_of_shape)
		rc = mesh_offer(a, a->given);
	/* No reason to refuse the job for good: time ran out, or the job was accepted before. */
	if (rc != SLURM_SUCCESS &&
		((!best.part && a->late) || mesh_want_queued(a->test->job)) &&
		!contradicts_itself(a))
		rc = mesh_offer(a, a->given);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

/*
 * When can the job start: in a box, or anywhere among `all` from a->want.relax on? The earlier
 * start counts.
 */
static int place_box_later(struct mesh_attempt *a, bitstr_t *all)
{
	const struct mesh_want boxed = a->want;
	job_record_t *job = a->test->job;
	int rc = mesh_future(a), wide;
	time_t when;
	bitstr_t *box;

	bit_copybits(a->given, all);
	if (!a->want.box || !a->want.relax ||
		(rc == SLURM_SUCCESS && job->start_time <= a->want.relax))
		return rc;
	box = bit_copy(a->test->bitmap);
	when = job->start_time;
	mesh_want_relax(&a->want, strategy_for(STRATEGY_RELAXED));
	wide = place_wide(a);
	if (wide == SLURM_SUCCESS && job->start_time < a->want.relax)
		job->start_time = a->want.relax;
	/* Offer the box again, as a box: the job's record must match it. */
	if (rc == SLURM_SUCCESS && (wide != SLURM_SUCCESS || when <= job->start_time)) {
		a->want = boxed;
		a->by = boxed.ops->name;
		wide = mesh_offer(a, box);
	}
	FREE_NULL_BITMAP(box);
	return wide;
}

/* No box can be had now: preempt jobs for one, or say when there will be one. */
static int place_box_by_others(struct mesh_attempt *a)
{
	bitstr_t *all = bit_copy(a->given);
	int rc = SLURM_ERROR;

	if (a->test->preemptees) {
		a->refused = false;
		rc = place_in_little_room(a);
		if (a->refused && mesh_delegate_learn(a) && a->want.box)
			rc = place_in_little_room(a);
	}
	if (rc != SLURM_SUCCESS && a->want.box && a->test->mode == SELECT_MODE_WILL_RUN &&
		!(a->test->job->bit_flags & TEST_NOW_ONLY))
		rc = place_box_later(a, all);
	bit_copybits(a->given, all);
	FREE_NULL_BITMAP(all);
	return rc;
}

static int place_box(struct mesh_attempt *a)
{
	bool test = a->test->mode == SELECT_MODE_TEST_ONLY;
	int rc = test ? test_box(a) : place_now(a);

	if (rc != SLURM_SUCCESS && a->want.fallback) {
		mesh_want_relax(&a->want, a->want.fallback);
		return test ? place_wide(a) : rc;
	}
	if (test || rc == SLURM_SUCCESS)
		return rc;
	/* Boxes of all sizes were refused: the job may need more nodes than a mesh has. */
	if (a->refused && a->want.count_open && a->want.may_outgrow)
		mesh_delegate_learn(a);
	return a->want.box ? place_box_by_others(a) : rc;
}

/* ---------------------------------------------------------------------------------- */

static int place(struct mesh_attempt *a)
{
	int rc = SLURM_ERROR;

	if (a->want.stock)
		return place_wide(a);
	if (a->want.box) {
		rc = place_box(a);
		if (a->failed && rc != SLURM_SUCCESS) {
			mesh_want_relax(&a->want, a->want.ops);
			return place_wide(a);
		}
		if (rc == SLURM_SUCCESS || a->want.box || a->test->mode == SELECT_MODE_TEST_ONLY)
			return rc;
		/* The job has given up its box: place it as any other. */
		if (a->want.stock)
			return place_wide(a);
	}
	if (a->test->mode == SELECT_MODE_WILL_RUN && !a->want.whole_nodes &&
		!(a->test->job->bit_flags & TEST_NOW_ONLY))
		return place_shared(a);
	if (a->test->mode == SELECT_MODE_TEST_ONLY)
		return place_ever(a);
	rc = place_now(a);
	if (rc == SLURM_SUCCESS ||
		(a->hopeless && a->test->mode == SELECT_MODE_RUN_NOW && !a->test->preemptees))
		return rc;
	return a->test->preemptees ? place_preempting(a) : place_later(a);
}

/* Another plugin's rules place the job: narrow nothing. */
static int place_other_topology(struct job_test *test)
{
	bool before = mesh_validated(test->job);

	mesh_validate(test);
	if (mesh_validate_refuses(test))
		return SLURM_ERROR;
	if (!before && mesh_validated(test->job))
		info("%s: JobId=%u: --mesh- options do nothing in partition %s", plugin_type,
			test->job->job_id, test->job->part_ptr->name);
	return test->stock(test);
}

int mesh_place(struct job_test *test)
{
	int64_t started = mesh_clock_ns(CLOCK_MONOTONIC);
	const struct mesh_part *part;
	struct mesh_attempt a;
	struct mesh_want wanted;
	int rc;

	if (!mesh_conf_fits(test->bitmap))
		return test->stock(test);
	if (mesh_other_topology(test->job->part_ptr))
		return place_other_topology(test);
	if ((rc = mesh_attempt_begin(&a, test)))
		return rc;
	/* A partition whose topology has the name of a mesh uses that mesh alone. */
	if ((part = mesh_conf_part(compat_partition_topology(test->job->part_ptr))))
		bit_and(a.given, part->nodes);
	a.window = compat_window(test->will_run);
	if (a.window.start <= time(NULL))
		a.window.start = 0;
	wanted = a.want;
	rc = place(&a);
	if (a.learnt)
		wanted.request.count = a.want.request.count;
	wanted.box &= !(a.learnt && mesh_want_outgrows(test->job, &a.want));
	if (test->mode == SELECT_MODE_WILL_RUN)
		mesh_reason_tell(test, a.want.fallback ? &a.want : &wanted, rc);
	if (test->mode != SELECT_MODE_TEST_ONLY)
		rc = mesh_want_reason(&a.want, rc);
	if (rc != SLURM_SUCCESS && test->mode == SELECT_MODE_RUN_NOW)
		rc = compat_license_error(test->job, rc);
	mesh_log_decision(&a, rc, started);
	if (rc == SLURM_SUCCESS && test->mode == SELECT_MODE_RUN_NOW &&
		mesh_conf()->settings.comment)
		mesh_log_comment(&a);
	FREE_NULL_BITMAP(a.given);
	return rc;
}
