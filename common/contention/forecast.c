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

/*
 * Fitted to max-min fair sharing: 645 sets for jobs amid the jobs of four machines, and boxes of
 * idle ones (doc/lab/snug.md). A round of random partners takes random_least + random_load * the
 * mean load; an all-to-all all_load * that + all_steps * its fullest link, or its steps one after another, of
 * which there is no telling for large jobs: steps_per_load * the mean load. What others lose but in rings is
 * others_wait * the sum of the job's loads times theirs, each over its job's hops.
 */
static const double random_least = 1, random_load = 1.25;
static const double all_load = 1.2, all_steps = 0.35, steps_per_load = 2.4;
static const double others_wait = 2.5;

/* A job that ran when last looked. */
struct run {
	int at, count;	  /* in node[] */
	int use, nuses;	  /* in use[]: the links of its ring */
	int share, nshares[KEPT]; /* in share[]: what it puts on links, of one pattern after another */
	double ring;	  /* the length of a round of a ring, beside the others; 0: not yet known */
	uint64_t arrival; /* number, of all runs so far */
	int next;	  /* of the runs with the same first node; -1: the last */
	bool seen;	  /* since forecast_begin() */
};

/* A link that a run's ring goes over. */
struct use {
	int link, run;
	int next; /* of the uses of this link; -1: the last */
};

/* What a run puts on a link. */
struct share {
	int link;
	struct load_traffic traffic;
};

/* The loads of a set, of some patterns. */
struct priced {
	int count;
	int *vertex; /* [count] room for nnodes; only of the one that may come */
	bool has[KEPT];
	struct load_job job[KEPT];
};

/* Who asks about sets: scratch memory of one thread. */
struct asker {
	struct forecast *f;
	struct load_meter *meter; /* NULL: not there */
	double *longer;	     /* [nnodes] by run: a ring's round for the set at hand; 0 in between */
	int *slowed;	     /* [nnodes] the runs for which it is above 0 */
	struct priced asked; /* the set asked about last */
};

struct forecast {
	const struct mesh *mesh;
	struct load_meter *meter; /* the first asker's */
	struct asker ask[FORECAST_ASKERS];
	struct shift *shift;
	struct load_traffic *traffic[KEPT]; /* [links] of all runs */
	struct use *use;      /* [use_room] of the runs, one after another, and of some that are gone */
	int nuses, use_room;
	struct share *share;  /* [share_room] of the runs, one after another, and of some that are gone */
	int nshares, share_room;
	int *user;	      /* [links] the first use of a link; -1: none */
	struct run *run;      /* [nnodes] */
	int *live;	      /* [nnodes] which of run[]: nruns of them, by arrival, and then those to spare */
	int nruns;
	uint64_t arrivals;
	int *first;	      /* [nnodes] runs by their first node; -1: none */
	int *node;	      /* [room] of the runs, one after another */
	int nnodes, room;
	struct comm_grid grid; /* of the ranks of sets */
	struct priced coming; /* a set that may be the next run */
	bool full;	      /* not all fitted: nothing is remembered */
	bool broken;	      /* a change ended amid: the loads are worth nothing */
};

/* --- memory ----------------------------------------------------------------------------- */

static void forget_runs(struct forecast *f)
{
	size_t links = (size_t)links_count(f->mesh);

	for (int p = 0; p < KEPT; p++)
		memset(f->traffic[p], 0, links * sizeof(struct load_traffic));
	memset(f->user, -1, links * sizeof(int));
	memset(f->first, -1, (size_t)f->mesh->nnodes * sizeof(int));
	for (int i = 0; i < f->mesh->nnodes; i++)
		f->live[i] = i;
	f->nruns = f->nnodes = f->nuses = f->nshares = 0;
	f->full = f->broken = false;
}

static int init_priced(struct forecast *f, struct priced *priced)
{
	for (int p = 0; p < KEPT; p++)
		if (load_job_init(&priced->job[p], f->mesh))
			return -1;
	priced->vertex = malloc((size_t)f->mesh->nnodes * sizeof(int));
	return priced->vertex ? 0 : -1;
}

static void release_priced(struct priced *priced)
{
	for (int p = 0; p < KEPT; p++)
		load_job_release(&priced->job[p]);
	free(priced->vertex);
}

static int init_asker(struct forecast *f, struct asker *a)
{
	size_t nodes = (size_t)f->mesh->nnodes;

	a->f = f;
	a->meter = load_meter_new(f->mesh);
	a->longer = calloc(nodes, sizeof(double));
	a->slowed = malloc(nodes * sizeof(int));
	return !a->meter || !a->longer || !a->slowed || init_priced(f, &a->asked) ? -1 : 0;
}

static void release_asker(struct asker *a)
{
	load_meter_free(a->meter);
	free(a->longer);
	free(a->slowed);
	release_priced(&a->asked);
	*a = (struct asker){0};
}

static int init(struct forecast *f)
{
	size_t links = (size_t)links_count(f->mesh), nodes = (size_t)f->mesh->nnodes;

	if (init_asker(f, &f->ask[0]))
		return -1;
	f->meter = f->ask[0].meter;
	f->shift = shift_new(f->mesh);
	f->run = malloc(nodes * sizeof(*f->run));
	f->first = malloc(nodes * sizeof(int));
	f->node = malloc((size_t)f->room * sizeof(int));
	for (int i = 0; i < KEPT; i++)
		if (!(f->traffic[i] = calloc(links, sizeof(struct load_traffic))))
			return -1;
	if (init_priced(f, &f->coming))
		return -1;
	f->use_room = f->share_room = f->room;
	f->use = malloc((size_t)f->use_room * sizeof(*f->use));
	f->share = malloc((size_t)f->share_room * sizeof(*f->share));
	f->user = malloc(links * sizeof(int));
	f->live = malloc(nodes * sizeof(int));
	if (!f->shift || !f->run || !f->first || !f->node ||
		!f->use || !f->share || !f->user || !f->live)
		return -1;
	forget_runs(f);
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
	shift_free(f->shift);
	for (int i = 0; i < FORECAST_ASKERS; i++)
		release_asker(&f->ask[i]);
	release_priced(&f->coming);
	for (int i = 0; i < KEPT; i++)
		free(f->traffic[i]);
	free(f->use);
	free(f->share);
	free(f->user);
	free(f->live);
	free(f->run);
	free(f->first);
	free(f->node);
	free(f);
}

/* --- the jobs that run ------------------------------------------------------------------ */

static double sum_of(const struct load_job *job)
{
	double sum = 0;

	for (int i = 0; i < job->n; i++)
		sum += job->load[i];
	return sum;
}

/* A ring is longer or shorter, and which users of its links wait for that is to be seen. */
static void unsettle(struct forecast *f, int link)
{
	for (int u = f->user[link]; u >= 0; u = f->use[u].next)
		f->run[f->use[u].run].ring = 0;
}

/* The uses and shares of runs that are gone give way. */
static void close_up(struct forecast *f)
{
	memset(f->user, -1, (size_t)links_count(f->mesh) * sizeof(int));
	f->nuses = f->nshares = 0;
	for (int i = 0; i < f->nruns; i++) {
		struct run *run = &f->run[f->live[i]];
		int from = run->use, shares = 0;

		run->use = f->nuses;
		for (int u = from; u < from + run->nuses; u++) {
			struct use *use = &f->use[f->nuses];

			*use = f->use[u];
			use->next = f->user[use->link];
			f->user[use->link] = f->nuses++;
		}
		for (int p = 0; p < KEPT; p++)
			shares += run->nshares[p];
		memmove(f->share + f->nshares, f->share + run->share, (size_t)shares * sizeof(*f->share));
		run->share = f->nshares;
		f->nshares += shares;
	}
}

/* Room for n more in an array that has `used` of *room: NULL when there is none. */
static void *room_for(void *array, int *room, int used, int n, size_t size)
{
	void *more;

	if (n <= *room - used)
		return array;
	if (used + (int64_t)n > INT32_MAX / 2)
		return NULL;
	more = realloc(array, (size_t)(2 * (used + n)) * size);
	if (more)
		*room = 2 * (used + n);
	return more;
}

/* For so many more links of a run; false: there is no memory. */
static bool make_room(struct forecast *f, int n)
{
	struct share *share;
	struct use *use;

	if (n > f->use_room - f->nuses || n > f->share_room - f->nshares)
		close_up(f);
	if ((use = room_for(f->use, &f->use_room, f->nuses, n, sizeof(*use))))
		f->use = use;
	if ((share = room_for(f->share, &f->share_room, f->nshares, n, sizeof(*share))))
		f->share = share;
	return use && share;
}

/* A run's ring, on these links. */
static void add_uses(struct forecast *f, int r, const struct load_job *job)
{
	f->run[r].use = f->nuses;
	f->run[r].nuses = job->n;
	for (int i = 0; i < job->n; i++) {
		int link = job->link[i];

		unsettle(f, link);
		f->use[f->nuses] = (struct use){link, r, f->user[link]};
		f->user[link] = f->nuses++;
	}
}

static void drop_uses(struct forecast *f, int r)
{
	struct run *run = &f->run[r];

	for (int i = run->use; i < run->use + run->nuses; i++) {
		int *at = &f->user[f->use[i].link];

		while (*at != i)
			at = &f->use[*at].next;
		*at = f->use[i].next;
		unsettle(f, f->use[i].link);
	}
}

/* A run comes with its loads by one pattern; r < 0: it is not remembered. */
static void add_loads(struct forecast *f, int r, enum kept p, const struct load_job *job, int count)
{
	double hops = sum_of(job) / count;
	bool keep = r >= 0 && make_room(f, job->n);
	struct share *share = keep ? f->share + f->nshares : NULL;

	for (int i = 0; i < job->n; i++) {
		struct load_traffic *all = &f->traffic[p][job->link[i]], own = {(uint32_t)(job->load[i] * LOAD_UNIT + 0.5), 0};

		if (p != KEPT_RING)
			own.drag = (uint32_t)(job->load[i] * LOAD_UNIT / hops + 0.5);
		all->load += own.load;
		all->drag += own.drag;
		if (keep)
			share[i] = (struct share){job->link[i], own};
	}
	f->full |= !keep;
	if (!keep)
		return;
	f->run[r].nshares[p] = job->n;
	f->nshares += job->n;
	if (p == KEPT_RING)
		add_uses(f, r, job);
}

/* Is this the set whose loads are there already? */
static bool expected(const struct forecast *f, const int *node, int count)
{
	if (f->coming.count != count)
		return false;
	for (int i = 0; i < count; i++)
		if (f->mesh->vertex_of[node[i]] != f->coming.vertex[i])
			return false;
	return true;
}

static void run_comes(struct forecast *f, int r, const int *node, int count)
{
	bool known = expected(f, node, count);

	if (r >= 0)
		f->run[r].share = f->nshares;
	load_ranks_on(f->meter, node, count);
	for (int p = 0; p < KEPT; p++) {
		struct load_job job = f->coming.job[p];

		if (!known || !f->coming.has[p])
			load_of(f->meter, kept_pattern[p], NULL, &job);
		add_loads(f, r, (enum kept)p, &job, count);
	}
	f->broken |= load_meter_late(f->meter);
}

static void run_goes(struct forecast *f, int r)
{
	const struct share *share = f->share + f->run[r].share;

	for (int p = 0; p < KEPT; share += f->run[r].nshares[p++])
		for (int i = 0; i < f->run[r].nshares[p]; i++) {
			struct load_traffic *all = &f->traffic[p][share[i].link];

			all->load -= share[i].traffic.load;
			all->drag -= share[i].traffic.drag;
		}
	drop_uses(f, r);
}

void forecast_begin(struct forecast *f, struct mesh_budget *budget)
{
	if (f->full || f->broken)
		forget_runs(f);
	load_meter_budget(f->meter, budget);
	for (int i = 0; i < f->nruns; i++)
		f->run[f->live[i]].seen = false;
}

static struct run *find_run(struct forecast *f, const int *node, int count)
{
	for (int i = f->first[node[0]]; i >= 0; i = f->run[i].next)
		if (!f->run[i].seen && f->run[i].count == count &&
			!memcmp(f->node + f->run[i].at, node, (size_t)count * sizeof(int)))
			return &f->run[i];
	return NULL;
}

/* A new run, in the list; -1: there is no room. */
static int add_run(struct forecast *f, const int *node, int count)
{
	int r = f->nruns < f->mesh->nnodes ? f->live[f->nruns] : -1;

	if (r < 0 || count > f->room - f->nnodes) {
		f->full = true;
		return -1;
	}
	memcpy(f->node + f->nnodes, node, (size_t)count * sizeof(int));
	f->run[r] = (struct run){.at = f->nnodes, .count = count, .next = f->first[node[0]], .seen = true,
		.arrival = f->arrivals++};
	f->first[node[0]] = r;
	f->nnodes += count;
	f->nruns++;
	return r;
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
	run_comes(f, add_run(f, node, count), node, count);
	return !f->broken;
}

/* Out of the runs with the same first node. */
static void unlist(struct forecast *f, int r)
{
	int *at = &f->first[f->node[f->run[r].at]];

	while (*at != r)
		at = &f->run[*at].next;
	*at = f->run[r].next;
}

/* The runs that are gone; the others move up. False: there is no time for all of them. */
static bool drop_runs(struct forecast *f)
{
	int nruns = f->nruns, *gone = f->ask[0].slowed, ngone = 0;
	bool late = false;

	f->nruns = f->nnodes = 0;
	for (int i = 0; i < nruns; i++) {
		int r = f->live[i];
		struct run *run = &f->run[r];

		late = late || (!run->seen && load_meter_late(f->meter));
		if (!run->seen && !late) {
			run_goes(f, r);
			unlist(f, r);
			gone[ngone++] = r;
			continue;
		}
		memmove(f->node + f->nnodes, f->node + run->at, (size_t)run->count * sizeof(int));
		run->at = f->nnodes;
		f->nnodes += run->count;
		f->live[f->nruns++] = r;
	}
	memcpy(f->live + f->nruns, gone, (size_t)ngone * sizeof(int));
	return !late && !f->broken;
}

bool forecast_end(struct forecast *f)
{
	return drop_runs(f) && !load_meter_late(f->meter);
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

static struct sums add_up(const struct forecast *f, enum kept p, const struct load_job *job, int count,
	bool alone)
{
	struct sums sums = {.longest = 1};
	double sum = 0;

	for (int i = 0; i < job->n; i++) {
		const struct load_traffic *others = &f->traffic[p][job->link[i]];
		double load = job->load[i], all = load;

		if (!alone) {
			all += others->load * (1.0 / LOAD_UNIT);
			sums.drag += load * others->drag;
		}
		sum += load;
		sums.mean += load * all;
		sums.longest = all > sums.longest ? all : sums.longest;
	}
	sums.mean /= sum > 0 ? sum : 1;
	sums.drag *= others_wait / LOAD_UNIT / count;
	return sums;
}

/* The length of a round of a run's ring: as its fullest link lets it. */
static double ring_of(const struct forecast *f, struct run *run)
{
	uint32_t most = LOAD_UNIT;

	if (run->ring > 0)
		return run->ring;
	for (int u = run->use; u < run->use + run->nuses; u++) {
		uint32_t load = f->traffic[KEPT_RING][f->use[u].link].load;

		most = load > most ? load : most;
	}
	run->ring = most * (1.0 / LOAD_UNIT);
	return run->ring;
}

/* Of the runs, in the order of their nodes, whatever came first. */
static bool before(const struct forecast *f, const struct run *a, const struct run *b)
{
	int x = f->node[a->at], y = f->node[b->at];

	return x != y ? x < y : a->arrival > b->arrival;
}

/* Of all whose rings go over a link, the first and the last are looked at. -1: none. */
static void ends_of(const struct forecast *f, int link, int *end)
{
	end[0] = end[1] = -1;
	for (int u = f->user[link]; u >= 0; u = f->use[u].next) {
		int r = f->use[u].run;

		if (end[0] < 0 || before(f, &f->run[r], &f->run[end[0]]))
			end[0] = r;
		if (end[1] < 0 || before(f, &f->run[end[1]], &f->run[r]))
			end[1] = r;
	}
}

/*
 * What the rings of runs lose, in nodes times length: their rounds are as long as their fullest
 * links. All of it in LOAD_UNITs, so that the sum is exact.
 */
static double slow_rings(struct asker *a, const struct load_job *job)
{
	struct forecast *f = a->f;
	double lost = 0;
	int n = 0;

	for (int i = 0; i < job->n; i++) {
		int link = job->link[i], end[2];
		double full = job->load[i] + f->traffic[KEPT_RING][link].load * (1.0 / LOAD_UNIT);

		ends_of(f, link, end);
		for (int e = 0; e < 2 && end[e] >= 0; e++) {
			int r = end[e];

			if (full <= ring_of(f, &f->run[r]) || full <= a->longer[r])
				continue;
			if (a->longer[r] <= 0)
				a->slowed[n++] = r;
			a->longer[r] = full;
		}
	}
	for (int i = 0; i < n; i++) {
		const struct run *run = &f->run[a->slowed[i]];

		lost += run->count * (a->longer[a->slowed[i]] - run->ring);
		a->longer[a->slowed[i]] = 0;
	}
	return lost;
}

static bool has_steps(int count)
{
	return count > 1 && count <= SHIFT_RANKS;
}

/* The fullest link of a ring, in messages; at least 1. */
static double fullest(const struct forecast *f, const struct load_job *job, bool alone)
{
	double most = 1;

	for (int i = 0; i < job->n; i++) {
		double all = job->load[i] + (alone ? 0 : f->traffic[KEPT_RING][job->link[i]].load * (1.0 / LOAD_UNIT));

		most = all > most ? all : most;
	}
	return most;
}

struct round {
	struct forecast_times times;
	double steps; /* of an all-to-all, the least that they can take: what the fullest link carries */
	bool stepped; /* they are looked at */
	bool alone;   /* as if no job ran */
};

/* The times of patterns that have these loads, with the least for steps: these are long to look at. */
static void times_of(struct asker *a, enum kept p, const struct forecast_set *set, struct round *round)
{
	struct forecast *f = a->f;
	bool alone = round->alone;
	double *time = round->times.time;
	struct load_job job;
	struct sums sums;

	load_of(a->meter, kept_pattern[p], &f->grid, &job);
	if (!alone) {
		load_meter_keep(a->meter, &job, &a->asked.job[p]);
		a->asked.has[p] = p != KEPT_GRID || !f->grid.ndims;
	}
	if (p == KEPT_RING) {
		time[COMM_RING] = fullest(f, &job, alone) + (alone ? 0 : slow_rings(a, &job) / set->count);
		return;
	}
	sums = add_up(f, p, &job, set->count, alone);
	if (p == KEPT_GRID) {
		time[COMM_GRID] = sums.longest + sums.drag;
	} else {
		round->steps = !round->stepped || has_steps(set->count) ? sums.longest : steps_per_load * sums.mean;
		time[COMM_RANDOM] = random_least + random_load * sums.mean + sums.drag;
		time[COMM_ALL_TO_ALL] =
			all_load * sums.mean + all_steps * round->steps + sums.drag;
	}
}

/* What they take more. What is above `most` may be less than it is, but not below that. */
static double more_steps(struct forecast *f, const struct forecast_set *set, const struct load_traffic *others,
	double least, double most)
{
	const struct shift_ranks ranks = {set->vertex, set->count};
	double time;

	if (!has_steps(set->count) || load_meter_late(f->meter))
		return 0;
	time = shift_time(f->shift, &ranks, others, (least + most / all_steps) * (1 + 1e-9));
	return time > least ? all_steps * (time - least) : 0;
}

int forecast_two(struct forecast *f)
{
	struct asker *second = &f->ask[1];

	if (!second->meter && init_asker(f, second)) {
		release_asker(second);
		return -1;
	}
	/* So that asking writes nothing that both can see. */
	for (int i = 0; i < f->nruns; i++)
		ring_of(f, &f->run[f->live[i]]);
	return 0;
}

void forecast_grid(struct forecast *f, const struct comm_grid *grid)
{
	f->grid = grid ? *grid : (struct comm_grid){0};
}

void forecast_alone(struct forecast *f, const struct forecast_set *set, bool steps,
	struct forecast_times *times)
{
	struct round round = {.stepped = steps, .alone = true};

	load_ranks(f->meter, set->vertex, set->count);
	for (int p = 0; p < KEPT; p++)
		times_of(&f->ask[0], (enum kept)p, set, &round);
	if (steps)
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
	struct round round = {.stepped = goal->steps};
	const double *time = round.times.time;
	struct asker *a = &f->ask[set->who];
	double cost = 0, rest = 1;

	memset(a->asked.has, 0, sizeof(a->asked.has));
	load_ranks(a->meter, set->vertex, set->count);
	for (int i = 0; i < KEPT && cost + rest * FORECAST_LEAST < most; i++) {
		enum kept p = order[i];

		if (share_of(&goal->mix, p) <= 0)
			continue;
		times_of(a, p, set, &round);
		cost += against(goal, kept_pattern[p], time[kept_pattern[p]]);
		if (p == KEPT_ALL)
			cost += against(goal, COMM_RANDOM, time[COMM_RANDOM]);
		rest -= share_of(&goal->mix, p);
	}
	rest = rest > 1e-9 ? rest : 0;
	part->cost = cost + rest * FORECAST_LEAST;
	part->steps = rest <= 0 && goal->steps && goal->mix.share[COMM_ALL_TO_ALL] > 0 ? round.steps : -1;
}

void forecast_expect(struct forecast *f, const struct forecast_set *set)
{
	struct priced asked = f->ask[set->who].asked;

	f->ask[set->who].asked = f->coming;
	f->coming = asked;
	f->coming.count = load_meter_late(f->meter) ? 0 : set->count;
	memcpy(f->coming.vertex, set->vertex, (size_t)set->count * sizeof(int));
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
			more_steps(f, set, f->traffic[KEPT_ALL], part->steps, left));
}

double forecast_cost(struct forecast *f, const struct forecast_set *set,
	const struct forecast_goal *goal, double most)
{
	struct forecast_part part;

	forecast_part(f, set, goal, most, &part);
	return forecast_rest(f, set, goal, most, &part);
}
