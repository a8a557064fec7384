/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "links/links.h"

enum { STAGES = 100 };

struct peak {
	const struct peak_input *in;
	const int *at; /* site of each item */
	int *site;     /* the same, where it may be changed */
	int *route;    /* scratch: a longest one */
	double *load;  /* [links] */
	double energy; /* sum of load^4, as changed by add() */
	uint64_t random;
};

static double fourth(double x)
{
	return x * x * x * x;
}

/* Put `bytes` on the way from one vertex to another. */
static void add_way(struct peak *p, int from, int to, double bytes)
{
	int n = from == to ? 0 : links_route(p->in->mesh, from, to, p->route);

	for (int i = 0; i < n; i++) {
		double *load = &p->load[p->route[i]];

		p->energy -= fourth(*load);
		*load += bytes;
		p->energy += fourth(*load);
	}
}

/* All that item i sends and gets, times `sign`; not what it has with `except`. */
static void add_item(struct peak *p, int i, int except, double sign)
{
	const struct traffic *t = p->in->traffic;
	int here = p->in->vertex[p->at[i]];

	for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
		int there = p->in->vertex[p->at[t->to[e]]];

		if (t->to[e] == except)
			continue;
		add_way(p, here, there, sign * t->weight[e] / 2);
		add_way(p, there, here, sign * t->weight[e] / 2);
	}
}

static double highest(const struct peak *p)
{
	double most = 0;

	for (int l = 0; l < links_count(p->in->mesh); l++)
		most = p->load[l] > most ? p->load[l] : most;
	return most;
}

static void fill_loads(struct peak *p)
{
	const struct traffic *t = p->in->traffic;

	memset(p->load, 0, (size_t)links_count(p->in->mesh) * sizeof(double));
	p->energy = 0;
	for (int i = 0; i < t->n; i++)
		for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
			add_way(p, p->in->vertex[p->at[i]], p->in->vertex[p->at[t->to[e]]],
				t->weight[e] / 2);
}

static int peak_init(
	struct peak *p, const struct peak_input *input, const int *site, struct arena *arena)
{
	*p = (struct peak){.in = input, .at = site};
	arena_array(arena, p->route, links_longest(input->mesh) + 1);
	if (!arena_array(arena, p->load, links_count(input->mesh)))
		return -1;
	fill_loads(p);
	return 0;
}

/* Exchange items i and j; what the energy rises by. */
static double exchange(struct peak *p, int i, int j)
{
	double before = p->energy;
	int site = p->site[i];

	add_item(p, i, -1, -1);
	add_item(p, j, i, -1);
	p->site[i] = p->site[j];
	p->site[j] = site;
	add_item(p, i, -1, 1);
	add_item(p, j, i, 1);
	return p->energy - before;
}

/* Any item, or one near a neighbour of i: the exchange may bring them together. */
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

static void try_exchange(struct peak *p, double temperature)
{
	uint64_t n = (uint64_t)p->in->traffic->n;
	int i = (int)random_below(&p->random, n), j = (int)random_below(&p->random, n);
	double rise;

	j = pick_partner(p, random_next(&p->random) & 1 ? i : j);
	if (p->site[i] == p->site[j])
		return;
	rise = exchange(p, i, j);
	if (rise > 0 && rise > -temperature * log(random_unit(&p->random) + 1e-18))
		exchange(p, i, j);
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
		*loads = (struct peak_loads){.highest = highest(&p), .energy = p.energy};
	arena_release(&arena);
	return bad;
}

double peak_improve(const struct peak_input *input, int64_t moves, uint64_t seed, int *site)
{
	struct arena arena = {0};
	struct peak p;
	size_t size = (size_t)input->traffic->n * sizeof(int);
	int *best = arena_get(&arena, input->traffic->n, sizeof(int));
	double least = -1, temperature;

	if (!peak_init(&p, input, site, &arena)) {
		memcpy(best, site, size);
		least = p.energy;
		p.site = site;
		p.random = seed;
		temperature = 0.1 * usual_rise(&p);
		for (int stage = 0; stage < STAGES; stage++) {
			for (int64_t move = 0; move < moves / STAGES; move++)
				try_exchange(&p, temperature);
			fill_loads(&p); /* without what rounding has added up */
			if (p.energy < least) {
				least = p.energy;
				memcpy(best, site, size);
			}
			temperature *= 0.93;
		}
		memcpy(site, best, size);
	}
	arena_release(&arena);
	return least;
}
