/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A simulation over time, to be shown again: which job had which nodes from when to when. Of the
 * runs those are kept that are under way at one of the moments which the record is made of, so
 * that its size is bounded by moments and machine, not by the log.
 */
#ifndef MAP_RECORD_H
#define MAP_RECORD_H

#include "base/nodeset.h"
#include "sim/engine.h"
#include "view/picture.h"

struct record_run {
	int job; /* index in the trace */
	int *node, count; /* NULL: no moment shows it */
	int64_t start, end; /* microseconds; end -1: still running */
	double mean_hops; /* of record_finish() */
};

/* What free nodes were worth at each moment, as vacancy.h has it. */
struct record_kind {
	char name[64];
	int *boxes;   /* [moments] that could be had */
	double *loss; /* [moments] share of their places that a failing node takes, mean; 0: none */
};
enum { RECORD_KINDS = 3 }; /* from small to large */

struct record {
	struct arena arena; /* of all but the nodes of runs */
	const struct mesh *mesh;
	const struct trace *trace;
	const struct nodeset *down; /* the caller's: never free; or NULL */
	int64_t step; /* from moment to moment, microseconds; the first is at 0 */
	struct record_run *run; /* [nruns] by start */
	int nruns;
	/* Of record_finish(): at each moment, jobs that wait, nodes that work, jobs that run, and
	 * vertices of the largest free box, or NULL where that was not measured. */
	int *waiting, *busy, *running, *box; /* [moments] */
	int moments;
	struct record_kind kind[RECORD_KINDS];
	int nkinds; /* 0 where box is NULL */
	/* Ours. */
	int *run_of; /* [trace->njobs] where a running job is in run[] */
	bool failed; /* memory ran out: there is nothing to show */
};

/* The trace must stay. 0, or -1 when memory is out. record_release() in both cases. */
int record_init(struct record *record, const struct mesh *mesh, const struct trace *trace);
void record_release(struct record *record);

/* Hooks of the engine; data is a struct record, or NULL: nothing is recorded. */
void record_placed(void *data, int job, const int *node, int count, int64_t now);
void record_ended(void *data, int job, int64_t now);
/* The run is over: what became of all jobs of the trace. */
void record_finish(struct record *record, const struct engine_result *result);

/* The moment with most to see: many jobs on many nodes. */
int64_t record_moment(const struct record *record);
/* The machine at a time into an empty picture of the mesh, measured. 0, or -1: memory is out. */
int record_picture(const struct record *record, int64_t at, struct picture *picture);

#endif
