/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * WILL_RUN for jobs that wait for a box, or for whole nodes. The stock plugin takes jobs away
 * in order of their ends, ever more of them at a time, until the job fits somewhere: it does
 * not know boxes, and what it says can be late by as much as the last lot spans. But a
 * strategy can be asked about any future: free nodes only grow as jobs end, so the first end
 * that leaves a box, or nodes enough, is found by bisection. Offered those nodes and nothing
 * else, the stock plugin says exactly when they are free. Backfill's plans of whole nodes are for
 * the end of the stock plugin's window.
 *
 * A strategy that comes to the end of its time (mesh_propose.c) says no where there may be a box.
 * What is said then is late, never early: of a box that was found, at a later end.
 *
 * Lists of all busy boxes (tbl, qtree) cost more than all that the stock plugin does: first fit
 * plans for those. They are asked when the job is to start.
 */
#include "select/select_mesh.h"

#include "shared/mesh_bits.h"
#include "shared/mesh_runs.h"
#include "conf/strategies.h"

enum { WINDOW = 30 }; /* seconds, the stock plugin's first */

/* The ends of running jobs, and the nodes that may be had at each. */
struct ends {
	struct mesh_ends all;
	time_t *at;	 /* [n] ascending, each once: those of the nodes given, in the window */
	int n;
	int first; /* is an end: 1 where the window's start, later than now, comes before it */
	bitstr_t *now;	 /* nodes that can be had now */
	bitstr_t *never; /* those that cannot, though no job is there */
	bitstr_t *then;	 /* scratch: those at a later time */
	bitstr_t *room;	 /* the same: those of them that the job could have */
};

/*
 * A shared node may host the job while others run there: only the stock plugin knows. So it does
 * of the cores that reservations keep. A node without a job which it does not take now will not be
 * taken later.
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

/* The stock plugin says no to nodes that are free outside of the window. */
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
	if (!a->want.whole_nodes || compat_keeps_any(a->test->excluded))
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

/* e->then: the nodes that can be had at that time. */
static void look_at(struct mesh_attempt *a, struct ends *e, time_t when)
{
	bit_copybits(e->then, a->given);
	if (e->never)
		bit_and_not(e->then, e->never);
	for (int i = e->all.n - 1; i >= 0 && e->all.until[e->all.order[i]] > when; i--)
		if (!bit_test(e->now, e->all.order[i]))
			bit_clear(e->then, e->all.order[i]);
}

static bool box_at(struct mesh_attempt *a, struct ends *e, time_t when, struct mesh_proposal *best)
{
	look_at(a, e, when);
	a->when = when;
	mesh_propose(a, e->then, a->want.request.count, best);
	a->when = 0;
	return best->part != NULL;
}

/*
 * Is there any? That is asked of most ends that are looked at, and is quickly said: which box it
 * should be is then asked once, of the job's own strategy.
 */
static bool any_box_at(
	struct mesh_attempt *a, struct ends *e, time_t when, struct mesh_proposal *best)
{
	const struct strategy_ops *ops = a->want.ops;
	bool found;

	if (a->want.request.segment)
		return box_at(a, e, when, best);
	a->want.ops = strategy_for(STRATEGY_QUICK_BOXES);
	found = box_at(a, e, when, best);
	a->want.ops = ops;
	return found;
}

/* Segments enough in all meshes together. */
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
 * Nodes enough in one mesh, or anywhere where that may be: any of them will do, which is seen to
 * when the job starts.
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

/* Up to `left` nodes of e->then, those that jobs keep longest before all others. */
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
 * As many of these nodes as are wanted, where any will do: those that are free last. Backfill keeps
 * the nodes of a plan from all jobs that would still run then, and nodes that nobody has are more
 * use to them.
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
 * The plan of the job that is next keeps no more from the others than it must. Were all plans like
 * that, few gaps would be left, and small jobs wait in turn with the large ones (doc/lab/clock.md).
 */
static bool is_tight(const struct mesh_attempt *a)
{
	return !a->want.request.segment &&
	       (mesh_conf()->settings.tight_plans || mesh_queue_first(a->test->job));
}

/*
 * As many of these nodes as are wanted: the stock plugin tests all it is offered, at each of the
 * ends until then, and that is where backfill spends its time. Not by the job's own strategy,
 * which is asked when the job starts, and can be slow.
 */
static void narrow(struct mesh_attempt *a, struct ends *e, struct mesh_proposal *best)
{
	const struct strategy_ops *ops = a->want.ops;

	if (is_tight(a)) {
		narrow_tightly(a, e, best);
		return;
	}
	bit_copybits(e->then, best->nodes);
	a->want.ops = strategy_for(STRATEGY_QUICK);
	mesh_propose(a, e->then, a->want.request.count, best);
	a->want.ops = ops;
	if (!best->part)
		bit_copybits(best->nodes, e->then);
}

static bool nodes_at(
	struct mesh_attempt *a, struct ends *e, time_t when, struct mesh_proposal *best)
{
	return a->want.box ? any_box_at(a, e, when, best) : room_at(a, e, when, best);
}

/*
 * The first of e->at[] that leaves a box, or room, and the nodes of that; e->n if none does. The
 * last of them is asked about first: most nodes are free then, and where that is not enough, no
 * other is.
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

/* bf_window_linear=: by how many seconds the stock plugin's windows grow; 0: they double. */
static time_t window_growth(void)
{
	static const char key[] = "bf_window_linear=";
	const char *at = xstrcasestr(slurm_conf.sched_params, key);

	return at ? MAX(atoi(at + strlen(key)), 0) : 0;
}

/* How long after the first end the window closes that an end `after` it falls into. */
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

/* The last end in the window of e->at[i]. */
static int last_in_window(const struct ends *e, int i)
{
	time_t from = e->at[e->first] - e->at[e->first] % WINDOW + WINDOW;
	time_t until = from + window_around(e->at[i] - from);

	while (i + 1 < e->n && e->at[i + 1] <= until)
		i++;
	return i;
}

/*
 * The first of e->at[] to be tried, and the nodes; e->n if there is none. The stock plugin looks at
 * ends by ever longer windows, so that backfill plans jobs later than they could begin. So it does
 * here, since exact plans leave less room for jobs before them, and all wait longer
 * (doc/lab/clock.md). A job begins as soon as it can all the same. Who asks with --test-only is
 * told the first end.
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

/* The stock plugin is asked at most so many times. */
static int future(struct mesh_attempt *a, int tries)
{
	struct mesh_proposal best = {.nodes = bit_alloc(node_record_count)};
	struct ends ends = {0};
	int rc = SLURM_ERROR, first;

	ends_init(&ends, a);
	first = first_to_try(a, &ends, &best);
	a->hopeless = first == ends.n;
	for (int i = first; i < ends.n && i < first + tries && rc != SLURM_SUCCESS; i++) {
		if (!a->want.box)
			narrow(a, &ends, &best);
		else if (!box_at(a, &ends, ends.at[i], &best))
			continue;
		rc = mesh_offer(a, best.nodes);
		/* The job's own nodes may be free before the rest of its box is, or before the
		 * window ends. */
		if (rc == SLURM_SUCCESS)
			a->test->job->start_time = MAX(a->test->job->start_time, ends.at[i]);
	}
	ends_release(&ends);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

int mesh_future_box(struct mesh_attempt *a)
{
	const struct strategy_ops *ops = a->want.ops;
	int rc;

	if (ops->flags & STRATEGY_LISTS && !a->want.request.segment)
		a->want.ops = strategy_for(STRATEGY_QUICK_BOXES);
	/* Where the stock plugin does not take the box (memory, GRES), another may be free
	 * later. */
	rc = future(a, 8);
	a->want.ops = ops;
	return rc;
}

int mesh_future_room(struct mesh_attempt *a)
{
	/* Where it does not take these nodes it knows best which will do. */
	return future(a, 1);
}
