/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The point strategies in the plainest way: every centre, every free node, every pair. The
 * rules are those of common/papers/point/point.h, refine.h and strategy_point.c; no code is shared
 * with them.
 */
#ifndef MESH_PLAIN_POINT_H
#define MESH_PLAIN_POINT_H

#include "base/mesh.h"
#include "base/nodeset.h"
#include "ask/strategy.h"

struct plain_answer {
	int *node; /* [count], room for all nodes; ascending */
	int64_t cost, total;
};

/* One of "mm", "gen-alg", "mm+inc", "mc1x1", "mc". The request must have an answer. */
void plain_point(const char *name, const struct mesh *mesh, const struct nodeset *free_set,
	const struct mesh_request *request, struct plain_answer *answer);

/* The least total over all sets, by trying every one. */
int64_t plain_least_total(const struct mesh *mesh, const struct nodeset *free_set,
	const struct mesh_request *request);

#endif
