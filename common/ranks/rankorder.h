/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orders the nodes of a job so that it suits ranks as Slurm deals them out: each node near the one
 * before, or near those that the ranks of an unknown program may talk to.
 */
#ifndef MESH_RANKORDER_H
#define MESH_RANKORDER_H

#include "base/err.h"
#include "base/mesh.h"

struct rankmix;

/*
 * Set order[i] to the index into node[n] of the i-th node. Each step is one hop if the nodes fill
 * a box; otherwise local search orders them (assign.h). 0, or -1 with text.
 */
int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err);

/*
 * Set order[i] to the index into node[] of the node that gets the ranks that node i has, for a
 * program of which nothing is known: the mixture of rankmix.h has few hops a byte. The first node
 * keeps its ranks; all nodes do if an order is hardly better (rankorder_mix.c). 0, or -1 with text.
 * O(n + ranks log ranks) and a bounded search: 4 ms of processor time for up to 128 nodes, 7 ms
 * for 512, 70 ms for 8,192, on a busy machine.
 */
int rankorder_mix(const struct mesh *mesh, const int *node, const struct rankmix *mix, int *order,
	struct mesh_err *err);

#endif
