/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/forecast.h"

#include <stdlib.h>
#include <string.h>

/* Whose loads are kept: an all-to-all's are those of random partners, too. */
static const enum comm_pattern kept_pattern[] = {COMM_ALL_TO_ALL, COMM_RING, COMM_GRID};

enum {
	KEPT = sizeof(kept_pattern) / sizeof(*kept_pattern),
	UNIT = 1024, /* of the loads of jobs that run: one rank's messages of a round */
};

/* What others lose by waiting for this job, against what it loses itself (doc/lab/snug.md). */
#ifndef FORECAST_OTHERS
#define FORECAST_OTHERS 0.7
#endif

/* A job that ran when last looked. */
struct run {
	int at, count; /* in node[] */
	int next;      /* of the runs with the same first node; -1: the last */
	bool seen;     /* since forecast_begin() */
};

struct forecast {
	const struct mesh *mesh;
	struct load_meter *meter;
	uint32_t *load[KEPT]; /* [links] of all runs, in UNITs */
	struct run *run;      /* [nnodes] */
	int nruns;
	int *first;	      /* [nnodes] runs by their first node; -1: none */
	int *node;	      /* [room] of the runs, one after another */
	int nnodes, room;
	bool full;	      /* not all fitted: nothing is remembered */
	bool broken;	      /* a change ended amid: the loads are worth nothing */
};

/* --- memory ----------------------------------------------------------------------------- */

static int init(struct forecast *f)
{
	size_t links = (size_t)links_count(f->mesh), nodes = (size_t)f->mesh->nnodes;

	f->meter = load_meter_new(f->mesh);
	f->run = malloc(nodes * sizeof(*f->run));
	f->first = malloc(nodes * sizeof(int));
	f->node = malloc((size_t)f->room * sizeof(int));
	for (int i = 0; i < KEPT; i++)
		if (!(f->load[i] = calloc(links, sizeof(uint32_t))))
			return -1;
	if (!f->meter || !f->run || !f->first || !f->node)
		return -1;
	memset(f->first, -1, nodes * sizeof(int));
	return 0;
}

struct forecast *forecast_new(const struct mesh *mesh)
{
	struct forecast *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->mesh = mesh;
	f->room = 2 * mesh->nnodes;
	if (init(f)) {
		forecast_free(f);
		return NULL;
	}
	return f;
}

void forecast_free(struct forecast *f)
{
	if (!f)
		return;
	load_meter_free(f->meter);
	for (int i = 0; i < KEPT; i++)
		free(f->load[i]);
	free(f->run);
	free(f->first);
	free(f->node);
	free(f);
}

/* --- the jobs that run ------------------------------------------------------------------ */

/* The loads of a run come, or go again. */
static void change_loads(struct forecast *f, const int *node, int count, bool come)
{
	for (int p = 0; p < KEPT; p++) {
		struct job_load job;

		load_of(f->meter, kept_pattern[p], node, count, &job);
		for (int i = 0; i < job.n; i++) {
			uint32_t load = (uint32_t)(job.load[i] * UNIT + 0.5);

			f->load[p][job.link[i]] += come ? load : -load;
		}
	}
	f->broken |= load_meter_late(f->meter);
}

static void forget_runs(struct forecast *f)
{
	for (int p = 0; p < KEPT; p++)
		memset(f->load[p], 0, (size_t)links_count(f->mesh) * sizeof(uint32_t));
	memset(f->first, -1, (size_t)f->mesh->nnodes * sizeof(int));
	f->nruns = f->nnodes = 0;
	f->full = f->broken = false;
}

void forecast_begin(struct forecast *f, struct mesh_budget *budget)
{
	if (f->full || f->broken)
		forget_runs(f);
	load_meter_budget(f->meter, budget);
	for (int i = 0; i < f->nruns; i++)
		f->run[i].seen = false;
}

static struct run *find_run(struct forecast *f, const int *node, int count)
{
	for (int i = f->first[node[0]]; i >= 0; i = f->run[i].next)
		if (!f->run[i].seen && f->run[i].count == count &&
			!memcmp(f->node + f->run[i].at, node, (size_t)count * sizeof(int)))
			return &f->run[i];
	return NULL;
}

/* Into the list; its nodes stand at `at`. */
static void list_run(struct forecast *f, int at, int count)
{
	int *first = &f->first[f->node[at]];

	f->run[f->nruns] = (struct run){.at = at, .count = count, .next = *first, .seen = true};
	*first = f->nruns++;
}

bool forecast_run(struct forecast *f, const int *node, int count)
{
	struct run *run;

	if (count < 2)
		return true;
	if ((run = find_run(f, node, count))) {
		run->seen = true;
		return true;
	}
	if (load_meter_late(f->meter))
		return false;
	change_loads(f, node, count, true);
	if (f->nruns == f->mesh->nnodes || count > f->room - f->nnodes) {
		f->full = true;
	} else {
		memcpy(f->node + f->nnodes, node, (size_t)count * sizeof(int));
		list_run(f, f->nnodes, count);
		f->nnodes += count;
	}
	return !f->broken;
}

bool forecast_end(struct forecast *f)
{
	int nruns = f->nruns, gone = 0;

	for (int i = 0; i < nruns && !load_meter_late(f->meter); i++)
		if (!f->run[i].seen) {
			change_loads(f, f->node + f->run[i].at, f->run[i].count, false);
			gone++;
		}
	if (!gone || f->broken)
		return !f->broken && !load_meter_late(f->meter);
	/* The others move up. */
	for (int i = 0; i < nruns; i++)
		f->first[f->node[f->run[i].at]] = -1;
	f->nruns = f->nnodes = 0;
	for (int i = 0; i < nruns; i++) {
		struct run run = f->run[i];

		if (!run.seen)
			continue;
		memmove(f->node + f->nnodes, f->node + run.at, (size_t)run.count * sizeof(int));
		list_run(f, f->nnodes, run.count);
		f->nnodes += run.count;
	}
	return true;
}

bool forecast_late(struct forecast *f)
{
	return load_meter_late(f->meter);
}

/* --- a set ------------------------------------------------------------------------------ */

/*
 * The length of a round, with other[] (NULL: none) on the links, too; and what the others wait for
 * it, in nodes times length.
 */
static double round_time(const struct job_load *job, enum comm_pattern pattern,
	const uint32_t *other, double *wait)
{
	double sum = 0, weighted = 0, longest = 0;

	*wait = 0;
	for (int i = 0; i < job->n; i++) {
		double load = job->load[i];
		double others = other ? other[job->link[i]] * (1.0 / UNIT) : 0;

		sum += load;
		weighted += load * (load + others);
		longest = load + others > longest ? load + others : longest;
		*wait += load * others;
	}
	if (pattern == COMM_RING || pattern == COMM_GRID)
		return longest;
	return sum > 0 ? weighted / sum : 0;
}

void forecast_alone(struct forecast *f, const int *vertex, int count, struct forecast_times *times)
{
	*times = (struct forecast_times){{0}};
	for (int p = 0; p < KEPT; p++) {
		struct job_load job;
		double wait;

		load_of_vertices(f->meter, kept_pattern[p], vertex, count, &job);
		times->time[kept_pattern[p]] = round_time(&job, kept_pattern[p], NULL, &wait);
	}
	times->time[COMM_RANDOM] = times->time[COMM_ALL_TO_ALL];
}

double forecast_cost(struct forecast *f, const int *vertex, int count, const struct comm_mix *mix,
	const struct forecast_times *ideal)
{
	double cost = 0;

	for (int p = 0; p < KEPT; p++) {
		enum comm_pattern pattern = kept_pattern[p];
		double share = mix->share[pattern], wait, time;
		struct job_load job;

		share += pattern == COMM_ALL_TO_ALL ? mix->share[COMM_RANDOM] : 0;
		if (share <= 0)
			continue;
		load_of_vertices(f->meter, pattern, vertex, count, &job);
		time = round_time(&job, pattern, f->load[p], &wait);
		cost += share * (time + FORECAST_OTHERS * wait / count) /
			(ideal->time[pattern] > 0 ? ideal->time[pattern] : 1);
	}
	return cost;
}
