/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The inside of a simulation, shared by the engine, its schedulers (sched_easy.c) and contention
 * (engine_comm.c). No other file includes it.
 */
#ifndef SMESH_ENGINE_STATE_H
#define SMESH_ENGINE_STATE_H

#include "base/heap.h"
#include "base/nodeset.h"
#include "sim/engine.h"

/* A running job and its end by its estimate. */
struct promise {
	int64_t end;
	int job;
	int count;
};

struct engine {
	const struct mesh *mesh;
	const struct trace *trace;
	const struct engine_options *options;
	struct engine_result *result;
	struct mesh_err *err;
	struct arena arena;
	struct strategy *strategy;
	struct strategy **decide;
	struct mesh_meter *meter;
	struct freebox *freebox; /* or NULL */
	int largest; /* the largest free box; -1: not measured since the last change */
	bool boxes; /* the strategy answers boxes or MESH_NO_FIT */
	int64_t now;
	struct nodeset free, usable, future;
	int nfree;
	/* The running jobs, in start order; there is room for all that can run. */
	struct mesh_run *run, *future_run;
	int *run_job;
	int nruns;
	int starts; /* jobs that have started so far */
	struct promise *promise; /* [npromises] running jobs, by end, then job */
	int npromises;
	struct heap ends; /* running jobs, by end, then start */
	int *queue; /* waiting jobs: queue[head..tail-1] */
	int head, tail, next; /* next: the first job not yet submitted */
	int done, refused;
	bool head_failed; /* the head must wait, and no job has ended since */
	int possible; /* the head that an idle machine has a place for; -1: none is known */
	int64_t blocked_since; /* since when a blocked head would have fitted by number; -1 */
	/* With contention: */
	struct contention *net;
	struct job_traffic {
		struct contention_job *job;
		double left;	 /* nominal time left at `since` */
		double slowdown; /* since then: run time / nominal */
		double comm, comm_sum; /* of communication alone: now, and summed over time */
		int64_t since;
		int64_t promise; /* the end that schedulers count on */
	} *traffic; /* [njobs] */
	bool net_changed;
	double mean_pace; /* of the running jobs */
	int *node; /* [nnodes] the answer */
	int *other; /* [nnodes] the answer of a strategy that only decides */
};

/* --- jobs (engine_run.c) ---------------------------------------------------------------- */

void engine_add_promise(struct engine *e, int64_t end, int job, int count);
void engine_drop_promise(struct engine *e, int job);
/* When a job ends at its limit; INT64_MAX: never. */
int64_t engine_limit_end(const struct engine *e, int job);
/* How long a waiting job would run, by what is known beforehand. */
int64_t engine_length(const struct engine *e, int job);

/*
 * Ask the strategy for nodes for the head at time `then`, when the first `ended` promises have
 * been kept. They go to e->node[]. Returns how many; 0: it must wait.
 */
int engine_fits_then(struct engine *e, int ended, int64_t then);

/* The nodes that the job at queue[at] wants. */
static inline int engine_wanted(const struct engine *e, int at)
{
	return e->trace->job[e->queue[at]].count;
}
/*
 * Try the job at queue[at] on these nodes. 1: it has started (or is refused for good), and the
 * jobs before it are one place further back; 0: it must wait; -1: failure.
 */
int engine_try(struct engine *e, int at, const struct nodeset *nodes);

/*
 * Refuse the head for good if not even the idle machine has a place for it, as slurmctld does at
 * submission. Returns whether it did.
 */
bool engine_refuse_head(struct engine *e);

/* --- schedulers: they start what can start now; 0, or -1 on failure ---------------------- */

int sched_fcfs(struct engine *e);
int sched_easy(struct engine *e); /* one reservation, for the head of the queue */
/* --- contention (engine_comm.c) --------------------------------------------------------- */

void engine_begin_traffic(struct engine *e, int job);
void engine_add_traffic(struct engine *e, int job, int count);
void engine_end_traffic(struct engine *e, int job);
/* The running jobs have changed: the rest of each goes on at another pace. */
void engine_change_pace(struct engine *e);
void engine_note_messages(struct engine *e, double seconds);
void engine_finish_messages(struct engine *e);

#endif
