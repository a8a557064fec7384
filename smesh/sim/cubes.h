/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A machine that reconfigures: cubes of nodes with fixed links inside, joined by optical switches
 * (Jouppi et al., "TPU v4: an optically reconfigurable supercomputer for machine learning with
 * hardware support for embeddings", ISCA 2023). A job of more than a cube gets whole cubes, any
 * that are free, as the switches make them its torus; a smaller one a box inside one cube.
 *
 * To the engine it is a strategy: the mesh says only which nodes make a cube. Hops across cubes are
 * those of the slice (slice.h).
 */
#ifndef SIM_CUBES_H
#define SIM_CUBES_H

#include "base/mesh.h"
#include "sim/slice.h"
#include "strategy/strategy.h"

struct cubes {
	int side[MESH_MAX_DIMS]; /* in vertices; each divides the mesh's */
	bool twist; /* slices that can be a twisted torus are one */
};

/* AxBxC[:chips] for a mesh without holes. Untrusted text. 0, or -1 with text. */
int cubes_parse(
	const char *text, const struct mesh *mesh, struct cubes *cubes, struct mesh_err *err);

/*
 * The row "cubes" of a machine. Its sides are read when a strategy is made of it; they must stay.
 *
 * Sides that are no multiples of a cube's are rounded up: what the job does not use is idle, and
 * the answer has more nodes than were asked for. A shape is turned so that it takes the fewest
 * cubes; of cubes wholly free the first are taken, of those for a small job the one with the fewest
 * free nodes. :torus is met by whole cubes, inside of one there is none. A shape that may be folded
 * (:fold) and does not fill cubes as it is gets those that it fills when folded with one hop a
 * step, if there is such a torus of cubes or box in one. O(nodes).
 */
struct strategy_ops cubes_strategy(const struct cubes *cubes);
bool cubes_is(const struct strategy_ops *ops);

/*
 * The sides in vertices of the slice that a request gets of a strategy of such a row: of its shape,
 * or for a number of nodes as near to a cube as can be. False: it is inside one cube, or can never
 * be.
 */
bool cubes_slice(
	struct strategy *strategy, const struct mesh_request *request, struct slice *slice);

/* How many cubes there are, and the share of them with a node in `down`, which no slice of several
 * cubes can have. */
int cubes_count(const struct mesh *mesh, const struct cubes *cubes);
double cubes_lost(const struct mesh *mesh, const struct cubes *cubes, const struct nodeset *down);

/* Add each node with chance 1 - availability. */
void cubes_draw(struct nodeset *down, double availability, uint64_t seed);

#endif
