/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/patternfind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDES = 3, SAMPLES = 64 };

/* A pattern with its sides, which can be asked about pairs of ranks. */
struct guess {
	const struct shape *shape;
	struct traffic_grid grid; /* of all ranks, the last side fastest */
	int step;		  /* from rank 0 to the nearest rank that it talks to */
};

/* One hop along one side; with the diagonal neighbours, along several. */
static bool on_grid(const struct guess *g, int a, int b)
{
	int from[MESH_MAX_DIMS], to[MESH_MAX_DIMS], along = 0;

	traffic_grid_coord(&g->grid, a, from);
	traffic_grid_coord(&g->grid, b, to);
	for (int d = 0; d < g->grid.ndims; d++) {
		int hops = abs(from[d] - to[d]);

		if (g->grid.wrap[d] && hops == g->grid.side[d] - 1)
			hops = 1;
		if (hops > 1)
			return false;
		along += hops;
	}
	return along == 1 || g->grid.diagonal;
}

static bool on_ring(const struct guess *g, int a, int b)
{
	int n = g->grid.side[0];

	return (a + g->step) % n == b || (b + g->step) % n == a;
}

/* The parent of a rank in a binomial tree lacks its lowest bit (collective.h). */
static bool on_tree(const struct guess *g, int a, int b)
{
	int child = a > b ? a : b, parent = a > b ? b : a;

	(void)g;
	return (child & (child - 1)) == parent;
}

/* Ranks at powers of two: reductions to all. */
static bool by_one_bit(const struct guess *g, int a, int b)
{
	(void)g;
	return !((a ^ b) & ((a ^ b) - 1));
}

/* Each rank with all of its row and all of its column: Fourier transforms in pencils. */
static bool in_line(const struct guess *g, int a, int b)
{
	int columns = g->grid.side[1];

	return a / columns == b / columns || a % columns == b % columns;
}

static bool with_root(const struct guess *g, int a, int b)
{
	(void)g;
	return !a || !b;
}

static bool any_two(const struct guess *g, int a, int b)
{
	(void)g;
	(void)a;
	(void)b;
	return true;
}

/*
 * The patterns, and which pairs of ranks talk in each. Of two that fit equally well, the first one
 * counts.
 */
static const struct shape {
	const char *name;
	bool (*has)(const struct guess *guess, int a, int b); /* a != b */
	int least, most; /* sides */
	bool diagonal, torus;
	bool told; /* --mesh-pattern knows it */
} shapes[] = {
	{"ring", on_ring, 1, 1, .told = true},
	{"all-to-all", any_two, 1, 1, .told = true},
	{"grid", on_grid, 1, MOST_SIDES, .told = true},
	{"grid", on_grid, 2, MOST_SIDES, .torus = true, .told = true},
	{"grid", on_grid, 2, MOST_SIDES, .diagonal = true, .told = true},
	{"grid", on_grid, 2, MOST_SIDES, .diagonal = true, .torus = true, .told = true},
	{"tree", on_tree, 1, 1},
	{"hypercube", by_one_bit, 1, 1},
	{"transposes", in_line, 2, 2},
	{"hub", with_root, 1, 1},
};

struct search {
	const struct traffic *traffic;
	int sent;    /* the number of ranks whose messages are known */
	double *row; /* [ranks] what the current rank sends; 0 otherwise */
	struct guess guess, best;
	double score; /* of the best */
};

/* This part of what is sent must be the guess's, and this part of the guess must be sent. */
static const double enough = 0.9;

struct tally {
	double all, covered; /* bytes */
	int expected, found; /* pairs */
};

static void add_row(struct search *s, int a, struct tally *sum)
{
	const struct traffic *t = s->traffic;

	for (size_t e = t->start[a]; e < t->start[a + 1]; e++) {
		s->row[t->to[e]] = t->weight[e];
		sum->all += t->weight[e];
	}
	for (int b = 0; b < t->n; b++)
		if (b != a && s->guess.shape->has(&s->guess, a, b)) {
			sum->expected++;
			sum->found += s->row[b] > 0;
			sum->covered += s->row[b];
		}
	for (size_t e = t->start[a]; e < t->start[a + 1]; e++)
		s->row[t->to[e]] = 0;
}

/* Is the current guess the best so far? Of many ranks only some are looked at. */
static void try_guess(struct search *s)
{
	struct tally sum = {0};
	double score;
	int step = s->sent / SAMPLES + 1;

	for (int a = 0; a < s->sent; a += step) {
		add_row(s, a, &sum);
		if (2 * sum.found < sum.expected || 2 * sum.covered < sum.all)
			return;
	}
	if (sum.found < enough * sum.expected || sum.covered < enough * sum.all || !sum.found)
		return;
	score = sum.covered / sum.all * sum.found / sum.expected;
	if (score <= s->score)
		return;
	s->score = score;
	s->best = s->guess;
}

/* Try all grids of the guess's shape: sides d and on, with `ranks` still to be divided. */
static void try_sides(struct search *s, int d, int ranks)
{
	struct traffic_grid *grid = &s->guess.grid;
	const struct shape *shape = s->guess.shape;

	grid->ndims = d + 1;
	grid->side[d] = ranks;
	grid->wrap[d] = shape->torus && ranks > 2;
	if (grid->ndims >= shape->least)
		try_guess(s);
	for (int side = 2; grid->ndims < shape->most && side <= ranks / 2; side++) {
		if (ranks % side)
			continue;
		grid->side[d] = side;
		grid->wrap[d] = shape->torus && side > 2;
		try_sides(s, d + 1, ranks / side);
		grid->ndims = d + 1;
	}
}

static int nearest_partner(const struct traffic *t)
{
	int least = t->n;

	for (size_t e = t->start[0]; e < t->start[1]; e++)
		least = t->to[e] < least ? t->to[e] : least;
	return least;
}

/* Write a grid as traffic_grid_parse() reads it. */
static void write_grid(const struct traffic_grid *grid, char pattern[PATTERN_TEXT])
{
	bool torus = false;
	int n = snprintf(pattern, PATTERN_TEXT, "grid");

	for (int d = 0; d < grid->ndims && n < PATTERN_TEXT; d++) {
		n += snprintf(pattern + n, PATTERN_TEXT - (size_t)n, "%c%d", d ? 'x' : ':',
			grid->side[d]);
		torus |= grid->wrap[d];
	}
	if (grid->diagonal && n < PATTERN_TEXT)
		n += snprintf(
			pattern + n, PATTERN_TEXT - (size_t)n, ":%.0f", pow(3, grid->ndims));
	if (torus && n < PATTERN_TEXT)
		snprintf(pattern + n, PATTERN_TEXT - (size_t)n, ":torus");
}

void patternfind(const struct traffic *traffic, int sent, char pattern[PATTERN_TEXT])
{
	struct search s = {.traffic = traffic, .sent = sent,
		.row = calloc((size_t)traffic->n, sizeof(*s.row))};

	snprintf(pattern, PATTERN_TEXT, "mix");
	s.guess.step = nearest_partner(traffic);
	for (size_t i = 0; s.row && traffic->n > 2 && i < sizeof(shapes) / sizeof(*shapes); i++) {
		s.guess.shape = &shapes[i];
		s.guess.grid.diagonal = shapes[i].diagonal;
		try_sides(&s, 0, traffic->n);
	}
	if (s.best.shape && !strcmp(s.best.shape->name, "grid"))
		write_grid(&s.best.grid, pattern);
	else if (s.best.shape)
		snprintf(pattern, PATTERN_TEXT, "%s", s.best.shape->name);
	free(s.row);
}

/*
 * Find sides of a grid, from d on, that are nearest to side[] times `factor`. Returns the
 * distance.
 */
static double nearest_sides(
	const struct traffic_grid *grid, double factor, int d, int ranks, int *side)
{
	double best = INFINITY;
	int rest[MESH_MAX_DIMS];

	for (int s = 1; s <= ranks; s++) {
		double apart = log(s / (grid->side[d] * factor));

		if (ranks % s || (d == grid->ndims - 1 && s != ranks))
			continue;
		apart *= apart;
		if (apart < best && d < grid->ndims - 1)
			apart += nearest_sides(grid, factor, d + 1, ranks / s, rest);
		if (apart >= best)
			continue;
		best = apart;
		side[d] = s;
		for (int e = d + 1; e < grid->ndims; e++)
			side[e] = rest[e];
	}
	return best;
}

int patternfind_scale(char pattern[PATTERN_TEXT], int from, int to)
{
	struct traffic_grid grid, scaled;
	struct mesh_err err;

	if (!strcmp(pattern, "mix") || from < 1 || to < 1)
		return -1;
	if (strncmp(pattern, "grid:", 5) != 0)
		return 0;
	if (traffic_grid_parse(&grid, pattern + 5, &err))
		return -1;
	scaled = grid;
	nearest_sides(&grid, pow((double)to / from, 1.0 / grid.ndims), 0, to, scaled.side);
	write_grid(&scaled, pattern);
	return 0;
}

void patternfind_told(const char *pattern, char told[PATTERN_TEXT])
{
	size_t i = 0, kinds = sizeof(shapes) / sizeof(*shapes), n;

	while (i < kinds && strncmp(pattern, shapes[i].name, strlen(shapes[i].name)) != 0)
		i++;
	n = strcspn(pattern, ":");
	n += pattern[n] ? 1 + strcspn(pattern + n + 1, ":") : 0;
	snprintf(told, PATTERN_TEXT, "%.*s", i < kinds && shapes[i].told ? (int)n : 3,
		i < kinds && shapes[i].told ? pattern : "mix");
}
