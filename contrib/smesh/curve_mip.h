/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orders that are proved to be best, or how far they may be from it: the integer program of
 * Leung et al., section 2.2, given to CBC where smesh is built with it.
 */
#ifndef SMESH_CURVE_MIP_H
#define SMESH_CURVE_MIP_H

#include "geometry/curve_search.h"

/* The program has n^4/2 variables: beyond this many vertices it is not worth setting up. */
enum { CURVE_MIP_VERTICES = 10 };

/* Is there a solver at all? */
bool curve_mip_present(void);

struct curve_proof {
	int *order; /* [n] vertices */
	int n;
	double bound; /* no order costs less; left as it is where nothing was learnt */
	bool proved;  /* order[] is the best there is */
};

/*
 * Look for an order of the same n vertices that costs less than order[], for at most that many
 * seconds. Puts it in order[] if there is one. 0, or -1 when memory is out.
 */
int curve_mip(const struct curve_goal *goal, double seconds, struct curve_proof *proof);

#endif
