/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds a long ring where most nodes are free. Blocks of two by two nodes, each a ring by itself,
 * are joined to the ring one by one: they form a tree, and the ring is its outline.
 */
#include "walk/walk_search.h"

#include <string.h>

#include "base/axis.h"

enum { BLOCK = 4 };

struct outline {
	const struct walk_graph *g;
	int dim[2], odd[2]; /* blocks lie along dim[], from even or odd coordinates */
	int *next;	    /* by point: the next one on the ring, or -1: not on it */
	int *queue, queued; /* points after which a block may be inserted */
};

/* The neighbour of p in its block, along dim[i]; -1: there is none, or it is on the ring. */
static int beside(const struct outline *o, int p, int i)
{
	const struct mesh *mesh = o->g->mesh;
	int d = o->dim[i], v = mesh->vertex_of[o->g->node[p]], c = mesh->coord[v][d];
	int step = (c + o->odd[i]) % 2 ? -1 : 1;

	if (c + step < 0 || c + step >= mesh->side[d])
		return -1;
	walk_graph_each(q, o->g, p)
		if (q != o->g->home && o->next[q] < 0 &&
			mesh->vertex_of[o->g->node[q]] == v + step * mesh->stride[d])
			return q;
	return -1;
}

/* Write the block of p in order, first along dim[i]. Does it exist, off the ring? */
static bool block_of(const struct outline *o, int p, int i, int block[BLOCK])
{
	block[0] = p;
	return (block[1] = beside(o, p, i)) >= 0 &&
	       (block[2] = beside(o, block[1], !i)) >= 0 &&
	       (block[3] = beside(o, block[2], i)) >= 0;
}

static void insert_points(struct outline *o, int after, const int *point, int n)
{
	int end = o->next[after];

	o->queue[o->queued++] = after;
	for (int i = 0; i < n; after = point[i++]) {
		o->next[after] = point[i];
		o->queue[o->queued++] = point[i];
	}
	o->next[after] = end;
}

/* Insert a block between point a of the ring and the next one, if there is a block. */
static bool join(struct outline *o, int a)
{
	int block[BLOCK];

	walk_graph_each(p, o->g, a)
		for (int i = 0; p != o->g->home && o->next[p] < 0 && i < 2; i++)
			if (block_of(o, p, i, block) &&
				walk_graph_joined(o->g, block[BLOCK - 1], o->next[a])) {
				insert_points(o, a, block, BLOCK);
				return true;
			}
	return false;
}

/* Put the first block on the ring. Returns its points, or 0. */
static int put_first(struct outline *o)
{
	int block[BLOCK];

	for (int p = 0; p < o->g->n; p++) {
		if (!block_of(o, p, 0, block) || !walk_graph_joined(o->g, block[BLOCK - 1], p))
			continue;
		o->next[p] = p;
		insert_points(o, p, block + 1, BLOCK - 1);
		return BLOCK;
	}
	return 0;
}

/* Choose two dimensions for the blocks, even sides first, and where blocks begin. */
static void choose(struct outline *o, int way)
{
	const struct mesh *mesh = o->g->mesh;
	int n = mesh->ndims, pairs = n * (n - 1) / 2, pair = way % pairs, i = 0;
	int key[MESH_MAX_DIMS], dim[MESH_MAX_DIMS];

	for (int d = 0; d < n; d++)
		key[d] = mesh->side[d] == 1 ? 2 : mesh->side[d] % 2;
	axis_sort(n, key, dim);
	for (; pair >= n - 1 - i; i++)
		pair -= n - 1 - i;
	o->dim[0] = dim[i];
	o->dim[1] = dim[i + 1 + pair];
	o->odd[0] = way / pairs & 1;
	o->odd[1] = way / pairs >> 1 & 1;
}

int walk_blocks(const struct walk_graph *g, int way, int length, struct walk_effort *effort,
	int *node)
{
	struct outline o = {.g = g};
	struct arena arena = {0};
	int n = 0, most = g->home < 0 ? length : length + BLOCK - 1; /* a line can be cut */

	if (g->mesh->ndims > 1 && arena_array(&arena, o.next, g->points) &&
		arena_array(&arena, o.queue, 2 * g->points + BLOCK)) {
		choose(&o, way);
		memset(o.next, -1, (size_t)g->points * sizeof(*o.next));
		n = put_first(&o);
		effort->left -= g->points;
	}
	for (int i = 0; i < o.queued && n + BLOCK <= most && effort->left > 0 &&
		!mesh_budget_late(&effort->budget); i++) {
		effort->left -= walk_graph_degree(g, o.queue[i]);
		n += join(&o, o.queue[i]) ? BLOCK : 0;
	}
	n = n < length ? n : length;
	for (int i = 0, p = n ? o.queue[0] : 0; i < n; i++, p = o.next[p])
		node[i] = g->node[p];
	arena_release(&arena);
	return n;
}
