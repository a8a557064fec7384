/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The least sum of hops over pairs of `count` free vertices of a grid, proved by cuts. Hops along a
 * dimension are the cuts between two coordinates: along a line those after each coordinate, in a
 * ring those that halve it. So the sum is one of h * (count - h) over cuts, with h vertices on one
 * side. A part of the search has limits of each h; between them the line through the ends of
 * h * (count - h) is below it, and the least sum of lines takes the `count` cheapest vertices.
 */
#ifndef CUTS_H
#define CUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mesh.h"

enum { CUTS_MOST = 64 }; /* cuts of all dimensions */

struct cuts_proof {
	const struct mesh *mesh; /* without a graph; one node a vertex */
	const int *vertex;	 /* [n] the free ones */
	int n, count;
	int64_t nodes; /* of the tree: the most */
	/* In: what is known to be possible. Out: the least, if it is proved. */
	int64_t least;
	int64_t bound; /* no set has less */
};

/* Does this machine have few enough cuts? */
bool cuts_can(const struct mesh *mesh);

/* 0, or -1 when memory is out. */
int cuts_find(struct cuts_proof *proof);

#endif
