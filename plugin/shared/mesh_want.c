/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_want.h"

#include "shared/mesh_bits.h"
#include "shared/mesh_validate.h"
#include "shared/mesh_weights.h"
#include "conf/strategies.h"

/* OverSubscribe=FORCE:2 and more wins over --exclusive. */
static bool shares_no_node(const job_record_t *job)
{
	unsigned share = job->part_ptr ? job->part_ptr->max_share : 1;
	bool forced = share & SHARED_FORCE && (share & ~(unsigned)SHARED_FORCE) > 1;

	return (compat_whole_node(job->details) && !forced) || share == 0 ||
		mesh_conf()->over_linear;
}

uint32_t mesh_want_largest_node(bitstr_t *nodes)
{
	uint32_t most = 1;

	mesh_bits_each(i, nodes)
		if (compat_node(i) && compat_node(i)->cpus > most)
			most = compat_node(i)->cpus;
	return most;
}

/* The most of these GRES that a job can use on the node: each also needs its CPUs and memory. */
static uint64_t most_on_node(node_record_t *node, gres_state_t *wanted)
{
	const gres_job_state_t *gres = wanted->gres_data;
	uint64_t cpus = gres->cpus_per_gres ? gres->cpus_per_gres : gres->def_cpus_per_gres;
	uint64_t memory = gres->mem_per_gres ? gres->mem_per_gres : gres->def_mem_per_gres;
	gres_state_t *has = NULL;
	uint64_t most;

	if (node && node->gres_list)
		has = list_find_first(node->gres_list, gres_find_id, &wanted->plugin_id);
	if (!has)
		return 0;
	most = ((gres_node_state_t *)has->gres_data)->gres_cnt_avail;
	if (cpus)
		most = MIN(most, node->cpus / cpus);
	return memory ? MIN(most, node->real_memory / memory) : most;
}

uint64_t mesh_want_most_gres(bitstr_t *nodes, gres_state_t *wanted)
{
	uint64_t most = 1;

	mesh_bits_each(i, nodes)
		most = MAX(most, most_on_node(compat_node(i), wanted));
	return most;
}

struct gres_guess {
	bitstr_t *nodes;
	uint64_t count;
};

static int guess_by_gres(void *entry, void *arg)
{
	struct gres_guess *guess = arg;
	uint64_t total = ((gres_job_state_t *)((gres_state_t *)entry)->gres_data)->gres_per_job;
	uint64_t most = total ? mesh_want_most_gres(guess->nodes, entry) : 1;

	guess->count = MAX(guess->count, (total + most - 1) / most);
	return 0;
}

/*
 * -n or --gpus without -N: the least number of nodes that can hold the job. mesh_propose_until()
 * tries more if need be.
 */
static int guess_nodes(const struct job_test *test)
{
	const job_details_t *details = test->job->details;
	struct gres_guess gres = {test->bitmap, 1};
	uint32_t nodes = 1;

	if (test->job->gres_list_req)
		list_for_each(test->job->gres_list_req, guess_by_gres, &gres);
	if (details->min_cpus > 1) {
		uint32_t per_node = mesh_want_largest_node(test->bitmap);

		nodes = details->min_cpus / per_node + (details->min_cpus % per_node != 0);
	}
	if (details->ntasks_per_node && details->num_tasks && details->num_tasks != NO_VAL) {
		uint32_t by_tasks = details->num_tasks / details->ntasks_per_node +
				    (details->num_tasks % details->ntasks_per_node != 0);

		nodes = MAX(nodes, by_tasks);
	}
	return (int)MIN(MAX(nodes, gres.count), (uint64_t)node_record_count);
}

static void count_nodes(const struct job_test *test, struct mesh_want *want)
{
	uint32_t all = (uint32_t)bit_set_count(test->bitmap);
	uint32_t max = test->max_nodes ? MIN(test->max_nodes, all) : all;
	uint32_t count = MAX(MIN(test->req_nodes, max), test->min_nodes);

	want->min = (int)test->min_nodes;
	want->max = (int)MAX(max, test->min_nodes);
	if ((uint32_t)want->min == count && want->max > want->min) {
		int guess = guess_nodes(test);

		want->count_open = true;
		if (guess > (int)count)
			count = (uint32_t)MIN(guess, want->max);
	}
	want->request.count = (int)count;
}

static void apply_shape(const job_record_t *job, const struct useroptions *asked,
	struct mesh_want *want)
{
	if (!asked->shape.ndims)
		return;
	want->request.shape = asked->shape;
	want->box = true;
	/* Meshes differ in nodes per vertex, and so in the number of nodes of a shape. */
	want->all_of_shape = mesh_validate_whole(job) && !want->count_open;
}

/*
 * What the job sends: the user says it, or the partition. A job that sends nothing may lie
 * anywhere.
 */
static void apply_pattern(
	const job_record_t *job, const struct useroptions *asked, struct mesh_want *want)
{
	const struct mesh_pattern *pattern = &asked->pattern;

	if (pattern->kind == MESH_PATTERN_UNSAID || pattern->learnt)
		pattern = mesh_settings_pattern(&mesh_conf()->settings,
			job->part_ptr ? job->part_ptr->name : NULL);
	want->request.hint = asked->hint;
	mesh_pattern_apply(pattern, &want->request);
}

/*
 * Round the number of nodes to whole segments, as Slurm does. A segment larger than the job has no
 * effect. want->uneven: no number of nodes that will do is a multiple of the segment.
 */
static void apply_segment(const job_record_t *job, const struct useroptions *asked,
	struct mesh_want *want)
{
	int segment = asked->segment ? asked->segment : compat_segment(job->details);
	int count = want->request.count, low;

	if (!segment || segment > count || want->stock)
		return;
	low = count - count % segment;
	if (want->count_open && low < count && low + segment <= want->max)
		low += segment;
	want->request.segment = segment;
	want->uneven = low < want->min;
	if (!want->uneven)
		want->request.count = low;
}

static void apply_hint(const struct useroptions *asked, struct mesh_want *want)
{
	enum mesh_hint hint = want->request.hint;

	if (hint == MESH_HINT_ISOLATED)
		want->box = true;
	if (hint == MESH_HINT_SCATTER && !*asked->strategy && !asked->shape.ndims)
		want->ops = strategy_for(STRATEGY_SCATTERED);
}

/* The job's time limit in seconds; 0: not known. */
static int64_t time_limit_seconds(const job_record_t *job)
{
	uint32_t minutes = job->time_limit;

	return minutes == NO_VAL || minutes == INFINITE ? 0 : (int64_t)minutes * 60;
}

/* When the job gives up its box, counted from when it could have begun; 0: never. */
static time_t relax_time(const job_record_t *job, const struct useroptions *asked,
	const struct mesh_settings *settings)
{
	int64_t wait = asked->max_wait >= -1 ? asked->max_wait : settings->max_wait;
	time_t from = MAX(job->details->begin_time, job->details->submit_time);

	return wait < 0 ? 0 : from + wait;
}

/* May the job go without a box, as it was the site or --contiguous that asked? */
static bool may_outgrow(
	const job_record_t *job, const struct useroptions *asked, const struct mesh_want *want)
{
	bool by_site = !*asked->strategy && want->ops->flags & STRATEGY_CONTIGUOUS;

	return (by_site || job->details->contiguous) && !want->box;
}

static int is_lacking(void *gres, void *node)
{
	return !most_on_node(node, gres);
}

/*
 * Remove the nodes that lack what the job needs: features, memory, GRES. Only where nodes of no
 * mesh may have it; else no job goes without a box for that.
 */
static void remove_unfit(job_record_t *job, bitstr_t *nodes)
{
	if (bit_super_set(nodes, mesh_conf()->mapped))
		return;
	job_req_node_filter(job, nodes, true);
	mesh_bits_each(i, nodes)
		if (job->gres_list_req &&
			list_find_first(job->gres_list_req, is_lacking, compat_node(i)))
			bit_clear(nodes, i);
}

/* Keep the nodes of the mesh of all nodes that the job requires; none if they are of several. */
static void keep_required_mesh(const job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *required = job->details->req_node_bitmap;
	int first = required ? mesh_bits_next(required, 0) : -1,
	    which = first < 0 ? -1 : mesh_conf()->part_of[first];

	if (which >= 0 && bit_super_set(required, mesh_conf()->part[which].nodes))
		bit_and(nodes, mesh_conf()->part[which].nodes);
	else if (first >= 0)
		bit_clear_all(nodes);
}

/* The most nodes that the job may have of one mesh; it is counted up to `enough`. */
static int most_of_mesh(job_record_t *job, int enough)
{
	const struct mesh_conf *conf = mesh_conf();
	bitstr_t *all = job->part_ptr ? job->part_ptr->node_bitmap : conf->mapped,
		 *nodes = bit_copy(all ? all : conf->mapped);
	int most = 0;

	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	keep_required_mesh(job, nodes);
	remove_unfit(job, nodes);
	for (int i = 0; i < conf->topo->nmeshes && most < enough; i++)
		most = MAX(most, bit_overlap(nodes, conf->part[i].nodes));
	FREE_NULL_BITMAP(nodes);
	return most;
}

bool mesh_want_outgrows(job_record_t *job, const struct mesh_want *want)
{
	int least = want->count_open ? want->request.count : want->min, most;

	if (!want->may_outgrow)
		return false;
	most = most_of_mesh(job, least);
	return most < least && (mesh_conf()->settings.span || !most);
}

/*
 * Drop such a box, and any box for jobs that count features. slurmctld asks for the nodes of each
 * feature, then for all together: boxes of the parts need not be one box. Backfill would then keep
 * nodes for a start that always fails.
 */
static bool can_have_no_box(
	job_record_t *job, const struct useroptions *asked, struct mesh_want *want)
{
	want->may_outgrow = may_outgrow(job, asked, want);
	if (want->box ||
		!(mesh_want_outgrows(job, want) || mesh_validate_counts_features(job->details)))
		return false;
	want->stock |= job->details->contiguous;
	if (want->ops->flags & STRATEGY_CONTIGUOUS || job->details->contiguous)
		mesh_want_relax(want, strategy_for(STRATEGY_RELAXED));
	return true;
}

static void settle_box(
	job_record_t *job, const struct useroptions *asked, struct mesh_want *want)
{
	if (can_have_no_box(job, asked, want))
		return;
	want->box |= job->details->contiguous || want->ops->flags & STRATEGY_CONTIGUOUS;
	if (want->box && !(want->ops->flags & STRATEGY_CONTIGUOUS))
		want->ops = strategy_for(STRATEGY_BOXES);
	want->no_contiguous = want->box;
	/*
	 * Within one mesh nothing is to be waited for: segments fit wherever there are enough
	 * nodes.
	 */
	want->box |= want->request.segment && mesh_conf()->topo->nmeshes > 1;
	/* A reservation cannot wait. */
	if (mesh_want_reserves(job) && !job->details->contiguous && !want->fallback)
		want->fallback = strategy_for(STRATEGY_RELAXED);
	if (want->box && want->relax && time(NULL) >= want->relax)
		mesh_want_relax(want, strategy_for(STRATEGY_RELAXED));
}

void mesh_want_relax(struct mesh_want *want, const struct strategy_ops *ops)
{
	struct mesh_shape none = {.ndims = 0};

	want->ops = want->hurry ? strategy_for(STRATEGY_QUICK) : ops;
	want->box = false;
	memcpy(none.type, want->request.shape.type, sizeof(none.type));
	want->request.shape = none;
	want->request.hint = MESH_HINT_COMPACT;
}

void mesh_want_hurry(struct mesh_want *want)
{
	want->hurry = true;
	want->ops = strategy_for(want->box && want->no_contiguous ? STRATEGY_QUICK_BOXES
								  : STRATEGY_QUICK);
	if (want->request.budget_ns)
		want->request.budget_ns = want->request.budget_ns / 16 + 1;
}

/*
 * Does the job count features and need more than one CPU a node? slurmctld asks about one feature
 * with one CPU a node, and the tasks must later fit on the nodes found. Any choice is luck, so the
 * stock plugin makes it.
 */
static bool is_more_than_told(const job_details_t *details)
{
	return mesh_validate_counts_features(details) &&
		details->orig_min_cpus > MAX(details->max_nodes, 1);
}

/* Does the user say where? --spread-job then only spreads tasks over the nodes chosen. */
static bool says_where(const struct useroptions *asked)
{
	return *asked->strategy || asked->shape.ndims || asked->segment;
}

void mesh_want_from_job(const struct job_test *test, struct mesh_want *want)
{
	const struct mesh_settings *settings = &mesh_conf()->settings;
	job_record_t *job = test->job;
	const struct strategy_ops *ops;
	struct useroptions asked;
	struct mesh_err err;

	*want = (struct mesh_want){
		.ops = mesh_settings_strategy(settings,
			job->part_ptr ? job->part_ptr->name : NULL),
		.whole_nodes = shares_no_node(job),
		.fallback = settings->fallback,
	};
	mesh_validate_options(job, settings->user_options, &asked);
	if (*asked.strategy && (ops = strategy_named(asked.strategy, &err)))
		want->ops = ops;
	want->request.seed = job->job_id;
	want->request.budget_ns = settings->max_time * 1000;
	want->request.time_limit = time_limit_seconds(job);
	want->relax = relax_time(job, &asked, settings);
	count_nodes(test, want);
	/* A job of no nodes (burst buffers only), or --spread-job: as many nodes as there are. */
	want->stock = !test->min_nodes ||
		(job->bit_flags & SPREAD_JOB && (want->count_open || !says_where(&asked)));
	apply_shape(job, &asked, want);
	apply_segment(job, &asked, want);
	apply_pattern(job, &asked, want);
	apply_hint(&asked, want);
	settle_box(job, &asked, want);
	want->stock |= !want->box && mesh_weights_by_load(test, want->whole_nodes);
	want->stock |= !want->box && is_more_than_told(job->details);
}
