/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Estimates how long a job would communicate on a set of vertices if it were alone on the machine.
 * The model is our own; doc/lab/smpi.md compares it with MPI programs.
 *
 *     ring, grid      the load of the fullest link
 *     anything else   exchanges with ranks at powers of two: the mean load, and hops
 *
 * The latter stands for programs of all kinds. It is small if ranks near in number are near on
 * the machine at every scale; that suits stencils in any order, transposes in rows and columns,
 * and reductions.
 */
#ifndef MESH_FORECAST_H
#define MESH_FORECAST_H

#include "links/load.h"

/* A job's ranks on vertex[count], in this order, and what they send. Everything is borrowed. */
struct forecast_job {
	const int *vertex;
	int count;
	enum comm_pattern pattern;
	const struct comm_grid *grid; /* for COMM_GRID; NULL or ndims 0: as cubic as possible */
};

/*
 * The length of a round, without unit: only times of the same pattern compare. Not valid once the
 * meter is late (load_meter_budget()). O(messages * hops).
 */
double forecast_time(struct load_meter *meter, const struct forecast_job *job);

#endif
