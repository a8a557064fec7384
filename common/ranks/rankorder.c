/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of n ranks is a process grid of one dimension.
 */
#include "ranks/rankorder.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/curve.h"
#include "ranks/rankmap.h"

/* The row mapped; *hops from node to node. */
static int solve(struct rankmap_input *in, int *order, double *hops, struct mesh_err *err)
{
	struct traffic_grid row = {.ndims = 1, .side = {in->nnodes}, .weight = {1}};
	struct traffic traffic = {0};
	struct rankmap_answer answer = {.place = order};
	int result;

	in->per_node = 1;
	in->traffic = &traffic;
	in->grid = &row;
	if (traffic_init_grid(&traffic, &row, err))
		return -1;
	result = rankmap_solve(in, &answer, err);
	traffic_release(&traffic);
	*hops = answer.hop_bytes;
	return result;
}

/* The nodes along the mesh's curve, if that takes fewer hops. 0, or -1 when memory is out. */
static int follow_curve(const struct rankmap_input *in, double hops, int *order)
{
	const struct mesh *mesh = in->mesh;
	size_t all = (size_t)mesh->nnodes, n = 0;
	int *curve = malloc((size_t)mesh->nvertices * sizeof(int));
	int *along = malloc(all * sizeof(int)), *index = malloc(all * sizeof(int));
	int bad = !curve || !along || !index || curve_fill(mesh, CURVE_MESH, curve) ? -1 : 0;

	if (!bad) {
		curve_nodes(mesh, curve, along, NULL);
		memset(index, -1, all * sizeof(int));
		for (int i = 0; i < in->nnodes; i++)
			index[in->node[i]] = i;
		for (size_t r = 0; r < all; r++)
			if (index[along[r]] >= 0)
				along[n++] = along[r];
		for (size_t i = 1; i < n; i++)
			hops -= mesh_hops(mesh, mesh->vertex_of[along[i - 1]],
				mesh->vertex_of[along[i]]);
		for (size_t i = 0; hops > 0 && i < n; i++)
			order[i] = index[along[i]];
	}
	free(curve);
	free(along);
	free(index);
	return bad;
}

int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err)
{
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = n, .fold_only = true};
	double hops;

	if (solve(&in, order, &hops, err))
		return -1;
	return follow_curve(&in, hops, order) ? err_printf(err, "out of memory") : 0;
}

int rankorder_search(
	const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err)
{
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = n};
	double hops;

	return solve(&in, order, &hops, err);
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
