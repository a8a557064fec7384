/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What jobs sent, as it was measured: a directory of the user's with a record for each name
 * and number of ranks, and below it a directory for each run that is being measured.
 *
 *     NAME@64.traffic       the record: a head of comments, then lines RANK RANK BYTES [STEP]
 *     run.XXXXXX/meta       NAME RANKS SECONDS-SINCE-1970 of a run; 0 ranks: as many as files
 *     run.XXXXXX/t.3.prof   what rank 3 sent, as Open MPI writes it at the end (trafficfile.h)
 *
 * All of it is read and written with the user's own rights, in srun, sbatch and smesh, and
 * not trusted.
 */
#ifndef MESH_RECORDS_H
#define MESH_RECORDS_H

#include "base/err.h"
#include "ranks/assign.h"
#include "ranks/patternfind.h"

enum { RECORDS_NAME = 64, RECORDS_PATH = 1024, RECORDS_MOST = 1000, RECORDS_PAIRS = 1 << 22 };

struct record {
	char name[RECORDS_NAME];
	int ranks;
	double seconds;	  /* that the run took */
	double bytes;	  /* that were sent, all ranks together */
	double messages;  /* in so many messages; 0: not known */
	double share;	  /* of the time that ranks were in MPI, 0 to 1; negative: not known */
	int runs;	  /* so many in a row sent alike */
	bool matrix; /* the file has lines of who sent whom; not for more than RECORDS_PAIRS, nor
			where the last run sent otherwise than the one before */
	int64_t written;  /* seconds since 1970 */
	char pattern[PATTERN_TEXT]; /* patternfind(); mix: none was found */
	char path[RECORDS_PATH];
};

/*
 * $XDG_DATA_HOME/slurm-mesh/traffic, or the same below home/.local/share; home: NULL: $HOME. With
 * `site`, a directory in which all may write (mode 1777), site/UID. It is made, for its owner only,
 * and refused where it is another's or others may write to it. 0, or -1 with text.
 */
int records_directory(const char *home, const char *site, char directory[RECORDS_PATH],
	struct mesh_err *err);

/* A job's name as one for a file: what is not a letter, digit, dot, minus or underscore is one. */
void records_name(const char *text, char name[RECORDS_NAME]);

/*
 * Make the directory of a run that begins, into run[]; ranks 0: not known. What its ranks
 * write there begins with run/t. 0, or -1 with text.
 */
int records_begin(const char *directory, const char *name, int ranks, char run[RECORDS_PATH],
	struct mesh_err *err);

/* A run is over: where no rank has written anything, as of a program without MPI, it is removed. */
void records_end(const char *run);

/* Where the ranks of a run were, in the order of what was learnt. */
struct records_order {
	const char *run;
	struct assign_sites nodes; /* in the order in which they are listed; hops NULL: not known */
	int *place; /* [ranks] index of a node */
	int per_node;
	struct arena arena;
};

/*
 * Make records of the runs that are complete, of which the newer replaces the older; runs
 * that are not after a day, and the oldest records beyond RECORDS_MOST, are removed. What is
 * wrong with a run ends that run alone: the last text is in err. Returns how many were not
 * good. Where the order of a run (NULL: of none) took what it sent more hops than the order of its
 * nodes, its program is not steady: the new record is mix, without a matrix, and orders nothing.
 */
int records_collect(
	const char *directory, const struct records_order *order, struct mesh_err *err);

/* Write a record, its name one for files; traffic where it has a matrix. 0, or -1 with text. */
int records_write(const char *directory, const struct record *record, const struct traffic *traffic,
	struct mesh_err *err);

/* The record of the name with so many ranks (0: the newest). False: there is none. */
bool records_find(const char *directory, const char *name, int ranks, struct record *record);

/* Make of a record what can be expected of another number of ranks: a pattern
 * (patternfind_scale()), and no matrix. False: nothing can be. */
bool records_scale(struct record *record, int ranks);

/* All records by name and ranks; how many, or -1 with text. */
int records_list(const char *directory, struct arena *arena, struct record **list,
	struct mesh_err *err);

#endif
