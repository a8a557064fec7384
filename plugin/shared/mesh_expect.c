/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_expect.h"

#include "config/runtimes.h"

static struct mesh_runtimes *seen;

static bool is_time(uint32_t minutes)
{
	return minutes && minutes != NO_VAL && minutes != INFINITE;
}

/* A limit of the user's own. That of the partition is the same for all, and tells nothing. */
static bool own_limit(const job_record_t *job)
{
	return is_time(job->time_limit) &&
	       !(job->part_ptr && (job->time_limit == job->part_ptr->default_time ||
					  job->time_limit == job->part_ptr->max_time));
}

void mesh_expect_note(const job_record_t *job)
{
	uint32_t state = job->job_state & JOB_STATE_BASE;
	time_t now = time(NULL);

	/* What was cancelled or lost its nodes has not shown how long it takes; what had none
	 * neither. */
	if (!(state == JOB_COMPLETE || state == JOB_FAILED || state == JOB_TIMEOUT) ||
		!job->node_bitmap || !job->start_time || job->start_time > job->end_time)
		return;
	/* Jobs still completing end again when slurmctld starts or reads its configuration. */
	if (job->end_time < now - 1)
		return;
	if (!seen && !(seen = mesh_runtimes_new()))
		return;
	mesh_runtimes_note(seen, job->user_id, job->name, (int)job->node_cnt,
		job->end_time - job->start_time);
}

void mesh_expect_fini(void)
{
	mesh_runtimes_free(seen);
	seen = NULL;
}

/* From its user's last jobs; 0 = nothing. */
static int64_t learnt(const job_record_t *job, int nodes)
{
	if (!seen || !mesh_conf()->settings.learn || own_limit(job))
		return 0;
	return mesh_runtimes_expect(seen, job->user_id, job->name, nodes);
}

int64_t mesh_expect_run(const job_record_t *job)
{
	int64_t seconds = learnt(job, job->details ? (int)MAX(job->details->min_nodes, 1) : 1);
	int64_t limit = is_time(job->time_limit) ? (int64_t)job->time_limit * 60 : 0;

	return seconds && (!limit || seconds < limit) ? seconds : limit;
}

time_t mesh_expect_end(const job_record_t *job, time_t now)
{
	int64_t seconds = learnt(job, (int)job->node_cnt), end;

	if (!seconds)
		return job->end_time;
	end = mesh_runtimes_end(job->start_time, seconds, now);
	return end < job->end_time ? (time_t)end : job->end_time;
}
