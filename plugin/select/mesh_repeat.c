/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "shared/mesh_bits.h"
#include "shared/mesh_runs.h"

/* All that the stock plugin's answer depends on, but the nodes. Pointers are compared, not used. */
struct question {
	time_t second;
	uint64_t changes, job_id, flags, min_nodes, max_nodes, req_nodes;
	const part_record_t *part;
	job_details_t details;
};

/* The last offer for a later start that the stock plugin took whole. */
static struct {
	struct question question;
	int count, like; /* how many nodes, of the kind of this one; 0 if there is no such offer */
	uint32_t total_cpus;
} last;

static void read_question(struct question *q, const struct job_test *test)
{
	q->second = time(NULL);
	q->changes = mesh_runs_changes();
	q->job_id = test->job->job_id;
	q->flags = test->job->bit_flags;
	q->min_nodes = test->min_nodes;
	q->max_nodes = test->max_nodes;
	q->req_nodes = test->req_nodes;
	q->part = test->job->part_ptr;
	memcpy(&q->details, test->job->details, sizeof(q->details));
}

/*
 * May more than the kind and number of the job's nodes matter: GRES and licenses, switches,
 * neighbours by index, jobs that stay? From 24.11 on backfill says in which window it looks, and
 * the stock plugin's search is short.
 */
static bool is_special(const struct mesh_attempt *a)
{
	const struct job_test *test = a->test;
	const job_record_t *job = test->job;

	return test->will_run || test->preemptees || compat_keeps_any(test->excluded) ||
	       job->gres_list_req || job->license_list || job->req_switch ||
	       (job->details->contiguous && !a->want.no_contiguous) || !a->want.whole_nodes ||
	       mesh_may_share(job) || mesh_conf()->over_linear ||
	       xstrcasestr(slurm_conf.topology_plugin, "tree");
}

/*
 * How many nodes there are; 0 if one is not of the kind of node `like`, or is neither idle nor in
 * a job that ends later. The stock plugin guesses when jobs end that should have ended.
 */
static int count_alike(bitstr_t *nodes, int like)
{
	const struct mesh_runs_ends ends = mesh_runs_ends();
	time_t soon = time(NULL) + 1;
	int n = 0;

	mesh_bits_each(i, nodes) {
		const node_record_t *node = compat_node(i), *first = compat_node(like);

		if (!first || !node || node->config_ptr != first->config_ptr ||
			node->real_memory != first->real_memory ||
			(ends.until[i] && ends.until[i] <= soon))
			return 0;
		n++;
	}
	return ends.suspended ? 0 : n;
}

void mesh_repeat_note(const struct mesh_attempt *a, bitstr_t *nodes)
{
	last.count = 0;
	if (is_special(a) || !bit_equal(a->test->bitmap, nodes))
		return;
	last.like = mesh_bits_next(nodes, 0);
	last.count = count_alike(nodes, last.like);
	last.total_cpus = a->test->job->total_cpus;
	read_question(&last.question, a->test);
}

bool mesh_repeat(const struct mesh_attempt *a, bitstr_t *nodes, time_t start)
{
	struct question question;

	if (!last.count)
		return false;
	read_question(&question, a->test);
	if (memcmp(&question, &last.question, sizeof(question)) || is_special(a) ||
		count_alike(nodes, last.like) != last.count)
		return false;
	bit_copybits(a->test->bitmap, nodes);
	a->test->job->start_time = start;
	a->test->job->total_cpus = last.total_cpus;
	return true;
}
