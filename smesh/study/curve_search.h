/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orders made to measure, for machines with holes, failed nodes or odd shapes.
 *
 *   V. Leung et al., "Processor allocation on Cplant", section 2.2: of all orders take the one
 *   with the least sum over pairs of vertices of w(difference of their ranks) x hops, w falling
 *   fast. In a ring the difference is taken the short way round.
 *
 * Here w(d) = falloff^d for d <= reach, and 0 beyond, where it is too small to matter.
 */
#ifndef MESH_CURVE_SEARCH_H
#define MESH_CURVE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mesh.h"

enum { CURVE_MAX_REACH = 64 };

struct curve_goal {
	const struct mesh *mesh;
	bool ring;
	int reach; /* 1..CURVE_MAX_REACH */
	double weight[CURVE_MAX_REACH + 1]; /* [1..reach] */
};

/* w(d) = falloff^d, 0 < falloff < 1; the reach ends where w is below 1e-5 of w(1). */
void curve_goal_init(struct curve_goal *goal, const struct mesh *mesh, bool ring, double falloff);

/* The sum for the vertices order[n]. O(n reach). */
double curve_cost(const struct curve_goal *goal, const int *order, int n);

/*
 * No order of these vertices costs less (Gilmore and Lawler's argument: the heaviest weights
 * of a rank meet the shortest distances of a vertex). A negative number when memory is out.
 * O(n nvertices), so for n up to some 10,000.
 */
double curve_bound(const struct curve_goal *goal, const int *order, int n);

struct curve_search {
	uint64_t seed;
	int64_t budget_ns; /* of wall-clock time; 0: no step is tried */
	/* Called some 50 times, with the part of the time that has passed (0 to 1) and the least
	 * cost so far; may be NULL. A result other than 0 stops the search. */
	int (*progress)(void *data, double part, double cost);
	void *data;
};

/*
 * Improve order[n] (any vertices, each once) by simulated annealing: reversing a stretch or
 * moving a short one, so that neighbours in the machine come together. The best order seen is
 * left in order[]; it is never worse than what was there. 0, or -1 when memory is out.
 */
int curve_improve(const struct curve_goal *goal, const struct curve_search *search, int *order,
	int n);

#endif
