/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The least time of communication (links/forecast.h, ranks in the order of nodes, nothing known of
 * what is sent) that any `count` of node[n] have: all sets are tried.
 */
#ifndef PRICES_H
#define PRICES_H

#include "base/mesh.h"
#include "links/load.h"

struct prices {
	struct load_meter *meter;
	const struct mesh *mesh;
	const int *node; /* [n] the free nodes, ascending */
	int n;
	double most; /* so many sets are tried, no more */
};

/* The time on these nodes. node[count] ascends; count <= 64. */
double prices_of(struct load_meter *meter, const struct mesh *mesh, const int *node, int count);

/* 0; or 1 where there are too many sets. count <= 64. */
int prices_find(const struct prices *prices, int count, double *least);

#endif
