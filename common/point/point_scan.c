/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The choice of nodes from a last shell that is not large, where nodes are numbered as vertices
 * are: all its vertices are looked at for each node, in plain loops that vectorise.
 *
 * Keys are hops * POINT_SCAN + the vertex's place in the list, which is in the order of vertices:
 * the least key is the nearest vertex, of those the first. Hops between the vertices of small shells
 * are in tables.
 */
#include "point/point_run.h"
#include "base/simd.h"

bool point_keys_serve(const struct point *point)
{
	return (int64_t)point->lanes.most * (point->wanted + point->nrequired) < POINT_TAKEN / POINT_SCAN;
}

int64_t point_least_pairs(const struct point *point, int radius, int t)
{
	const struct shell_pairs *pairs = &point->lanes.pairs;

	return (int64_t)(point->space.boxes ? pairs->least[t] : shell_pairs_least(pairs, radius, t));
}

/* In the order of vertices already. */
MESH_VECTORISE
static void set_keys(struct point_scan *scan, int n)
{
	for (int i = 0; i < n; i++) {
		scan->order[i] = i;
		scan->key[i] = scan->far[i] * POINT_SCAN + i;
		scan->rest[i] = scan->left[i];
	}
}

void point_order_scan(struct point *point, int n, bool sorted)
{
	struct point_scan *scan = point->scan;
	struct nodeset *marks = &point->marks;
	int at = 0;

	scan->hops = NULL;
	for (int i = 0; !sorted && i < n; i++) {
		int number = point->number ? point->number[scan->vertex[i]] : scan->vertex[i];

		nodeset_add(marks, number);
		point->listed[number] = i;
	}
	if (!sorted && n)
		nodeset_each(number, marks) {
			scan->order[at++] = point->listed[number];
			nodeset_del(marks, number);
		}
	if (sorted)
		set_keys(scan, n);
	for (int i = 0; !sorted && i < n; i++) {
		scan->key[i] = scan->far[scan->order[i]] * POINT_SCAN + i;
		scan->rest[i] = scan->left[scan->order[i]];
	}
}

/* The last vector goes on beyond the n vertices. */
static void end_vectors(struct point_scan *scan, int n)
{
	for (int i = n; i < n + LANES_MAX; i++)
		scan->key[i] = POINT_TAKEN;
	for (int d = 0; !scan->hops && d < MESH_MAX_DIMS; d++)
		for (int i = n; i < n + LANES_MAX; i++)
			scan->at[d][i] = scan->at[d][0];
}

int64_t point_choose_keys(struct point *point, int radius, int n, int take, int64_t limit, int *node)
{
	struct point_scan *scan = point->scan;
	const struct shell_pairs *pairs = &point->lanes.pairs;
	struct point_choice choice = {n, take, limit, 0, NULL, pairs->least, node};
	int64_t added;

	if (!take)
		return 0;
	if (!point->space.boxes)
		choice.shell = shell_pairs_of(pairs, radius, &choice.nshell);
	end_vectors(scan, n);
	added = point_kernel(point)->choose(scan, point->mesh, &choice);
	for (int i = 0; node && added <= limit && i < take; i++) {
		int *next = &scan->next[node[i]];

		*next = point_next_node(point, *next);
		node[i] = point->mesh->node_at[(*next)++];
	}
	return added;
}
