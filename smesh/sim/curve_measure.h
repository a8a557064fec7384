/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How good an ordering along a curve is, and spans of nodes along it. For people: slurmctld does
 * not measure.
 */
#ifndef SMESH_CURVE_MEASURE_H
#define SMESH_CURVE_MEASURE_H

#include "geometry/curve.h"

/* "mesh", "hilbert", "ring", "snake", "snake-long", "row"; NULL beyond CURVES. */
const char *curve_name(enum curve curve);

enum { CURVE_DISTANCES = 25 };

/* How good an order is. Vertices without nodes are skipped. */
struct curve_quality {
	int longest_step; /* the most hops from one rank to the next */
	int long_steps;	  /* the number of steps of more than one hop */
	int closing_step; /* hops from the last rank to the first */
	int ndistances;
	/* Mean hops between ranks that differ by 2, 4, 8, ... 2^ndistances */
	double mean_hops[CURVE_DISTANCES];
};

/* Measure an order. 0, or -1 when memory is out. O(nvertices log nvertices). */
int curve_measure(const struct mesh *mesh, const int *order, struct curve_quality *out);

struct curve_span {
	int linear; /* last rank - first rank + 1 */
	int ring;   /* the same with the two ends joined: all nodes but the widest gap */
	double stretch; /* ring / number of nodes */
};

/* The span of rank[count], ascending, among nnodes ranks; all 0 for none. O(count). */
struct curve_span curve_rank_span(const int *rank, int count, int nnodes);

/*
 * The span of node[count], each once, along order[nvertices]. Figures that compare strategies use
 * CURVE_MESH. 0, or -1 when memory is out. O(nnodes).
 */
int curve_node_span(const struct mesh *mesh, const int *order, const int *node, int count,
	struct curve_span *out);

#endif
