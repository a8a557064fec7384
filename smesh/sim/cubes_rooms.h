/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cubes as sets of free vertices, and boxes that lie over several cubes.
 *
 * The switches join any cubes into a grid, face to face. A box that begins at some place of a cube
 * is cut by the faces into parts, each a box inside one cube. Any cube with these vertices free
 * can take a part: its links to the other parts leave it at the same places of the faces. So jobs
 * can share cubes, but no link.
 */
#ifndef SMESH_CUBES_ROOMS_H
#define SMESH_CUBES_ROOMS_H

#include "base/mesh.h"
#include "base/nodeset.h"
#include "ask/strategy.h"

struct rooms_box {
	int side[MESH_MAX_DIMS]; /* in vertices */
	int volume, length;	 /* length: the sum of the sides */
	int cubes;		 /* the least number of cubes that it takes */
	bool whole;		 /* all of these belong to the job, filled or not */
};

struct rooms_part; /* boxes inside a cube, and how many of each the current box has */

struct rooms {
	int ndims, side[MESH_MAX_DIMS];
	int count, volume; /* number of cubes, and vertices of each */
	int words;	   /* in a set of a cube's vertices */
	const struct mesh *mesh;
	int *vertex;	   /* [count * volume] by cube, dimension 0 fastest; set by the caller */
	uint64_t *free;	   /* [count] sets */
	int *nfree, *order; /* [count] free vertices of each; cubes, fewest free ones first */
	uint64_t *below;   /* by dimension, for 0..side the set of lower vertices; see slab() */
	struct rooms_part *part;
	int nparts;
	uint64_t *mask;	   /* [parts] sets */
	int *taken;	   /* [count] 1 + the part that lies in the cube, or 0 */
};

/* All cubes of these sides in the mesh. The arena owns all memory. */
void rooms_init(
	struct rooms *rooms, const struct mesh *mesh, const int *side, struct arena *arena);

/* Load the vertices whose nodes are all in the set as free. O(nodes + cubes^2) at worst. */
void rooms_load(struct rooms *rooms, const struct nodeset *set);

/*
 * Find the place at[] where the box needs the fewest wholly free cubes. Returns how many; -1:
 * there is no place. The box lies over as few cubes as possible. Each part goes, large ones first,
 * into the cubes with the fewest free vertices that can take it. O(places * parts * cubes).
 */
int rooms_best(struct rooms *rooms, const struct rooms_box *box, int *at);

/* Lay the box at that place again, and take its nodes. */
void rooms_take(struct rooms *rooms, const struct rooms_box *box, const int *at,
	struct mesh_answer *answer);

#endif
