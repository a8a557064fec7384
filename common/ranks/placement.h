/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cuts an allocation into parts with the nodes of each part near each other, for tasks that run
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
	const int *size;		  /* [nparts] nodes of each part, >= 1 */
	int nparts;
};

/*
 * Write the nodes to node[], part by part, ascending in each; room for all. The default strategy
 * places the largest part first, with the rest of the allocation as free nodes. 0, or -1 with
 * text: too few nodes, or no memory. Cost: nparts decisions.
 */
int placement_solve(const struct placement_input *input, int *node, struct mesh_err *err);

#endif
