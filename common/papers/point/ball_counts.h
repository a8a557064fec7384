/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes in the small L1 balls around every vertex of a mesh at once, radius after radius.
 *
 * Cut across a dimension d, a ball is a stack of slices, which are balls in the other dimensions.
 * For a ball around v with radius r, let b(r, v) be the slice that holds v. Then
 *
 *     ball(r, v) = ball(r-1, v + one step along d) + ball(r-1, v - one step) - ball(r-2, v)
 *                  + b(r, v) - b(r-2, v)
 *
 * So a radius costs a few additions a vertex, in the order of memory. At the end of a line, where a
 * neighbour is missing, ball(r-2, v) is what it would have. On a ring of `side` vertices this is
 * corrected by the slices that are side/2 steps away. So a ball may be larger than the ring.
 *
 * For all radii two things are kept: the whole balls, and for each dimension the slices across it.
 * The slices of a ball across dimension d are its marginal along d.
 *
 * Memory: 2 bytes a vertex for each radius and each kind of ball that is kept: on meshes of three
 * dimensions 8 bytes a radius and a vertex, on tori 14. The tables end at the radius where a slice
 * may not fit into 16 bits, or where they would be too large (BALL_COUNTS_BYTES). Memory for radii
 * that nobody asks for is never touched. A whole ball that does not fit into 16 bits is the sum of
 * its slices (from whole_to on).
 */
#ifndef MESH_BALL_COUNTS_H
#define MESH_BALL_COUNTS_H

#include <stddef.h>

#include <stdint.h>

#include "base/arena.h"
#include "base/mesh.h"

#define BALL_COUNTS_BYTES 1024	/* a vertex, for the tables */
#define BALL_COUNTS_BYTES_LARGE 576	/* the same for meshes of more vertices than: */
#define BALL_COUNTS_SMALL 65536
#define BALL_COUNTS_MOST (BALL_COUNTS_BYTES / 4) /* radii */
/*
 * Rows of free nodes, and of slices across dimension 0, continue at both ends: by this many
 * places, for vectors that begin or end outside the mesh, and on a ring by half of it, or as far
 * as slices reach. Beyond the ends of a line there are 0 nodes.
 */
#define BALL_COUNTS_MARGIN 16

struct ball_counts_set; /* balls of some of the dimensions */

struct ball_counts_view { /* [radius][row][pitch]; vertex (x, row) of radius r at r*size + row*pitch
			     + x */
	const uint16_t *at;
	size_t pitch, size;
};

struct ball_counts {
	const struct mesh *mesh;
	/* The part of the mesh that has the nodes and the centres: fewer rows, of full length. Only
	 * its sides, strides and number of vertices are used. */
	struct mesh grid;
	int corner[MESH_MAX_DIMS]; /* the grid's lowest coordinates in the mesh */
	int most; /* there is room for radii 0..most-1 */
	int n;	  /* radii 0..n-1 are computed */
	int whole_to; /* smaller radii have counts of whole balls, larger ones only slices */
	int nsets;
	int whole, first; /* indices into set[]: all dimensions; all but the first, -1 if there
			     is one */
	struct ball_counts_set *set;
	uint16_t *narrow; /* [rows][pitch] free nodes of the vertices */
	uint16_t *wide_slices; /* slices across dimension 0, continued at both ends */
	uint16_t *nothing; /* zeros, as many as narrow[] has */
	int below, above; /* places before and behind a row of wide_slices */
	uint16_t *wide_weight; /* free nodes, continued at both ends */
	int wide; /* places before and behind a row of wide_weight */
	/* For look-ups: */
	struct ball_counts_view ball, slice[MESH_MAX_DIMS];
	struct ball_counts_view weight; /* free nodes, of one radius */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int ball_counts_init(struct ball_counts *balls, const struct mesh *mesh, struct arena *arena);

/*
 * Read weight[nvertices], the free nodes on each vertex. No radius is computed yet. The vertices
 * with nodes, and all that will be looked up, have coordinates low[d]..high[d] (the first
 * dimension and rings are taken whole).
 */
void ball_counts_load(
	struct ball_counts *balls, const int *weight, const int *low, const int *high);

/* The first vertex of a row of the grid. */
int ball_counts_vertex(const struct ball_counts *balls, int row);

/* Compute all radii up to this one, if there is room. O(vertices) for each new radius. */
void ball_counts_extend(struct ball_counts *balls, int radius);

/* Is there room for this radius? Then ball_counts_extend() makes it available. */
static inline bool ball_counts_serve(const struct ball_counts *balls, int radius)
{
	return radius < balls->most;
}

#endif
