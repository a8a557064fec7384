/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How each job of a workload communicates: all in one way, drawn from a mix, or as a file says.
 */
#ifndef SMESH_JOBCOMM_H
#define SMESH_JOBCOMM_H

#include "base/err.h"
#include "conf/jobpattern.h"
#include "links/load.h"
#include "sim/programs.h"
#include "sim/trace.h"

struct jobcomm {
	int kind;     /* programs.h */
	double share; /* the part of the nominal run time that is communication, 0..1 */
	struct mesh_pattern told; /* what a strategy may be told about it */
};

/* A mix: share[kind], adding up to 1. */
struct jobcomm_mix {
	double share[COMM_KINDS];
};

struct jobcomm_options {
	struct jobcomm_mix mix; /* one share of 1: all jobs; all 0: only the file counts */
	double share;
	const char *file;    /* lines ID KIND [PERCENT] for some jobs, or NULL */
	uint64_t seed;
};

/*
 * Parse "all-to-all", "ring", "grid" (or "neighbour"), "random", "none", "mix" for all four in
 * equal parts, the name of a program, or "programs" for all programs in equal parts. 0, or -1 with
 * text.
 */
int jobcomm_parse(const char *text, struct jobcomm_mix *mix, struct mesh_err *err);

/*
 * Make job[trace->njobs] in the arena; NULL with text. What is drawn for a job depends only on its
 * number in the log, its nodes and the seed. A program runs on at least three quarters of the
 * nodes. Of several lines of options->file about a job the last one counts. *lines: what
 * byjob_read() counts.
 */
struct jobcomm *jobcomm_make(const struct trace *trace, const struct jobcomm_options *options,
	struct trace_byjob *lines, struct arena *arena, struct mesh_err *err);

#endif
