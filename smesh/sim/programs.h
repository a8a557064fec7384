/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What jobs send, message by message: by the patterns of links/comm.h, or like small programs that
 * imitate well-known ones. A program here is one iteration of a program of
 * tests/lab/smpi/programs.c; those are MPI programs, for SimGrid's SMPI to judge
 * (doc/lab/smpi.md).
 */
#ifndef SMESH_PROGRAMS_H
#define SMESH_PROGRAMS_H

#include "links/comm.h"

/* The kind of a job: an enum comm_pattern, or from COMM_PATTERNS on a program. */
enum { PROGRAMS = 13, COMM_KINDS = COMM_PATTERNS + PROGRAMS };

/* The name of a kind; NULL for other numbers. */
const char *kind_name(int kind);
/* The kind with this name, or -1. */
int kind_find(const char *name);
/*
 * The ranks of a job of this kind on so many nodes. Programs run on 2^a * 3^b ranks, some only on
 * powers of two or on squares.
 */
int kind_ranks(int kind, int nodes);

/* Draws of random pairs; a job's time is the mean over them. */
enum { SCRIPT_ROUNDS = 12 };

struct script {
	int kind, ranks;
	int ndims;     /* of a pattern's grid */
	uint64_t seed; /* for the draws of patterns */
	/* The result. Messages of one step are sent at the same time. */
	struct script_message {
		int from, to, step;
		double bytes; /* patterns: 1 */
		double times; /* sent one after the other; patterns: part of what the rank sends */
	} *message; /* [n] by round, step, rank */
	int n;
	int rounds, round_end[SCRIPT_ROUNDS];
	bool loose; /* ranks reach a step at different times */
	int step;
	double times; /* of the message that is written next */
};

/*
 * Write a script of this kind, ranks, ndims and seed; script_release() it. O(messages): at most 72
 * of a rank.
 */
void script_write(struct script *script);
void script_release(struct script *script);

#endif
