/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses nodes of the last shell (point.h). far[] has the hops to all inside it.
 *
 * For each node to choose, a plain loop looks at all cells that have nodes. A cell's key is its
 * hops to all that is chosen, with the cell's number in the low bits: so the least key is that of
 * the first cell of those with the fewest hops, in whatever order cells stand.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/simd.h"
#include "base/sort.h"
#include "point/point.h"

int point_cells_init(
	struct point_cells *cells, const struct mesh *mesh, bool ordered, struct arena *arena)
{
	int n = ordered ? mesh->nvertices : mesh->nnodes;

	arena_array(arena, cells->vertex, n);
	arena_array(arena, cells->next, n);
	arena_array(arena, cells->rest, n);
	arena_array(arena, cells->place, n);
	arena_array(arena, cells->key, n);
	/* Dimensions come in threes (add_hops); along those that are missing all hops are 0. */
	for (int d = 0; d < (mesh->ndims + 2) / 3 * 3; d++)
		arena_array(arena, cells->at[d], n);
	return nodeset_get(&cells->marks, n, arena);
}

int point_next_node(const struct point *point, int from)
{
	const int *node = point->mesh->node_at;

	while (!nodeset_has(point->free, node[from]) ||
		(point->required && nodeset_has(point->required, node[from])))
		from++;
	return from;
}

/* ---- cells ---- */

/* Mark the shell's vertices, or their nodes. Returns how many. */
static int mark_cells(struct point *point, int nshell)
{
	const struct mesh *mesh = point->mesh;
	struct nodeset *marks = &point->cells.marks;
	int n = 0;

	for (int i = 0; i < nshell; i++) {
		int v = point->vertex[i];

		if (point->ordered)
			nodeset_add(marks, v);
		else
			for (int at = mesh->first[v], left = point->space.weight[v]; left;
				left--, at++) {
				at = point_next_node(point, at);
				nodeset_add(marks, mesh->node_at[at]);
			}
		n += point->ordered ? 1 : point->space.weight[v];
	}
	return n;
}

/* List vertices in order, with what is free there; or nodes in order. */
static void list_cells(struct point *point, int nshell)
{
	struct point_cells *cells = &point->cells;
	const struct mesh *mesh = point->mesh;
	uint64_t *word = cells->marks.word;
	int n = 0;

	if (point->ordered && sort_ascends(point->vertex, nshell)) {
		memcpy(cells->vertex, point->vertex, (size_t)nshell * sizeof(int));
		n = nshell;
	} else {
		for (int w = 0, all = mark_cells(point, nshell); n < all; word[w++] = 0)
			for (uint64_t bits = word[w]; bits; bits &= bits - 1) {
				int at = w * 64 + __builtin_ctzll(bits);

				cells->next[n] = at;
				cells->vertex[n++] = point->ordered ? at : mesh->vertex_of[at];
			}
	}
	cells->n = n;
	for (int i = 0; i < n; i++)
		cells->rest[i] = point->ordered ? point->space.weight[cells->vertex[i]] : 1;
	for (int i = 0; point->ordered && i < n; i++)
		cells->next[i] = mesh->first[cells->vertex[i]];
}

#define CELL_BITS 21
MESH_HOLDS("hops and a cell: 63 bits", INT64_C(1) << CELL_BITS, MESH_MAX_VERTICES);
MESH_HOLDS("hops and a cell: 63 bits", INT64_C(1) << CELL_BITS, MESH_MAX_NODES);
MESH_HOLDS("hops and a cell: 63 bits", INT64_MAX >> CELL_BITS,
	(int64_t)MESH_MAX_NODES *MESH_MAX_HOPS);

static int cell_of(int64_t key)
{
	return (int)(key & ((1 << CELL_BITS) - 1));
}

/* Load coordinates and the hops to all that is chosen. Returns the least key. */
static int64_t load_keys(struct point *point)
{
	struct point_cells *cells = &point->cells;
	int64_t least = INT64_MAX;

	for (int i = 0; i < cells->n; i++) {
		int64_t far = 0;

		for (int d = 0; d < point->mesh->ndims; d++) {
			int at = cells->at[d][i] = point->mesh->coord[cells->vertex[i]][d];

			far += point->far[d][at];
		}
		cells->key[i] = far << CELL_BITS | i;
		cells->place[i] = i;
		least = cells->key[i] < least ? cells->key[i] : least;
	}
	return least;
}

/* Take the cell's next node. */
static int take_node(struct point *point, int cell)
{
	int *next = &point->cells.next[cell];

	if (!point->ordered)
		return *next;
	*next = point_next_node(point, *next);
	return point->mesh->node_at[(*next)++];
}

/* ---- the choice ---- */

/* Looks at cells between two looks at the clock: some 50 us. */
#define LOOKS (1 << 18)

/* For hops from cells to a chosen one along a dimension; around: its side, INT_MAX for a line. */
struct axis {
	const int *at;
	int from, around;
};

static struct axis axis_of(const struct point *point, int vertex, int d)
{
	const struct mesh *mesh = point->mesh;
	bool there = d < mesh->ndims;

	return (struct axis){point->cells.at[d], there ? mesh->coord[vertex][d] : 0,
		there && mesh->wrap[d] ? mesh->side[d] : INT_MAX};
}

static inline int hops_along(const struct axis *axis, int i)
{
	int hops = abs(axis->at[i] - axis->from);

	return hops < axis->around - hops ? hops : axis->around - hops;
}

/* Add the hops to a chosen cell along three dimensions. Returns the least key. */
MESH_VECTORISE
static int64_t add_hops(int64_t *restrict key, int n, struct axis a, struct axis b, struct axis c)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < n; i++) {
		int hops = hops_along(&a, i) + hops_along(&b, i) + hops_along(&c, i);

		key[i] += (int64_t)hops << CELL_BITS;
		least = key[i] < least ? key[i] : least;
	}
	return least;
}

static int64_t add_chosen(struct point *point, int vertex)
{
	struct point_cells *cells = &point->cells;
	int64_t least = 0;

	for (int d = 0; d < point->mesh->ndims; d += 3)
		least = add_hops(cells->key, cells->n, axis_of(point, vertex, d),
			axis_of(point, vertex, d + 1), axis_of(point, vertex, d + 2));
	return least;
}

/* The last cell takes the place of one without nodes. */
static void remove_cell(struct point *point, int cell)
{
	struct point_cells *cells = &point->cells;
	int place = cells->place[cell], last = --cells->n;

	cells->key[place] = cells->key[last];
	cells->place[cell_of(cells->key[last])] = place;
	for (int d = 0; d < point->mesh->ndims; d++)
		cells->at[d][place] = cells->at[d][last];
}

/* Out of time: take the nodes nearest to what is chosen so far. */
static void choose_rest(struct point *point, int take, int *node)
{
	uint64_t *order = (uint64_t *)point->cells.key;

	sort_u64(order, point->cells.n);
	for (int i = 0; take; i++) {
		int cell = cell_of((int64_t)order[i]);

		for (int left = point->cells.rest[cell]; left && take; left--, take--)
			*node++ = take_node(point, cell);
	}
}

int64_t point_choose(struct point *point, const struct point_shell *shell, int64_t limit, int *node)
{
	struct point_cells *cells = &point->cells;
	int64_t added = 0, least;
	int looks = 0;

	if (!shell->take)
		return 0;
	list_cells(point, shell->n);
	least = load_keys(point);
	for (int take = shell->take;;) {
		int cell = cell_of(least);
		int64_t hops = least >> CELL_BITS;

		/* No later node is nearer. */
		if (added + hops * take + (int64_t)point->batch.least_pairs[take] > limit)
			return limit + 1;
		added += hops;
		if (node)
			*node++ = take_node(point, cell);
		if (!--take)
			return added;
		if (!--cells->rest[cell])
			remove_cell(point, cell);
		least = add_chosen(point, cells->vertex[cell]);
		looks += cells->n;
		if (looks > LOOKS && point_late(point)) {
			if (node)
				choose_rest(point, take, node);
			return limit + 1;
		}
		looks = looks > LOOKS ? 0 : looks;
	}
}
