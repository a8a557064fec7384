/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/forecast.h"

/*
 * Fitted to max-min fair sharing (tests/lab/simgrid, --engine=fluid) on boxes of idle machines and
 * on sets amid jobs. A round of random partners takes RANDOM_LEAST + RANDOM_LOAD * mean load. An
 * all-to-all takes ALL_LOAD * mean load + ALL_FULLEST * the load of the fullest link.
 */
static const double RANDOM_LEAST = 1, RANDOM_LOAD = 1.25;
static const double ALL_LOAD = 1.2, ALL_FULLEST = 0.35;

/* Fitted to MPI programs (doc/lab/smpi.md): a mean load of 1 counts as this many hops. */
static const double LOAD_HOPS = 2;

/* ---- Loads ---- */

struct sums {
	double mean;	/* load of the job's links, weighted by their use */
	double fullest; /* load of the fullest link; at least 1 */
};

static struct sums add_up(const struct load_job *job)
{
	struct sums sums = {.fullest = 1};
	double all = 0;

	for (int i = 0; i < job->n; i++) {
		double load = job->load[i];

		all += load;
		sums.mean += load * load;
		sums.fullest = load > sums.fullest ? load : sums.fullest;
	}
	sums.mean /= all > 0 ? all : 1;
	return sums;
}

/* ---- Times ---- */

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
	struct sums sums;

	load_ranks(meter, job->vertex, job->count);
	if (job->pattern == COMM_NONE)
		return doubling_time(meter, job->count);
	load_of(meter, job->pattern, job->grid, &load);
	sums = add_up(&load);
	switch (job->pattern) {
	case COMM_ALL_TO_ALL: return ALL_LOAD * sums.mean + ALL_FULLEST * sums.fullest;
	case COMM_RANDOM: return RANDOM_LEAST + RANDOM_LOAD * sums.mean;
	default: return sums.fullest;
	}
}
