/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event simulation: one workload, one scheduler, one strategy that places.
 *
 * Whole-node jobs wait in one queue in order of submission. At each moment ends come before
 * submissions, and then the scheduler runs:
 *
 *   FCFS	the head of the queue starts as soon as its strategy places it; no job overtakes it.
 *   EASY	a head that cannot start gets a reservation at the first moment at which it fits,
 *		by the estimates. Others may start now if they end before that moment or leave the
 *		head's nodes alone. A box, a ring or a line is reserved itself.
 *
 * A strategy sees what it would see inside slurmctld: the running allocations in start order with
 * their ends by estimate, the sizes that wait, and the time. The result depends on the input
 * alone: no clock, and no randomness but options.seed.
 */
#ifndef SMESH_ENGINE_H
#define SMESH_ENGINE_H

#include "geometry/metrics_meter.h"
#include "sim/jobcomm.h"
#include "sim/contention.h"
#include "base/mesh.h"
#include "ask/strategy.h"
#include "sim/trace.h"

enum engine_scheduler { ENGINE_FCFS, ENGINE_EASY };
#define ENGINE_SCHEDULERS "fcfs|easy"

/* What became of a job. */
struct engine_record {
	int64_t start; /* microseconds; -1: it never started, see `refused` */
	int64_t end;
	int64_t pairwise_hops;
	double mean_hops;
	float box_ratio; /* vertices in the bounding box / vertices used */
	int diameter, components;
	int decision_ns;
	bool refused; /* the strategy can never place it */
	bool killed;  /* it ended at its limit before it was done */
	double slowdown; /* with contention: of its communication, mean over its time */
};

/* Run time divided by nominal run time, which is the log's. */
static inline double engine_stretch(const struct trace_job *job, const struct engine_record *record)
{
	return (double)(record->end - record->start) / (double)job->run;
}

/*
 * Messages share links, and that slows jobs down (contention.h):
 *
 *	run time / nominal = 1 - share + share * slowdown / calibration of its kind
 *
 * EASY and strategies expect the end of a running job by its present pace.
 */
struct engine_comm {
	const struct jobcomm *job; /* [njobs] of the trace, or NULL */
	bool contention; /* messages slow jobs down */
	bool told;	 /* strategies are told what each job sends */
	bool keep_times; /* slowdowns are measured, but run times stay nominal */
	double calibration[COMM_KINDS]; /* > 0 */
};

struct engine_options {
	enum engine_scheduler scheduler;
	int backfill_depth; /* how many jobs behind the head are looked at; 0 = all */
	uint64_t seed;	    /* for strategies; each job gets its own */
	const struct nodeset *down; /* nodes that are never free, or NULL */
	struct engine_comm comm;
	struct mesh_request
		told;       /* about every job: hint, pattern and grid; nothing else is read */
	bool kill_at_limit; /* jobs end at their estimate; those without one have no limit */
	int64_t stop_at; /* microseconds; jobs that have not started by then never do; <0: no end */
	bool hops_only;	    /* leave the other measures 0 */
	bool free_box;	    /* measure the largest free box at all times */
	bool messages;	    /* with contention: measure the messages on each link */
	/* Strategies that are asked about every placement but place nothing (Bender et al., table
	 * 1): [ndecide]. engine_result.decide has their sums over jobs of more than one node. */
	const struct strategy_ops *const *decide;
	int ndecide;
	/* Hooks, each may be NULL. A job is its index in the trace. progress: a result other than 0
	 * ends the run. placed and ended are not called if data is NULL. */
	int (*progress)(void *progress_data, int done, int all);
	void *progress_data;
	void (*placed)(void *data, int job, const int *node, int count, int64_t now);
	void (*ended)(void *data, int job, int64_t now);
	void *data;
};

struct engine_decide {
	double pairwise_hops; /* sum */
	int64_t jobs;	      /* placed, of more than one node */
};

struct engine_result {
	struct arena arena; /* owns all but record[] */
	struct engine_record *record; /* [njobs] of the trace */
	struct engine_decide *decide; /* [ndecide] */
	int refused; /* the first job that is refused, valid if there is a reason: */
	struct mesh_err reason;
	/* Node-seconds that were free while a waiting head of no more nodes was not placed: what
	 * the shape of the free space, not its size, made idle. */
	double fragmented;
	/* With free_box: vertex-seconds of the largest box of free vertices while jobs ran. */
	double free_box, free_box_time;
	struct engine_space {
		int64_t from; /* until the next entry's */
		int vertices; /* of the largest free box */
	} *space; /* [nspace] */
	int nspace;
	/* With contention: the highest load of a link, and link-seconds of links that several jobs
	 * used. */
	double peak_load, shared_links;
	/* With messages: [links_count()] on each link at once, mean over the run; otherwise
	 * NULL. */
	double *messages;
};

struct engine_input {
	const struct mesh *mesh;
	const struct trace *trace; /* in order of submission; all jobs fit the mesh (trace_fit()) */
	const struct strategy_ops *ops;
};

/*
 * Run the simulation. 0; 1: progress() ended it; -1 with text. Call engine_release() in all cases.
 */
int engine_run(struct engine_result *result, const struct engine_input *input,
	const struct engine_options *options, struct mesh_err *err);
void engine_release(struct engine_result *result);

/* --- the figures of a job's nodes in its record (measure.c) ---------------------------------- */

struct slice; /* cubes.h */
/* Measure node[0..count-1] of the answer, ascending. hops_only: all other figures stay. */
void measure_nodes(struct mesh_meter *meter, const struct mesh *mesh,
	const struct mesh_answer *nodes, bool hops_only, struct engine_record *record);
/* Measure the hops of a slice, which the mesh does not know. */
void measure_slice(const struct slice *slice, int per_vertex, struct engine_record *record);

#endif
