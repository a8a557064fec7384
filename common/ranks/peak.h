/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts items that talk to each other onto sites so that no link carries much: if all send at once,
 * the time depends on the most loaded link (T. Hoefler and M. Snir, "Generic topology mapping
 * strategies for large-scale parallel architectures", 2011). Routes are those of links/links.h.
 */
#ifndef MESH_PEAK_H
#define MESH_PEAK_H

#include <stdint.h>

#include "base/mesh.h"
#include "ranks/traffic.h"

struct peak_input {
	const struct mesh *mesh;
	const struct traffic *traffic; /* without steps half of a weight goes in each direction */
	const int *vertex;	       /* the vertex of each site */
};

struct peak_loads {
	double highest; /* of the most loaded link */
	/* The fourth root of the sum of fourth powers, which reflects all links near the highest.
	 * If steps are known: their sum, and three tenths of that of all. */
	double cost;
};

/* Compute the loads with item i on site[i]. 0, or -1 when memory is out. O(edges * hops). */
int peak_loads(const struct peak_input *input, const int *site, struct peak_loads *loads);

/*
 * Lower the cost of site[] by exchanging items and by reversing short rows of them, with `moves`
 * tries of annealing, for two items or more; the cost never rises. Fewer than 100 tries do nothing,
 * in no time. 0, or -1 when memory is out. Programs run shorter with the least cost than with the
 * lowest peak (doc/lab/smpi.md).
 */
int peak_improve(const struct peak_input *input, int64_t moves, uint64_t seed, int *site);

#endif
