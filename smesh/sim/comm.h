/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How each job of a workload communicates: one kind for all, drawn from a mix, or as a file says.
 */
#ifndef SIM_COMM_H
#define SIM_COMM_H

#include "base/err.h"
#include "conf/jobpattern.h"
#include "links/load.h"
#include "sim/programs.h"
#include "sim/trace.h"

struct comm_job {
	int kind;     /* programs.h */
	double share; /* of the nominal run time that is communication, 0..1 */
	struct mesh_pattern told; /* what a strategy may be told of it */
};

/* share[kind], adding up to 1. */
struct comm_mix {
	double share[COMM_KINDS];
};

struct comm_options {
	struct comm_mix mix; /* one of share 1: all jobs; all 0: only the file says something */
	double share;
	const char *file;    /* lines ID KIND [PERCENT] for some jobs, or NULL */
	uint64_t seed;
};

/*
 * "all-to-all", "ring", "grid" (or "neighbour"), "random", "none", "mix" for all four alike, the
 * name of a program, or "programs" for all of these alike. 0, or -1 with text.
 */
int comm_parse(const char *text, struct comm_mix *mix, struct mesh_err *err);

/* job[trace->njobs] of the arena; NULL with text. A job's draw depends on its number in the log,
 * its nodes and the seed alone: a program runs on three quarters of the nodes at least. */
struct comm_job *comm_make(const struct trace *trace, const struct comm_options *options,
	struct arena *arena, struct mesh_err *err);

#endif
