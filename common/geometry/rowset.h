/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The vertices of a job as rows of bits along the first dimension, so that what many vertices have
 * in common is found a row at a time: how many there are at each coordinate, how far they are
 * apart, and of how many pieces they consist.
 *
 * Each row begins a word of its own. What is in use is listed, so that a small job on a large
 * machine costs little.
 */
#ifndef MESH_ROWSET_H
#define MESH_ROWSET_H

#include "base/mesh.h"

struct rowset {
	const struct mesh *mesh;
	int row_words;	/* of a row of vertices */
	int *slot;	/* [nnodes] 64 * word + bit of a node's vertex */
	uint64_t *word; /* [rows * row_words] 0 where there is nothing */
	int *used;	/* [nused of nnodes] words that are not 0, in no order */
	int nused;
	int *first_run; /* [rows * row_words] of a word in use: the number of its first run of bits */
	int *parent;	/* [nnodes] of such runs: components */
};

/* An empty one; the mesh must outlive it. 0, or -1: out of memory, rowset_release() all the same. */
int rowset_init(struct rowset *rows, const struct mesh *mesh);
void rowset_release(struct rowset *rows);

/* The vertices of these nodes instead of those before. O(count + words in use before). */
void rowset_fill(struct rowset *rows, const int *node, int count);
/* How many of its vertices have each coordinate: all dimensions side by side. O(vertices + sides). */
void rowset_marginals(const struct rowset *rows, int *marginal);
/* Most hops between two of its vertices; only on meshes without wrap. O(words in use * 2^d). */
int rowset_diameter(const struct rowset *rows);
/* How many pieces, neighbours being joined. O(runs of bits * d), almost. */
int rowset_components(struct rowset *rows);

#endif
