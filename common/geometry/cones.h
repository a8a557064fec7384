/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes in diamonds (2-D L1 balls) of a 3-D mesh from four look-ups each, whatever their
 * radius: summed-area tables turned by 45 degrees, for the planes across each dimension.
 *
 * In a plane with coordinates a and b let A(a, b) be the sum over the cone below (a, b), the
 * cells (a', b') with b' <= b and |a'-a| <= b-b', and B(a, b) that of the cone whose tip is half
 * a step further along both. The diamond of radius r around (a, b) is
 *
 *     A(a, b+r) - B(a-r-1, b-1) - B(a+r, b-1) + A(a, b-r-1)
 *
 * Both tables take one pass: a cone is the cone of the row below and the two rays at its edges.
 * The plane goes on beyond the mesh by `reach` on all sides, empty or around the ring, so
 * that all of this holds at its borders too. Dimension 0 is always the innermost of the layout:
 * look-ups of neighbouring centres are neighbours.
 *
 * Memory: up to 348 bytes a vertex on cubes up to 100x100x100 (a reach of 1.5 sides, which
 * requests for a large part of the machine use), less on larger ones; what is not used is not
 * touched: 104 at a reach of 64 on 100x100x100.
 */
#ifndef MESH_CONES_H
#define MESH_CONES_H

#include <stddef.h>

#include "base/mesh.h"

/* Planes with ray axis a and cone axis b; one for each value of the third, `across`. */
struct cone_planes {
	int ray, cone, across;
	int low;		/* first row along the cone axis that is not empty */
	size_t shift;		/* one step along the ray axis */
	size_t row;		/* one step along the cone axis */
	size_t plane_a, plane_b; /* one step across; 1 where that is dimension 0 */
	/* Cones with their tips at coordinates 0, 0 of plane 0; the steps above lead to others. */
	const int *a, *b;
	int *memory;
	size_t room;
};

struct cones {
	const struct mesh *mesh;
	int most;  /* the greatest reach there is room for; 0: not for this mesh */
	int reach; /* of the tables as loaded: diamonds with radii below it */
	size_t pitch;
	struct cone_planes planes[3]; /* by the dimension across: 2 (x,y), 1 (x,z), 0 (y,z) */
	int *ray[4], *extended;
};

/* 0, or -1 when memory is out. cones_release() either way. Meshes that are not 3-D have none. */
int cones_init(struct cones *cones, const struct mesh *mesh);
void cones_release(struct cones *cones);

/* Sums of weight[vertex] for radii below reach, or as far as there is room. O(n). */
void cones_load(struct cones *cones, const int *weight, int reach);

/* Could the diamonds of an octahedron of this radius be looked up, were the tables loaded so far?
 * On a ring none may meet itself. */
bool cones_can_serve(const struct cones *cones, int radius);

/* Can they be? */
bool cones_serve(const struct cones *cones, int radius);

#endif
