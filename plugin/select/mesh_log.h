/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One line for each decision, with mesh_log=yes or DebugFlags=SelectType.
 */
#ifndef MESH_LOG_H
#define MESH_LOG_H

#include "shared/mesh_conf.h"
#include "shared/mesh_request.h"

struct mesh_decision {
	const struct job_test *test;
	const struct mesh_want *want;
	const char *by;	 /* the strategy's name, or "stock" */
	int64_t started; /* CLOCK_MONOTONIC, ns */
	int rc;		 /* what is returned to Slurm */
	int offered;	 /* nodes to choose from */
};

/* Write the line, if one is wanted. */
void mesh_log_decision(const struct mesh_decision *decision);

/*
 * mesh_comment=yes: into the AdminComment of a job that is about to start, `mesh: strategy=mm
 * mean_hops=2.070`, behind what an administrator wrote there or in the place of our own remark
 * of an earlier start. All else in that field stays as it is.
 */
void mesh_log_comment(const struct mesh_decision *decision);

#endif
