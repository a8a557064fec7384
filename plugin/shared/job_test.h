/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm asks a select plugin about a job, and the stock plugin that answers.
 */
#ifndef MESH_JOB_TEST_H
#define MESH_JOB_TEST_H

#include "compat/slurm_compat.h"

/* The arguments of select_p_job_test() in every version of Slurm. */
struct job_test {
	job_record_t *job;
	bitstr_t *bitmap; /* in: nodes that may be used; out: nodes chosen, on success */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	list_t *preemptees;  /* jobs that may be preempted, or NULL */
	list_t **preempted;  /* out: jobs that must be preempted; may be NULL */
	mesh_reserved_t *excluded;  /* cores (and GRES) that reservations keep */
	will_run_data_t *will_run;  /* the window in which to look for a start, or NULL */
	void *eval; /* the topology_eval_t under a topology plugin; otherwise NULL */
	/* Ask the stock plugin: SLURM_SUCCESS, or an error code with the bitmap spoiled. */
	int (*stock)(const struct job_test *test);
};

/* The type of this plugin, for messages. */
extern const char plugin_type[];

#endif
