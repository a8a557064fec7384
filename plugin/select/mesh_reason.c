/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#include "ask/walk_kind.h"

static const char begins[] = "Waits for ";

/* Does the job wait for nodes, and not for a limit, a dependency, a reservation or maintenance? */
static bool waits_for_nodes(const job_record_t *job)
{
	return job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_RESOURCES ||
	       job->state_reason == WAIT_PRIORITY ||
	       (job->state_reason == WAIT_NODE_NOT_AVAIL &&
		       !xstrstr(job->state_desc, "Reserved for maintenance"));
}

static char *what(const struct mesh_want *want)
{
	const struct mesh_shape *shape = &want->request.shape;
	char *text = xstrdup(begins);

	if (want->request.segment) {
		xstrfmtcat(text, "segments of %d nodes", want->request.segment);
	} else if (shape->walk) {
		xstrfmtcat(text, "a %s of %d nodes", walk_name(shape->walk), shape->side[0]);
		if (shape->lanes)
			xstrfmtcat(text, " over links of %d lanes", shape->lanes);
	} else if (shape->ndims) {
		xstrfmtcat(text, "a box of %s%s", shape->type, *shape->type ? ":" : "");
		for (int d = 0; d < shape->ndims; d++)
			xstrfmtcat(text, "%s%d", d ? "x" : "", shape->side[d]);
		if (shape->chips && !*shape->type)
			xstrcat(text, " chips");
	} else {
		xstrfmtcat(text, "a box of %d nodes", want->request.count);
	}
	return text;
}

void mesh_reason_tell(const struct job_test *test, const struct mesh_want *want, int rc)
{
	job_record_t *job = test->job;
	bool now = rc == SLURM_SUCCESS && job->start_time <= time(NULL), ours;
	char *text = NULL;

	ours = !xstrncmp(job->state_desc, begins, sizeof(begins) - 1);
	if (!IS_JOB_PENDING(job) || !(ours || (waits_for_nodes(job) && want->box && !now)))
		return;
	if (want->box && !now && waits_for_nodes(job)) {
		text = what(want);
		job->state_reason = WAIT_RESOURCES;
	}
	if (xstrcmp(text, job->state_desc))
		last_job_update = time(NULL);
	xfree(job->state_desc);
	job->state_desc = text;
}
