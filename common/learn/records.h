/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What jobs sent, as it was measured: a directory of the user's with a record for each name and
 * number of ranks. A record is a file NAME@64.traffic: a head of comments in its first
 * RECORDS_HEAD bytes, then lines RANK RANK BYTES [STEP] (trafficfile.h). The file's name is the
 * index: a record is found without a look at the others.
 *
 * All of it is read and written with the user's own rights, in srun, sbatch, smesh and the user's
 * task, and not trusted.
 */
#ifndef MESH_RECORDS_H
#define MESH_RECORDS_H

#include "base/err.h"
#include "learn/progname.h"
#include "ranks/patternfind.h"

enum {
	RECORDS_NAME = PROGNAME,
	RECORDS_PATH = 1024,
	RECORDS_MOST = 1000,
	RECORDS_PAIRS = 1 << 22,
	RECORDS_HEAD = 4096,
	RECORDS_BYTES = 128 << 20, /* the matrix of a larger file is not read */
};

struct record {
	char name[RECORDS_NAME];
	char program[RECORDS_NAME]; /* that was measured (progname.h); "": not known */
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
 * data/slurm-mesh/traffic, where data is an absolute path (XDG_DATA_HOME), or the same below
 * home/.local/share. With `site`, a directory in which all may write (mode 1777), site/UID. The
 * directory is made, for its owner only, and refused where it is another's or others may write to
 * it. 0, or -1 with text.
 */
int records_directory(const char *data, const char *home, const char *site,
	char directory[RECORDS_PATH], struct mesh_err *err);

/* Write a record, its name one for files; traffic where it has a matrix. 0, or -1 with text. */
int records_write(const char *directory, const struct record *record, const struct traffic *traffic,
	struct mesh_err *err);

/* The record of the name with so many ranks (0: the newest). False: there is none. Reads one head;
 * with 0 ranks the names in the directory, too. */
bool records_find(const char *directory, const char *name, int ranks, struct record *record);

/*
 * The name under which the program of a job is recorded: the job's; or the program's own where it
 * is recorded under that, with its arguments where the job's name says nothing, or
 * behind the job's where that is another program's. A file "": not known.
 */
void records_choose(const char *directory, const char *job, const struct progname *program,
	int ranks, char name[RECORDS_NAME]);

/* Make of a record what can be expected of another number of ranks: a pattern
 * (patternfind_scale()), and no matrix. False: nothing can be. */
bool records_scale(struct record *record, int ranks);

/* All records by name and ranks; how many, or -1 with text. */
int records_list(const char *directory, struct arena *arena, struct record **list,
	struct mesh_err *err);

/* Remove the oldest of more than RECORDS_MOST records. No file is opened. */
void records_drop(const char *directory);

#endif
