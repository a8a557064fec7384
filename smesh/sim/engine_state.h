/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The inside of a simulation: what the engine, its schedulers (sched_easy.c) and what slows jobs
 * down (engine_comm.c) share. Nobody else includes it.
 */
#ifndef SIM_ENGINE_STATE_H
#define SIM_ENGINE_STATE_H

#include "base/heap.h"
#include "base/nodeset.h"
#include "sim/engine.h"

/* A running job by the end that its estimate promises. */
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
	int largest; /* free box; -1: not measured since the last change */
	bool boxes; /* the strategy answers boxes or MESH_NO_FIT */
	int64_t now;
	struct nodeset free, usable, future;
	int nfree;
	/* Running, in start order; there is room for as many as there can be. */
	struct mesh_run *run, *future_run;
	int *run_job;
	int nruns;
	int starts; /* so far */
	struct promise *promise; /* [npromises] of those that run, by end, then job */
	int npromises;
	struct heap ends; /* of jobs, by end, then start */
	int *queue; /* of those that wait: queue[head..tail-1] */
	int head, tail, next; /* next: the first job not yet submitted */
	int done, refused;
	bool head_failed; /* the head has to wait and nothing has ended since */
	int possible; /* a head that an idle machine has a place for; -1: not known of any */
	int64_t blocked_since; /* such a head would have fitted by number; -1 */
	/* With contention: each job's traffic, nominal time left at `since`, slowdown since. */
	struct contention *net;
	struct traffic {
		struct contention_job *job;
		double left, slowdown; /* slowdown: run time / nominal */
		double comm, comm_sum; /* of the communication alone: now, and over time */
		int64_t since, promise;
	} *traffic; /* [njobs] */
	bool net_changed;
	double mean_pace; /* of the jobs that run */
	int *node; /* [nnodes] the answer */
	int *other; /* [nnodes] a second opinion */
};

/* Says so in e->err; -1. */
int engine_no_memory(struct engine *e);

/* --- jobs (engine_run.c) ---------------------------------------------------------------- */

/* The end that is known beforehand: by the user's estimate, or exact without one. With
 * contention: as its pace has it now. */
int64_t engine_promised_end(const struct engine *e, int job);
/* The first promise that is not before (end, job). */
int engine_find_promise(const struct engine *e, int64_t end, int job);
void engine_add_promise(struct engine *e, int64_t end, int job, int count);
void engine_drop_promise(struct engine *e, int job);
/* When a job is ended for its limit; INT64_MAX: never. */
int64_t engine_limit_end(const struct engine *e, int job);
/* How long a waiting job would run by what is known beforehand. */
int64_t engine_length(const struct engine *e, int job);

/* The nodes, e->node[], that the strategy gives the head at time `then`, when the first `ended`
 * promises have been kept; 0: it has to wait. */
int engine_fits_then(struct engine *e, int ended, int64_t then);

/* Nodes that the job at queue[at] wants. */
static inline int engine_wanted(const struct engine *e, int at)
{
	return e->trace->job[e->queue[at]].count;
}
/*
 * Try the job at queue[at] on these nodes: 1 it started (or was refused for good), those before it
 * are one place further back; 0 it has to wait, -1 failure.
 */
int engine_try(struct engine *e, int at, const struct nodeset *nodes);

/* Refuse the head for good, as slurmctld does at submission, if not even the idle machine has a
 * place for it. */
bool engine_refuse_head(struct engine *e);

/* --- schedulers: start what can start now; 0, -1 failure ------------------------------- */

int sched_fcfs(struct engine *e);
int sched_easy(struct engine *e); /* one reservation, for the head of the queue */
/* --- contention (engine_comm.c) --------------------------------------------------------- */

void engine_begin_traffic(struct engine *e, int job);
int engine_add_traffic(struct engine *e, int job, int count);
void engine_end_traffic(struct engine *e, int job);
/* The company has changed: what is left of each job goes on at another pace. */
void engine_change_pace(struct engine *e);
void engine_note_messages(struct engine *e, double seconds);
void engine_finish_messages(struct engine *e);

#endif
