/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local search for the quadratic assignment problem: exchanges of two items, first downhill,
 * then by simulated annealing (S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by
 * simulated annealing", 1983) and downhill again. The gain of an exchange takes one look at
 * the neighbours of both items; see assign.h for the whole.
 */
#include "ranks/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linkgraph.h"
#include "base/random.h"

enum { MAX_TABLE = 1024, MAX_GRAPH_TABLE = 4096, ALL_PAIRS = 1024, DICE = 1024 };

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
	int *site;	  /* [items] the caller's */
	int *first, *item; /* items on site s: item[first[s]..first[s+1]-1] */
	int *seat;	  /* [items] where it is in item[] */
	double *link;	  /* [items] what the item at hand sends to each; see take_up() */
	int *seen, stamp; /* [sites] stamp: the item at hand has looked there */
	bool *idle;	  /* [items] nothing was gained, and nothing has changed nearby since */
	uint64_t random;
	int64_t looks; /* at neighbours, so far */
};

static int search_init(struct search *s, const struct traffic *traffic,
	const struct assign_sites *table, int *site)
{
	size_t n = (size_t)traffic->n, sites = (size_t)table->n;

	*s = (struct search){.traffic = traffic, .table = table, .site = site};
	s->first = calloc(sites + 2, sizeof(int));
	s->item = malloc(n * sizeof(int));
	s->seat = malloc(n * sizeof(int));
	s->link = calloc(n, sizeof(double));
	s->seen = calloc(sites, sizeof(int));
	s->idle = malloc(n * sizeof(bool));
	if (!s->first || !s->item || !s->seat || !s->link || !s->seen || !s->idle)
		return -1;
	for (size_t i = 0; i < n; i++)
		s->first[site[i] + 2]++;
	for (size_t i = 2; i < sites + 2; i++)
		s->first[i] += s->first[i - 1];
	for (size_t i = 0; i < n; i++) {
		s->seat[i] = s->first[site[i] + 1]++;
		s->item[s->seat[i]] = (int)i;
	}
	return 0;
}

static void search_release(struct search *s)
{
	free(s->first);
	free(s->item);
	free(s->seat);
	free(s->link);
	free(s->seen);
	free(s->idle);
	s->first = s->item = s->seat = s->seen = NULL;
	s->link = NULL;
	s->idle = NULL;
}

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
	int site = s->site[i], seat = s->seat[i];

	s->site[i] = s->site[j];
	s->seat[i] = s->seat[j];
	s->site[j] = site;
	s->seat[j] = seat;
	s->item[s->seat[i]] = i;
	s->item[s->seat[j]] = j;
}

/* Sums of weights may differ by rounding: a gain must be more than that. */
static bool is_gain(double cost)
{
	return cost < -1e-9;
}

/* Item i is at hand, or no longer: link[] is 0 otherwise. */
static void take_up(struct search *s, int i)
{
	for (size_t e = s->traffic->start[i]; e < s->traffic->start[i + 1]; e++)
		s->link[s->traffic->to[e]] = s->traffic->weight[e];
}

static void put_down(struct search *s, int i)
{
	for (size_t e = s->traffic->start[i]; e < s->traffic->start[i + 1]; e++)
		s->link[s->traffic->to[e]] = 0;
}

struct exchange {
	int with; /* -1: none found */
	double cost;
};

/* The item at hand, i, with any item on site b. What i itself gains there is worked out once. */
static void try_site(struct search *s, int i, int b, struct exchange *best)
{
	const size_t *start = s->traffic->start;
	int a = s->site[i];
	double mine = move_cost(s, i, a, b, -1);
	int hops = assign_hops(s->table, a, b);

	s->looks += (int64_t)(start[i + 1] - start[i]);
	for (int k = s->first[b]; k < s->first[b + 1]; k++) {
		int j = s->item[k];
		double cost = mine + move_cost(s, j, b, a, -1) + 2 * s->link[j] * hops;

		s->looks += (int64_t)(start[j + 1] - start[j]);
		if (cost < best->cost)
			*best = (struct exchange){j, cost};
	}
}

/* The best exchange with an item on the site of a neighbour. */
static struct exchange best_near(struct search *s, int i)
{
	const struct traffic *t = s->traffic;
	struct exchange best = {-1, 0};

	take_up(s, i);
	s->seen[s->site[i]] = ++s->stamp;
	for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
		int site = s->site[t->to[e]];

		if (s->seen[site] == s->stamp)
			continue;
		s->seen[site] = s->stamp;
		try_site(s, i, site, &best);
	}
	put_down(s, i);
	return best;
}

static struct exchange best_of_all(struct search *s, int i)
{
	struct exchange best = {-1, 0};

	take_up(s, i);
	for (int site = 0; site < s->table->n; site++)
		if (site != s->site[i])
			try_site(s, i, site, &best);
	put_down(s, i);
	return best;
}

static void wake(struct search *s, int i)
{
	s->idle[i] = false;
	for (size_t e = s->traffic->start[i]; e < s->traffic->start[i + 1]; e++)
		s->idle[s->traffic->to[e]] = false;
}

/*
 * Downhill by exchanges that `find` finds, until it finds none. An item for which there was none is
 * looked at again when it or a neighbour has moved (J. Bentley's "don't look bits", 1992).
 */
static void go_down(struct search *s, const struct assign_effort *effort,
	struct exchange (*find)(struct search *, int))
{
	bool gained = true;

	memset(s->idle, 0, (size_t)s->traffic->n * sizeof(bool));
	for (int pass = 0; gained && pass < effort->passes; pass++) {
		gained = false;
		for (int i = 0; i < s->traffic->n; i++) {
			struct exchange best;

			if (effort->looks && s->looks > effort->looks)
				return;
			if (s->idle[i])
				continue;
			best = find(s, i);
			s->idle[i] = true;
			if (best.with < 0 || !is_gain(best.cost))
				continue;
			swap(s, i, best.with);
			wake(s, i);
			wake(s, best.with);
			gained = true;
		}
	}
}

static void descend(struct search *s, const struct assign_effort *effort, bool all)
{
	s->looks = 0;
	go_down(s, effort, best_near);
	if (all && s->traffic->n <= ALL_PAIRS)
		go_down(s, effort, best_of_all);
}

/* --- annealing -------------------------------------------------------------------- */

static int pick(struct search *s, int n)
{
	return random_quick_below(&s->random, n);
}

/* An item to exchange i with: often one near its neighbours, sometimes any. */
static int pick_partner(struct search *s, int i)
{
	const struct traffic *t = s->traffic;

	for (int step = 0; step < 2 && t->start[i + 1] > t->start[i]; step++) {
		if (!step && !(random_quick(&s->random) & 1 << 8))
			break;
		i = t->to[t->start[i] + (size_t)pick(s, (int)(t->start[i + 1] - t->start[i]))];
		if (step) {
			int site = s->site[i];

			return s->item[s->first[site] +
				pick(s, s->first[site + 1] - s->first[site])];
		}
	}
	return pick(s, t->n);
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

static int anneal_and_descend(struct search *s, const struct assign_effort *effort)
{
	int n = s->traffic->n, *best = malloc((size_t)n * sizeof(*best));
	int64_t moves = effort->moves, each = 2 * (int64_t)s->traffic->start[n] / n + 1;

	if (!best)
		return -1;
	if (effort->looks && moves > effort->looks / each)
		moves = effort->looks / each;
	s->random = effort->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	anneal(s, moves, best);
	memcpy(s->site, best, (size_t)n * sizeof(*best));
	free(best);
	return 0;
}

double assign_improve(const struct traffic *traffic, const struct assign_sites *table, int *site,
	const struct assign_effort *effort)
{
	struct search s;
	int bad = search_init(&s, traffic, table, site);

	if (!bad)
		descend(&s, effort, !effort->moves);
	if (!bad && effort->moves > 0 && traffic->n > 2) {
		bad = anneal_and_descend(&s, effort);
		search_release(&s);
		/* The items on each site have changed behind the lists' back. */
		bad = bad || search_init(&s, traffic, table, site);
		if (!bad)
			descend(&s, effort, true);
	}
	search_release(&s);
	return bad ? -1 : assign_cost(traffic, table, site);
}
