/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cubes as sets of free vertices, and boxes laid over several of them.
 *
 * The switches join any cubes into a grid of them, face to face. A box that begins at some place of
 * a cube is cut by the faces into parts, each a box inside one cube; any cube will do for a part
 * that has these vertices free, as its links to the others leave it at the same places of the
 * faces. So cubes can be shared by jobs, and no link by two.
 */
#ifndef SIM_CUBES_ROOMS_H
#define SIM_CUBES_ROOMS_H

#include "base/mesh.h"
#include "base/nodeset.h"
#include "ask/strategy.h"

struct rooms_box {
	int side[MESH_MAX_DIMS]; /* in vertices */
	int volume, length;	 /* length: the sum of the sides */
	int cubes;		 /* that it takes at least */
	bool whole;		 /* all of them belong to the job, filled or not */
};

struct rooms_part; /* boxes inside a cube, and how many such there are in the box at hand */

struct rooms {
	int ndims, side[MESH_MAX_DIMS];
	int count, volume; /* cubes, and vertices of each */
	int words;	   /* of a set of a cube's vertices */
	const struct mesh *mesh;
	int *vertex;	   /* [count * volume] by cube, dimension 0 fastest; the caller sets it */
	uint64_t *free;	   /* [count] sets */
	int *nfree, *order; /* [count] free vertices; the cubes, fewest of them first */
	uint64_t *below;   /* by dimension, for 0..side the set of what is below; see slab() */
	struct rooms_part *part;
	int nparts;
	uint64_t *mask;	   /* [parts] sets */
	int *taken;	   /* [count] 1 + the part that is laid into it, or 0 */
};

/* The next of all at[] below limit[]; false after the last. */
bool rooms_step(int ndims, int *at, const int *limit);

/* All cubes of the mesh, of these sides. 0, or -1 when memory is out. The arena frees it. */
int rooms_init(
	struct rooms *rooms, const struct mesh *mesh, const int *side, struct arena *arena);

/* The vertices all of whose nodes are in the set are free. O(nodes + cubes^2) at worst. */
void rooms_load(struct rooms *rooms, const struct nodeset *set);

/*
 * How many cubes that are wholly free the box needs at the place at[] that needs the fewest, or -1
 * if there is none. It is laid over as few cubes as it can be; each part goes, large ones first,
 * into the cubes that will do with the fewest vertices free. O(places * parts * cubes).
 */
int rooms_best(struct rooms *rooms, const struct rooms_box *box, int *at);

/* The nodes of the box, laid there again. */
void rooms_take(struct rooms *rooms, const struct rooms_box *box, const int *at,
	struct mesh_answer *answer);

#endif
