/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Job logs in memory, for simulation, replay and the workload writer.
 *
 *   trace_read()   reads a file as it is, plain or .gz; its first line tells the format
 *   trace_fit()    fits it to a machine: nodes from processors; jobs that cannot run are dropped
 *   trace_*()      load, shaking
 *
 * Times are whole microseconds, so that sums and comparisons are exact on every machine.
 */
#ifndef SMESH_TRACE_H
#define SMESH_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "ask/strategy.h"

#define SIM_SECOND INT64_C(1000000)
/* The longest time in a log, in seconds: sums of many stay below 2^63 microseconds. */
#define TRACE_LONGEST 1e10

static inline double sim_seconds(int64_t time)
{
	return (double)time / (double)SIM_SECOND;
}

/* Order numbers by size, for qsort(). */
static inline int trace_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Slurm has a record for each size that a job had. Does the job go on in another one? */
enum trace_part { TRACE_WHOLE, TRACE_MAY_GO_ON, TRACE_GOES_ON };

struct trace_job {
	int64_t id;	  /* the log's own number */
	const char *name; /* the name that users see, if it is no number: 5_1, 4+0; or NULL */
	int64_t submit;	  /* microseconds from the first submission */
	int64_t run;	  /* microseconds; <= 0: unknown */
	int64_t wait;	  /* microseconds; < 0: unknown */
	int64_t estimate; /* the user's limit, microseconds; 0: unknown */
	int count;	  /* processors as read (<= 0: unknown); nodes after trace_fit() */
	int user;	  /* index into trace.user, or -1 */
	int group, queue, partition; /* the same; of sacct: Account, QOS, Partition */
	int line;	  /* in the file; 0 for a generated job */
	uint64_t cluster; /* of Slurm's: tells clusters apart; 0: the log does not say */
	enum trace_part part;
	struct mesh_shape shape; /* ndims 0: none */
};

/* A job of which nothing is known. */
#define TRACE_JOB {.wait = -1, .user = -1, .group = -1, .queue = -1, .partition = -1}

/* The expected run time: the limit, or without one the exact run time. */
static inline int64_t trace_expected(const struct trace_job *job)
{
	return job->estimate ? job->estimate : job->run;
}

/* The name of a job that users see, in buffer or in the trace. */
enum { TRACE_NAME = 24 };
const char *trace_job_name(const struct trace_job *job, char buffer[TRACE_NAME]);

/* How many jobs something applies to, and the line of the first one. */
struct trace_count {
	int jobs;
	int line;
};

static inline void trace_count_one(struct trace_count *count, int line)
{
	if (!count->jobs++)
		count->line = line;
}

struct trace {
	struct arena arena;
	char *name; /* of the file or the generator */
	struct trace_job *job;
	int njobs;
	char **user; /* names of users, groups, ...; u4, g2, q1, p1 if the log has numbers */
	int nusers;
	void *user_index; /* of trace_user() */
	bool nodes; /* counts are nodes already (sacct's NNodes, generators) */
	/* What was left out or changed, for the report. */
	int read; /* job lines read */
	struct trace_count out_of_order; /* submitted before the job above; they stay */
	struct trace_count no_time, no_size; /* without a run time, or a size, above 0 */
	struct trace_count too_large; /* larger than the machine: left out or cut */
	struct trace_count steps;     /* of Slurm's jobs */
	struct trace_count arrays;    /* PBS Pro: records of whole arrays */
	struct trace_count bad;	      /* malformed lines, with skip_bad */
	struct trace_count early;     /* Slurm: start before their submission; it does not count */
	struct trace_count longer;    /* Slurm: run longer than from Start or Submit to End */
	struct trace_count not_ended; /* jobs that ran or waited when the log was written */
	struct trace_count partial;   /* SWF: parts of jobs that have a line for the whole, */
	struct trace_count no_whole;  /* and of jobs that have none */
	struct trace_count same_number; /* SWF: another job has the number, too */
	struct trace_count again;     /* Slurm: the same job twice */
	struct trace_count parts;     /* Slurm: cut or resized jobs: parts behind the first one */
	struct trace_byjob {
		struct trace_count unknown, again; /* lines: no such job, and one of a line above */
	} shape_lines, comm_lines; /* of byjob.h's files */
	struct trace_count elsewhere; /* Slurm: of another cluster than the first job */
	struct trace_count silent;    /* Batsim: with messages, whose time does not count */
	struct trace_count het;	      /* components of heterogeneous jobs, each a job of its own */
	bool slurm;  /* the jobs are Slurm's, each once */
	bool no_end; /* sacct: nothing tells which jobs had not ended */
	bool only_processors; /* sacct: no column has nodes */
	long most_nodes, most_processors; /* SWF: by the comments at the top; 0: unknown */
	/* Set by trace_fit(). */
	int machine; /* nodes of the machine */
	bool said_nodes; /* the log's sizes were nodes already */
	bool processors; /* they were processors, and each is taken for a node */
	int busiest; /* the largest sum of sizes at once, by the log's starts; 0: it has none */
	double offered; /* trace_load() before shaking; the caller sets it */
	bool used_speed; /* host_speed had a part in a run time */
	/* A job had a shape; one without a limit got one: the caller sets these, too. */
	bool had_shapes, got_limits;
};

struct trace_read_options {
	int max_jobs;  /* stop after so many; 0 = all */
	bool skip_bad; /* count malformed lines instead of failing */
	double host_speed; /* Batsim: operations of a host in a second; 0: not known */
};

/*
 * Read a file ("-": standard input). Jobs come in order of submission; a log in another order is
 * sorted and counted. 0, or -1 with `FILE:LINE: what is wrong` (`FILE:` where no line is to blame):
 * fields that are missing, no numbers, or below -1; compressed data that is cut short. Call
 * trace_release() in both cases.
 */
int trace_read(struct trace *trace, const char *path, const struct trace_read_options *options,
	struct mesh_err *err);
void trace_release(struct trace *trace);

/*
 * Parse a number of nodes or processors as sacct prints it. Without --noconvert 1024 is 1K, and
 * 1536 is 1.50K. 0 or -1.
 */
int trace_parse_size(const char *text, int64_t *size);
/* Add a job of which nothing is known. */
struct trace_job *trace_add(struct trace *trace);
/*
 * A copy of a name that users see, for trace_job.name. NULL if it is NULL or a number, or
 * has characters that no such name has.
 */
const char *trace_keep_name(struct trace *trace, const char *name);
/* The index of a user's or group's name in trace->user, added if new; -1: it is NULL or "".
 * O(log users). */
int trace_user(struct trace *trace, const char *name);
/* Sort by submission, equal ones by line; the first submission becomes 0. */
void trace_sort(struct trace *trace);

enum trace_large {
	TRACE_DROP, /* leave out jobs larger than the machine */
	TRACE_CAP,  /* cut them to the whole machine */
};

struct trace_fit_options {
	int nnodes;
	int procs_per_node; /* >= 1 */
	enum trace_large too_large;
};

/*
 * Convert processors to nodes. Jobs without run time or size are dropped, larger ones dropped or
 * cut; all are counted. The submission of the first job left becomes 0.
 */
void trace_fit(struct trace *trace, const struct trace_fit_options *options);

/*
 * The offered load: the sum of nodes * run time of the jobs, divided by the machine's nodes * the
 * time between first and last submission. NAN: all jobs come at once.
 */
double trace_load(const struct trace *trace, int nnodes);
/* Stretch the times of submission so that trace_load() becomes `load`; not if it is NAN. */
void trace_set_load(struct trace *trace, int nnodes, double load);
/* "Shaking" (Tsafrir, Feitelson): move every submission by up to `spread`, either way. */
void trace_shake(struct trace *trace, int64_t spread, uint64_t seed);

/* What became of a job, in microseconds; wait, run -1: it never started. */
struct trace_outcome {
	int64_t wait, run;
	int status; /* 1 completed, 0 failed, 5 cancelled */
};

/*
 * Write Standard Workload Format, which has no field for shapes. With outcome[njobs] jobs keep
 * their numbers; without (NULL) they are numbered from 1. 0, or -1 with errno.
 */
int trace_write_swf(const struct trace *trace, const struct trace_outcome *outcome, FILE *file);

#endif
