/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The choice of nodes from a last shell that is not large, where nodes are numbered as vertices
 * are: all its vertices are looked at for each node, in plain loops that vectorise.
 *
 * Keys are hops * POINT_SCAN + the vertex's place in the list, which is in the order of vertices:
 * the least key is the nearest vertex, of those the first.
 */
#include "point.h"
#include "vector.h"

/* Above all keys, and low enough for the hops of what is chosen later. */
#define TAKEN (1 << 30)

bool point_keys_serve(const struct point *point)
{
	return (int64_t)point->lanes.most * (point->wanted + point->nrequired) < TAKEN / POINT_SCAN;
}

int64_t point_least_pairs(const struct point *point, int radius, int t)
{
	const struct shell_pairs *pairs = &point->lanes.pairs;

	return (int64_t)(point->space.boxes ? pairs->least[t] : shell_pairs_least(pairs, radius, t));
}

void point_order_scan(struct point *point, int n, bool sorted)
{
	struct point_scan *scan = &point->scan;
	struct nodeset *marks = &point->marks;
	int at = 0;

	for (int i = 0; i < n; i++)
		scan->order[i] = i;
	for (int i = 0; !sorted && i < n; i++) {
		nodeset_add(marks, scan->vertex[i]);
		point->listed[scan->vertex[i]] = i;
	}
	if (!sorted && n)
		nodeset_each(v, marks) {
			scan->order[at++] = point->listed[v];
			nodeset_del(marks, v);
		}
	for (int i = 0; i < n; i++) {
		scan->key[i] = scan->far[scan->order[i]] * POINT_SCAN + i;
		scan->rest[i] = scan->left[scan->order[i]];
	}
}

/* The vertex chosen (-1: none yet) is one more to be far from; the least key. */
MESH_VECTORISE
static int step_keys(struct point_scan *scan, const struct mesh *mesh, int n, int chosen)
{
	int *restrict key = scan->key, least = INT32_MAX;

	for (int d = 0; chosen >= 0 && d < mesh->ndims; d++) {
		const int *restrict at = scan->at[d];
		int from = at[chosen], ring = mesh->side[d] * POINT_SCAN;

		if (!mesh->wrap[d])
			for (int i = 0; i < n; i++) {
				int by = at[i] - from;

				key[i] += by < 0 ? -by : by;
			}
		else
			for (int i = 0; i < n; i++) {
				int by = at[i] - from, hops = by < 0 ? -by : by, round = ring - hops;

				key[i] += hops < round ? hops : round;
			}
	}
	for (int i = 0; i < n; i++)
		least = key[i] < least ? key[i] : least;
	return least;
}

int64_t point_choose_keys(struct point *point, int radius, int n, int take, int64_t limit, int *node)
{
	struct point_scan *scan = &point->scan;
	int64_t added = 0;

	for (int i = -1; take > 0; take--) {
		int key = step_keys(scan, point->mesh, n, i), hops = key / POINT_SCAN;

		/* All that come later are no nearer. */
		if (added + (int64_t)hops * take + point_least_pairs(point, radius, take) > limit)
			return limit + 1;
		added += hops;
		i = key % POINT_SCAN;
		if (node) {
			scan->next[i] = point_next_node(point, scan->next[i]);
			*node++ = point->mesh->node_at[scan->next[i]++];
		}
		if (!--scan->rest[i])
			scan->key[i] = TAKEN;
	}
	return added;
}
