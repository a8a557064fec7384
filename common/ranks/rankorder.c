/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of n ranks is a process grid of one dimension.
 */
#include "ranks/rankorder.h"

#include <stdlib.h>

#include "ranks/rankmap.h"

int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err)
{
	struct traffic_grid row = {.ndims = 1, .side = {n}, .weight = {1}};
	struct traffic traffic = {0};
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = n, .per_node = 1,
		.traffic = &traffic, .grid = &row};
	struct rankmap_answer answer = {.place = order};
	int result;

	if (traffic_init_grid(&traffic, &row, err))
		return -1;
	result = rankmap_solve(&in, &answer, err);
	traffic_release(&traffic);
	return result;
}

int rankorder_walk(
	const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order)
{
	struct arena arena = {0};
	struct nodeset all;
	struct walk_question q = {.mesh = mesh, .free = &all, .kind = kind, .length = n};
	/* Nodes of the mesh to where they are in node[]. */
	int *at = arena_get(&arena, mesh->nnodes, sizeof(*at)), result = -1;

	if (!nodeset_get(&all, mesh->nnodes, &arena)) {
		for (int i = 0; i < n; i++) {
			at[node[i]] = i;
			nodeset_add(&all, node[i]);
		}
		result = walk_find(&q, order) != WALK_FOUND;
	}
	for (int i = 0; !result && i < n; i++)
		order[i] = at[order[i]];
	arena_release(&arena);
	return result;
}
