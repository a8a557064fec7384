/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What charts show of a run by job size: hops and times.
 */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include "sim/engine.h"

enum { PROFILE_SIZES = 26 };

/* Means of jobs, but for slowdown. */
struct profile_size {
	int jobs;
	double hops;
	double wait;	/* seconds */
	double stretch; /* run time / nominal */
	double slowdown[3]; /* lower quartile, median and upper quartile of turnaround / run time
			       of at least 10 s (Feitelson et al. 1997) */
};

/* size[i] is of jobs of 2^(i-1)+1 .. 2^i nodes (i = 0: one node). */
struct profile {
	struct profile_size size[PROFILE_SIZES];
};

/* 0, or -1 when memory is out. */
int profile_make(
	struct profile *profile, const struct trace *trace, const struct engine_record *record);

#endif
