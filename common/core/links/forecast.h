/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job would communicate on a set of vertices, as if it were alone on the machine. The
 * model is ours: doc/lab/smpi.md holds it against MPI programs.
 *
 *     all-to-all       mean load of the job's links, each by how much it is used, and the fullest
 *     random partners  the mean load
 *     ring, grid       the fullest link
 *     nothing known    exchanges with ranks at powers of two: the mean load, and hops
 *
 * The last stands for programs of all kinds. It is small where ranks that are near in number are
 * near on the machine, at every scale, and so for stencils in any order, for transposes in rows and
 * columns, and for reductions.
 */
#ifndef MESH_FORECAST_H
#define MESH_FORECAST_H

#include "links/load.h"

/* A job's ranks on vertex[count], in this order, and what they send. Borrowed. */
struct forecast_job {
	const int *vertex;
	int count;
	enum comm_pattern pattern;    /* COMM_NONE: not known */
	const struct comm_grid *grid; /* of COMM_GRID; NULL or ndims 0: as cubic as can be */
};

/* The length of a round, in no unit: only times of the same pattern compare; not valid once the
 * meter is late (load_meter_budget()). O(messages * hops). */
double forecast_time(struct load_meter *meter, const struct forecast_job *job);

#endif
