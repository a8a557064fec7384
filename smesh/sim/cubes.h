/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A machine that reconfigures: cubes of nodes with fixed links inside, joined by optical switches
 * (Jouppi et al., "TPU v4: an optically reconfigurable supercomputer for machine learning with
 * hardware support for embeddings", ISCA 2023). A box may lie over any cubes that have its parts
 * free (cubes_rooms.h), as the switches make them neighbours.
 *
 * For the engine it is a strategy; the mesh only says which nodes make a cube. Hops across cubes
 * are those of the slice.
 */
#ifndef SMESH_CUBES_H
#define SMESH_CUBES_H

#include "base/mesh.h"
#include "ask/strategy.h"

struct cubes {
	int side[MESH_MAX_DIMS]; /* in vertices; each divides the mesh's side */
};

/* Parse AxBxC[:chips] for a mesh without holes. Untrusted text. 0, or -1 with text. */
int cubes_parse(
	const char *text, const struct mesh *mesh, struct cubes *cubes, struct mesh_err *err);

/*
 * The strategies' row "cubes" for a machine. `cubes` must stay valid; a strategy reads it when it
 * is made.
 *
 * A shape is turned, and with :fold also folded with one hop a step, into all boxes that are
 * possible. If it is no torus, it is also folded into boxes whose longest side is up to a
 * sixteenth longer; the job then also holds the end. The box that opens the fewest wholly free
 * cubes is taken, of equal ones the box in the fewest cubes.
 *
 * A torus (:torus), and a job of more nodes than a cube has, gets whole cubes. Its sides are
 * rounded up to multiples of a cube's, unused nodes are idle, and the answer has more nodes than
 * were asked for. Inside a cube there is no torus, except those that can be folded into it.
 */
struct strategy_ops cubes_strategy(const struct cubes *cubes);
bool cubes_is(const struct strategy_ops *ops);

/* A box with links of its own: a torus, except for sides that do not span whole cubes. */
struct slice {
	int ndims; /* sides beyond are 1 */
	int side[MESH_MAX_DIMS];
	bool open[MESH_MAX_DIMS]; /* a line, not a ring */
};

/* The slice of the last answer of such a strategy; NULL: a box inside one cube. */
const struct slice *cubes_slice(const struct strategy *strategy);

/* The share of cubes with a node in `down`: no slice of several cubes can have them. */
double cubes_lost(const struct mesh *mesh, const struct cubes *cubes, const struct nodeset *down);

/* Add each node to `down` with probability 1 - availability. */
void cubes_draw(struct nodeset *down, double availability, uint64_t seed);

#endif
