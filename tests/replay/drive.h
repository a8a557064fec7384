/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs of a trace through a real slurmctld whose nodes are a standin.
 *
 * Two clocks:
 *
 *   events  The clock of the trace stands still while slurmctld works: at each submission or end
 *	     we tell slurmctld (or standin) and wait until nothing more can come of it. What
 *	     slurmctld does is what it would do with all the time in the world, however fast this
 *	     machine is, and a replay takes only as long as slurmctld's own work. First come first
 *	     served only: the backfill scheduler has a clock of its own.
 *   real    The clock of the trace is the clock of this machine times `factor`. Preloaded with
 *	     clock.so (clock/clock.h) that is a clock of our own, which jumps from event to event.
 */
#ifndef REPLAY_DRIVE_H
#define REPLAY_DRIVE_H

#include "associate.h"
#include "conf/settings.h"
#include "happen.h"
#include "sim/engine.h"
#include "base/mesh.h"
#include "sim/trace.h"

struct drive_options {
	const char *socket; /* of standin */
	double factor;	    /* 0: the clock of events; else trace seconds per second */
	bool refusing;	    /* jobs may wait although there are enough free nodes */
	double share;	    /* with unhurried: percent of the time is messages (network.h) */
	uint64_t seed;	    /* of what they send */
	bool bar;	    /* progress on standard error */
	bool unhurried;	    /* slurmctld's scheduler starts jobs when it would: no nudges */
	double begin;	    /* with the real clock: when to (seconds since 1970), all nodes idle, or
			       full minutes later; 0: at once */
	const struct associate_map *map; /* whose jobs they are in Slurm; NULL: all are ours */
	struct happenings happenings;	 /* with the real clock only */
};

/* A job as slurmctld placed it. */
struct drive_job {
	uint32_t id;  /* Slurm's; 0: not submitted yet */
	int *node;    /* [count of the trace's job], ascending; NULL: never started */
	/* With the clock of events only: */
	int64_t start;	       /* of slurmctld's clock, seconds */
	int starts_before_end; /* up to when its nodes were free again */
	/* With the real clock only: */
	int64_t freed; /* when its nodes were free again, ms since 1970; 0: never */
	/* From slurmctld's log: */
	int64_t decided; /* when its nodes were chosen, ms since 1970; 0: it is not there */
	int turn;	 /* before which so many jobs' nodes were */
	int offered;	 /* nodes to choose from */
};

struct drive_result {
	struct engine_result engine; /* records, for summarise(); times of the trace's clock */
	struct drive_job *job;	     /* [njobs] */
	int starts;
	int restarts; /* of jobs that were put back into the queue, when a node failed for example
		       */
	double seconds;	    /* this took, by this machine's own clock */
	uint64_t cycles;    /* of slurmctld's main scheduler meanwhile */
	double cycle_us;    /* mean length of one */
};

/* The limit that a job is submitted with: its estimate in whole minutes of the clock, or none. */
#define DRIVE_NO_LIMIT UINT32_MAX
uint32_t drive_limit(const struct trace_job *job, double factor);

/*
 * Submit, wait, record. Jobs must be in order of submission and fit the mesh, whose nodes must
 * all be idle. 0, or -1 with text. drive_release() in both cases.
 */
int drive_run(struct drive_result *result, const struct mesh *mesh, const struct trace *trace,
	const struct drive_options *options, struct mesh_err *err);
void drive_release(struct drive_result *result, int njobs);

#endif
