/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All metrics of a set of nodes; slurmctld needs hops alone (metrics.h). Diameter and components
 * follow the links of the mesh's graph, too.
 */
#ifndef MESH_METRICS_METER_H
#define MESH_METRICS_METER_H

#include "base/arena.h"
#include "geometry/metrics.h"

struct mesh_metrics {
	int64_t pairwise_hops;	/* sum of hops over unordered pairs of nodes */
	double mean_hops;	/* pairwise_hops per pair; 0 for one node */
	int diameter;		/* most hops between two of the nodes */
	int box[MESH_MAX_DIMS]; /* sides of the smallest box around them; it may wrap */
	int components;		/* connected parts of the vertices used */
};

/*
 * All metrics of node[count]. 0, or -1 when memory is out. Makes a meter, O(nvertices), and reads
 * it.
 */
int mesh_measure(const struct mesh *mesh, const int *node, int count, struct mesh_metrics *out);

/*
 * A meter measures many sets: it has the scratch memory for one mesh, which must outlive it. One
 * thread at a time. NULL when memory is out. The arena frees it.
 */
struct mesh_meter;
struct mesh_meter *mesh_meter_new(const struct mesh *mesh, struct arena *arena);
/*
 * All metrics. O(count*d + nvertices * sum of sides); the latter, in simple loops, is the
 * diameter.
 */
void mesh_meter_read(struct mesh_meter *meter, const int *node, int count,
	struct mesh_metrics *out);
/* Only pairwise_hops. O(count*d + sum of sides). */
int64_t mesh_meter_hops(struct mesh_meter *meter, const int *node, int count);

#endif
