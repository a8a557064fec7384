/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The choice of nodes from the last shell (point.h), with far[] the hops to all inside it.
 * Shells that are not large are scanned for each node (point_scan.c); others are a heap.
 */
#include <stdlib.h>
#include <string.h>

#include "point/point.h"

struct point_cell {
	/* (hops to all that was chosen when it was looked at) << NODE_BITS | next node: it can
	 * only grow, so the heap's top is right once it has been looked at again. */
	uint64_t key;
	int vertex;
	int next; /* of the vertex's nodes: index into mesh->node_at[] */
	int left; /* free nodes on the vertex not taken yet, that are not required */
};

/* MESH_MAX_NODES is 2^24, and no total of hops to all nodes reaches 2^40. */
#define NODE_BITS 24

struct point_cell *point_cells(size_t n)
{
	return malloc(n * sizeof(struct point_cell));
}

static int64_t far_sum(const struct point *point, int v)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += point->far[d][mesh->coord[v][d]];
	return sum;
}

/* One more node is chosen, at coordinate c: everything is that much farther from all. */
static void add_far(const struct point *point, int v)
{
	const struct mesh *mesh = point->mesh;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d];
		int64_t *far = point->far[d];

		if (mesh->wrap[d])
			for (int q = 0; q < side; q++)
				far[q] += mesh_axis_hops(mesh, d, c, q);
		else
			for (int q = 0; q < side; q++)
				far[q] += q < c ? c - q : q - c;
	}
}

int point_next_node(const struct point *point, int from)
{
	const int *node = point->mesh->node_at;

	while (!nodeset_has(point->free, node[from]) ||
		(point->required && nodeset_has(point->required, node[from])))
		from++;
	return from;
}

static void set_key(const struct point *point, struct point_cell *cell)
{
	cell->key = (uint64_t)far_sum(point, cell->vertex) << NODE_BITS |
		(uint64_t)point->mesh->node_at[cell->next];
}

static void sift(struct point_cell *heap, int n, int i)
{
	struct point_cell moving = heap[i];

	for (int child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && heap[child + 1].key < heap[child].key;
		if (heap[child].key >= moving.key)
			break;
		heap[i] = heap[child];
	}
	heap[i] = moving;
}

static void make_heap(struct point *point, int nshell)
{
	for (int i = 0; i < nshell; i++) {
		struct point_cell *cell = &point->cell[i];

		cell->vertex = point->vertex[i];
		cell->next = point_next_node(point, point->mesh->first[cell->vertex]);
		cell->left = point->space.weight[cell->vertex];
		set_key(point, cell);
	}
	for (int i = nshell / 2 - 1; i >= 0; i--)
		sift(point->cell, nshell, i);
}

/* ---- bounds from the last shell ---- */

#define BUCKETS 64

/* Nodes by their hops to all chosen: bucket i holds those in low + i*step .. low + (i+1)*step-1. */
struct buckets {
	int64_t low, step;
	int count[BUCKETS];
};

static void fill_buckets(const struct point *point, int nshell, struct buckets *b)
{
	int64_t high = INT64_MIN;

	memset(b, 0, sizeof(*b));
	b->low = INT64_MAX;
	for (int i = 0; i < nshell; i++) {
		int64_t far = far_sum(point, point->vertex[i]);

		b->low = far < b->low ? far : b->low;
		high = far > high ? far : high;
	}
	b->step = (high - b->low) / BUCKETS + 1;
	for (int i = 0; i < nshell; i++)
		b->count[(far_sum(point, point->vertex[i]) - b->low) / b->step] +=
			point->space.weight[point->vertex[i]];
}

/* The nearest n of them add at least, the farthest n at most, this much. */
static int64_t nearest_sum(const struct buckets *b, int n)
{
	int64_t sum = 0;

	for (int i = 0; n > 0; i++) {
		int here = b->count[i] < n ? b->count[i] : n;

		sum += here * (b->low + i * b->step);
		n -= here;
	}
	return sum;
}

static int64_t farthest_sum(const struct buckets *b, int n)
{
	int64_t sum = 0;

	for (int i = BUCKETS - 1; n > 0; i--) {
		int here = b->count[i] < n ? b->count[i] : n;

		sum += here * (b->low + (i + 1) * b->step - 1);
		n -= here;
	}
	return sum;
}

/*
 * A lower bound of the total of the ball B, of `inside` total, with `take` nodes X of the shell
 * Y: total(B) + hops(B, X) + least(take), or
 * total(B+Y) - hops(B+Y, Y-X) + least(Y-X), whichever is more. far[] is as before afterwards.
 */
bool point_may_reach(struct point *point, int radius, int nshell, int take, int64_t inside,
	int64_t limit)
{
	const struct mesh *mesh = point->mesh;
	struct buckets b;
	int64_t all = 0;
	int nodes = 0;
	bool fine;

	fill_buckets(point, nshell, &b);
	if (inside + nearest_sum(&b, take) + point_least_pairs(point, radius, take) > limit)
		return false;
	for (int i = 0; i < nshell; i++) {
		int v = point->vertex[i], here = point->space.weight[v];

		nodes += here;
		for (int d = 0; d < mesh->ndims; d++)
			point->count[d][mesh->coord[v][d]] += here;
	}
	for (int d = 0; d < mesh->ndims; d++)
		all += point_spread(point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	fill_buckets(point, nshell, &b);
	fine = all - farthest_sum(&b, nodes - take) + point_least_pairs(point, radius, nodes - take) <=
		limit;
	for (int i = 0; fine && i < nshell; i++)
		for (int d = 0; d < mesh->ndims; d++)
			point->count[d][mesh->coord[point->vertex[i]][d]] -=
				point->space.weight[point->vertex[i]];
	for (int d = 0; fine && d < mesh->ndims; d++)
		point_spread(point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	return fine;
}

/*
 * Choose `take` nodes of the last shell, greedily; what they add to the total, or more than
 * `limit` as soon as that is certain. Into node[] unless that is NULL.
 */
static int64_t choose_by_heap(struct point *point, int radius, int nshell, int take,
	int64_t limit, int *node)
{
	struct point_cell *heap = point->cell;
	int n = nshell;
	int64_t added = 0;

	make_heap(point, nshell);

	while (take > 0) {
		uint64_t stale = heap[0].key;

		set_key(point, &heap[0]);
		if (heap[0].key != stale) {
			sift(heap, n, 0);
			continue;
		}
		int64_t sum = (int64_t)(stale >> NODE_BITS);

		/* All that come later are no nearer. */
		if (added + sum * take + point_least_pairs(point, radius, take) > limit)
			return limit + 1;
		added += sum;
		if (node)
			*node++ = point->mesh->node_at[heap[0].next];
		add_far(point, heap[0].vertex);
		take--;
		if (--heap[0].left)
			heap[0].next = point_next_node(point, heap[0].next + 1);
		else
			heap[0] = heap[--n];
		if (n && take) {
			set_key(point, &heap[0]);
			sift(heap, n, 0);
		}
	}
	return added;
}

/* ---- shells that are not large ---- */

static void load_scan(struct point *point, int n)
{
	const struct mesh *mesh = point->mesh;
	struct point_scan *scan = point->scan;

	for (int i = 0; i < n; i++) {
		int v = point->vertex[i];

		scan->vertex[i] = v;
		scan->far[i] = (int)far_sum(point, v);
		scan->left[i] = point->space.weight[v];
	}
	point_order_scan(point, n, false);
	for (int i = 0; i < n; i++) {
		int v = scan->vertex[scan->order[i]];

		scan->next[i] = mesh->first[v];
		for (int d = 0; d < mesh->ndims; d++)
			scan->at[d][i] = mesh->coord[v][d] * POINT_SCAN;
	}
}

int64_t point_choose(struct point *point, int radius, int nshell, int take, int64_t limit, int *node)
{
	if (nshell > POINT_SCAN || !point_scans(point) || !point_keys_serve(point))
		return choose_by_heap(point, radius, nshell, take, limit, node);
	load_scan(point, nshell);
	return point_choose_keys(point, radius, nshell, take, limit, node);
}
