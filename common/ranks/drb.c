/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Works level by level, so that each cut knows the places of all items outside as well as the
 * others do.
 */
#include "ranks/drb.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

/* --- nodes ------------------------------------------------------------------------ */

/* Where to cut a ring of `side` open: behind the longest run of unused coordinates. */
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

int drb_points_init(struct drb_points *set, const struct mesh *mesh, const int *node, int n,
	struct arena *arena)
{
	set->n = n;
	set->ndims = mesh->ndims;
	arena_array(arena, set->pos, n);
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], start = 0;
		char *used = arena_get(arena, side, 1);

		if (!used)
			return -1;
		for (int i = 0; i < n; i++)
			used[mesh->coord[mesh->vertex_of[node[i]]][d]] = 1;
		if (mesh->wrap[d])
			start = ring_start(used, side);
		for (int i = 0; i < n; i++)
			set->pos[i][d] =
				(mesh->coord[mesh->vertex_of[node[i]]][d] - start + side) % side;
	}
	return 0;
}

/* --- halving ---------------------------------------------------------------------- */

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

/* Where to halve sorted points: in the middle, or between two planes within a sixth of it. */
static int cut_at(const uint64_t *key, int n)
{
	int half = n / 2;

	for (int off = 0; off <= n / 6; off++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int at = half + sign * off;

			if (at > 0 && at < n && key[at - 1] >> 32 != key[at] >> 32)
				return at;
		}
	return half;
}

int drb_halve(const struct drb_points *set, int *point, int n, uint64_t *scratch)
{
	int along = longest_side(set, point, n);

	/* By the coordinate, then by the number. */
	for (int i = 0; i < n; i++)
		scratch[i] = (uint64_t)set->pos[point[i]][along] << 32 | (uint32_t)point[i];
	sort_u64(scratch, n);
	for (int i = 0; i < n; i++)
		point[i] = (int)(uint32_t)scratch[i];
	return cut_at(scratch, n);
}

/* --- both ------------------------------------------------------------------------- */

/* Some nodes, a range of node[], and per_node times as many items, a range of item[]. */
struct domain {
	int first, count; /* of nodes */
	double center[MESH_MAX_DIMS];
};

struct drb {
	const struct drb_input *in;
	int *node, *item;	/* [nodes], [items], by domain */
	int *domain_of, *local; /* of each item: its domain, and its number there */
	int *part;		/* [items] scratch */
	struct domain *domain;	/* [nodes] */
	int ndomains;
	uint64_t *keys; /* [nodes] scratch */
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

/* Make the items of domain d a graph of their own, leaning to where their outer partners are. */
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

/* Sort the items: those of part 0 first. */
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

/* nodes: the number of nodes, or of parts. */
static int drb_init(struct drb *b, int nodes, struct arena *arena)
{
	size_t items = (size_t)b->in->traffic->n, rows = b->in->traffic->start[items];
	int n = (int)items;

	if (items > INT_MAX / 4 || rows > INT_MAX / 4)
		return -1;
	arena_array(arena, b->node, nodes);
	arena_array(arena, b->item, n);
	arena_array(arena, b->domain_of, n);
	arena_array(arena, b->local, n);
	arena_array(arena, b->part, n);
	arena_array(arena, b->domain, nodes);
	arena_array(arena, b->keys, nodes);
	if (bipart_graph_init(&b->graph, n, (int)rows, arena))
		return -1;
	for (int i = 0; i < n; i++)
		b->item[i] = i;
	for (int i = 0; i < nodes; i++)
		b->node[i] = i;
	b->domain[0] = (struct domain){.count = nodes};
	b->ndomains = 1;
	b->random = b->in->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	return 0;
}

int drb_map(const struct drb_input *input, int *site)
{
	struct drb b = {.in = input};
	struct arena arena = {0};
	int nodes = input->nodes ? input->nodes->n : input->parts;
	int leaf = input->leaf > 1 ? input->leaf : 1;
	int bad = drb_init(&b, nodes, &arena);

	for (int before = 0; !bad && b.ndomains > before;) {
		before = b.ndomains;
		for (int d = 0; !bad && d < before; d++)
			if (b.domain[d].count > leaf)
				bad = split_domain(&b, d);
	}
	/* If a cut has not the sizes asked for, the order decides. */
	for (int i = 0; !bad && i < input->traffic->n; i++)
		site[b.item[i]] = b.node[i / input->per_node];
	arena_release(&arena);
	return bad;
}
