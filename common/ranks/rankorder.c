/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of n ranks is a process grid of one dimension.
 */
#include "ranks/rankorder.h"

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
