/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * WILL_RUN for jobs that wait for a box or for whole nodes: when can the job start?
 *
 * The stock plugin alone does not know. It removes running jobs in order of their ends, in windows
 * of growing length, until the job fits. It knows no boxes, and its answer can be late by the
 * length of the last window.
 *
 * Free nodes only grow as jobs end. So bisection over the ends finds the first end that leaves a
 * box, or enough nodes; a strategy can be asked about any such future. The stock plugin is then
 * offered these nodes alone and returns the exact time at which they are free. Backfill's plans of
 * whole nodes use the end of the stock plugin's window instead: see first_to_try().
 *
 * A strategy that runs out of time (mesh_propose.c) says no though a box may exist. The start that
 * Slurm is told is then too late, never too early.
 *
 * Strategies with lists of all busy boxes (tbl, qtree) cost more time than the stock plugin. First
 * fit plans in their place; the strategy itself is asked when the job is to start.
 */
#include "select/select_mesh.h"

#include "shared/mesh_bits.h"
#include "shared/mesh_runs.h"
#include "conf/strategies.h"

enum { WINDOW = 30 }; /* seconds: the first window of the stock plugin */

/* The ends of running jobs, and the nodes that are available at each end. */
struct ends {
	struct mesh_runs_ends all;
	time_t *at;	 /* [n] ascending, distinct: window start, then job ends on given nodes */
	int n;
	int first; /* index of the first job end: 1 if at[0] is the window start, else 0 */
	bitstr_t *now;	 /* nodes that are available now */
	bitstr_t *never; /* nodes without a job that are not available now */
	bitstr_t *then;	 /* scratch: nodes that are available at a later time */
	bitstr_t *room;	 /* scratch: the part of `then` that the job could get */
};

/*
 * Set e->now and e->never by a probe. Only the stock plugin knows which shared nodes can host the
 * job beside others, which cores reservations keep, and which nodes suspended jobs keep. A node
 * without a job that it refuses now, it refuses later too.
 */
static void ask_stock(struct ends *e, struct mesh_attempt *a)
{
	e->now = mesh_delegate_probe(a, false);
	e->never = bit_copy(a->given);
	for (int i = 0; i < e->all.n; i++)
		bit_clear(e->never, e->all.order[i]);
	if (e->now)
		bit_and_not(e->never, e->now);
}

/* Ends after the window are left out: the stock plugin refuses nodes that are free only then. */
static void add_ends(struct ends *e, struct mesh_attempt *a)
{
	if (a->window.start)
		e->at[e->n++] = a->window.start;
	e->first = e->n;
	for (int i = 0; i < e->all.n; i++) {
		int node = e->all.order[i];
		time_t when = e->all.until[node];

		if (a->window.end && when > a->window.end)
			return;
		if (bit_test(a->given, node) && (!e->n || when > e->at[e->n - 1]))
			e->at[e->n++] = when;
	}
}

static void ends_init(struct ends *e, struct mesh_attempt *a)
{
	e->all = mesh_runs_ends();
	e->at = xcalloc((size_t)e->all.n + 1, sizeof(*e->at));
	e->then = bit_alloc(node_record_count);
	e->room = bit_alloc(node_record_count);
	add_ends(e, a);
	if (!a->want.whole_nodes || e->all.suspended || compat_keeps_any(a->test->excluded))
		ask_stock(e, a);
	if (!e->now)
		e->now = bit_alloc(node_record_count);
}

static void ends_release(struct ends *e)
{
	xfree(e->at);
	FREE_NULL_BITMAP(e->now);
	FREE_NULL_BITMAP(e->never);
	FREE_NULL_BITMAP(e->then);
	FREE_NULL_BITMAP(e->room);
}

/* Set e->then to the nodes that are available at the time `when`. */
static void look_at(struct mesh_attempt *a, struct ends *e, time_t when)
{
	bit_copybits(e->then, a->given);
	if (e->never)
		bit_and_not(e->then, e->never);
	for (int i = e->all.n - 1; i >= 0 && e->all.until[e->all.order[i]] > when; i--)
		if (!bit_test(e->now, e->all.order[i]))
			bit_clear(e->then, e->all.order[i]);
}

static bool box_at(struct mesh_attempt *a, struct ends *e, const struct strategy_ops *ops,
	time_t when, struct mesh_proposal *best)
{
	look_at(a, e, when);
	a->when = when;
	mesh_propose(a, ops, e->then, a->want.request.count, best);
	a->when = 0;
	return best->part != NULL;
}

/* Do all meshes together hold enough segments? Sets e->room. */
static bool room_in_segments(struct mesh_attempt *a, struct ends *e)
{
	struct mesh_conf *conf = mesh_conf();
	int segment = a->want.request.segment, nodes = 0;

	for (int i = 0; segment && i < conf->topo->nmeshes; i++)
		nodes += bit_overlap(e->then, conf->part[i].nodes) / segment * segment;
	bit_copybits(e->room, e->then);
	bit_and(e->room, conf->mapped);
	return segment && nodes >= MAX(a->want.min, 1) && mesh_delegate_enough(a, e->then);
}

/*
 * Are enough nodes available at the time `when`, in one mesh, or anywhere if jobs may span meshes?
 * They go to best->nodes. Which of them the job gets is decided when it starts.
 */
static bool room_at(struct mesh_attempt *a, struct ends *e, time_t when, struct mesh_proposal *best)
{
	struct mesh_conf *conf = mesh_conf();
	bool found;

	look_at(a, e, when);
	bit_copybits(e->room, e->then);
	found = conf->settings.span && !a->want.request.segment && mesh_delegate_enough(a, e->room);
	for (int i = 0; i < conf->topo->nmeshes && !found; i++) {
		bit_copybits(e->room, e->then);
		bit_and(e->room, conf->part[i].nodes);
		found = mesh_delegate_enough(a, e->room);
	}
	found = found || room_in_segments(a, e);
	if (found)
		bit_copybits(best->nodes, e->room);
	return found;
}

/* Add up to `left` nodes of e->then to `nodes`, first the nodes that jobs keep longest. */
static void take_last_free(struct ends *e, int left, bitstr_t *nodes)
{
	for (int i = e->all.n - 1; i >= 0 && left > 0; i--)
		if (bit_test(e->then, e->all.order[i])) {
			bit_clear(e->then, e->all.order[i]);
			bit_set(nodes, e->all.order[i]);
			left--;
		}
	for (int i = mesh_bits_next(e->then, 0); i >= 0 && left > 0;
		i = mesh_bits_next(e->then, i + 1)) {
		bit_set(nodes, i);
		left--;
	}
}

/*
 * Reduce best->nodes to as many as the job wants: the nodes that are free last. Backfill keeps a
 * plan's nodes from all jobs that would still run at the plan's start, and these jobs can use
 * nodes that are free now.
 */
static void narrow_tightly(struct mesh_attempt *a, struct ends *e, struct mesh_proposal *best)
{
	bitstr_t *required = a->test->job->details->req_node_bitmap;
	int wanted = a->want.request.count;

	bit_copybits(e->then, best->nodes);
	bit_clear_all(best->nodes);
	if (required) {
		bit_or(best->nodes, required);
		bit_and_not(e->then, required);
		wanted -= bit_set_count(required);
	}
	take_last_free(e, wanted, best->nodes);
}

/*
 * Shall the job's plan keep as few nodes from other jobs as it can? Yes for the first job of the
 * queue, and for all with mesh_tight_plans=yes. If all plans were tight, few gaps would be left,
 * and small jobs would wait in turn with large ones (doc/lab/clock.md).
 */
static bool is_tight(const struct mesh_attempt *a)
{
	return !a->want.request.segment &&
	       (mesh_conf()->settings.tight_plans || mesh_queue_first(a->test->job));
}

/*
 * Reduce best->nodes to as many as the job wants. Backfill spends its time in the stock plugin,
 * which tests all offered nodes at each end before the start. A quick strategy chooses: the job's
 * own can be slow, and is asked when the job starts.
 */
static void narrow(struct mesh_attempt *a, struct ends *e, struct mesh_proposal *best)
{
	bool final = mesh_want_reserves(a->test->job); /* a reservation keeps these nodes */

	if (!final && is_tight(a)) {
		narrow_tightly(a, e, best);
		return;
	}
	bit_copybits(e->then, best->nodes);
	mesh_propose(a, final ? a->want.ops : strategy_for(STRATEGY_QUICK), e->then,
		a->want.request.count, best);
	if (!best->part)
		bit_copybits(best->nodes, e->then);
}

/*
 * Are there enough nodes, or is any box free, at the time `when`? A quick strategy answers about
 * boxes, as bisection asks about many ends. The job's own strategy then chooses the box once.
 */
static bool nodes_at(
	struct mesh_attempt *a, struct ends *e, time_t when, struct mesh_proposal *best)
{
	const struct strategy_ops *ops =
		a->want.request.segment ? a->want.ops : strategy_for(STRATEGY_QUICK_BOXES);

	return a->want.box ? box_at(a, e, ops, when, best) : room_at(a, e, when, best);
}

/*
 * The index of the first of e->at[] that leaves a box, or enough nodes, and the nodes in *best;
 * e->n if none does. The last end is tried first: most nodes are free then. If it fails, all
 * others fail.
 */
static int first_end(struct mesh_attempt *a, struct ends *e, struct mesh_proposal *best)
{
	int low = 0, high = e->n - 1;

	if (!e->n || !nodes_at(a, e, e->at[high], best))
		return e->n;
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (nodes_at(a, e, e->at[middle], best))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

/* bf_window_linear=: the seconds by which the stock plugin's windows grow; 0: they double. */
static time_t window_growth(void)
{
	static const char key[] = "bf_window_linear=";
	const char *at = xstrcasestr(slurm_conf.sched_params, key);

	return at ? MAX(atoi(at + strlen(key)), 0) : 0;
}

/*
 * Seconds from the start of all windows to the close of the window that holds the second `after`.
 */
static time_t window_around(time_t after)
{
	time_t growth = window_growth(), window = WINDOW;

	if (growth)
		return after <= WINDOW ? WINDOW
				       : WINDOW + (after - 1 - WINDOW + growth) / growth * growth;
	while (window < after && window < INT64_MAX / 4)
		window *= 2;
	return window;
}

/* The index of the last end in the same window as e->at[i]. */
static int last_in_window(const struct ends *e, int i)
{
	time_t from = e->at[e->first] - e->at[e->first] % WINDOW + WINDOW;
	time_t until = from + window_around(e->at[i] - from);

	while (i + 1 < e->n && e->at[i + 1] <= until)
		i++;
	return i;
}

/*
 * The index of the first of e->at[] to offer, and the nodes in *best; e->n if there is none.
 * Backfill's plans start at the last end of the stock plugin's window, as the stock plugin's own
 * do: exact plans leave less room for jobs before them, and all jobs wait longer
 * (doc/lab/clock.md). The job still begins as soon as it can. --test-only gets the first end.
 */
static int first_to_try(struct mesh_attempt *a, struct ends *e, struct mesh_proposal *best)
{
	int first = first_end(a, e, best), last;

	if (first == e->n || first < e->first || a->want.box ||
		!(a->test->job->bit_flags & BACKFILL_TEST))
		return first;
	last = last_in_window(e, first);
	if (last > first)
		room_at(a, e, e->at[last], best);
	return last;
}

/* Offer nodes that are all free at the time `when`, for a start then. Returns as mesh_offer(). */
static int offer_at(struct mesh_attempt *a, bitstr_t *nodes, time_t when)
{
	job_record_t *job = a->test->job;
	int rc;

	if (mesh_repeat(a, nodes, when))
		return SLURM_SUCCESS;
	rc = mesh_offer(a, nodes);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (job->start_time <= when)
		mesh_repeat_note(a, nodes);
	/* The job's own nodes may be free before the rest of its box, or before the window ends. */
	job->start_time = MAX(job->start_time, when);
	return SLURM_SUCCESS;
}

static int look_ahead(struct mesh_attempt *a)
{
	/* The stock plugin may refuse a box (memory, GRES) and accept another one later. After one
	 * refusal of any nodes it chooses itself, among all nodes. */
	const int tries = a->want.box ? 8 : 1;
	struct mesh_proposal best = {.nodes = bit_alloc(node_record_count)};
	bool lists = a->want.ops->flags & STRATEGY_LISTS && !a->want.request.segment;
	const struct strategy_ops *ops =
		lists ? strategy_for(STRATEGY_QUICK_BOXES) : a->want.ops;
	struct ends ends = {0};
	int rc = SLURM_ERROR, first;

	ends_init(&ends, a);
	first = first_to_try(a, &ends, &best);
	a->hopeless = first == ends.n;
	for (int i = first; i < ends.n && i < first + tries && rc != SLURM_SUCCESS; i++) {
		if (!a->want.box)
			narrow(a, &ends, &best);
		else if (!box_at(a, &ends, ops, ends.at[i], &best))
			continue;
		rc = offer_at(a, best.nodes, ends.at[i]);
	}
	ends_release(&ends);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

int mesh_future(struct mesh_attempt *a)
{
	int rc = look_ahead(a);

	if (rc == SLURM_SUCCESS || !a->want.box || a->hopeless || !mesh_delegate_learn(a))
		return rc;
	if (a->want.box)
		rc = look_ahead(a);
	return rc;
}
