/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Synthetic workloads for any mesh.
 *
 *   lublin
 *	Lublin and Feitelson, "The workload on parallel supercomputers: modeling the
 *	characteristics of rigid jobs", JPDC 63 (2003), with the parameters of all jobs; the
 *	largest job is the machine.
 *   uniform, exponential, normal
 *	The mesh allocation papers' (Bani-Mohammad et al., Srisawat and Alexandridis): side
 *	lengths drawn one by one, uniform in 1..side, exponential with mean side/2, or normal with
 *	mean and deviation half the longest side; Poisson arrivals; exponential run times.
 */
#ifndef SMESH_GENERATE_H
#define SMESH_GENERATE_H

#include "base/mesh.h"
#include "sim/trace.h"

struct generate_options {
	const char *model; /* one of the names above */
	int jobs;
	uint64_t seed;
	/* Only for the side length models: */
	double mean_run;     /* seconds */
	double arrival_rate; /* jobs per mean run time */
	bool redraw;	     /* draw again if a side is not in 1..side, instead of capping it */
};

/* Make a workload. 0, or -1 with text. Call trace_release() in both cases. */
int generate(struct trace *trace, const struct mesh *mesh, const struct generate_options *options,
	struct mesh_err *err);

/* Give estimates to jobs that have none: the run time times a uniform 1..factor. Is there one? */
bool generate_estimates(struct trace *trace, double factor, uint64_t seed);

#endif
