/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several queues with limits, from a file in slurm.conf's words:
 *
 *	PartitionName=short MaxTime=60 MaxNodes=16 PriorityTier=2 GrpNodes=64 MaxJobsPerUser=2
 *
 * A job is in the queue with the name of its partition in the log (in the Standard Workload
 * Format p3), or of its queue there (q2; of sacct the QOS), or in the one with Default=YES; the
 * rest has no limits.
 */
#ifndef SIM_QUEUES_H
#define SIM_QUEUES_H

#include "sim/trace.h"

struct queues_row {
	char *name;
	bool fallback;	  /* Default=YES */
	int64_t max_time; /* microseconds; larger jobs, and those over the next two, are refused; 0:
			     none */
	int min_nodes, max_nodes; /* 0: none */
	int tier;	  /* PriorityTier: jobs of a higher one are all before those of a lower */
	int grp_nodes, grp_jobs;	     /* of all that run; 0: none */
	int max_jobs_user, max_nodes_user;   /* of each user's that run; 0: none */
};

struct queues {
	struct queues_row *row;
	int nrows;
};

/* 0, or -1 with FILE:LINE and text. queues_release() in both cases. */
int queues_read(struct queues *queues, const char *path, struct mesh_err *err);
void queues_release(struct queues *queues);

/* What runs, of one simulation. */
struct queues_state;

/* NULL when memory is out; the trace and the queues must stay. */
struct queues_state *queues_begin(const struct queues *queues, const struct trace *trace);
void queues_end(struct queues_state *state);
/* The limits never let it run. */
bool queues_refuse(const struct queues_state *state, int job);
/* The limits do not let it run now. */
bool queues_hold(const struct queues_state *state, int job);
int queues_tier(const struct queues_state *state, int job);
/* It starts (+1) or ends (-1). */
void queues_count(struct queues_state *state, int job, int sign);

#endif
