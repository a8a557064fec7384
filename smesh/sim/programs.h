/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What jobs send, message by message, in the patterns of links/comm.h and in small programs that do
 * what well-known ones do: one iteration of those of tests/lab/smpi/programs.c, which are MPI
 * programs there, for SimGrid's SMPI to judge (doc/lab/smpi.md).
 */
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include "links/comm.h"

/* A kind of job is one of enum comm_pattern, or from COMM_PATTERNS on a program. */
enum { PROGRAMS = 13, COMM_KINDS = COMM_PATTERNS + PROGRAMS };

/* NULL for other numbers. */
const char *kind_name(int kind);
/* -1: there is none of this name. */
int kind_find(const char *name);
/* Ranks of such a job on so many nodes. Programs run on 2^a * 3^b ranks, some only on powers of
 * two or on squares. */
int kind_ranks(int kind, int nodes);

/* Random pairs: a job's time is the mean over so many draws. */
enum { SCRIPT_ROUNDS = 12 };

struct script {
	int kind, ranks;
	int ndims;     /* of a pattern's grid */
	uint64_t seed; /* of what patterns draw */
	/* What comes out. Messages of a step are sent at the same time. */
	struct script_message {
		int from, to, step;
		double bytes; /* patterns: 1 */
		double times; /* one after the other; patterns: part of what the rank sends */
	} *message; /* [n] by round, step, rank */
	int n;
	int rounds, round_end[SCRIPT_ROUNDS];
	bool loose; /* ranks come to a step at different times */
	int step;
	double times; /* of what is written next */
};

/* Fill a script of this kind, ranks, ndims and seed. 0, or -1 when memory is out; script_release()
 * either way. O(messages): 72 of a rank at most. */
int script_write(struct script *script);
void script_release(struct script *script);

#endif
