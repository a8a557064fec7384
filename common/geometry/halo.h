/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes of the vertices of a mesh, going on beyond its ends: around a ring, and nothing
 * beyond a line. What lies around a vertex is then at the same distance in memory for all.
 *
 * Memory: 2 bytes a vertex, 8 a row, and halos along dimension 0. Up to three dimensions there are
 * halos along the others too, of up to seven vertices or half a side.
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
	int wide, deep;		    /* halos along dimension 0, and along the others */
};

/* 0, or -1 when memory is out; halo_release() either way. */
int halo_init(struct halo *halo, const struct mesh *mesh, int wide);
void halo_release(struct halo *halo);

/* Take over count[], in rows so far apart. */
void halo_load(struct halo *halo, const uint16_t *count, size_t pitch);

#endif
