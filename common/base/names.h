/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nodes of a mesh by name: a hash table. To look up a list of thousands of nodes on a machine
 * of tens of thousands would take a minute of strcmp() without. O(nodes) to make, O(1) a name.
 */
#ifndef MESH_NAMES_H
#define MESH_NAMES_H

#include "base/mesh.h"

struct mesh_names {
	const struct mesh *mesh; /* borrowed: must outlive the table */
	int *slot;		 /* [mask + 1] a node, or -1 */
	unsigned mask;
};

/* The mesh must have node_name[]. 0, or -1 when memory is out: the table is empty then, finds
 * nothing. */
int mesh_names_init(struct mesh_names *names, const struct mesh *mesh);
/* A zeroed struct is fine. */
void mesh_names_release(struct mesh_names *names);

/* The node of that name, or -1. */
int mesh_names_find(const struct mesh_names *names, const char *name);

#endif
