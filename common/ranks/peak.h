/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Items that talk to each other put onto sites so that no link carries much: when all send at once,
 * the time depends on the most loaded link (T. Hoefler and M. Snir, "Generic topology mapping
 * strategies for large-scale parallel architectures", 2011). Routes are those of
 * contention/links.h.
 */
#ifndef MESH_PEAK_H
#define MESH_PEAK_H

#include <stdint.h>

#include "base/mesh.h"
#include "ranks/traffic.h"

struct peak_input {
	const struct mesh *mesh;
	const struct traffic *traffic; /* half of a weight goes in each direction */
	const int *vertex;	       /* the vertex of each site */
};

/* The load of the most loaded link with item i on site[i]; < 0 when memory is out. O(edges *
 * hops). */
double peak_load(const struct peak_input *input, const int *site);

/*
 * Improve site[] by exchanging items, `moves` of them tried by annealing; never makes the peak
 * higher. The peak reached, or < 0 when memory is out. What is annealed is the sum of the fourth
 * powers of the loads, which sees all links that are near the peak, and not one of them alone.
 */
double peak_improve(const struct peak_input *input, int64_t moves, uint64_t seed, int *site);

#endif
