/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How good a set of nodes is, whoever chose it. Where the mesh has a graph (graph/linkgraph.h),
 * hops, diameter and pieces are by its links, at the cost that graphset.h says.
 */
#ifndef MESH_METRICS_H
#define MESH_METRICS_H

#include "base/arena.h"
#include "base/mesh.h"

struct mesh_metrics {
	int64_t pairwise_hops;	/* sum of hops over unordered pairs of nodes */
	double mean_hops;	/* that, per pair; 0 for one node */
	int diameter;		/* most hops between two of the nodes */
	int box[MESH_MAX_DIMS]; /* sides of the smallest box that holds them; on a torus it may wrap
				 */
	int components;		/* of the vertices used, neighbours being joined */
};

/*
 * Only the sum of hops over pairs of node[count], numbers of the mesh's nodes. It allocates only
 * where the sides add up to more than 512 or the mesh has a graph; -1 then means that memory is
 * out. O(count*d + sum of sides).
 */
int64_t mesh_pairwise_hops(const struct mesh *mesh, const int *node, int count);

/* Such a sum divided by the number of pairs of count nodes; 0 for one node. */
double mesh_mean_hops(int64_t pairwise_hops, int count);

/* All metrics of node[count]. 0, or -1 when memory is out. Costs a new meter, O(nvertices), and a
 * reading. */
int mesh_measure(const struct mesh *mesh, const int *node, int count, struct mesh_metrics *out);

/*
 * The same many times over: a meter holds the scratch memory for one mesh, which must outlive
 * it. One thread at a time. NULL when memory is out. The arena frees it.
 */
struct mesh_meter;
struct mesh_meter *mesh_meter_new(const struct mesh *mesh, struct arena *arena);
/* O(count*d + nvertices * sum of sides), the latter in simple loops, for the diameter. */
void mesh_meter_read(struct mesh_meter *meter, const int *node, int count,
	struct mesh_metrics *out);
/* Only pairwise_hops. O(count*d + sum of sides). */
int64_t mesh_meter_hops(struct mesh_meter *meter, const int *node, int count);

#endif
