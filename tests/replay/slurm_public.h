/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What differs between versions in Slurm's public header: step ids took the place of the
 * numbers of jobs, one function after the other.
 */
#ifndef TESTS_SLURM_PUBLIC_H
#define TESTS_SLURM_PUBLIC_H

#include <slurm/slurm.h>

/* The number of a job that has been submitted. */
static inline uint32_t submitted_id(const submit_response_msg_t *response)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	return response->step_id.job_id;
#else
	return response->job_id;
#endif
}

/* slurm_load_job() of a job by its number. */
static inline int load_job(job_info_msg_t **info, uint32_t id)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	slurm_step_id_t step = SLURM_STEP_ID_INITIALIZER;

	step.job_id = id;
	return slurm_load_job(info, step, 0);
#else
	return slurm_load_job(info, id, 0);
#endif
}

#endif
