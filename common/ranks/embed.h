/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Embeds process grids into boxes of the machine by folding, so that neighbours of the grid are
 * neighbours in the box, or nearly.
 *
 * Each side of the grid is a product of factors, one for each side of the box. Each side of the
 * box is the product of the factors that it gets:
 *
 *	side g of the grid:	a walk, or a cycle where the grid is periodic, through the box of
 *				g's factors (R. Ma and L. Tao, "Embeddings among toruses and
 *				meshes", 1987; F. Harary, "Graph theory", on products of cycles)
 *	side h of the box:	the little grid of h's factors, laid out along a line or ring: in
 *				nested order, each turn reflected or not (binary reflected Gray
 *				code is 2x2x... of these)
 *
 * Every choice of factors is tried and priced exactly. If all steps of the grid can be single
 * hops, they are (boxes/fold.h says when).
 */
#ifndef MESH_EMBED_H
#define MESH_EMBED_H

#include "base/mesh.h"
#include "ranks/traffic.h"

enum { EMBED_DIMS = MESH_MAX_DIMS + 1 };

struct embed_box {
	int ndims;		  /* 1..EMBED_DIMS */
	int side[EMBED_DIMS];	  /* >= 1 */
	bool wrap[EMBED_DIMS];	  /* the last coordinate is one hop from the first */
	bool shared[EMBED_DIMS];  /* steps along it are no hop: it counts nodes of one vertex */
};

/*
 * Set place[rank] to an index into the box, first dimension fastest, and *hop_bytes to the sum of
 * weights times hops. 0; 1: grid and box differ in size; -1: memory is out. O(choices of factors *
 * sum of sides); the choices are limited.
 */
int embed_grid(const struct traffic_grid *grid, const struct embed_box *box, int *place,
	double *hop_bytes);

#endif
