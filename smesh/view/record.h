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

#include "view/picture.h"
#include "sim/engine.h"

struct record_job {
	int job; /* index in the trace; -1: not used */
	int nranges;
	int *range; /* [2 * nranges] first cell, cells; ascending */
	int64_t start, end; /* microseconds; end -1: still running */
	int64_t moved;	    /* submitted so much after the time of the trace */
	double mean_hops;
};

/* A job had its nodes, or a node was out of service. */
struct record_span {
	int of;		  /* index in the trace, or node */
	int64_t from, to; /* microseconds */
};

struct record_spans {
	struct record_span *at; /* [n] */
	int n, room;
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
	struct record_spans
		out; /* nodes that failed or were in maintenance at one of the moments */
	struct record_spans cut; /* of jobs: runs that a failure has ended */
	/* Ours. */
	struct record_spans runs; /* all */
	int64_t *start;		  /* [trace->njobs] of a running job */
	int64_t *out_since;	  /* [nnodes] of a node that is out of service; -1 */
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
void record_turned(void *data, int node, bool up, int64_t now);
/* The run is over: what became of all jobs of the trace (record_finish.c). */
void record_finish(struct record *record, const struct engine_record *of_job);

/* Ours: the first moment that is not before a time; one more span. */
static inline int64_t record_moment_from(const struct record *r, int64_t time)
{
	return (time + r->step - 1) / r->step * r->step;
}
void record_span(struct record *record, struct record_spans *spans, struct record_span span);
/* The node of each cell, -1: none; malloc()ed, or NULL. */
int *record_nodes_of_cells(const struct record *record);
/* The n nodes of a job, by that list; malloc()ed, or NULL. */
int *record_nodes(const struct record *record, const struct record_job *job, const int *node_of,
	int *n);

/* The moment with most to see: many jobs on many nodes. */
int64_t record_moment(const struct record *record);
/* The machine at a moment, into an empty picture. 0, or -1 when memory is out. */
int record_picture(const struct record *record, int64_t at, struct picture *picture);

#endif
