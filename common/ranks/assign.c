/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local search for the quadratic assignment problem: exchanges of two items by simulated annealing
 * (S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by simulated annealing", 1983). Going
 * downhill before and after it gains nothing (doc/lab/ranks.md). The gain of an exchange takes one look at
 * the neighbours of both items; see assign.h for the whole.
 */
#include "ranks/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linkgraph.h"
#include "base/random.h"

enum { MAX_TABLE = 1024, MAX_GRAPH_TABLE = 4096, DICE = 1024 };

/* Hops along each dimension by the difference of coordinates, and the sites' coordinates. */
static int fill_axes(struct assign_sites *table, const struct mesh *mesh, const int *vertex)
{
	table->ndims = mesh->ndims;
	table->pos = malloc((size_t)table->n * sizeof(*table->pos));
	for (int i = 0; table->pos && i < table->n; i++)
		memcpy(table->pos[i], mesh->coord[vertex[i]], sizeof(*table->pos));
	for (int d = 0; d < mesh->ndims; d++) {
		int side = table->side[d] = mesh->side[d];

		if (!(table->axis[d] = malloc(2 * (size_t)side * sizeof(uint16_t))))
			return -1;
		for (int a = 0; a < side; a++)
			table->axis[d][side - 1 + a] = table->axis[d][side - 1 - a] =
				(uint16_t)mesh_axis_hops(mesh, d, 0, a);
	}
	return table->pos ? 0 : -1;
}

int assign_sites_init(struct assign_sites *table, const struct mesh *mesh, const int *vertex, int n)
{
	uint16_t *hops = NULL;
	int most = mesh->graph ? MAX_GRAPH_TABLE : MAX_TABLE;

	*table = (struct assign_sites){.n = n};
	if (fill_axes(table, mesh, vertex) ||
		(n <= most && !(hops = malloc((size_t)n * (size_t)n * sizeof(*hops))))) {
		assign_sites_release(table);
		return -1;
	}
	for (int a = 0; hops && a < n; a++)
		for (int b = 0; b <= a; b++)
			hops[(size_t)a * (size_t)n + (size_t)b] =
				hops[(size_t)b * (size_t)n + (size_t)a] =
					(uint16_t)linkgraph_mesh_hops(mesh, vertex[a], vertex[b]);
	table->hops = hops;
	return 0;
}

void assign_sites_release(struct assign_sites *table)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(table->axis[d]);
		table->axis[d] = NULL;
	}
	free(table->pos);
	free(table->hops);
	table->pos = NULL;
	table->hops = NULL;
}

double assign_cost(const struct traffic *traffic, const struct assign_sites *table, const int *site)
{
	double cost = 0;

	for (int i = 0; i < traffic->n; i++)
		for (size_t e = traffic->start[i]; e < traffic->start[i + 1]; e++)
			cost += traffic->weight[e] *
				assign_hops(table, site[i], site[traffic->to[e]]);
	return cost / 2;
}

struct search {
	const struct traffic *traffic;
	const struct assign_sites *table;
	int *site; /* [items] the caller's */
	uint64_t random;
	int64_t looks; /* at neighbours, so far */
};

/*
 * What the cost falls by (< 0) or rises by when item i, on site a, goes to site b. Nearly all time
 * is spent here: the rows of both sites are looked up once.
 */
static double move_by_table(const struct search *s, int i, int a, int b, int except)
{
	const struct traffic *t = s->traffic;
	const uint16_t *from = s->table->hops + (size_t)a * (size_t)s->table->n;
	const uint16_t *to = s->table->hops + (size_t)b * (size_t)s->table->n;
	double cost = 0;

	for (size_t e = t->start[i], end = t->start[i + 1]; e < end; e++) {
		int k = s->site[t->to[e]];

		if (t->to[e] != except)
			cost += t->weight[e] * (to[k] - from[k]);
	}
	return cost;
}

static double move_by_axes(const struct search *s, int i, int a, int b, int except)
{
	const struct traffic *t = s->traffic;
	const struct assign_sites *table = s->table;
	const uint16_t *from[MESH_MAX_DIMS], *to[MESH_MAX_DIMS];
	double cost = 0;

	for (int d = 0; d < table->ndims; d++) {
		from[d] = table->axis[d] + table->side[d] - 1 - table->pos[a][d];
		to[d] = table->axis[d] + table->side[d] - 1 - table->pos[b][d];
	}
	for (size_t e = t->start[i], end = t->start[i + 1]; e < end; e++) {
		const int16_t *at = table->pos[s->site[t->to[e]]];
		int hops = 0;

		if (t->to[e] == except)
			continue;
		for (int d = 0; d < table->ndims; d++)
			hops += to[d][at[d]] - from[d][at[d]];
		cost += t->weight[e] * hops;
	}
	return cost;
}

static double move_cost(const struct search *s, int i, int a, int b, int except)
{
	return (s->table->hops ? move_by_table : move_by_axes)(s, i, a, b, except);
}

static double swap_cost(struct search *s, int i, int j)
{
	const size_t *start = s->traffic->start;
	int a = s->site[i], b = s->site[j];

	s->looks += (int64_t)(start[i + 1] - start[i] + start[j + 1] - start[j]);
	return a == b ? 0 : move_cost(s, i, a, b, j) + move_cost(s, j, b, a, i);
}

static void swap(struct search *s, int i, int j)
{
	int site = s->site[i];

	s->site[i] = s->site[j];
	s->site[j] = site;
}

static int pick(struct search *s, int n)
{
	return random_quick_below(&s->random, n);
}

/* An item to exchange i with: often one near its neighbours, sometimes any. */
static int pick_partner(struct search *s, int i)
{
	const size_t *start = s->traffic->start;

	if (start[i + 1] == start[i] || !(random_quick(&s->random) & 1 << 8))
		return pick(s, s->traffic->n);
	for (int step = 0; step < 2; step++)
		i = s->traffic->to[start[i] + (size_t)pick(s, (int)(start[i + 1] - start[i]))];
	return i;
}

/* The size of a usual change, by which the temperature is measured. */
static double usual_change(struct search *s)
{
	double sum = 0;
	int count = 0;

	for (int i = 0; i < 1000; i++) {
		int a = pick(s, s->traffic->n);
		double cost = swap_cost(s, a, pick_partner(s, a));

		sum += fabs(cost);
		count += cost != 0;
	}
	return count ? sum / count : 0;
}

/*
 * `moves` exchanges tried while the temperature falls; best[] gets the best state seen.
 * Starts mild, not hot: the state it begins with is a good one. Half or twice the temperature
 * at either end makes no difference beyond chance.
 */
static void anneal(struct search *s, int64_t moves, int *best)
{
	enum { STAGES = 200 };
	double dice[DICE], temperature = 0.25 * usual_change(s), change = 0, least = 0;
	double cooling = pow(0.005, 1.0 / STAGES);
	size_t size = (size_t)s->traffic->n * sizeof(int);

	for (int i = 0; i < DICE; i++)
		dice[i] = -log((i + 0.5) / DICE);
	memcpy(best, s->site, size);
	for (int stage = 0; stage < STAGES; stage++) {
		for (int64_t move = 0; move < moves / STAGES; move++) {
			int i = pick(s, s->traffic->n), j = pick_partner(s, i);
			double cost = swap_cost(s, i, j);

			if (cost > temperature * dice[random_quick(&s->random) % DICE])
				continue;
			swap(s, i, j);
			change += cost;
		}
		if (change < least - 1e-9) {
			least = change;
			memcpy(best, s->site, size);
		}
		temperature *= cooling;
	}
}

double assign_improve(const struct traffic *traffic, const struct assign_sites *table, int *site,
	const struct assign_effort *effort)
{
	struct search s = {.traffic = traffic, .table = table, .site = site,
		.random = effort->seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
	int n = traffic->n, *best = malloc((size_t)n * sizeof(*best));
	int64_t moves = effort->moves, each = 2 * (int64_t)traffic->start[n] / n + 1;

	if (!best)
		return -1;
	if (effort->looks && moves > effort->looks / each)
		moves = effort->looks / each;
	if (n > 2) {
		anneal(&s, moves, best);
		memcpy(site, best, (size_t)n * sizeof(*best));
	}
	free(best);
	return assign_cost(traffic, table, site);
}
