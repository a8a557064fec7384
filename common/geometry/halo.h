/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A copy of a count per vertex (its free nodes) that goes on beyond the ends of the mesh: a
 * dimension that wraps is repeated there, beyond a border there are zeros. The neighbour at a given
 * offset is then at the same distance in memory for every vertex, without a test for the border.
 *
 * Memory: 2 bytes a vertex, 8 a row, and the halos along dimension 0. Up to three dimensions there
 * are halos along the others too, as deep as seven vertices or half a side, whichever is less.
 */
#ifndef MESH_HALO_H
#define MESH_HALO_H

#include <stddef.h>

#include "base/mesh.h"

struct halo {
	const struct mesh *mesh;
	uint16_t *all;
	const uint16_t *at;	    /* vertex 0 */
	size_t step[MESH_MAX_DIMS]; /* to the next vertex along a dimension */
	size_t *row;		    /* from vertex 0 to the first one of a row of the mesh */
	int wide, deep; /* vertices beyond each end, along dimension 0 and along the others */
};

/* wide: vertices beyond each end of dimension 0. 0, or -1 when memory is out; halo_release() either
 * way. */
int halo_init(struct halo *halo, const struct mesh *mesh, int wide);
void halo_release(struct halo *halo);

/* Copy the counts of all vertices: those of a row are consecutive, rows begin `pitch` counts
 * apart. */
void halo_load(struct halo *halo, const uint16_t *count, size_t pitch);

#endif
