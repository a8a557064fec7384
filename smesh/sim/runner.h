/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs many simulations on all cores. A task is one strategy on one workload.
 */
#ifndef SMESH_RUNNER_H
#define SMESH_RUNNER_H

#include <time.h>

#include "sim/engine.h"
#include "sim/summary.h"

struct runner_task {
	/* Set by the caller. */
	const struct strategy_ops *ops;
	const struct trace *trace;
	const struct jobcomm *comm; /* engine_comm.job */
	uint64_t seed;
	void *data; /* for the engine's hooks; NULL: runner.engine.data */
	bool done; /* in: the summary is known, and nothing is run */
	/* Results. */
	struct summary summary;
	struct engine_result result; /* record is NULL without runner.keep */
	int code;		     /* of engine_run() */
	struct mesh_err err;
};

struct runner {
	const struct mesh *mesh;
	struct engine_options engine; /* for all; seed is the task's, progress is the runner's */
	struct summary_options summary;
	struct runner_task *task; /* [ntasks] */
	int ntasks;
	int threads; /* >= 1 */
	bool keep;   /* keep the records of the jobs */
	/* Progress on standard error: a bar, or a line a minute, with the time left. */
	struct runner_progress {
		bool bar;
		const char *label;  /* what is being done; NULL: "simulation" */
		double from, span;  /* the part of all work that these tasks are; span 0: all */
		time_t begun;	    /* when all the work began; 0: now */
	} progress;
	/* Called on the worker's thread after each good run, before its records are freed. */
	void (*finished)(void *data, struct runner_task *task);
	void *data;
};

/* Run all tasks. 0, or -1 with the first failure's text. */
int runner_run(struct runner *runner, struct mesh_err *err);
/* Free the results of the tasks, not the tasks. */
void runner_release(struct runner *runner);

#endif
