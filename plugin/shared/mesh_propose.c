/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_attempt.h"
#include "shared/mesh_bits.h"
#include "shared/mesh_cycle.h"
#include "shared/mesh_runs.h"
#include "shared/mesh_weights.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

enum {
	GUESSES = 8, /* tries at the number of nodes, for a job that does not say it */
	CLASSES = 3,   /* classes of nodes (mesh_weights.h) offered before all nodes are */
};

/* Convert the job's required nodes; *required is NULL if none. False: one is not in this part. */
static bool required_here(struct mesh_attempt *a, struct mesh_part *part,
	const struct nodeset **required)
{
	bitstr_t *nodes = a->test->job->details->req_node_bitmap;

	*required = NULL;
	if (!nodes || bit_ffs(nodes) < 0)
		return true;
	if (!bit_super_set(nodes, part->nodes))
		return false;
	mesh_conf_members(part, nodes, &part->required);
	*required = &part->required;
	return true;
}

/*
 * Add free nodes of a->first to the required ones, up to `count`: the rest of the job is then near
 * them. Boxes and segments leave no choice, so nothing is added.
 */
static const struct nodeset *with_first(struct mesh_attempt *a, struct mesh_part *part, int count,
	const struct nodeset *required)
{
	const struct mesh_conf *conf = mesh_conf();
	int n = required ? nodeset_count(required) : 0, which = (int)(part - conf->part);

	if (!a->first || a->want.box || a->want.request.segment)
		return required;
	if (!required)
		nodeset_clear_all(&part->required);
	mesh_bits_each(i, a->first) {
		if (conf->part_of[i] != which || nodeset_has(&part->required, conf->position[i]) ||
			!nodeset_has(&part->free, conf->position[i]) || n == count)
			continue;
		nodeset_add(&part->required, conf->position[i]);
		n++;
	}
	return n ? &part->required : NULL;
}

/* Note that the strategy failed. Log it once a minute: a thousand jobs may be waiting. */
static enum mesh_result broke_down(struct mesh_attempt *a, const struct mesh_err *err)
{
	static time_t told;
	time_t now = time(NULL);

	a->failed = true;
	if (now < told || now >= told + 60) {
		told = now;
		error("%s: JobId=%u strategy %s: %s; the stock choice is used", plugin_type,
			a->test->job->job_id, a->ops->name, err->text);
	}
	return MESH_ERROR;
}

/*
 * The budget of the next question in ns; 0: no limit. All questions of one job_test share
 * mesh_max_time. WILL_RUN takes many questions, so each gets half of what is left. Where nothing
 * is left the budget is 1, not 0.
 */
static int64_t budget_ns(struct mesh_attempt *a)
{
	int64_t all = a->want.request.budget_ns, left = all;

	if (!all)
		return 0;
	if (a->budget.look)
		left = mesh_budget_left(&a->budget);
	else
		mesh_budget_start(&a->budget, all);
	return MAX(a->test->mode == SELECT_MODE_WILL_RUN ? left / 2 : left, 1);
}

/*
 * Does the part's last answer fit this question? Backfill asks when a job can start. If that is
 * now, it starts the job a moment later, mostly on the same free nodes.
 */
static bool repeats(const struct mesh_part *part, const struct strategy_ops *ops,
	const struct mesh_request *request)
{
	const struct mesh_conf_last *last = &part->last;

	return last->ops == ops && !request->required && !request->shape.ndims &&
		!request->segment && last->request.count == request->count &&
		last->request.seed == request->seed &&
		last->request.time_limit == request->time_limit &&
		last->request.hint == request->hint && last->request.pattern == request->pattern &&
		!memcmp(&last->request.grid, &request->grid, sizeof(request->grid)) &&
		nodeset_equal(&last->free, &part->free);
}

static void remember(struct mesh_part *part, const struct strategy_ops *ops,
	const struct mesh_request *request, const struct mesh_answer *answer)
{
	struct mesh_conf_last *last = &part->last;

	/* A box with broken links is none for a job that is to start. */
	if (!(ops->flags & STRATEGY_NO_RUNS) || request->required || request->shape.ndims ||
		request->shape.any_links || request->segment || answer->out_of_time)
		return;
	last->ops = ops;
	last->request = *request;
	nodeset_copy(&last->free, &part->free);
	last->count = answer->count;
	memcpy(last->node, answer->node, (size_t)answer->count * sizeof(*last->node));
}

static enum mesh_result decide(struct mesh_attempt *a, struct mesh_part *part,
	struct strategy *strategy, struct mesh_request *request, struct mesh_answer *answer)
{
	struct mesh_state state = {.free = &part->free, .now = a->when ? a->when : time(NULL)};
	enum mesh_result result;
	int64_t began;

	if (!(a->ops->flags & STRATEGY_NO_RUNS))
		state.nruns = mesh_runs_in(part, &state.run);
	request->budget_ns = budget_ns(a);
	began = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	result = strategy_decide(strategy, &state, request, answer);
	mesh_cycle_spend(a->test->job->user_id, mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID) - began,
		answer->out_of_time);
	a->late |= answer->out_of_time;
	if (result == MESH_OK)
		remember(part, a->ops, request, answer);
	return result == MESH_ERROR ? broke_down(a, &answer->err) : result;
}

/*
 * Does the strategy miss some free boxes, as qtree does? First fit misses none, and answers then.
 */
static bool overlooks_boxes(const struct strategy_ops *ops)
{
	return (ops->flags & (STRATEGY_LISTS | STRATEGY_COMPLETE)) == STRATEGY_LISTS;
}

static enum mesh_result ask_one(struct mesh_attempt *a, struct mesh_part *part, int count,
	const struct nodeset *required, struct mesh_answer *answer)
{
	const struct strategy_ops *ops = a->ops;
	struct mesh_request request = a->want.request;
	enum mesh_result result;
	struct mesh_err err = {{0}};
	struct strategy *strategy = mesh_conf_strategy(part, ops, &err);

	if (!strategy)
		return broke_down(a, &err);
	answer->node = part->answer;
	/* All free nodes are wanted: there is nothing to decide. */
	if (!a->want.box && !a->want.request.segment && count == nodeset_count(&part->free) &&
		(!required || nodeset_subset(required, &part->free))) {
		answer->count = nodeset_members(&part->free, part->answer);
		return MESH_OK;
	}
	request.count = count;
	request.required = required;
	if (repeats(part, ops, &request)) {
		answer->count = part->last.count;
		memcpy(answer->node, part->last.node, (size_t)answer->count * sizeof(int));
		return MESH_OK;
	}
	result = decide(a, part, strategy, &request, answer);
	if (result != MESH_NO_FIT || answer->out_of_time || !overlooks_boxes(ops))
		return result;
	a->ops = strategy_for(STRATEGY_QUICK_BOXES);
	result = ask_one(a, part, count, required, answer);
	a->ops = ops;
	return result;
}

/*
 * There is no box of `than` nodes, or no segments: find the largest smaller number, from the job's
 * minimum on, for which there is. A box holds smaller boxes, so bisection finds it. The last
 * answer is kept, as no time may be left to find it again.
 */
static enum mesh_result ask_fewer(struct mesh_attempt *a, struct mesh_part *part, int than,
	const struct nodeset *required, struct mesh_answer *answer)
{
	int each = MAX(a->want.request.segment, 1), low = (a->want.min + each - 1) / each;
	int high = (than - 1) / each, count = low, *kept;
	const job_details_t *details = a->test->job->details;
	struct mesh_answer found = {.count = 0};

	if (!a->want.box || a->want.all_of_shape || low < 1 || low > high)
		return MESH_NO_FIT;
	if (compat_sizes(details)) {
		while ((than = compat_size_at_most(details, than - 1)) >= a->want.min)
			if (than % each == 0 && ask_one(a, part, than, required, answer) == MESH_OK)
				return MESH_OK;
		return MESH_NO_FIT;
	}
	kept = xcalloc((size_t)than, sizeof(*kept));
	while (low <= high) {
		if (ask_one(a, part, count * each, required, answer) == MESH_OK) {
			found = *answer;
			memcpy(kept, answer->node, (size_t)answer->count * sizeof(*kept));
			low = count + 1;
		} else {
			high = found.count ? count - 1 : -1;
		}
		count = low + (high - low) / 2;
	}
	*answer = found;
	answer->node = part->answer;
	memcpy(part->answer, kept, (size_t)found.count * sizeof(*kept));
	xfree(kept);
	return found.count ? MESH_OK : MESH_NO_FIT;
}

/*
 * struct span's ask(): place up to `count` nodes in one mesh. How many; 0: none, or below `known`.
 */
static int ask_part(void *arg, int which, int count, int known)
{
	struct mesh_attempt *a = arg;
	struct mesh_part *part = &mesh_conf()->part[which];
	const struct nodeset *required;
	struct mesh_answer answer = {.node = part->answer};
	int least = a->want.min;

	if (!required_here(a, part, &required))
		return 0;
	if (a->want.box && a->want.all_of_shape)
		count = least = mesh_shape_nodes(part->mesh, &a->want.request.shape);
	if (least > a->want.max)
		return 0;
	count = MIN(count, nodeset_count(&part->free));
	if (a->want.request.segment)
		count -= count % a->want.request.segment;
	count = compat_size_at_most(a->test->job->details, count);
	if (count < least || count < known || count < 1)
		return 0;
	required = with_first(a, part, count, required);
	if (ask_one(a, part, count, required, &answer) != MESH_OK &&
		ask_fewer(a, part, count, required, &answer) != MESH_OK)
		return 0;
	return answer.count;
}

/* Set the free nodes of each part from `can`: in one walk, as there may be hundreds of meshes. */
static void load_parts(struct mesh_attempt *a, bitstr_t *can)
{
	struct mesh_conf *conf = mesh_conf();

	for (int i = 0; i < conf->topo->nmeshes; i++)
		nodeset_clear_all(&conf->part[i].free);
	mesh_bits_each(i, can)
		if (i < conf->nnodes && conf->part_of[i] >= 0)
			nodeset_add(&conf->part[conf->part_of[i]].free, conf->position[i]);
	for (int i = 0; i < conf->topo->nmeshes; i++)
		if (a->want.request.hint == MESH_HINT_ISOLATED)
			mesh_runs_remove_routes(&conf->part[i], a->when, &conf->part[i].free);
}

/* Put what was found into *best, and up to `more` nodes of no mesh, the lowest first. */
static void fill_best(const struct span *span, bitstr_t *can, int more, struct mesh_proposal *best)
{
	const struct mesh_conf *conf = mesh_conf();

	bit_clear_all(best->nodes);
	for (int i = mesh_bits_next(can, 0); i >= 0 && more > 0; i = mesh_bits_next(can, i + 1))
		if (conf->part_of[i] < 0) {
			bit_set(best->nodes, i);
			more--;
		}
	for (int i = 0; i < span->n; i++)
		for (int j = 0; j < span->in[i].count; j++) {
			best->part = &conf->part[i];
			bit_set(best->nodes, best->part->slurm_node[span->in[i].node[j]]);
		}
	best->count = best->part ? bit_set_count(best->nodes) : 0;
}

/* Propose nodes of several meshes, then nodes of no mesh. */
static void propose_over_meshes(struct mesh_attempt *a, struct span *span, bitstr_t *can, int count,
	struct mesh_proposal *best)
{
	int least = a->want.min, found;

	a->want.min = MAX(span->segment, 1);
	found = span_several(span, count);
	a->want.min = least;
	fill_best(span, can, span->segment ? 0 : count - found, best);
	if (best->count < count)
		*best = (struct mesh_proposal){.nodes = best->nodes};
}

/*
 * May and can several meshes, or meshes and nodes of no mesh, serve the request together? Not
 * where nodes of no mesh alone are enough: the stock plugin chooses among these. *count becomes at
 * most the number of nodes in `can`.
 */
static bool may_span(struct mesh_attempt *a, bitstr_t *can, int *count)
{
	const struct mesh_conf *conf = mesh_conf();
	bitstr_t *required = a->test->job->details->req_node_bitmap;

	if (required && bit_ffs(required) >= 0)
		return false;
	if (a->want.request.segment)
		return conf->topo->nmeshes > 1 && !a->want.request.shape.ndims;
	*count = MIN(*count, bit_set_count(can));
	return conf->settings.span && !a->want.box && !a->failed && *count >= a->want.min &&
	       bit_set_count(can) - bit_overlap(can, conf->mapped) < *count;
}

void mesh_propose(struct mesh_attempt *a, const struct strategy_ops *ops, bitstr_t *can, int count,
	struct mesh_proposal *best)
{
	struct mesh_conf *conf = mesh_conf();
	struct span span = {.in = conf->span, .n = conf->topo->nmeshes,
		.segment = a->want.request.segment, .ask = ask_part, .arg = a};

	*best = (struct mesh_proposal){.nodes = best->nodes};
	a->ops = ops;
	load_parts(a, can);
	/* --spread-segments: each segment in a mesh of its own, if there are so many. */
	if (compat_spread_segments(a->test->job) && span.segment && may_span(a, can, &count)) {
		span.most = span.segment;
		propose_over_meshes(a, &span, can, count, best);
		span.most = 0;
	}
	if (!best->part && span_one(&span, count))
		fill_best(&span, can, 0, best);
	if (!best->part && may_span(a, can, &count))
		propose_over_meshes(a, &span, can, count, best);
}

void mesh_propose_ever(struct mesh_attempt *a, struct mesh_proposal *best)
{
	a->when = MESH_ATTEMPT_IDLE;
	a->want.request.shape.any_links = true; /* somebody will mend the links */
	mesh_propose(a, a->want.ops, a->given, a->want.request.count, best);
}

static int offer(struct mesh_attempt *a, bitstr_t *nodes)
{
	int rc = mesh_offer_now(a, nodes);

	a->refused = rc != SLURM_SUCCESS;
	return rc;
}

/*
 * The stock plugin has taken some of the offered nodes, anywhere among them. Offer as many nodes
 * that are near each other. If it refuses these, repeat the offer that it has taken.
 */
static int tighten(struct mesh_attempt *a, bitstr_t *can, const struct mesh_proposal *taken)
{
	struct mesh_proposal fewer = {.nodes = bit_alloc(bit_size(can))};
	int needed = bit_set_count(a->test->bitmap), rc = SLURM_ERROR;

	if (needed >= taken->count) {
		FREE_NULL_BITMAP(fewer.nodes);
		return SLURM_SUCCESS;
	}
	mesh_propose(a, a->want.ops, can, needed, &fewer);
	if (fewer.part)
		rc = offer(a, fewer.nodes);
	if (rc != SLURM_SUCCESS)
		rc = offer(a, taken->nodes);
	FREE_NULL_BITMAP(fewer.nodes);
	return rc;
}

/*
 * The next number of nodes to try, after `count` were too few. First a quarter more: guesses by
 * CPUs are nearly right. Then twice as many, for what cannot be guessed (GRES of tasks). At last
 * all. Segments stay whole.
 */
static int next_count(const struct mesh_attempt *a, int count, int tries)
{
	int each = MAX(a->want.request.segment, 1), step = tries < 2 ? count / 4 : count;
	int most = a->want.max - a->want.max % each;

	step = MAX((step + each - 1) / each, 1) * each;
	return tries == GUESSES - 2 || most - count < step ? most : count + step;
}

static int guess_until(struct mesh_attempt *a, bitstr_t *can)
{
	struct mesh_proposal best = {.nodes = bit_alloc(bit_size(can))};
	int count = a->want.request.count, rc = SLURM_ERROR, tries;

	for (tries = 0; tries < GUESSES; tries++) {
		mesh_propose(a, a->want.ops, can, count, &best);
		if (!best.part)
			break;
		rc = offer(a, best.nodes);
		if (rc == SLURM_SUCCESS || !a->want.count_open || best.count < count ||
			a->want.max - count < MAX(a->want.request.segment, 1))
			break;
		count = next_count(a, count, tries);
	}
	/* A topology plugin cannot repeat an offer that was accepted. */
	if (rc == SLURM_SUCCESS && tries && !a->test->eval)
		rc = tighten(a, can, &best);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

int mesh_propose_until(struct mesh_attempt *a, bitstr_t *can)
{
	int count = a->want.request.count, rc = SLURM_ERROR;
	struct mesh_weights classes;
	bitstr_t *some;

	mesh_weights_init(&classes, a->test, can);
	if (!classes.sorted)
		return guess_until(a, can);
	some = bit_alloc(bit_size(can));
	a->first = bit_alloc(bit_size(can));
	mesh_weights_below(&classes, count, a->first);
	for (int i = 0;
		i < CLASSES && rc != SLURM_SUCCESS && mesh_weights_next(&classes, count, some); i++)
		rc = guess_until(a, some);
	if (rc != SLURM_SUCCESS)
		rc = guess_until(a, can);
	/* Use the nodes of a->first like all others. */
	if (rc != SLURM_SUCCESS && bit_ffs(a->first) >= 0) {
		bit_clear_all(a->first);
		rc = guess_until(a, can);
	}
	mesh_weights_release(&classes);
	FREE_NULL_BITMAP(some);
	FREE_NULL_BITMAP(a->first);
	return rc;
}
