/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A simulation over time, to be shown again: which job had which cells from when to when. Of the
 * jobs those are kept that run at one of the moments which the record is made of, so that its
 * size is bounded by moments and machine, not by the log.
 *
 * A cell is a place for a node: vertex * nodes_per_vertex + its number there.
 */
#ifndef MAP_RECORD_H
#define MAP_RECORD_H

#include "picture.h"
#include "sim/engine.h"

struct record_job {
	int job; /* index in the trace; -1: not used */
	int nranges;
	int *range; /* [2 * nranges] first cell, cells; ascending */
	int64_t start, end; /* microseconds; end -1: still running */
	double mean_hops;
};

struct record {
	const struct mesh *mesh;
	const struct trace *trace;
	const int *cell_of;	/* [nnodes], the caller's: record_cells() */
	int64_t step;		/* from moment to moment, microseconds; the first is at 0 */
	struct record_job *job; /* [njobs] */
	int njobs, room;
	/* Of record_finish(): at each moment, jobs that wait, nodes that work, jobs that run. */
	int *waiting, *busy, *running; /* [moments] */
	int moments;
	/* Ours. */
	int *slot; /* [trace->njobs] where a running job is in job[], or -1 */
	int *free_slot, nfree;
	bool failed; /* memory ran out: there is nothing to show */
};

/* The cells of the nodes, malloc()ed, or NULL. */
int *record_cells(const struct mesh *mesh);

/* cell_of and trace must stay. 0, or -1 when memory is out. record_release() in both cases. */
int record_init(struct record *record, const struct mesh *mesh, const struct trace *trace,
	const int *cell_of);
void record_release(struct record *record);

/* Hooks of the engine; data is a struct record. */
void record_placed(void *data, int job, const int *node, int count, int64_t now);
void record_ended(void *data, int job, int64_t now);
/* The run is over: what became of all jobs of the trace. */
void record_finish(struct record *record, const struct engine_record *of_job);

/* The moment with most to see: many jobs on many nodes. */
int64_t record_moment(const struct record *record);
/* The machine at a moment, into an empty picture. 0, or -1 when memory is out. */
int record_picture(const struct record *record, int64_t at, struct picture *picture);

#endif
