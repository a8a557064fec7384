/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads files with the traffic of an application, for smesh ranks and srun --mesh-ranks. There are
 * three forms: lines RANK RANK BYTES [STEP [MESSAGES]], BYTES from the first to the second, and
 * what a rank sends in lines of one step it sends at the same time (0: no step; collective.h); the
 * output of Open MPI's component pml_monitoring, the files of all ranks one after the other; or a
 * time-independent trace (titrace.h), lines RANK ACTION ARGUMENT...
 */
#ifndef MESH_TRAFFICFILE_H
#define MESH_TRAFFICFILE_H

#include "base/err.h"
#include "learn/progname.h"
#include "ranks/traffic.h"

/* Read the traffic among `ranks` ranks; traffic_release() it. 0, or -1 with `FILE:LINE: text`. */
int trafficfile_read(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err);

/* The files of a run's ranks. */
struct traffic_run {
	size_t most;	 /* in: read no further file after so many lines */
	double messages; /* out: how many were sent */
	double share;	 /* out: mean share of time that ranks were in MPI; negative: not known */
	int files;	 /* out: how many files were read */
	int named;	 /* out: the highest rank that a line names, and 1 */
	bool split;	 /* out: the trace divides its ranks, and does not say who takes part */
	struct progname program; /* out: what the first file says of the program */
};

/* The same from several files, one of each of `ranks` ranks; NULL ends path[]. */
int trafficfile_read_all(struct traffic *traffic, char *const *path, int ranks,
	struct traffic_run *run, struct mesh_err *err);

#endif
