/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes around a centre that take some of the cube with its neighbours: for point_boxes.c, where
 * requests of a few nodes end around very many centres, which are looked at one by one.
 *
 * The ball is the centre, and hops to it are those of the offset; hops between the cube's cells are in
 * a table. Memory: 64 kB for that at most.
 */
#ifndef MESH_POINT_CUBE_H
#define MESH_POINT_CUBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mesh.h"

struct point;

#define CUBE_CELLS 256 /* cubes of more cells have no table */

/* Around the centres of a row, those of the cube's rows that are inside the mesh, as vertices come. */
struct point_cube {
	int n; /* cells, in the order of offsets, the first dimension's fastest; 0: not served */
	int along, nrows; /* cells in a row; rows */
	int centre; /* its cell */
	int pitch;
	uint8_t *hops;	/* [n][pitch] */
	uint8_t *middle; /* [n] hops to the centre */
	int row_of, nhere; /* a row of centres, -1: none; so many of the cube's are there */
	struct {
		int step; /* in vertex numbers */
		int cell; /* the first one */
	} here[CUBE_CELLS];
};

/* 0, or -1 when memory is out; point_cube_release() either way. */
int point_cube_init(struct point_cube *cube, const struct mesh *mesh);
void point_cube_release(struct point_cube *cube);

/* Does the ball end in the cube, and is there a table? radius: of the ball, as point_bound's. */
bool point_cube_serves(const struct point *point, int radius);

/*
 * The total around the centre with `wanted` nodes, none of them required, or anything above limit
 * when it is above.
 */
int64_t point_cube_total(struct point *point, int centre, int64_t limit);

#endif
