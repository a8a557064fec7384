/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The vertices of a job as bitmaps, one for each row of the mesh along the first dimension, so that
 * metrics take a word of vertices at a time: marginals, diameter, connected components.
 *
 * Each row begins a new 64-bit word. The words in use are listed, so that a small job on a large
 * machine costs little.
 */
#ifndef MESH_ROWSET_H
#define MESH_ROWSET_H

#include "base/mesh.h"

struct rowset {
	const struct mesh *mesh;
	int row_words;	/* words of a row */
	int *slot;	/* [nnodes] 64 * word + bit of a node's vertex */
	uint64_t *word; /* [rows * row_words] 0 where there is nothing */
	int *used;	/* [nused of nnodes] words that are not 0, in no order */
	int nused;
	int *first_run; /* [rows * row_words] of a word in use: the number of its first run of bits
			 */
	int *parent;	/* [nnodes] of runs: the union-find forest of components */
};

/* An empty one; the mesh must outlive it. 0, or -1 when memory is out. rowset_release() either
 * way. */
int rowset_init(struct rowset *rows, const struct mesh *mesh);
void rowset_release(struct rowset *rows);

/* Make it the vertices of node[count], each counted once. O(count + words in use before). */
void rowset_fill(struct rowset *rows, const int *node, int count);
/* Its vertices, each once, to vertex[]; how many. */
int rowset_vertices(const struct rowset *rows, int *vertex);
/*
 * How many of its vertices have each coordinate, into marginal[sum of sides], one dimension after
 * the other. O(vertices + sides).
 */
void rowset_marginals(const struct rowset *rows, int *marginal);
/* Most hops between two of its vertices; only on meshes without wrap. O(words in use * 2^d). */
int rowset_diameter(const struct rowset *rows);
/* Connected components of its vertices. O(runs of bits * d), almost. */
int rowset_components(struct rowset *rows);

#endif
