/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A simulation over time, for showing it again: which job had which nodes from when to when. Only
 * runs are kept that are under way at one of the timeline's moments. So the size depends on the
 * moments and the machine, not on the log.
 */
#ifndef SMESH_TIMELINE_H
#define SMESH_TIMELINE_H

#include "base/nodeset.h"
#include "sim/engine.h"
#include "view/picture.h"

struct timeline_run {
	int job; /* index in the trace */
	int *node, count; /* NULL: no moment shows it */
	int64_t start, end; /* microseconds; end -1: still running */
	double mean_hops; /* set by timeline_finish() */
};

/* What free nodes were worth at each moment, as defined in vacancy.h. */
struct timeline_kind {
	char name[64];
	int *boxes;   /* [moments] boxes that could be had */
	double *loss; /* [moments] mean share of their places that a failing node takes; 0: none */
};
enum { TIMELINE_KINDS = 3 }; /* from small to large */

struct timeline {
	struct arena arena; /* owns all but the nodes of runs */
	const struct mesh *mesh;
	const struct trace *trace;
	const struct nodeset *down; /* the caller's: nodes that are never free; or NULL */
	int64_t step; /* microseconds between moments; the first is at 0 */
	struct timeline_run *run; /* [nruns] by start */
	int nruns;
	/* Set by timeline_finish(): at each moment waiting jobs, busy nodes, running jobs, and the
	 * vertices of the largest free box, or NULL if that was not measured. */
	int *waiting, *busy, *running, *box; /* [moments] */
	int moments;
	struct timeline_kind kind[TIMELINE_KINDS];
	int nkinds; /* 0 if box is NULL */
	/* Internal: */
	int *run_of; /* [trace->njobs] index in run[] of a running job */
};

/* The trace must stay valid. */
void timeline_init(struct timeline *timeline, const struct mesh *mesh, const struct trace *trace);
void timeline_release(struct timeline *timeline);

/* Hooks of the engine; data is a struct timeline, or NULL: record nothing. */
void timeline_placed(void *data, int job, const int *node, int count, int64_t now);
void timeline_ended(void *data, int job, int64_t now);
/* The run is over: add what became of all jobs of the trace. */
void timeline_finish(struct timeline *timeline, const struct engine_result *result);

/* The moment with most to see: many jobs on many nodes. */
int64_t timeline_moment(const struct timeline *timeline);
/*
 * Fill an empty picture of the mesh with the machine and its queue at the time at which the run was
 * stopped, and measure it. A job's limit is its estimate, or its run time if it has none.
 */
void timeline_picture(const struct timeline *timeline, const struct engine_result *result,
	int64_t at, struct picture *picture);

#endif
