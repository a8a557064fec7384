/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes of the vertices of a mesh, going on beyond its ends: around a ring, and nothing
 * beyond a line. What lies around a vertex is then at the same distance in memory for all.
 *
 * Memory: 2 bytes a vertex, 8 a row, and margins along dimension 0. Up to three dimensions there are
 * margins along the others too, of up to seven vertices or half a side.
 */
#ifndef MESH_MARGINS_H
#define MESH_MARGINS_H

#include <stddef.h>

#include "base/mesh.h"

struct margins {
	const struct mesh *mesh;
	uint16_t *all;
	const uint16_t *at;	    /* vertex 0 */
	size_t step[MESH_MAX_DIMS]; /* to the next vertex along a dimension */
	size_t *row;		    /* from vertex 0 to the first one of a row of the mesh */
	int wide, deep;		    /* margins along dimension 0, and along the others */
};

/* 0, or -1 when memory is out; margins_release() either way. */
int margins_init(struct margins *margins, const struct mesh *mesh, int wide);
void margins_release(struct margins *margins);

/* Take over count[], in rows so far apart. */
void margins_load(struct margins *margins, const uint16_t *count, size_t pitch);

#endif
