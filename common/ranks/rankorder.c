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

/* Nodes of the mesh to where they are in node[]. */
static int *index_nodes(const struct mesh *mesh, const int *node, int n)
{
	int *at = malloc((size_t)mesh->nnodes * sizeof(*at));

	for (int i = 0; at && i < n; i++)
		at[node[i]] = i;
	return at;
}

int rankorder_walk(
	const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order)
{
	struct nodeset all = {0};
	struct walk_question q = {.mesh = mesh, .free = &all, .kind = kind, .length = n};
	int *at = index_nodes(mesh, node, n), result = -1;

	if (at && !nodeset_init(&all, mesh->nnodes)) {
		for (int i = 0; i < n; i++)
			nodeset_add(&all, node[i]);
		result = walk_find(&q, order) != WALK_FOUND;
	}
	for (int i = 0; !result && i < n; i++)
		order[i] = at[order[i]];
	nodeset_release(&all);
	free(at);
	return result;
}
