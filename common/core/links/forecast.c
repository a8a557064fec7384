/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/forecast.h"

/* Fitted to MPI programs (doc/lab/smpi.md): a mean load of 1 counts as this many hops. */
static const double LOAD_HOPS = 2;

/* The mean of the rounds in which each rank exchanges with rank ^ 1, then rank ^ 2, and so on. */
static double doubling_time(struct load_meter *meter, int count)
{
	double time = 0;
	int n = 0;

	for (int by = 1; by < count && !load_meter_late(meter); by *= 2, n++) {
		struct load_sums sums;

		load_of_pairs(meter, by, &sums);
		time += LOAD_HOPS * (sums.squares / (sums.all > 0 ? sums.all : 1)) +
			sums.all / count;
	}
	return n ? time / n : 0;
}

double forecast_time(struct load_meter *meter, const struct forecast_job *job)
{
	struct load_job load;
	double fullest = 1;

	load_ranks(meter, job->vertex, job->count);
	if (job->pattern != COMM_RING && job->pattern != COMM_GRID)
		return doubling_time(meter, job->count);
	load_of(meter, job->pattern, job->grid, &load);
	for (int i = 0; i < load.n; i++)
		fullest = load.load[i] > fullest ? load.load[i] : fullest;
	return fullest;
}
