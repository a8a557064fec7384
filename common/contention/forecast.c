/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contention/shift.h"

/* Whose loads are kept: an all-to-all's are those of random partners, too. */
enum kept { KEPT_ALL, KEPT_RING, KEPT_GRID, KEPT };
static const enum comm_pattern kept_pattern[KEPT] = {
	[KEPT_ALL] = COMM_ALL_TO_ALL, [KEPT_RING] = COMM_RING, [KEPT_GRID] = COMM_GRID};

enum {
	UNIT = SHIFT_UNIT, /* of the loads of jobs that run: one rank's messages of a round */
	USERS = 2,	   /* jobs whose rings are looked at, of those on a link */
};

/*
 * Fitted to max-min fair sharing: 645 sets for jobs amid the jobs of four machines, and boxes of
 * idle ones (doc/lab/snug.md). A round of random partners takes random_least + random_load * the
 * mean load; an all-to-all all_load * that + all_steps * its steps one after another, of which
 * there is no telling for large jobs: most_load * the mean load. What others lose but in rings is
 * others_wait * the sum of the job's loads times theirs, each over its job's hops.
 */
static const double random_least = 1, random_load = 1.25;
static const double all_load = 1.2, all_steps = 0.35, steps_per_load = 2.4;
static const double others_wait = 2.5;

/* A job that ran when last looked. */
struct run {
	int at, count; /* in node[] */
	double ring;   /* the length of a round of a ring, beside the others */
	int next;      /* of the runs with the same first node; -1: the last */
	bool seen;     /* since forecast_begin() */
};

struct forecast {
	const struct mesh *mesh;
	struct load_meter *meter;
	struct shift *shift;
	uint32_t *load[KEPT]; /* [links] of all runs, in UNITs */
	uint32_t *drag[KEPT]; /* [links] the same, each over the mean hops of its run */
	int *user[USERS];     /* [links] runs whose rings use it; -1: none */
	double *longer;	      /* [nnodes] by run: a ring's round for the set at hand; 0 in between */
	int *slowed;	      /* [nnodes] the runs for which it is above 0 */
	struct run *run;      /* [nnodes] */
	int nruns;
	int *first;	      /* [nnodes] runs by their first node; -1: none */
	int *node;	      /* [room] of the runs, one after another */
	int nnodes, room;
	struct comm_grid grid; /* of the ranks of sets */
	bool full;	      /* not all fitted: nothing is remembered */
	bool broken;	      /* a change ended amid: the loads are worth nothing */
};

/* --- memory ----------------------------------------------------------------------------- */

static void forget_users(struct forecast *f)
{
	for (int i = 0; i < USERS; i++)
		memset(f->user[i], -1, (size_t)links_count(f->mesh) * sizeof(int));
}

static int init(struct forecast *f)
{
	size_t links = (size_t)links_count(f->mesh), nodes = (size_t)f->mesh->nnodes;

	f->meter = load_meter_new(f->mesh);
	f->shift = shift_new(f->mesh);
	f->run = malloc(nodes * sizeof(*f->run));
	f->first = malloc(nodes * sizeof(int));
	f->node = malloc((size_t)f->room * sizeof(int));
	for (int i = 0; i < KEPT; i++)
		if (!(f->load[i] = calloc(links, sizeof(uint32_t))) ||
			!(f->drag[i] = calloc(links, sizeof(uint32_t))))
			return -1;
	for (int i = 0; i < USERS; i++)
		if (!(f->user[i] = malloc(links * sizeof(int))))
			return -1;
	f->longer = calloc(nodes, sizeof(double));
	f->slowed = malloc(nodes * sizeof(int));
	if (!f->longer || !f->slowed || !f->shift || !f->meter || !f->run || !f->first || !f->node)
		return -1;
	memset(f->first, -1, nodes * sizeof(int));
	forget_users(f);
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
	shift_free(f->shift);
	for (int i = 0; i < KEPT; i++) {
		free(f->load[i]);
		free(f->drag[i]);
	}
	for (int i = 0; i < USERS; i++)
		free(f->user[i]);
	free(f->longer);
	free(f->slowed);
	free(f->run);
	free(f->first);
	free(f->node);
	free(f);
}

/* --- the jobs that run ------------------------------------------------------------------ */

static double sum_of(const struct job_load *job)
{
	double sum = 0;

	for (int i = 0; i < job->n; i++)
		sum += job->load[i];
	return sum;
}

/* The loads of a run come, or go again. */
static void change_loads(struct forecast *f, const int *node, int count, bool come)
{
	for (int p = 0; p < KEPT; p++) {
		struct job_load job;
		double hops;

		load_of(f->meter, kept_pattern[p], node, count, &job);
		hops = sum_of(&job) / count;
		for (int i = 0; i < job.n; i++) {
			uint32_t load = (uint32_t)(job.load[i] * UNIT + 0.5);
			uint32_t drag = (uint32_t)(job.load[i] * UNIT / hops + 0.5);

			f->load[p][job.link[i]] += come ? load : -load;
			f->drag[p][job.link[i]] += come ? drag : -drag;
		}
	}
	f->broken |= load_meter_late(f->meter);
}

static void forget_runs(struct forecast *f)
{
	for (int p = 0; p < KEPT; p++) {
		memset(f->load[p], 0, (size_t)links_count(f->mesh) * sizeof(uint32_t));
		memset(f->drag[p], 0, (size_t)links_count(f->mesh) * sizeof(uint32_t));
	}
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

/* The runs that are gone. */
static bool drop_runs(struct forecast *f)
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

/* How long each run's ring takes, and which use a link. */
static void look_at_rings(struct forecast *f)
{
	forget_users(f);
	/* In the order of their nodes, whatever came first. */
	for (int node = 0; node < f->mesh->nnodes; node++)
		for (int r = f->first[node]; r >= 0 && !load_meter_late(f->meter); r = f->run[r].next) {
			struct run *run = &f->run[r];
			struct job_load job;

			load_of(f->meter, COMM_RING, f->node + run->at, run->count, &job);
			run->ring = 1;
			for (int i = 0; i < job.n; i++) {
				int link = job.link[i];

				run->ring = fmax(run->ring, f->load[KEPT_RING][link] * (1.0 / UNIT));
				f->user[f->user[0][link] >= 0][link] = r;
			}
		}
}

bool forecast_end(struct forecast *f)
{
	if (!drop_runs(f))
		return false;
	look_at_rings(f);
	return !load_meter_late(f->meter);
}

bool forecast_late(struct forecast *f)
{
	return load_meter_late(f->meter);
}

/* --- a set ------------------------------------------------------------------------------ */

/* A job's loads, alone or with those of the runs. */
struct sums {
	double mean;	/* load of the links that it uses, by how much it uses them */
	double longest; /* of the fullest link; at least 1 */
	double drag;	/* what others wait for it, in rounds of a rank of its own */
};

static struct sums add_up(const struct forecast *f, enum kept p, const struct job_load *job, int count,
	bool alone)
{
	struct sums sums = {.longest = 1};
	double sum = 0;

	for (int i = 0; i < job->n; i++) {
		int link = job->link[i];
		double load = job->load[i], all = load;

		if (!alone) {
			all += f->load[p][link] * (1.0 / UNIT);
			sums.drag += load * f->drag[p][link];
		}
		sum += load;
		sums.mean += load * all;
		sums.longest = all > sums.longest ? all : sums.longest;
	}
	sums.mean /= sum > 0 ? sum : 1;
	sums.drag *= others_wait / UNIT / count;
	return sums;
}

/*
 * What the rings of runs lose, in nodes times length: their rounds are as long as their fullest
 * links.
 */
static double slow_rings(struct forecast *f, const struct job_load *job)
{
	double lost = 0;
	int n = 0;

	for (int i = 0; i < job->n; i++) {
		int link = job->link[i];
		double full = job->load[i] + f->load[KEPT_RING][link] * (1.0 / UNIT);

		for (int u = 0; u < USERS && f->user[u][link] >= 0; u++) {
			int r = f->user[u][link];

			if (full <= f->run[r].ring || full <= f->longer[r])
				continue;
			if (f->longer[r] <= 0)
				f->slowed[n++] = r;
			f->longer[r] = full;
		}
	}
	for (int i = 0; i < n; i++) {
		const struct run *run = &f->run[f->slowed[i]];

		lost += run->count * (f->longer[f->slowed[i]] - run->ring);
		f->longer[f->slowed[i]] = 0;
	}
	return lost;
}

static bool has_steps(int count)
{
	return count > 1 && count <= SHIFT_RANKS;
}

struct round {
	struct forecast_times times;
	double steps; /* of an all-to-all, the least that they can take: what the fullest link carries */
};

/* The times of patterns that have these loads, with the least for steps: these are long to look at. */
static void times_of(struct forecast *f, enum kept p, const struct forecast_set *set, bool alone,
	struct round *round)
{
	double *time = round->times.time;
	struct job_load job;
	struct sums sums;

	if (p == KEPT_GRID)
		load_of_grid(f->meter, &f->grid, set->vertex, set->count, &job);
	else
		load_of_vertices(f->meter, kept_pattern[p], set->vertex, set->count, &job);
	sums = add_up(f, p, &job, set->count, alone);
	if (p == KEPT_RING) {
		time[COMM_RING] = sums.longest + (alone ? 0 : slow_rings(f, &job) / set->count);
	} else if (p == KEPT_GRID) {
		time[COMM_GRID] = sums.longest + sums.drag;
	} else {
		round->steps = has_steps(set->count) ? sums.longest : steps_per_load * sums.mean;
		time[COMM_RANDOM] = random_least + random_load * sums.mean + sums.drag;
		time[COMM_ALL_TO_ALL] =
			all_load * sums.mean + all_steps * round->steps + sums.drag;
	}
}

/* What they take more. What is above `most` may be less than it is, but not below that. */
static double more_steps(struct forecast *f, const struct forecast_set *set, const uint32_t *others,
	double least, double most)
{
	const struct shift_ranks ranks = {set->vertex, set->count};
	double time;

	if (!has_steps(set->count) || load_meter_late(f->meter))
		return 0;
	time = shift_time(f->shift, &ranks, others, (least + most / all_steps) * (1 + 1e-9));
	return time > least ? all_steps * (time - least) : 0;
}

void forecast_grid(struct forecast *f, const struct comm_grid *grid)
{
	f->grid = grid ? *grid : (struct comm_grid){0};
}

void forecast_alone(struct forecast *f, const struct forecast_set *set, struct forecast_times *times)
{
	struct round round = {{{0}}, 0};

	for (int p = 0; p < KEPT; p++)
		times_of(f, (enum kept)p, set, true, &round);
	round.times.time[COMM_ALL_TO_ALL] += more_steps(f, set, NULL, round.steps, HUGE_VAL);
	*times = round.times;
}

/* Of a mix's patterns with these loads. */
static double share_of(const struct comm_mix *mix, enum kept p)
{
	return mix->share[kept_pattern[p]] + (p == KEPT_ALL ? mix->share[COMM_RANDOM] : 0);
}

static double against(const struct forecast_goal *goal, enum comm_pattern pattern, double time)
{
	double ideal = goal->ideal->time[pattern];

	return goal->mix.share[pattern] * time / (ideal > 0 ? ideal : 1);
}

void forecast_part(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, struct forecast_part *part)
{
	/* What is quick comes first: it may do. */
	static const enum kept order[KEPT] = {KEPT_RING, KEPT_GRID, KEPT_ALL};
	struct round round = {{{0}}, 0};
	const double *time = round.times.time;
	double cost = 0, rest = 1;

	for (int i = 0; i < KEPT && cost + rest * FORECAST_LEAST < most; i++) {
		enum kept p = order[i];

		if (share_of(&goal->mix, p) <= 0)
			continue;
		times_of(f, p, set, false, &round);
		cost += against(goal, kept_pattern[p], time[kept_pattern[p]]);
		if (p == KEPT_ALL)
			cost += against(goal, COMM_RANDOM, time[COMM_RANDOM]);
		rest -= share_of(&goal->mix, p);
	}
	rest = rest > 1e-9 ? rest : 0;
	part->cost = cost + rest * FORECAST_LEAST;
	part->steps = rest <= 0 && goal->mix.share[COMM_ALL_TO_ALL] > 0 ? round.steps : -1;
}

double forecast_rest(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most, const struct forecast_part *part)
{
	double left;

	if (part->steps < 0 || part->cost >= most)
		return part->cost;
	left = (most - part->cost) / against(goal, COMM_ALL_TO_ALL, 1);
	return part->cost +
		against(goal, COMM_ALL_TO_ALL,
			more_steps(f, set, f->load[KEPT_ALL], part->steps, left));
}

double forecast_cost(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most)
{
	struct forecast_part part;

	forecast_part(f, set, goal, most, &part);
	return forecast_rest(f, set, goal, most, &part);
}
