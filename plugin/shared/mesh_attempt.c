/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_attempt.h"

#include "shared/mesh_cycle.h"
#include "shared/mesh_validate.h"

int mesh_attempt_begin(struct mesh_attempt *a, struct job_test *test)
{
	*a = (struct mesh_attempt){.test = test, .start = test->job->start_time};
	mesh_validate(test);
	/* Slurm finds the limit when it next looks at the job. */
	if (mesh_validate_refuses(test))
		return SLURM_ERROR;
	mesh_want_from_job(test, &a->want);
	if (mesh_cycle_over(test->job->user_id, mesh_conf()->settings.max_cycle * 1000))
		mesh_want_hurry(&a->want);
	mesh_cycle_tell();
	if (a->want.uneven)
		return COMPAT_UNEVEN;
	a->given = bit_copy(test->bitmap);
	mesh_conf_keep_type(a->given, a->want.request.shape.type);
	return SLURM_SUCCESS;
}

/* Empty the list of jobs to preempt: the stock plugin would append to that of an earlier offer. */
static void forget_preempted(struct mesh_attempt *a)
{
	list_t **list = a->test->preempted;

	if (list && *list && a->offered)
		list_flush(*list);
}

/*
 * Ask the stock plugin about these nodes. It checks --contiguous by node index, so the flag is off
 * where a box ensures it. All of a shape may be more nodes than the job's minimum, but not than
 * its maximum.
 */
static int narrowed(struct mesh_attempt *a, bitstr_t *nodes, struct job_test how)
{
	job_details_t *details = how.job->details;
	uint16_t contiguous = details->contiguous;
	int rc = SLURM_ERROR;

	bit_copybits(how.bitmap, nodes);
	if (a->want.no_contiguous)
		details->contiguous = 0;
	if (a->want.all_of_shape) /* of a box it must take all nodes */
		how.min_nodes = how.req_nodes =
			(uint32_t)(a->want.box ? bit_set_count(nodes) : a->want.min);
	if (!a->want.all_of_shape || how.min_nodes <= how.max_nodes)
		rc = how.stock(&how);
	details->contiguous = contiguous;
	return rc;
}

int mesh_offer(struct mesh_attempt *a, bitstr_t *nodes)
{
	job_record_t *job = a->test->job;
	int rc;

	job->start_time = a->start;
	forget_preempted(a);
	a->offered |= a->test->preempted != NULL;
	rc = narrowed(a, nodes, *a->test);
	if (rc != SLURM_SUCCESS) {
		job->start_time = a->start;
		bit_copybits(a->test->bitmap, a->given);
	}
	return rc;
}

int mesh_offer_now(struct mesh_attempt *a, bitstr_t *nodes)
{
	const struct job_test *asked = a->test;
	struct job_test now = *asked;
	uint64_t flags = now.job->bit_flags;
	int rc;

	forget_preempted(a);
	now.preemptees = NULL;
	now.preempted = NULL;
	if (now.mode == SELECT_MODE_WILL_RUN)
		now.job->bit_flags |= TEST_NOW_ONLY;
	a->test = &now;
	rc = mesh_offer(a, nodes);
	a->test = asked;
	now.job->bit_flags = flags;
	return rc;
}
