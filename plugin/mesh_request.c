/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh_request.h"

static bool shares_no_node(const job_record_t *job)
{
	return job->details->whole_node == 1 || (job->part_ptr && job->part_ptr->max_share == 0) ||
	       !xstrcmp(base_name(), "select/linear");
}

/* The most CPUs that a node of the set has. */
static uint32_t largest_node(bitstr_t *nodes)
{
	uint32_t most = 1;

	for (int i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && compat_node(i) && compat_node(i)->cpus > most)
			most = compat_node(i)->cpus;
	return most;
}

/* -n without -N: as few nodes as can hold the CPUs; mesh_place() adds some if they cannot. */
static int guess_nodes(const struct job_test *test)
{
	const struct job_details *details = test->job->details;
	uint32_t per_node = largest_node(test->bitmap), nodes;

	nodes = (details->min_cpus + per_node - 1) / per_node;
	if (details->ntasks_per_node && details->num_tasks) {
		uint32_t by_tasks = (details->num_tasks + details->ntasks_per_node - 1) /
				    details->ntasks_per_node;

		nodes = MAX(nodes, by_tasks);
	}
	return (int)MIN(nodes, (uint32_t)node_record_count);
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

void mesh_request_from_job(const struct job_test *test, struct mesh_want *want)
{
	const struct mesh_settings *settings = &mesh_conf()->settings;
	const job_record_t *job = test->job;

	*want = (struct mesh_want){
		.ops = mesh_settings_strategy(settings,
			job->part_ptr ? job->part_ptr->name : NULL),
		.whole_nodes = shares_no_node(job),
	};
	want->request.seed = job->job_id;
	want->request.budget_ns = settings->max_time * 1000;
	if (job->time_limit && job->time_limit != NO_VAL && job->time_limit != INFINITE)
		want->request.time_limit = (int64_t)job->time_limit * 60;
	want->box = want->ops->flags & STRATEGY_CONTIGUOUS;
	/* No nodes at all (burst buffers only); or as many as there are, thinly filled. */
	want->stock = !test->min_nodes || (job->bit_flags & SPREAD_JOB);
	count_nodes(test, want);
}
