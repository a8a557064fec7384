/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses nodes of the last shell (point.h). far[] has the hops to all inside it.
 *
 * For each node to choose, plain loops over vectors look at all cells. A cell's key is its hops to
 * all that is chosen, less the hops from the centre to all inside the shell, so that 32 bits hold
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sort.h"
#include "point/point.h"

int point_cells_init(
	struct point_cells *cells, const struct mesh *mesh, bool ordered, struct arena *arena)
{
	int n = ordered ? mesh->nvertices : mesh->nnodes, room = n + BATCH_MAX;

	arena_array(arena, cells->vertex, n);
	arena_array(arena, cells->next, n);
	arena_array(arena, cells->rest, n);
	arena_array(arena, cells->far, n);
	arena_array(arena, cells->key, room);
	for (int d = 0; d < (mesh->ndims < 3 ? 3 : mesh->ndims); d++)
		arena_array(arena, cells->at[d], room);
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

/* Load the hops to all that is chosen. */
static void load_far(struct point *point)
{
	struct point_cells *cells = &point->cells;

	for (int i = 0; i < cells->n; i++) {
		cells->far[i] = 0;
		for (int d = 0; d < point->mesh->ndims; d++)
			cells->far[i] += point->far[d][point->mesh->coord[cells->vertex[i]][d]];
	}
}

/*
 * Do keys hold the hops, less those from the centre? The hops of neighbours differ by at most the
 * number of chosen nodes. The key of a cell without nodes must also stay above all others.
 */
static bool fits_keys(const struct point *point, const struct point_shell *shell)
{
	int64_t most = point->batch.most, reach = point->space.boxes ? most : shell->radius;
	int64_t inside = point->wanted + point->nrequired - shell->take;

	return inside * reach + shell->take * most < POINT_TAKEN / 2;
}

/* Fill keys and coordinates behind the n-th cell, as the last vector goes on. */
static void end_cells(struct point_cells *cells, int n)
{
	for (int i = n; i < n + BATCH_MAX; i++) {
		cells->key[i] = POINT_TAKEN;
		for (int d = 0; d < MESH_MAX_DIMS && cells->at[d]; d++)
			cells->at[d][i] = 0;
	}
}

/* Load keys and coordinates, one dimension after the other. */
static void load_keys(struct point *point, int centre)
{
	struct point_cells *cells = &point->cells;
	int16_t(*coord)[MESH_MAX_DIMS] = point->mesh->coord;

	for (int d = 0; d < point->mesh->ndims; d++) {
		const int64_t *far = point->far[d], from = far[coord[centre][d]];
		int *at = cells->at[d];

		for (int i = 0; i < cells->n; i++) {
			at[i] = coord[cells->vertex[i]][d];
			cells->key[i] = (int)(far[at[i]] - from) + (d ? cells->key[i] : 0);
		}
	}
	end_cells(cells, cells->n);
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
#define CELL_BITS 24
MESH_HOLDS("hops and a cell: 64 bits", INT64_C(1) << CELL_BITS, MESH_MAX_VERTICES);
MESH_HOLDS("hops and a cell: 64 bits", INT64_C(1) << CELL_BITS, MESH_MAX_NODES);

/* The kernels' choice, cell by cell, for hops of any size. */
static int64_t choose_plainly(struct point_cells *cells, const struct mesh *mesh,
	const struct point_choice *choice)
{
	int64_t added = 0;

	for (int taken = 0; taken < choice->now; taken++) {
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

/* Remove cells without nodes; the others stay in order. */
static void drop_empty(struct point_cells *cells, bool keys)
{
	int n = 0;

	for (int i = 0; i < cells->n; i++) {
		if (!cells->rest[i])
			continue;
		cells->vertex[n] = cells->vertex[i];
		cells->next[n] = cells->next[i];
		cells->rest[n] = cells->rest[i];
		if (!keys)
			cells->far[n] = cells->far[i];
		else
			cells->key[n] = cells->key[i];
		for (int d = 0; keys && d < MESH_MAX_DIMS && cells->at[d]; d++)
			cells->at[d][n] = cells->at[d][i];
		n++;
	}
	if (keys)
		end_cells(cells, n);
	cells->n = n;
}

/* Out of time: take the nodes nearest to what is chosen so far. */
static void choose_rest(struct point *point, int take, bool keys, int *node)
{
	struct point_cells *cells = &point->cells;
	uint64_t *order = (uint64_t *)cells->far; /* not needed any more */
	int64_t low = INT64_MAX;

	for (int i = 0; i < cells->n; i++) {
		cells->far[i] = keys ? cells->key[i] : cells->far[i];
		low = cells->far[i] < low ? cells->far[i] : low;
	}
	for (int i = 0; i < cells->n; i++)
		order[i] = (uint64_t)(cells->far[i] - low) << CELL_BITS | (uint64_t)i;
	sort_u64(order, cells->n);
	for (int i = 0; take; i++) {
		int cell = (int)(order[i] & ((1u << CELL_BITS) - 1));

		for (int left = cells->rest[cell]; left && take; left--, take--)
			*node++ = take_node(point, cell);
	}
}

int64_t point_choose(struct point *point, const struct point_shell *shell, int64_t limit, int *node)
{
	struct point_choice choice = {.take = shell->take,
		.limit = limit,
		.least = point->batch.least_pairs,
		.chosen = point->chosen};
	struct point_cells *cells = &point->cells;
	bool keys = fits_keys(point, shell);
	int64_t added = 0;

	if (!choice.take)
		return 0;
	list_cells(point, shell->n);
	cells->base = 0;
	for (int d = 0; d < point->mesh->ndims; d++)
		cells->base += point->far[d][point->mesh->coord[shell->centre][d]];
	if (keys)
		load_keys(point, shell->centre);
	else
		load_far(point);
	for (; choice.take; choice.take -= choice.now) {
		choice.now = LOOKS / cells->n + 1;
		choice.now = choice.now < choice.take ? choice.now : choice.take;
		choice.limit = limit - added;
		added += (keys ? point->batch.kernel->choose : choose_plainly)(
			cells, point->mesh, &choice);
		if (added > limit)
			return limit + 1;
		for (int i = 0; node && i < choice.now; i++)
			*node++ = take_node(point, choice.chosen[i]);
		if (choice.now == choice.take)
			return added;
		if (point_late(point)) {
			if (node)
				choose_rest(point, choice.take - choice.now, keys, node);
			return limit + 1;
		}
		drop_empty(cells, keys);
	}
	return added;
}
