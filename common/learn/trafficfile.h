/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files with the traffic of an application, for smesh ranks and srun --mesh-ranks: lines RANK RANK
 * BYTES [STEP [MESSAGES]], of which equal steps (0 where there is none) are sent at the same time,
 * and then the first RANK sends (collective.h); what Open MPI's component pml_monitoring writes,
 * the files of all ranks one after the other; or a time-independent trace (titrace.h): lines
 * RANK ACTION ARGUMENT...
 */
#ifndef MESH_TRAFFICFILE_H
#define MESH_TRAFFICFILE_H

#include "base/err.h"
#include "learn/progname.h"
#include "ranks/traffic.h"

/* Read the traffic among `ranks` ranks. 0, and traffic_release() it; or -1 with `FILE:LINE:
 * text`. */
int trafficfile_read(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err);

/* The files of a run's ranks. */
struct traffic_run {
	size_t most;	 /* asked: read no further file when so many lines have been read */
	double messages; /* answered: how many were sent */
	double share;	 /* of their time that ranks were in MPI, their mean; negative: not said */
	int files;	 /* and how many files were read */
	struct progname program; /* and what the first of them says of it */
};

/* The same of several files, one of each of `ranks` ranks; a NULL ends them. */
int trafficfile_read_all(struct traffic *traffic, char *const *path, int ranks,
	struct traffic_run *run, struct mesh_err *err);

#endif
