/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Can a grid be folded into another grid of the same size so that each of its steps is one hop?
 *
 * It can if and only if the sides of the other can be divided among the sides of the grid so that
 * the product of each share is the length of the grid's side (a ring of 4 counts as two sides of
 * 2). For a side that is a ring, the box of its share must have a cycle through all points. A walk
 * through all points of a share always exists, to and fro.
 *
 * Two sides of the grid cannot use the same side of the other. A square of the grid is a square in
 * the other, so a side's steps are the same at all positions of the other sides; two sides in
 * parallel would meet. (tests/unit/ranks/test_embed.c compares this with an exhaustive search up
 * to 16 points; ranks/embed.h makes the folding.)
 */
#ifndef MESH_FOLD_H
#define MESH_FOLD_H

#include <stdbool.h>

enum { FOLD_DIMS = 7 };

struct fold_grid {
	int ndims; /* 1..FOLD_DIMS */
	int side[FOLD_DIMS];  /* >= 1 */
	bool ring[FOLD_DIMS]; /* the last is next to the first */
};

/*
 * Can the grid be folded into all of `into`? Tries ways to divide the sides, some thousands at
 * worst.
 */
bool fold_fits(const struct fold_grid *grid, const struct fold_grid *into);

#endif
