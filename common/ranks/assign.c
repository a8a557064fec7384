/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local search for the quadratic assignment problem: exchanges of two items by simulated annealing
 * (S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by simulated annealing", 1983), then
 * downhill along the traffic. The gain of an exchange takes one look at the neighbours of both.
 */
#include "ranks/assign.h"

#include <math.h>
#include <string.h>

enum { MAX_TABLE = 4096, DICE = 1024, PASSES = 8 };

/*
 * 31 random bits in less time, with a state of its own: a linear congruential generator with the
 * multiplier of MMIX (D. Knuth, "The art of computer programming", volume 2, 3.3.4). It is for
 * annealing, which asks millions of times. Its low bits are bad.
 */
static uint32_t quick(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

/* A number from 0..n-1, n >= 1, of quick(). */
static int below(uint64_t *state, int n)
{
	return (int)(((uint64_t)quick(state) * (uint64_t)n) >> 31);
}

/*
 * Add the hops from site a to all sites, one dimension after the other; along[longest side]:
 * scratch.
 */
static void add_row(struct assign_sites *table, int a, uint16_t *along)
{
	const struct mesh *mesh = table->mesh;
	uint16_t *row = table->hops + (size_t)a * (size_t)table->n;

	for (int d = 0; d < mesh->ndims; d++) {
		int here = mesh->coord[table->vertex[a]][d];

		for (int x = 0; x < mesh->side[d]; x++)
			along[x] = (uint16_t)mesh_axis_hops(mesh, d, here, x);
		for (int b = 0; b < table->n; b++)
			row[b] = (uint16_t)(row[b] + along[mesh->coord[table->vertex[b]][d]]);
	}
}

int assign_sites_init(struct assign_sites *table, const struct mesh *mesh, const int *vertex, int n,
	struct arena *arena)
{
	size_t size = (size_t)n;
	uint16_t *along;

	*table = (struct assign_sites){.n = n, .mesh = mesh, .vertex = vertex};
	if (n > MAX_TABLE)
		return 0;
	arena_array(arena, table->hops, (int64_t)n * n);
	if (!arena_array(arena, along, mesh_longest_side(mesh)))
		return -1;
	for (int a = 0; a < n && !mesh->graph; a++)
		add_row(table, a, along);
	for (size_t a = 0; mesh->graph && a < size; a++)
		for (size_t b = 0; b <= a; b++)
			table->hops[a * size + b] = table->hops[b * size + a] =
				(uint16_t)linkgraph_mesh_hops(mesh, vertex[a], vertex[b]);
	return 0;
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
	int fixed;     /* items 0..fixed-1 stay */
	int64_t looks; /* at neighbours, so far */
	/* For the way downhill: */
	int *first, *item; /* items on site s: item[first[s]..first[s+1]-1] */
	int *seat;	   /* [items] the item's index in item[] */
	double *link;	   /* [items] what the current item sends to each; see take_up() */
	int *seen, stamp;  /* [sites] stamp: the current item has looked there */
	bool *idle;	   /* [items] no exchange gained, and nothing near has changed since */
};

/*
 * How much the cost changes (< 0: falls) if item i goes from site a to site b. Nearly all time is
 * spent here, so the rows of both sites are looked up once.
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

static double move_cost(const struct search *s, int i, int a, int b, int except)
{
	const struct traffic *t = s->traffic;
	double cost = 0;

	if (s->table->hops)
		return move_by_table(s, i, a, b, except);
	for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
		int k = s->site[t->to[e]];

		if (t->to[e] != except)
			cost += t->weight[e] *
				(assign_hops(s->table, b, k) - assign_hops(s->table, a, k));
	}
	return cost;
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
	return below(&s->random, n);
}

/* Choose an item to exchange i with: often one near its neighbours, sometimes any. */
static int pick_partner(struct search *s, int i)
{
	const size_t *start = s->traffic->start;

	if (start[i + 1] == start[i] || !(quick(&s->random) & 1 << 8))
		return pick(s, s->traffic->n);
	for (int step = 0; step < 2; step++)
		i = s->traffic->to[start[i] + (size_t)pick(s, (int)(start[i + 1] - start[i]))];
	return i;
}

/* The size of a usual change, which is the unit of the temperature. */
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
 * Try `moves` exchanges while the temperature falls; best[] gets the best state. It begins mild,
 * not hot, as the first state is a good one. Half or twice the temperature at either end makes no
 * difference beyond chance.
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

			if (cost > temperature * dice[quick(&s->random) % DICE] ||
				i < s->fixed || j < s->fixed)
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

/* --- downhill --------------------------------------------------------------------- */

/* Make the lists of items by site, and memory for the way downhill. */
static int lists_init(struct search *s, struct arena *arena)
{
	int n = s->traffic->n, sites = s->table->n;

	arena_array(arena, s->first, sites + 2);
	arena_array(arena, s->item, n);
	arena_array(arena, s->seat, n);
	arena_array(arena, s->link, n);
	arena_array(arena, s->seen, sites);
	if (!arena_array(arena, s->idle, n))
		return -1;
	for (int i = 0; i < n; i++)
		s->first[s->site[i] + 2]++;
	for (int i = 2; i < sites + 2; i++)
		s->first[i] += s->first[i - 1];
	for (int i = 0; i < n; i++) {
		s->seat[i] = s->first[s->site[i] + 1]++;
		s->item[s->seat[i]] = i;
	}
	return 0;
}

static void exchange_seats(struct search *s, int i, int j)
{
	int seat = s->seat[i];

	s->seat[i] = s->seat[j];
	s->seat[j] = seat;
	s->item[s->seat[i]] = i;
	s->item[s->seat[j]] = j;
}

/* A gain must be more than what rounding changes in sums of weights. */
static bool is_gain(double cost)
{
	return cost < -1e-9;
}

/* Make item i the current one, or no longer: link[] is 0 otherwise. */
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

/* Try the current item i with each item on site b. What i itself gains there is computed once. */
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
		if (cost < best->cost && j >= s->fixed)
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

static void wake(struct search *s, int i)
{
	s->idle[i] = false;
	for (size_t e = s->traffic->start[i]; e < s->traffic->start[i + 1]; e++)
		s->idle[s->traffic->to[e]] = false;
}

/*
 * Go downhill until no exchange gains. An item without one is looked at again when it or a
 * neighbour has moved (J. Bentley's "don't look bits", 1992).
 */
static void go_down(struct search *s, int64_t looks)
{
	bool gained = true;

	memset(s->idle, 0, (size_t)s->traffic->n * sizeof(bool));
	s->looks = 0;
	for (int pass = 0; gained && pass < PASSES; pass++) {
		gained = false;
		for (int i = s->fixed; i < s->traffic->n; i++) {
			struct exchange best;

			if (looks && s->looks > looks)
				return;
			if (s->idle[i])
				continue;
			best = best_near(s, i);
			s->idle[i] = true;
			if (best.with < 0 || !is_gain(best.cost))
				continue;
			swap(s, i, best.with);
			exchange_seats(s, i, best.with);
			wake(s, i);
			wake(s, best.with);
			gained = true;
		}
	}
}

double assign_improve(const struct traffic *traffic, const struct assign_sites *table, int *site,
	const struct assign_effort *effort)
{
	struct search s = {.traffic = traffic, .table = table, .site = site,
		.random = effort->seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .fixed = effort->fixed};
	struct arena arena = {0};
	int n = traffic->n, *best = arena_get(&arena, n, sizeof(*best)), bad = !best;
	int64_t moves = effort->moves, each = 2 * (int64_t)traffic->start[n] / n + 1;

	if (effort->looks && moves > effort->looks / each)
		moves = effort->looks / each;
	if (!bad && moves > 0 && n > 2) {
		anneal(&s, moves, best);
		memcpy(site, best, (size_t)n * sizeof(*best));
	}
	bad = bad || lists_init(&s, &arena);
	if (!bad)
		go_down(&s, effort->looks);
	arena_release(&arena);
	return bad ? -1 : assign_cost(traffic, table, site);
}
