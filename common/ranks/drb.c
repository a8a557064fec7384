/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Level by level, so that each cut knows where, as nearly as the others, all items outside are.
 */
#include "ranks/drb.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- nodes ------------------------------------------------------------------------ */

void drb_points_release(struct drb_points *set)
{
	free(set->pos);
	set->pos = NULL;
}

/* Where to cut a ring of `side` open: behind the longest run of coordinates nobody has. */
static int ring_start(const char *used, int side)
{
	int start = 0, longest = 0, run = 0;

	for (int i = 0; i < 2 * side; i++) {
		if (used[i % side]) {
			if (run > longest) {
				longest = run;
				start = i % side;
			}
			run = 0;
		} else {
			run++;
		}
	}
	return start;
}

int drb_points_init(struct drb_points *set, const struct mesh *mesh, const int *node, int n)
{
	set->n = n;
	set->ndims = mesh->ndims;
	set->pos = calloc((size_t)n + 1, sizeof(*set->pos));
	if (!set->pos)
		return -1;
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], start = 0;
		char *used = calloc((size_t)side, 1);

		if (!used) {
			drb_points_release(set);
			return -1;
		}
		for (int i = 0; i < n; i++)
			used[mesh->coord[mesh->vertex_of[node[i]]][d]] = 1;
		if (mesh->wrap[d])
			start = ring_start(used, side);
		for (int i = 0; i < n; i++)
			set->pos[i][d] =
				(mesh->coord[mesh->vertex_of[node[i]]][d] - start + side) % side;
		free(used);
	}
	return 0;
}

/* --- halving ---------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct drb_key *x = a, *y = b;

	if (x->along != y->along)
		return x->along < y->along ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

static int longest_side(const struct drb_points *set, const int *point, int n)
{
	int longest = 0, most = -1;

	for (int d = 0; d < set->ndims; d++) {
		int low = set->pos[point[0]][d], high = low;

		for (int i = 1; i < n; i++) {
			int x = set->pos[point[i]][d];

			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		if (high - low > most) {
			most = high - low;
			longest = d;
		}
	}
	return longest;
}

/* Where to halve sorted points: about the middle, between two planes if one is within a sixth of
 * it. */
static int cut_at(const struct drb_key *key, int n)
{
	int half = n / 2;

	for (int off = 0; off <= n / 6; off++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int at = half + sign * off;

			if (at > 0 && at < n && key[at - 1].along != key[at].along)
				return at;
		}
	return half;
}

int drb_halve(const struct drb_points *set, int *point, int n, struct drb_key *scratch)
{
	int along = longest_side(set, point, n);

	for (int i = 0; i < n; i++)
		scratch[i] = (struct drb_key){set->pos[point[i]][along], point[i]};
	qsort(scratch, (size_t)n, sizeof(*scratch), by_key);
	for (int i = 0; i < n; i++)
		point[i] = scratch[i].point;
	return cut_at(scratch, n);
}

/* --- both ------------------------------------------------------------------------- */

/* Nodes, a range of node[], and per_node as many items, a range of item[]. */
struct domain {
	int first, count; /* of nodes */
	double center[MESH_MAX_DIMS];
};

struct drb {
	const struct drb_input *in;
	int *node, *item;	/* [nodes], [items], by domain */
	int *domain_of, *local; /* of each item: its domain; its number there */
	int *part;		/* [items] scratch */
	struct domain *domain;	/* [nodes] */
	int ndomains;
	struct drb_key *keys;
	struct bipart_graph graph; /* room for the whole */
	uint64_t random;
};

static void find_center(const struct drb *b, struct domain *d)
{
	const struct drb_points *nodes = b->in->nodes;

	for (int k = 0; nodes && k < nodes->ndims; k++) {
		double sum = 0;

		for (int i = 0; i < d->count; i++)
			sum += nodes->pos[b->node[d->first + i]][k];
		d->center[k] = sum / d->count;
	}
}

static double apart(const struct drb *b, const struct domain *x, const struct domain *y)
{
	const struct mesh *mesh = b->in->mesh;
	double hops = 0;

	for (int k = 0; mesh && k < mesh->ndims; k++) {
		double along = fabs(x->center[k] - y->center[k]);

		hops += mesh->wrap[k] && 2 * along > mesh->side[k] ? mesh->side[k] - along : along;
	}
	return hops;
}

/* The items of domain d as a graph of their own, leaning to where their outer partners are. */
static void make_graph(struct drb *b, int d, const struct domain *half)
{
	const struct traffic *t = b->in->traffic;
	const struct domain *whole = &b->domain[d];
	const int *items = b->item + whole->first * b->in->per_node;
	struct bipart_graph *g = &b->graph;
	double width = apart(b, &half[0], &half[1]);
	int end = 0;

	g->n = whole->count * b->in->per_node;
	for (int i = 0; i < g->n; i++)
		b->local[items[i]] = i;
	for (int i = 0; i < g->n; i++) {
		int item = items[i];

		g->start[i] = end;
		g->size[i] = 1;
		g->bias[i] = 0;
		for (size_t e = t->start[item]; e < t->start[item + 1]; e++) {
			const struct domain *other = &b->domain[b->domain_of[t->to[e]]];

			if (other == whole) {
				g->to[end] = b->local[t->to[e]];
				g->weight[end++] = t->weight[e];
			} else {
				g->bias[i] += t->weight[e] *
					(apart(b, other, &half[0]) - apart(b, other, &half[1]));
			}
		}
		g->bias[i] /= width > 0.5 ? width : 0.5;
	}
	g->start[g->n] = end;
}

/* Items of part 0 first. */
static void sort_items(struct drb *b, const struct domain *whole)
{
	int per_node = b->in->per_node, *item = b->item + whole->first * per_node;
	int *behind = b->local, n = 0, later = 0;

	for (int i = 0; i < whole->count * per_node; i++)
		if (b->part[i])
			behind[later++] = item[i];
		else
			item[n++] = item[i];
	memcpy(item + n, behind, (size_t)later * sizeof(int));
}

static int split_domain(struct drb *b, int d)
{
	struct domain *whole = &b->domain[d], half[2] = {*whole, *whole};
	int per_node = b->in->per_node;

	half[0].count = b->in->nodes
		? drb_halve(b->in->nodes, b->node + whole->first, whole->count, b->keys)
		: whole->count / 2;
	half[1].first += half[0].count;
	half[1].count -= half[0].count;
	find_center(b, &half[0]);
	find_center(b, &half[1]);
	make_graph(b, d, half);
	if (bipart(&b->graph, half[0].count * per_node, &b->random, b->part))
		return -1;
	sort_items(b, whole);
	b->domain[d] = half[0];
	for (int i = 0; i < half[1].count * per_node; i++)
		b->domain_of[b->item[half[1].first * per_node + i]] = b->ndomains;
	b->domain[b->ndomains++] = half[1];
	return 0;
}

static int count_nodes(const struct drb_input *in)
{
	return in->nodes ? in->nodes->n : in->parts;
}

static int drb_init(struct drb *b)
{
	size_t n = (size_t)b->in->traffic->n, rows = b->in->traffic->start[n];
	size_t nodes = (size_t)count_nodes(b->in);
	struct bipart_graph *g = &b->graph;

	if (n > INT_MAX / 4 || rows > INT_MAX / 4)
		return -1;
	b->node = malloc((4 * n + nodes) * sizeof(int));
	b->domain = malloc(nodes * sizeof(*b->domain));
	b->keys = malloc(nodes * sizeof(*b->keys));
	g->start = malloc((2 * n + 1 + rows) * sizeof(int));
	g->weight = malloc((n + rows) * sizeof(double));
	if (!b->node || !b->domain || !b->keys || !g->start || !g->weight)
		return -1;
	b->item = b->node + nodes;
	b->domain_of = b->item + n;
	b->local = b->domain_of + n;
	b->part = b->local + n;
	g->size = g->start + n + 1;
	g->to = g->size + n;
	g->bias = g->weight + rows;
	for (size_t i = 0; i < n; i++) {
		b->item[i] = (int)i;
		b->domain_of[i] = 0;
	}
	for (size_t i = 0; i < nodes; i++)
		b->node[i] = (int)i;
	b->domain[0] = (struct domain){.count = (int)nodes};
	b->ndomains = 1;
	b->random = b->in->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	return 0;
}

static void drb_release(struct drb *b)
{
	free(b->node);
	free(b->domain);
	free(b->keys);
	free(b->graph.start);
	free(b->graph.weight);
}

int drb_map(const struct drb_input *input, int *site)
{
	struct drb b = {.in = input};
	int nodes = count_nodes(input), bad = drb_init(&b);

	while (!bad && b.ndomains < nodes)
		for (int d = 0, end = b.ndomains; !bad && d < end; d++)
			if (b.domain[d].count > 1)
				bad = split_domain(&b, d);
	/* A cut that was not of the sizes asked for is one all the same, by the order. */
	for (int i = 0; !bad && i < input->traffic->n; i++)
		site[b.item[i]] = b.node[i / input->per_node];
	drb_release(&b);
	return bad;
}
