/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes in the small L1 balls around every vertex of a mesh at once, radius after radius.
 *
 * A ball of the dimensions D with its centre at v is a stack, along any one dimension d of them, of
 * balls of the others. Let up(r, v) be its upper half, v's own slice included, and b(r, v) that
 * slice, a ball of the dimensions D without d. Then
 *
 *     up(r, v)   = b(r, v) + up(r-1, v + one step along d)
 *     down(r, v) = b(r, v) + down(r-1, v - one step)
 *     ball(r, v) = up(r, v) + down(r, v) - b(r, v)
 *
 * so that a radius costs a few additions a vertex, in the order of memory. On a ring of `side`
 * vertices a half ends side/2 (down) or (side-1)/2 (up) steps away: what the recurrence has beyond
 * is one slice, and is taken off. So balls may meet themselves.
 *
 * What is kept for all radii: the whole balls, and for each dimension the slices of these across
 * it, whose stacks are a ball's marginals.
 *
 * Memory: 2 bytes a vertex for each radius and each kind of ball kept, and for the halves at
 * hand: on three-dimensional meshes 8 bytes a radius and a vertex, on tori 14. Radii end where
 * slices would not fit 16 bits, or this would be too much (BALL_COUNTS_BYTES); what is not used is not
 * touched. Whole balls that do not fit are their slices' sums (balls.whole_to).
 */
#ifndef MESH_BALL_COUNTS_H
#define MESH_BALL_COUNTS_H

#include <stddef.h>

#include "geometry/halo.h"

#define BALL_COUNTS_BYTES 1024	/* a vertex, for what is looked up */
#define BALL_COUNTS_BYTES_LARGE 576	/* the same with more vertices than */
#define BALL_COUNTS_SMALL 65536
#define BALL_COUNTS_MOST (BALL_COUNTS_BYTES / 4) /* radii */
/* Rows of free nodes, and of slices across dimension 0, go on at both ends: so many places, for
 * vectors that begin or end outside the mesh, and half a ring or as far as slices reach. There
 * is nothing beyond a line. */
#define BALL_COUNTS_MARGIN 16

struct ball_counts_set; /* balls of some of the dimensions */

struct ball_counts_view { /* [radius][row][pitch]; vertex (x, row) of radius r at r*size + row*pitch + x */
	const uint16_t *at;
	size_t pitch, size;
};

struct ball_counts {
	const struct mesh *mesh;
	int most; /* radii 0..most-1 there is room for */
	int n;	  /* radii 0..n-1 are worked out */
	int whole_to; /* radii below have counts of whole balls; beyond, of slices only */
	int nsets, whole, first; /* sets: all dimensions, and all but the first (-1: there is none) */
	struct ball_counts_set *set;
	uint16_t *narrow; /* [rows][pitch] free nodes of the vertices */
	uint16_t *wide_slices; /* with halos: slices across dimension 0 */
	uint16_t *nothing; /* as many noughts as a narrow array */
	int below, above; /* their rows' halos */
	/* To look up: */
	struct ball_counts_view ball, slice[MESH_MAX_DIMS];
	struct halo weight; /* free nodes */
};

/* 0, or -1 when memory is out. ball_counts_release() either way. */
int ball_counts_init(struct ball_counts *balls, const struct mesh *mesh);
void ball_counts_release(struct ball_counts *balls);

/* Take over weight[vertex], the free nodes there. */
void ball_counts_load(struct ball_counts *balls, const int *weight);

/* Work out all radii up to this one, if there is room for it. O(vertices) for each new one. */
void ball_counts_extend(struct ball_counts *balls, int radius);

/* Can balls of this radius be looked up? */
static inline bool ball_counts_serve(const struct ball_counts *balls, int radius)
{
	return radius < balls->most;
}

#endif
