/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/peak.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "links/links.h"

enum { STAGES = 100, MOST_LOADS = 1 << 18, LONGEST_STRETCH = 10 };

/* The weight of the loads by all traffic, beside those of steps: steps overlap a little. */
static const double ALL = 0.3;

struct peak {
	const struct peak_input *in;
	const int *at; /* the site of each item */
	int *site;     /* the same, if it may be changed */
	int *route;    /* scratch: a longest route */
	const struct traffic *step; /* [steps] */
	int steps, links, rows;
	double share; /* the part of a weight that goes in its direction */
	double *load;	/* [rows][links]: by all traffic, and by steps as far as there is room */
	double *energy; /* [rows] sum of load^4, kept by add_way() */
	uint64_t random;
};

static double fourth(double x)
{
	return x * x * x * x;
}

static void add_loads(struct peak *p, int row, int n, double bytes)
{
	double *load = &p->load[(size_t)row * (size_t)p->links], energy = p->energy[row];

	for (int i = 0; i < n; i++) {
		double *on = &load[p->route[i]];

		energy -= fourth(*on);
		*on += bytes * links_slower(p->in->mesh, p->route[i]);
		energy += fourth(*on);
	}
	p->energy[row] = energy;
}

/* Add `bytes` of a step on the way from one vertex to another. */
static void add_way(struct peak *p, int step, int from, int to, double bytes)
{
	int n = from == to ? 0 : links_route(p->in->mesh, from, to, p->route);

	add_loads(p, 0, n, bytes);
	if (p->rows > 1)
		add_loads(p, 1 + step % (p->rows - 1), n, bytes);
}

/* Add all that item i sends and receives, times `sign`, but not its traffic with `except`. */
static void add_item(struct peak *p, int i, int except, double sign)
{
	int here = p->in->vertex[p->at[i]];

	for (int step = 0; step < p->steps; step++) {
		const struct traffic *t = &p->step[step];

		for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
			int there = p->in->vertex[p->at[t->to[e]]];
			double bytes = sign * p->share * fabs(t->weight[e]);

			if (t->to[e] == except)
				continue;
			if (t->weight[e] > 0)
				add_way(p, step, here, there, bytes);
			if (t->weight[e] < 0 || p->share < 1)
				add_way(p, step, there, here, bytes);
		}
	}
}

static double cost(const struct peak *p)
{
	double sum = 0;

	for (int row = 0; row < p->rows; row++)
		sum += (row || p->rows == 1 ? 1 : ALL) *
		       (p->energy[row] > 0 ? sqrt(sqrt(p->energy[row])) : 0);
	return sum;
}

/* What annealing lowers. Without steps a root would only change the temperatures. */
static double height(const struct peak *p)
{
	return p->rows > 1 ? cost(p) : *p->energy;
}

static double highest(const struct peak *p)
{
	double most = 0;

	for (int l = 0; l < p->links; l++)
		most = p->load[l] > most ? p->load[l] : most;
	return most;
}

static void fill_loads(struct peak *p)
{
	memset(p->load, 0, (size_t)p->links * (size_t)p->rows * sizeof(double));
	memset(p->energy, 0, (size_t)p->rows * sizeof(double));
	for (int step = 0; step < p->steps; step++) {
		const struct traffic *t = &p->step[step];

		for (int i = 0; i < t->n; i++)
			for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
				if (t->weight[e] > 0)
					add_way(p, step, p->in->vertex[p->at[i]],
						p->in->vertex[p->at[t->to[e]]],
						p->share * t->weight[e]);
	}
}

static int peak_init(
	struct peak *p, const struct peak_input *input, const int *site, struct arena *arena)
{
	const struct traffic *t = input->traffic;
	int links = links_count(input->mesh), most = MOST_LOADS / links;

	*p = (struct peak){.in = input, .at = site, .links = links, .step = t, .steps = 1,
		.rows = 1 + (t->steps < most ? t->steps : most), .share = 0.5};
	if (t->steps) {
		p->step = t->step;
		p->steps = t->steps;
		p->share = 1;
	}
	arena_array(arena, p->route, links_longest(input->mesh) + 1);
	arena_array(arena, p->energy, p->rows);
	if (!arena_array(arena, p->load, (int64_t)p->rows * links))
		return -1;
	fill_loads(p);
	return 0;
}

/* Exchange items i and j. Returns how much the height rises. */
static double exchange(struct peak *p, int i, int j)
{
	double before = height(p);
	int site = p->site[i];

	add_item(p, i, -1, -1);
	add_item(p, j, i, -1);
	p->site[i] = p->site[j];
	p->site[j] = site;
	add_item(p, i, -1, 1);
	add_item(p, j, i, 1);
	return height(p) - before;
}

/* Choose any item, or one near a neighbour of i: the exchange may bring them together. */
static int pick_partner(struct peak *p, int i)
{
	const struct traffic *t = p->in->traffic;

	for (int step = 0; step < 2 && random_next(&p->random) & 1; step++) {
		size_t degree = t->start[i + 1] - t->start[i];

		if (!degree)
			break;
		i = t->to[t->start[i] + random_below(&p->random, degree)];
	}
	return i;
}

static bool refuse(struct peak *p, double rise, double temperature)
{
	return rise > 0 && rise > -temperature * log(random_unit(&p->random) + 1e-18);
}

static void try_exchange(struct peak *p, double temperature)
{
	uint64_t n = (uint64_t)p->in->traffic->n;
	int i = (int)random_below(&p->random, n), j = (int)random_below(&p->random, n);

	j = pick_partner(p, random_next(&p->random) & 1 ? i : j);
	if (p->site[i] == p->site[j])
		return;
	if (refuse(p, exchange(p, i, j), temperature))
		exchange(p, i, j);
}

/* Give the sites of `count` items in a row to them the other way round. Returns the rise. */
static double reverse(struct peak *p, int first, int count)
{
	int n = p->in->traffic->n;
	double rise = 0;

	for (int k = 0; k < count / 2; k++) {
		int i = (first + k) % n, j = (first + count - 1 - k) % n;

		if (p->site[i] != p->site[j])
			rise += exchange(p, i, j);
	}
	return rise;
}

/* In a chain of items only both ends of what is reversed get other neighbours. */
static void try_reverse(struct peak *p, double temperature)
{
	int n = p->in->traffic->n, longest = n < LONGEST_STRETCH ? n : LONGEST_STRETCH;
	int first = (int)random_below(&p->random, (uint64_t)n);
	int count = 2 + (int)random_below(&p->random, (uint64_t)longest - 1);

	if (refuse(p, reverse(p, first, count), temperature))
		reverse(p, first, count);
}

/* The size of a usual change. */
static double usual_rise(struct peak *p)
{
	enum { TRIALS = 200 };
	uint64_t n = (uint64_t)p->in->traffic->n;
	double sum = 0;

	for (int k = 0; k < TRIALS; k++) {
		int i = (int)random_below(&p->random, n), j = pick_partner(p, i);

		if (p->site[i] == p->site[j])
			continue;
		sum += fabs(exchange(p, i, j));
		exchange(p, i, j);
	}
	return sum / TRIALS;
}

int peak_loads(const struct peak_input *input, const int *site, struct peak_loads *loads)
{
	struct arena arena = {0};
	struct peak p;
	int bad = peak_init(&p, input, site, &arena);

	if (!bad)
		*loads = (struct peak_loads){.highest = highest(&p), .cost = cost(&p)};
	arena_release(&arena);
	return bad;
}

int peak_improve(const struct peak_input *input, int64_t moves, uint64_t seed, int *site)
{
	struct arena arena = {0};
	struct peak p;
	size_t size = (size_t)input->traffic->n * sizeof(int);
	double least, temperature;
	int *best, bad;

	/* No stage would try anything, and each would compute all loads anew. */
	if (moves < STAGES)
		return 0;
	best = arena_get(&arena, input->traffic->n, sizeof(int));
	bad = peak_init(&p, input, site, &arena);
	if (!bad) {
		memcpy(best, site, size);
		least = height(&p);
		p.site = site;
		p.random = seed;
		temperature = 0.1 * usual_rise(&p);
		for (int stage = 0; stage < STAGES; stage++) {
			for (int64_t move = 0; move < moves / STAGES; move++)
				if (move % 5)
					try_exchange(&p, temperature);
				else
					try_reverse(&p, temperature);
			fill_loads(&p); /* drop what rounding has added up */
			if (height(&p) < least) {
				least = height(&p);
				memcpy(best, site, size);
			}
			temperature *= 0.93;
		}
		memcpy(site, best, size);
	}
	arena_release(&arena);
	return bad;
}
