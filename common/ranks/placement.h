/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An allocation cut into parts, the nodes of each part near each other: for tasks that run
 * side by side in one job.
 */
#ifndef MESH_PLACEMENT_H
#define MESH_PLACEMENT_H

#include "base/err.h"
#include "base/mesh.h"
#include "base/nodeset.h"

struct placement_input {
	const struct mesh *mesh;
	const struct nodeset *allocation; /* of the mesh's nodes */
	const int *size;		  /* [nparts] nodes of each, >= 1 */
	int nparts;
};

/*
 * The default strategy is asked for the largest part first, with the rest of the allocation as the
 * free nodes. Into node[], with room for all: part by part, ascending in each. 0, or -1 with text:
 * not that many nodes, or no memory. Cost: nparts decisions.
 */
int placement_solve(const struct placement_input *input, int *node, struct mesh_err *err);

#endif
