/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs that are being measured. Their ranks write into the folder `runs` of the user's directory
 * of records. Each file's name says all about its run, so that a program without MPI leaves
 * nothing:
 *
 *     NAME=PROGRAM@RANKS.BEGAN.KEY.3.prof     what rank 3 sent, written when it ended
 *     NAME+@0.BEGAN.KEY.3.part                the same, at most a minute old, of a rank that runs
 *
 * With = NAME is the record's. With + it is a job's, and the record may be another one
 * (records_choose()) by the program that the files tell of. RANKS 0: as many as there are files.
 * BEGAN is in seconds since 1970. A script may start several programs: each has .mHASH-RANKS
 * behind the key, by its command line. Files of Open MPI's own have .o behind the key, and count
 * only if ours are missing.
 */
#ifndef LEARN_RUNS_H
#define LEARN_RUNS_H

#include "base/err.h"
#include "learn/records.h"
#include "ranks/assign.h"

enum {
	RUNS_BYTES = 256 << 20, /* the most bytes of one run's files that are read */
	RUNS_FILES = 1 << 17,	/* the most files of all runs that are looked at */
};

/* A run that begins. */
struct runs_label {
	char name[RECORDS_NAME];
	char program[RECORDS_NAME]; /* "": not known */
	bool of_job;		    /* name is a job's, with + behind it */
	int ranks;		    /* 0: not known */
};

/*
 * Begin a run: make the folder, and set prefix to the beginning of its files' names; .RANK.prof
 * follows. 0, or -1 with text.
 */
int runs_begin(const char *directory, const struct runs_label *label, char prefix[RECORDS_PATH],
	struct mesh_err *err);

/* A run that is over, and the nodes of its ranks, if they were ordered by what was learnt. */
struct runs_order {
	const char *run; /* the run's prefix */
	struct assign_sites nodes; /* in the order of the node list; hops NULL: not known */
	int *place; /* [ranks] index of the rank's node */
	int per_node;
	struct arena arena; /* of `nodes` and `place`; the caller releases it */
};

/*
 * Make records of complete runs; a newer record replaces an older one. Remove what is left of
 * other runs after a day, and the oldest records beyond RECORDS_MOST. A faulty run does not stop
 * the others; err has the last text. Returns how many runs were faulty. order (NULL: none): if its
 * run took more hops in that order than in the order of its nodes, the program is not steady; then
 * the new record is mix, without a matrix, and orders nothing. Ends after some seconds, and leaves
 * the rest to the next call.
 */
int runs_collect(const char *directory, const struct runs_order *order, struct mesh_err *err);

#endif
