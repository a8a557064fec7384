/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The choice of nodes from the last shell (point.h), with far[] the hops to all inside it.
 *
 * The shell's cells are its vertices, in the order of the nodes there; or the nodes themselves where
 * several are on a vertex in any order. For each node to choose all cells are looked at, in plain
 * loops over vectors: their keys are the hops to all that is chosen, less those of the nearest one at
 * first, so that 32 bits hold them.
 */
#include <stdlib.h>
#include <string.h>

#include "point/point_run.h"

int point_cells_init(struct point_cells *cells, const struct mesh *mesh, bool ordered)
{
	size_t n = (size_t)(ordered ? mesh->nvertices : mesh->nnodes), room = n + LANES_MAX;


	cells->vertex = malloc(n * sizeof(int));
	cells->next = malloc(n * sizeof(int));
	cells->rest = malloc(n * sizeof(int));
	cells->far = malloc(n * sizeof(int64_t));
	cells->key = malloc(room * sizeof(int));
	for (int d = 0; d < (mesh->ndims < 3 ? 3 : mesh->ndims); d++)
		if (!(cells->at[d] = malloc(room * sizeof(int))))
			return -1;
	if (!cells->vertex || !cells->next || !cells->rest || !cells->far || !cells->key ||
		nodeset_init(&cells->marks, (int)n))
		return -1;
	return 0;
}

void point_cells_release(struct point_cells *cells)
{
	free(cells->vertex);
	free(cells->next);
	free(cells->rest);
	free(cells->far);
	free(cells->key);
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		free(cells->at[d]);
	nodeset_release(&cells->marks);
}

int64_t point_least_pairs(const struct point *point, int radius, int t)
{
	const struct shell_pairs *pairs = &point->lanes.pairs;

	return (int64_t)(point->space.boxes ? pairs->least[t] : shell_pairs_least(pairs, radius, t));
}

static int64_t far_sum(const struct point *point, int v)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += point->far[d][mesh->coord[v][d]];
	return sum;
}

int point_next_node(const struct point *point, int from)
{
	const int *node = point->mesh->node_at;

	while (!nodeset_has(point->free, node[from]) ||
		(point->required && nodeset_has(point->required, node[from])))
		from++;
	return from;
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

/* ---- cells ---- */

/* The shell's vertices, or their nodes, in order. */
static void mark_cells(struct point *point, int nshell)
{
	const struct mesh *mesh = point->mesh;
	struct nodeset *marks = &point->cells.marks;

	for (int i = 0; i < nshell; i++) {
		int v = point->vertex[i];

		if (point->ordered)
			nodeset_add(marks, v);
		else
			for (int at = mesh->first[v], left = point->space.weight[v]; left; left--, at++) {
				at = point_next_node(point, at);
				nodeset_add(marks, mesh->node_at[at]);
			}
	}
}

/* Hops from the nearest and the farthest of them. */
static void load_cells(struct point *point, int nshell, int64_t *low, int64_t *high)
{
	const struct mesh *mesh = point->mesh;
	struct point_cells *cells = &point->cells;
	uint64_t *word = cells->marks.word;
	int n = 0, left = nshell;

	if (!point->ordered)
		for (int i = left = 0; i < nshell; i++)
			left += point->space.weight[point->vertex[i]];
	mark_cells(point, nshell);
	*low = INT64_MAX;
	*high = INT64_MIN;
	for (int w = 0; n < left; w++) {
		for (uint64_t bits = word[w]; bits; bits &= bits - 1, n++) {
			int at = w * 64 + __builtin_ctzll(bits), v = point->ordered ? at : mesh->vertex_of[at];
			int64_t far = far_sum(point, v);

			cells->vertex[n] = v;
			cells->next[n] = point->ordered ? mesh->first[v] : at;
			cells->rest[n] = point->ordered ? point->space.weight[v] : 1;
			cells->far[n] = far;
			*low = far < *low ? far : *low;
			*high = far > *high ? far : *high;
		}
		word[w] = 0;
	}
	cells->n = n;
}

void point_cells_end(struct point_cells *cells, int n)
{
	cells->n = n;
	for (int i = n; i < n + LANES_MAX; i++) {
		cells->key[i] = POINT_TAKEN;
		for (int d = 0; d < MESH_MAX_DIMS && cells->at[d]; d++)
			cells->at[d][i] = 0;
	}
}

static void load_keys(struct point *point, int64_t low)
{
	struct point_cells *cells = &point->cells;
	int n = cells->n, ndims = point->mesh->ndims;

	cells->base = low;
	for (int i = 0; i < n; i++) {
		cells->key[i] = (int)(cells->far[i] - low);
		for (int d = 0; d < ndims; d++)
			cells->at[d][i] = point->mesh->coord[cells->vertex[i]][d];
	}
	point_cells_end(cells, n);
}

/* The cell's next node. */
static int take_node(struct point *point, int cell)
{
	int *next = &point->cells.next[cell];

	if (!point->ordered)
		return *next;
	*next = point_next_node(point, *next);
	return point->mesh->node_at[(*next)++];
}

/* The same cell by cell, for hops of any number. */
static int64_t choose_plainly(struct point *point, const struct point_choice *choice)
{
	const struct mesh *mesh = point->mesh;
	struct point_cells *cells = &point->cells;
	int64_t added = 0;

	for (int taken = 0; taken < choice->take; taken++) {
		int best = -1;

		for (int i = 0; i < cells->n; i++)
			if (cells->rest[i] && (best < 0 || cells->far[i] < cells->far[best]))
				best = i;
		added += cells->far[best];
		if (added > choice->limit)
			return choice->limit + 1;
		cells->rest[best]--;
		choice->chosen[taken] = best;
		for (int i = 0; i < cells->n; i++)
			cells->far[i] += mesh_hops(mesh, cells->vertex[i], cells->vertex[best]);
	}
	return added;
}

int64_t point_choose(struct point *point, int radius, int nshell, int take, int64_t limit, int *node)
{
	const struct shell_pairs *pairs = &point->lanes.pairs;
	struct point_choice choice = {take, limit, 0, NULL, pairs->least, point->chosen};
	int64_t low, high, added;

	if (!take)
		return 0;
	load_cells(point, nshell, &low, &high);
	if (!point->space.boxes)
		choice.shell = shell_pairs_of(pairs, radius, &choice.nshell);
	if (high - low + (int64_t)take * point->lanes.most < POINT_TAKEN) {
		load_keys(point, low);
		added = point_kernel(point)->choose(&point->cells, point->mesh, &choice);
	} else {
		added = choose_plainly(point, &choice);
	}
	for (int i = 0; node && added <= limit && i < take; i++)
		node[i] = take_node(point, choice.chosen[i]);
	return added;
}
