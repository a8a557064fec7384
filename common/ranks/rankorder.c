/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of n ranks is a process grid of one dimension.
 */
#include "ranks/rankorder.h"

#include <stdlib.h>

#include "ranks/rankmap.h"

static int solve(struct rankmap_input *in, int *order, struct mesh_err *err)
{
	struct traffic_grid row = {.ndims = 1, .side = {in->nnodes}, .weight = {1}};
	struct traffic traffic = {0};
	struct rankmap_answer answer = {.place = order};
	int result;

	in->per_node = 1;
	in->traffic = &traffic;
	in->grid = &row;
	in->wanted[RANKMAP_CURVE] = in->wanted[RANKMAP_BISECTION] = in->wanted[RANKMAP_FOLD] = true;
	if (traffic_init_grid(&traffic, &row, err))
		return -1;
	result = rankmap_solve(in, &answer, err);
	traffic_release(&traffic);
	return result;
}

int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err)
{
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = n};

	return solve(&in, order, err);
}

int rankorder_search(
	const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err)
{
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = n};

	in.wanted[RANKMAP_DUAL] = in.wanted[RANKMAP_SEARCH] = true;
	return solve(&in, order, err);
}
