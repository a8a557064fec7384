/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cuts a graph into two parts of given sizes so that little is sent between them. Vertices may
 * lean to one part.
 */
#ifndef MESH_BIPART_H
#define MESH_BIPART_H

#include <stdint.h>

#include "base/arena.h"

/* An undirected graph as compressed rows; each edge is in the rows of both its ends. */
struct bipart_graph {
	int n;
	int *start, *to; /* [n+1], [start[n]] */
	double *weight;  /* [start[n]] >= 0 */
	int *size;	 /* [n] >= 1 */
	double *bias; /* [n] what part 1 saves against part 0; may be < 0 */
};

/* Take memory for n vertices and so many entries of rows. 0, or -1 when memory is out. */
int bipart_graph_init(struct bipart_graph *graph, int n, int rows, struct arena *arena);

/*
 * Set part[n] to 0 or 1. The sizes in part 0 add up to `first` if all sizes are 1, otherwise as
 * nearly as the refinement achieves. The weight between the parts, less the bias of part 1, is
 * made small. *random: the state of random.h. 0, or -1 when memory is out.
 *
 * Multilevel: heavy edges are contracted (B. Hendrickson and R. Leland, "A multilevel algorithm
 * for partitioning graphs", 1995; G. Karypis and V. Kumar, 1998), the coarsest graph is cut by
 * growing one part, and each level back is refined (C. Fiduccia and R. Mattheyses, "A linear-time
 * heuristic for improving network partitions", 1982). O(edges * log n).
 */
int bipart(const struct bipart_graph *graph, int first, uint64_t *random, int *part);

#endif
