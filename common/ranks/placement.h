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
	/* A strategy of the table, asked for the largest part first with the rest of the
	 * allocation as the free nodes; "cut": the parts one after another along the mesh's
	 * curve; NULL: both "cut" and the default strategy, and what is better is kept. */
	const char *how;
};

struct placement_answer {
	int *node;	 /* part by part, ascending in each; the caller's, room for all */
	const char *how; /* what was kept */
	double hops;	 /* sum of pairwise hops over the parts */
};

/*
 * 0, or -1 with text: not that many nodes, no such strategy, or the strategy found no place
 * (a contiguous one may not). Cost: nparts decisions.
 */
int placement_solve(const struct placement_input *input, struct placement_answer *answer,
	struct mesh_err *err);

#endif
