/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of what jobs sent, as it was measured: a directory of the user's with a record for each
 * name and number of ranks. A record is a file NAME@64.traffic. It has comments in its first
 * RECORDS_HEAD bytes, then lines RANK RANK BYTES [STEP] (trafficfile.h). The file's name is the
 * index, so a record is found without a look at the others.
 *
 * Records are read and written with the user's own rights, in srun, sbatch, smesh and the user's
 * task, and are not trusted.
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
	RECORDS_RANKS = 1 << 16,
	RECORDS_RUNS = 1000, /* the most runs that are counted */
	RECORDS_PAIRS = 1 << 22,
	RECORDS_HEAD = 4096,
	RECORDS_BYTES = 128 << 20, /* the matrix of a larger file is not read */
};

struct record {
	char name[RECORDS_NAME];
	char program[RECORDS_NAME]; /* the program that was measured (progname.h); "": not known */
	int ranks;
	double seconds;	  /* the duration of the run */
	double bytes;	  /* sent by all ranks together */
	double messages;  /* sent by all ranks together; 0: not known */
	double share;	  /* part of the time that ranks were in MPI, 0 to 1; negative: not known */
	int runs;	  /* how many runs in a row sent alike */
	bool matrix; /* the file has lines of traffic: not for more than RECORDS_PAIRS pairs, nor
			if the last run sent otherwise than the one before */
	int64_t written;  /* seconds since 1970 */
	char pattern[PATTERN_TEXT]; /* patternfind(); mix: none was found */
	char path[RECORDS_PATH];
};

/*
 * The directory of records: data/slurm-mesh/traffic, if data is an absolute path (XDG_DATA_HOME),
 * else the same below home/.local/share. With `site`, a directory in which all may write (mode
 * 1777), site/UID; site itself is never made. The directory is made for its owner only, and refused
 * if it is another user's or others may write to it. 0, or -1 with text.
 */
int records_directory(const char *data, const char *home, const char *site,
	char directory[RECORDS_PATH], struct mesh_err *err);

/*
 * Write a record; its name must be clean (progname.h). traffic: its matrix, if it has one. 0, or
 * -1 with text.
 */
int records_write(const char *directory, const struct record *record, const struct traffic *traffic,
	struct mesh_err *err);

/*
 * Find the record of a name with `ranks` ranks (0: the newest). False: there is none. Reads the
 * head of one file; with 0 ranks the names in the directory, and the heads of some files.
 */
bool records_find(const char *directory, const char *name, int ranks, struct record *record);

/*
 * Choose the name under which a job's program is recorded: the job's name. If that says nothing,
 * the program's with its arguments; if it has another program's record, JOB.PROGRAM; if it has no
 * record and the program's own name has one, that. A file "" is an unknown program: the job's name.
 */
void records_choose(const char *directory, const char *job, const struct progname *program,
	int ranks, char name[RECORDS_NAME]);

/*
 * Change a record to what another number of ranks can expect: a pattern (patternfind_scale()), and
 * no matrix. False: nothing.
 */
bool records_scale(struct record *record, int ranks);

/* List records by name and ranks in the arena, of 65,536 files at most. How many; -1 with text. */
int records_list(const char *directory, struct arena *arena, struct record **list,
	struct mesh_err *err);

/* Remove the oldest records beyond RECORDS_MOST. Opens no file. */
void records_drop(const char *directory);

#endif
