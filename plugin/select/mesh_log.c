/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "base/budget.h"
#include "shared/mesh_bits.h"
#include "geometry/metrics.h"
#include "config/remark.h"

/* Between nodes of the set; -1 if they are not of one mesh. */
static double mean_hops_of(bitstr_t *nodes)
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
	return part ? mesh_mean_hops(mesh_pairwise_hops(part->mesh, part->answer, n), n) : -1;
}

static const char *mode_name(uint16_t mode)
{
	return mode == SELECT_MODE_RUN_NOW     ? "run_now"
	       : mode == SELECT_MODE_TEST_ONLY ? "test_only"
	       : mode == SELECT_MODE_WILL_RUN  ? "will_run"
					       : "other";
}

void mesh_log_decision(const struct mesh_decision *d)
{
	long long usec = (long long)((mesh_clock_ns(CLOCK_MONOTONIC) - d->started) / 1000);
	const job_record_t *job = d->test->job;
	char *nodes;

	if (!mesh_conf_logs())
		return;
	if (d->rc != SLURM_SUCCESS) {
		info("%s: JobId=%u mode=%s strategy=%s wanted=%d offered=%d chosen=0 usec=%lld",
			plugin_type, job->job_id, mode_name(d->test->mode), d->by,
			d->want->request.count, d->offered, usec);
		return;
	}
	nodes = bitmap2node_name(d->test->bitmap);
	info("%s: JobId=%u mode=%s strategy=%s wanted=%d offered=%d chosen=%d nodes=%s "
	     "mean_hops=%.3f "
	     "usec=%lld%s",
		plugin_type, job->job_id, mode_name(d->test->mode), d->by, d->want->request.count,
		d->offered, bit_set_count(d->test->bitmap), nodes, mean_hops_of(d->test->bitmap),
		usec,
		d->test->mode == SELECT_MODE_WILL_RUN && job->start_time > time(NULL) ? " later"
										      : "");
	xfree(nodes);
}

void mesh_log_comment(const struct mesh_decision *d)
{
	job_record_t *job = d->test->job;
	double hops = mean_hops_of(d->test->bitmap);
	char *old = job->admin_comment, *text = NULL;
	size_t at = old ? strlen(old) : 0, length = 0;

	/* In the place of that of an earlier start, or behind all that is there. */
	if (old && !mesh_remark_find(old, &at, &length) && at)
		xstrfmtcat(text, "%s; ", old);
	else if (old)
		xstrncat(text, old, at);
	xstrfmtcat(text, "mesh: strategy=%s", d->by);
	if (hops >= 0)
		xstrfmtcat(text, " mean_hops=%.3f", hops);
	if (old)
		xstrcat(text, old + at + length);
	xfree(old);
	job->admin_comment = text;
}
