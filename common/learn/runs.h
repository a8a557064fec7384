/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs that are being measured. Their ranks write into the folder `runs` of the user's directory of
 * records, and each file's name says all about its run, so that a program without MPI leaves
 * nothing:
 *
 *     NAME=PROGRAM@RANKS.BEGAN.KEY.3.prof     what rank 3 sent, written when it ended
 *     NAME+@0.BEGAN.KEY.3.part                the same, at most a minute old, of a rank that runs
 *
 * Behind = the name is that of the record. Behind + it is a job's, whose record may be another
 * (records_choose()) by the program that the files tell of. RANKS 0: as many as there are files.
 * BEGAN is in seconds since 1970. Of the programs that a script starts each has .mHASH-RANKS behind
 * the key, by its command line. What Open MPI writes by itself has .o behind the key, and counts
 * where the other is not there.
 */
#ifndef MESH_RUNS_H
#define MESH_RUNS_H

#include "base/err.h"
#include "learn/records.h"
#include "ranks/assign.h"

enum {
	RUNS_BYTES = 256 << 20, /* of the files of one run are read */
	RUNS_FILES = 1 << 17,	/* of all runs are looked at */
};

/* A run that begins. */
struct runs_label {
	char name[RECORDS_NAME];
	char program[RECORDS_NAME]; /* "": not known */
	bool of_job;		    /* name is a job's, and + is behind it */
	int ranks;		    /* 0: not known */
};

/*
 * What its ranks write begins with prefix, and goes on .RANK.prof. The folder is made. 0, or -1
 * with text.
 */
int runs_begin(const char *directory, const struct runs_label *label, char prefix[RECORDS_PATH],
	struct mesh_err *err);

/* A run that is over, and where its ranks were in the order of what was learnt. */
struct runs_order {
	const char *run; /* its prefix */
	struct assign_sites nodes; /* in the order in which they are listed; hops NULL: not known */
	int *place; /* [ranks] index of a node */
	int per_node;
	struct arena arena;
};

/*
 * Make records of the runs that are complete, of which the newer replaces the older; what is left
 * of others after a day, and the oldest records beyond RECORDS_MOST, are removed. What is wrong
 * with a run ends that run alone: the last text is in err. Returns how many were not good. Where
 * the order of a run (NULL: of none) took what it sent more hops than the order of its nodes, its
 * program is not steady: the new record is mix, without a matrix, and orders nothing. Ends after
 * some seconds, and leaves the rest to the next call.
 */
int runs_collect(const char *directory, const struct runs_order *order, struct mesh_err *err);

#endif
