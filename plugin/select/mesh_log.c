/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include <math.h>

#include "base/budget.h"
#include "shared/mesh_bits.h"
#include "geometry/metrics.h"
#include "conf/remark.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

/* Mean hops between the nodes of the set, which are *in; -1 if they are not all in one mesh. */
static double mean_hops_of(bitstr_t *nodes, struct mesh_part **in)
{
	struct mesh_conf *conf = mesh_conf();
	struct mesh_part *part = NULL;
	int n = 0;

	mesh_bits_each(i, nodes) {
		if (i >= conf->nnodes || conf->part_of[i] < 0 ||
			(part && part != &conf->part[conf->part_of[i]]))
			return -1;
		part = &conf->part[conf->part_of[i]];
		part->answer[n++] = conf->position[i];
	}
	*in = part;
	return part ? mesh_mean_hops(mesh_pairwise_hops(part->mesh, part->answer, n), n) : -1;
}

/*
 * The mean hops that so many nodes have at best, where all are free; NAN: not known. Where a budget
 * has cut the strategy's answer short, a job may have less: `hops`.
 */
static double best_hops(struct mesh_part *part, int count, double hops)
{
	struct mesh_err err;
	struct strategy *strategy =
		mesh_conf_strategy(part, strategy_for(STRATEGY_DEFAULT), &err);

	if (strategy && part->best[count] <= 0)
		part->best[count] = (float)strategy_idle_hops(strategy, count,
			mesh_conf()->settings.max_time * 1000);
	if (strategy && part->best[count] > hops)
		part->best[count] = (float)hops;
	return strategy ? (double)part->best[count] : (double)NAN;
}

static const char *mode_name(uint16_t mode)
{
	if (mode == SELECT_MODE_RUN_NOW)
		return "run_now";
	if (mode == SELECT_MODE_TEST_ONLY)
		return "test_only";
	return mode == SELECT_MODE_WILL_RUN ? "will_run" : "other";
}

void mesh_log_decision(const struct mesh_attempt *a, int rc, int64_t started)
{
	struct mesh_part *part;
	long long usec = (long long)((mesh_clock_ns(CLOCK_MONOTONIC) - started) / 1000);
	const job_record_t *job = a->test->job;
	char *text = NULL, *nodes;

	if (!mesh_conf_logs())
		return;
	xstrfmtcat(text, "%s: JobId=%u mode=%s strategy=%s wanted=%d offered=%d", plugin_type,
		job->job_id, mode_name(a->test->mode), a->by, a->want.request.count,
		bit_set_count(a->given));
	if (rc != SLURM_SUCCESS) {
		info("%s chosen=0 usec=%lld", text, usec);
	} else {
		nodes = bitmap2node_name(a->test->bitmap);
		info("%s chosen=%d nodes=%s mean_hops=%.3f usec=%lld%s", text,
			bit_set_count(a->test->bitmap), nodes,
			mean_hops_of(a->test->bitmap, &part), usec,
			a->test->mode == SELECT_MODE_WILL_RUN && job->start_time > time(NULL)
				? " later"
				: "");
		xfree(nodes);
	}
	xfree(text);
}

void mesh_log_comment(const struct mesh_attempt *a)
{
	job_record_t *job = a->test->job;
	struct mesh_part *part;
	double hops = mean_hops_of(a->test->bitmap, &part);
	int count = bit_set_count(a->test->bitmap);
	double best = hops >= 0 && count > 1 ? best_hops(part, count, hops) : (double)NAN;
	char *old = job->admin_comment, *text = NULL;
	size_t at = old ? strlen(old) : 0, length = 0;

	/* Replace the remark of an earlier start, or append to the text that is there. */
	if (old && !mesh_remark_find(old, &at, &length) && at)
		xstrfmtcat(text, "%s; ", old);
	else if (old)
		xstrncat(text, old, at);
	xstrfmtcat(text, "mesh: strategy=%s", a->by);
	if (hops >= 0)
		xstrfmtcat(text, " mean_hops=%.3f", hops);
	if (!isnan(best))
		xstrfmtcat(text, " best=%.3f", best);
	if (old)
		xstrcat(text, old + at + length);
	xfree(old);
	job->admin_comment = text;
}
