/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Can a grid be folded into another so that each of its steps is one hop?
 *
 * It can exactly if the sides of the other, a ring of 4 counting as two sides of 2, can be dealt
 * out among the grid's so that each gets its length as their product; where the grid's side is a
 * ring, its share must have a cycle through all points. Two sides of the grid cannot share steps
 * along one side of the other: a square of the grid is a square there, so that a side's steps are
 * the same at all positions of the other sides, and two that ran in parallel would meet. A walk
 * through a share always exists, to and fro. (Checked against a search of everything up to 16
 * points, and made by ranks/embed.h.)
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

/* Into all of it: they are equally large. Ways to deal out are tried until one fits, equal sides
 * in one order only: some thousands at worst. */
bool fold_fits(const struct fold_grid *grid, const struct fold_grid *into);


#endif
