/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: files with a line for each job: what became of it under each strategy; of one strategy
 * and one run also where it was placed, and both in the formats of others.
 */
#ifndef SMESH_SIM_JOBS_H
#define SMESH_SIM_JOBS_H

#include "cli/output.h"

enum sim_jobs_kind {
	SIM_JOBS_PLACED, /* id start end nodes, as they start */
	SIM_JOBS_RAN,	 /* times, hops, stretch */
	SIM_JOBS_BATSIM, /* the columns of Batsim's jobs.csv, which evalys reads */
	SIM_JOBS_SWF,	 /* Standard Workload Format, with the waits of the simulation */
	SIM_JOBS_KINDS
};

struct sim_jobs {
	const char *path[SIM_JOBS_KINDS]; /* of the options; NULL: not wanted */
	struct output out[SIM_JOBS_KINDS];
	char **nodes; /* [njobs] with SIM_JOBS_BATSIM: intervals of node numbers; NULL: never
			 started */
};

struct sim_session;

/* Each returns an exit code, with a message said unless it is SMESH_OK. */

/* Before the run: open the files, hook what they need into it. */
int sim_jobs_open(struct sim_session *session);
/* After it. sim_jobs_release() in all cases. */
int sim_jobs_write(struct sim_session *session);
void sim_jobs_release(struct sim_session *session);

/* Is one of them wanted? */
bool sim_jobs_any(const struct sim_jobs *jobs);
/* Does one of them go to standard output? */
bool sim_jobs_standard(const struct sim_jobs *jobs);

#endif
