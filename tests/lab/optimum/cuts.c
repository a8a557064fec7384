/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

enum { LAPS = 12 }; /* most steps towards better prices of limits that are not met */

/* Inside of a cut are `length` coordinates of a dimension from `first` on, round a ring. */
struct cut {
	int dim, first, length;
	int weight; /* twice the hops: 2, and 1 in an odd ring, where two cuts are a hop */
};

struct part {
	int16_t lo[CUTS_MOST], hi[CUTS_MOST];
};

struct search {
	struct cuts_proof *proof;
	struct cut cut[CUTS_MOST];
	int ncuts;
	int *price[MESH_MAX_DIMS]; /* [side] what a vertex there costs; NEVER: it may not be in */
	int *cost;  /* [n] */
	int *bucket, nbuckets;
	int in[CUTS_MOST]; /* of the set at hand: vertices inside of each cut */
	int64_t visited;
};

static const int NEVER = 1 << 24;

static int dim_cuts(const struct mesh *mesh, int d)
{
	int side = mesh->side[d];

	return !mesh->wrap[d] ? side - 1 : side % 2 ? side : side / 2;
}

bool cuts_can(const struct mesh *mesh)
{
	int n = 0;

	for (int d = 0; d < mesh->ndims; d++)
		n += dim_cuts(mesh, d);
	return !mesh->graph && mesh->nnodes <= mesh->nvertices && n <= CUTS_MOST;
}

static void list_cuts(struct search *s)
{
	const struct mesh *mesh = s->proof->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		for (int i = 0, side = mesh->side[d]; i < dim_cuts(mesh, d); i++) {
			struct cut *c = &s->cut[s->ncuts++];

			*c = (struct cut){d, 0, i + 1, 2};
			if (mesh->wrap[d])
				*c = (struct cut){d, i, side / 2, side % 2 ? 1 : 2};
		}
}

static bool inside(const struct cut *c, int side, int at)
{
	return (at - c->first + side) % side < c->length;
}

/* The prices of coordinates, where each vertex inside of a cut costs slope[]. */
static void set_prices(struct search *s, const struct part *p, const int *slope)
{
	const struct mesh *mesh = s->proof->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		memset(s->price[d], 0, (size_t)mesh->side[d] * sizeof(int));
	for (int i = 0; i < s->ncuts; i++) {
		const struct cut *c = &s->cut[i];

		for (int at = 0; at < mesh->side[c->dim]; at++) {
			bool in = inside(c, mesh->side[c->dim], at);

			if (in ? !p->hi[i] : p->lo[i] == s->proof->count)
				s->price[c->dim][at] = NEVER;
			else if (in && s->price[c->dim][at] != NEVER)
				s->price[c->dim][at] += slope[i];
		}
	}
}

static int vertex_cost(const struct search *s, int v)
{
	const struct mesh *mesh = s->proof->mesh;
	int cost = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int price = s->price[d][mesh->coord[v][d]];

		if (price == NEVER)
			return NEVER;
		cost += price;
	}
	return cost;
}

static void take(struct search *s, int i, int64_t *sum)
{
	const struct mesh *mesh = s->proof->mesh;
	const int16_t *coord = mesh->coord[s->proof->vertex[i]];

	*sum += s->cost[i];
	for (int c = 0; c < s->ncuts; c++)
		s->in[c] += inside(&s->cut[c], mesh->side[s->cut[c].dim], coord[s->cut[c].dim]);
}

/* Take the count cheapest vertices: their cost to *sum, and in[]. False: there are too few. */
static bool take_cheapest(struct search *s, int64_t *sum)
{
	int n = s->proof->n, least = NEVER, left = s->proof->count, last = -1;

	memset(s->bucket, 0, (size_t)s->nbuckets * sizeof(int));
	memset(s->in, 0, sizeof(s->in));
	for (int i = 0; i < n; i++) {
		s->cost[i] = vertex_cost(s, s->proof->vertex[i]);
		least = s->cost[i] < least ? s->cost[i] : least;
	}
	for (int i = 0; i < n; i++)
		if (s->cost[i] != NEVER && s->cost[i] - least < s->nbuckets)
			s->bucket[s->cost[i] - least]++;
	while (left > 0 && ++last < s->nbuckets)
		left -= s->bucket[last];
	if (left > 0)
		return false;
	/* All below `last`, and as many of it as are wanted. */
	left += s->bucket[last];
	for (int i = 0; i < n; i++)
		if (s->cost[i] - least < last || (s->cost[i] - least == last && left-- > 0))
			take(s, i, sum);
	return true;
}

static int64_t set_sum(const struct search *s)
{
	int64_t sum = 0;

	for (int i = 0; i < s->ncuts; i++)
		sum += (int64_t)s->cut[i].weight * s->in[i] * (s->proof->count - s->in[i]);
	return sum;
}

/* One more step of the prices of limits: are there any that the set at hand does not meet? */
static bool adjust(const struct search *s, const struct part *p, int step, int *toll)
{
	bool broken = false;

	for (int i = 0; i < s->ncuts; i++) {
		int much = s->in[i] > p->hi[i] ? s->in[i] - p->hi[i]
			: s->in[i] < p->lo[i] ? s->in[i] - p->lo[i] : 0;

		broken |= much != 0;
		/* Where limits are equal, their price may have either sign. */
		toll[i] += much * step;
	}
	return broken;
}

/* Twice a sum that no set of the part is below; in[] is a set near it. -1: the part is empty. */
static int64_t bound_part(struct search *s, const struct part *p, int64_t most)
{
	int toll[CUTS_MOST] = {0}, slope[CUTS_MOST], k = s->proof->count;
	int64_t best = -1;

	for (int lap = 0; lap < LAPS; lap++) {
		int64_t sum = 0;

		for (int i = 0; i < s->ncuts; i++) {
			int w = s->cut[i].weight;

			slope[i] = w * (k - p->lo[i] - p->hi[i]) + toll[i];
			sum += w * p->lo[i] * p->hi[i];
			sum -= toll[i] * (toll[i] > 0 ? p->hi[i] : p->lo[i]);
		}
		set_prices(s, p, slope);
		if (!take_cheapest(s, &sum))
			return -1;
		if (set_sum(s) < 2 * s->proof->least)
			s->proof->least = set_sum(s) / 2;
		best = sum > best ? sum : best;
		if (best > most || !adjust(s, p, lap < LAPS / 2 ? 2 : 1, toll))
			break;
	}
	return best;
}

/* How far the line of a cut is below at this number inside; 0 where it is not between limits. */
static int64_t gap(const struct search *s, const struct part *p, int c, int h)
{
	int lo = p->lo[c], hi = p->hi[c];

	if (h <= lo || h >= hi)
		return 0;
	return (int64_t)s->cut[c].weight * (h - lo) * (hi - h);
}

/* Where to divide: the cut where the line is farthest below. -1: limits are all equal. */
static int widest(const struct search *s, const struct part *p, int *at)
{
	int64_t most = -1;
	int best = -1;

	for (int i = 0; i < s->ncuts; i++) {
		int lo = p->lo[i], hi = p->hi[i], wide = best < 0 ? 0 : p->hi[best] - p->lo[best];
		int64_t is = gap(s, p, i, s->in[i]);

		if (lo == hi || is < most || (is == most && hi - lo <= wide))
			continue;
		most = is;
		best = i;
		*at = is ? s->in[i] : (lo + hi) / 2;
	}
	return best;
}

static void leave(struct search *s, int64_t bound)
{
	if ((bound + 1) / 2 < s->proof->bound)
		s->proof->bound = (bound + 1) / 2;
}

/*
 * On an idle machine a set may be moved: along a line until it has a vertex at 0, in a ring until
 * no cut has more vertices inside than the first one (in an even ring: or outside). False: the part
 * has no such set.
 */
static bool move(const struct search *s, struct part *p)
{
	const struct mesh *mesh = s->proof->mesh;
	int k = s->proof->count;

	for (int i = 0, first = 0; i < s->ncuts; i++) {
		int d = s->cut[i].dim;
		bool even = mesh->side[d] % 2 == 0;

		first = s->cut[first].dim == d ? first : i;
		if (!mesh->wrap[d]) {
			p->lo[first] = p->lo[first] > 1 ? p->lo[first] : 1;
			if (!p->hi[first])
				return false;
			continue;
		}
		p->hi[i] = p->hi[i] < p->hi[first] ? p->hi[i] : p->hi[first];
		p->lo[first] = p->lo[first] > p->lo[i] ? p->lo[first] : p->lo[i];
		if (even && p->lo[i] < k - p->hi[first])
			p->lo[i] = (int16_t)(k - p->hi[first]);
		if (even && p->lo[first] < k - p->hi[i])
			p->lo[first] = (int16_t)(k - p->hi[i]);
		if (p->lo[i] > p->hi[i] || p->lo[first] > p->hi[first])
			return false;
	}
	return true;
}

static void search(struct search *s, struct part *p, int64_t above)
{
	int64_t bound;
	struct part half;
	int at, c;

	if (++s->visited > s->proof->nodes) {
		leave(s, above);
		return;
	}
	if (s->proof->n == s->proof->mesh->nvertices && !move(s, p))
		return;
	bound = bound_part(s, p, 2 * s->proof->least - 2);
	if (bound < 0 || bound > 2 * s->proof->least - 2)
		return;
	bound = bound > above ? bound : above;
	c = widest(s, p, &at);
	if (c < 0) {
		leave(s, bound);
		return;
	}
	/* The half with the set at hand first. */
	half = *p;
	half.hi[c] = (int16_t)at;
	p->lo[c] = (int16_t)(at + 1);
	search(s, 2 * at <= s->proof->count ? &half : p, bound);
	search(s, 2 * at <= s->proof->count ? p : &half, bound);
}

static int prepare(struct search *s)
{
	const struct mesh *mesh = s->proof->mesh;
	size_t n = (size_t)s->proof->n;
	bool memory = true;

	list_cuts(s);
	for (int d = 0; d < mesh->ndims; d++)
		memory &= !!(s->price[d] = calloc((size_t)mesh->side[d], sizeof(int)));
	s->nbuckets = 1 << 14;
	s->cost = calloc(n, sizeof(int));
	s->bucket = calloc((size_t)s->nbuckets, sizeof(int));
	return memory && s->cost && s->bucket ? 0 : -1;
}

int cuts_find(struct cuts_proof *proof)
{
	struct search s = {.proof = proof};
	struct part all = {{0}};
	int bad = prepare(&s);

	proof->bound = INT64_MAX;
	for (int i = 0; i < s.ncuts; i++)
		all.hi[i] = (int16_t)proof->count;
	if (!bad)
		search(&s, &all, 0);
	if (proof->bound > proof->least)
		proof->bound = proof->least;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		free(s.price[d]);
	free(s.cost);
	free(s.bucket);
	return bad;
}
