/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What trace_read() and the readers of single formats share. A new format is a row in
 * trace_read.c's table.
 */
#ifndef SIM_TRACE_FORMAT_H
#define SIM_TRACE_FORMAT_H

#include <zlib.h>

#include "sim/trace.h"

/* The longest line of a log, and the longest job of sacct's that goes over several. */
enum { TRACE_LINE = 1 << 16 };

struct trace_reader {
	struct trace *trace;
	const struct trace_read_options *options;
	const struct trace_format *format; /* NULL: no line has told it yet */
	void *state; /* the format's own, in trace->arena */
	int line; /* of which an error speaks; 0: of no single one */
};

/*
 * What the functions do: 1: a job was added; 0: none (yet); -1 with text. line() gets a line
 * without its end, may write to it, and adds at most one job.
 */
struct trace_format {
	const char *name;
	/* Is it the file's first line, of those that are neither empty nor a comment (; or #)? */
	bool (*is)(const char *line);
	/* Once, with that line, which line() gets too; NULL: nothing to do. */
	int (*begin)(struct trace_reader *r, const char *line, struct mesh_err *err);
	int (*line)(struct trace_reader *r, char *line, struct mesh_err *err);
	/* Behind the last line, for what it may have left open. NULL: nothing. */
	int (*end)(struct trace_reader *r, struct mesh_err *err);
};

/* Of what line() returned: 0: go on, also where skip_bad counts a bad line; 1: jobs enough; -1. */
int trace_took(struct trace_reader *r, int taken);

bool sacct_is(const char *line);
bool sacct_table_is(const char *line);
bool filetxt_is(const char *line);
bool rfold_is(const char *line);
bool swf_is(const char *line);
int sacct_begin(struct trace_reader *r, const char *line, struct mesh_err *err);
int sacct_line(struct trace_reader *r, char *line, struct mesh_err *err);
int sacct_end(struct trace_reader *r, struct mesh_err *err);
int sacct_table(struct trace_reader *r, const char *line, struct mesh_err *err);
int filetxt_line(struct trace_reader *r, char *line, struct mesh_err *err);
int rfold_line(struct trace_reader *r, char *line, struct mesh_err *err);
int swf_line(struct trace_reader *r, char *line, struct mesh_err *err);

/* The whole of a file in JSON. 0, or -1 with text. */
int json_jobs(struct trace_reader *r, gzFile file, struct mesh_err *err);

/* --- what Slurm says of a job --------------------------------------------------------------- */

struct slurm_job {
	int64_t id;	  /* < 0: it is in name */
	const char *name; /* as Slurm's commands print it: 5, 5_1, 4+0; NULL: the number */
	const char *state; /* NULL: not known */
	int64_t submit, end; /* seconds; end -1: no word of it, 0: not yet */
	int64_t start;	     /* seconds; 0: not known */
	int64_t run, limit;  /* seconds; limit 0: not known */
	int64_t count;
	const char *user, *account, *qos, *partition; /* NULL or "": not known */
};

/* Adds it, or counts it as not ended. */
int slurm_add(struct trace_reader *r, const struct slurm_job *job, struct mesh_err *err);

/*
 * Of jobs of Slurm's that are there twice, as where the logs of two months overlap, one is kept and
 * the others are counted. O(jobs log jobs).
 */
void slurm_drop_again(struct trace *trace);

/*
 * A time as Slurm's commands print it, whatever SLURM_TIME_FORMAT was of %FT%T, %FT%T%z and %s: to
 * seconds of a clock without time zone, of UTC where an offset is named. Seconds may be missing;
 * `precise` (or NULL) tells whether they are there. Unknown, None and nothing are 0. -1: no time.
 */
int slurm_time(const char *text, int64_t *seconds, bool *precise);

#endif
