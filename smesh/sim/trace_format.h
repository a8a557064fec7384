/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What trace_read() and the readers of single formats share. A new format is an object in the list
 * of trace_read.c.
 */
#ifndef SMESH_TRACE_FORMAT_H
#define SMESH_TRACE_FORMAT_H

#include <math.h>
#include <zlib.h>

#include "sim/trace.h"

/* The longest line of a log (Torque's have all hosts of a job), and the longest job of sacct's that
 * goes over several lines. */
enum { TRACE_LINE = 1 << 19 };

/* Seconds in microseconds; 0 if they are negative. */
static inline int64_t trace_time(double seconds)
{
	return seconds > 0 ? llround(seconds * (double)SIM_SECOND) : 0;
}

struct trace_reader {
	struct trace *trace;
	const struct trace_read_options *options;
	const struct trace_format *format; /* NULL: no line has told it yet */
	void *state; /* the format's own, in trace->arena */
	int line; /* the line for errors; 0: no single line */
	unsigned times; /* what trace_slurm_time() said of the jobs so far, */
	int times_line; /* first on this line */
};

/*
 * A format. line() and end() return 1: a job was added; 0: none (yet); -1 with text. line() gets a
 * line without its end, may change it, and adds at most one job.
 */
struct trace_format {
	/* Is this the first line of such a file? Empty lines and comments (; or #) are skipped. */
	bool (*is)(const char *line);
	/*
	 * Called once with the first line, which line() does not get then. 0, or -1 with text.
	 * NULL: line() gets all lines.
	 */
	int (*begin)(struct trace_reader *r, const char *line, struct mesh_err *err);
	int (*line)(struct trace_reader *r, char *line, struct mesh_err *err);
	/* Called behind the last line. NULL: nothing to do. */
	int (*end)(struct trace_reader *r, struct mesh_err *err);
	bool all;     /* line() gets empty lines, too */
	char comment; /* lines that begin so are comments; 0: none */
};

extern const struct trace_format trace_events, trace_torque, trace_fugaku, trace_sacct_table,
	trace_sacct, trace_filetxt, trace_rfold, trace_swf;

/*
 * What follows from a result of line(): 0: go on, also after a bad line with skip_bad; 1: enough
 * jobs; -1.
 */
int trace_took(struct trace_reader *r, int taken);

/* Parse a number, all of the text. 0; 1: it is not in least..most; -1: it is none. */
int trace_number(const char *text, double least, double most, double *value);

/* A comment above the first line. */
void swf_comment(struct trace *trace, const char *text);

/* Read all of a JSON file. 0, or -1 with text. */
int json_jobs(struct trace_reader *r, gzFile file, struct mesh_err *err);

/* --- what Slurm says of a job --------------------------------------------------------------- */

struct trace_slurm_job {
	int64_t id;	  /* < 0: the number is in name */
	const char *name; /* as Slurm's commands print it: 5, 5_1, 4+0; NULL: the number */
	const char *state; /* NULL: the log has none */
	int64_t submit, end; /* seconds; end -1: unknown, 0: not ended */
	int64_t start;	     /* seconds; 0: unknown */
	unsigned times; /* what trace_slurm_time() said of these; 0: they are numbers */
	int64_t run, limit;  /* seconds; limit 0: unknown */
	int64_t count;
	const char *user, *account, *qos, *partition, *cluster; /* NULL or "": unknown */
};

/*
 * Add a job: 1; or count it as not ended: 0. -1 with text: some times of the log have an offset
 * from UTC and others have none, so that hours between them are not known.
 */
int trace_slurm_add(struct trace_reader *r, const struct trace_slurm_job *job,
	struct mesh_err *err);

/*
 * Keep one of jobs of Slurm's that are there twice, as where the logs of two months overlap, and
 * count the others. slurmdbd tells jobs apart by number and submission. The longest run counts, or
 * the sum of parts where sacct --truncate has cut a job, or where it was resized: the record behind
 * one of state RESIZING, or without states one that starts when it is submitted, which is where the
 * one before it ends. O(jobs log jobs).
 */
void trace_slurm_drop_again(struct trace *trace);

enum { TIMES_LOCAL = 1, TIMES_UTC = 2, TIMES_COARSE = 4 };

/*
 * Parse a time as Slurm's commands print it, with SLURM_TIME_FORMAT %FT%T, %FT%T%z or %s, into
 * seconds: of a clock without time zone, or of UTC if an offset is given. Adds to *said which of
 * these it was, and TIMES_COARSE where seconds are missing. Unknown, None and "" give 0. -1: it is
 * no time.
 */
int trace_slurm_time(const char *text, int64_t *seconds, unsigned *said);

#endif
