/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a node says it is: Topology=NAME:torus0:3:1:0, a list of such words separated by commas, as
 * Slurm 25.05 and later take it in slurm.conf, at `scontrol create node` and `scontrol update node`,
 * and from `slurmd -Z --conf`. NAME is the topology's ("default" without topology.yaml).
 */
#ifndef MESH_ADDRESS_H
#define MESH_ADDRESS_H

#include <stdbool.h>

#include "config/topoconf.h"

struct mesh_address {
	int mesh, vertex;
};

/* The part behind NAME: torus0:3:1:0, or torus0.3.1.0. 0, or -1 with text. Untrusted. */
int mesh_address_parse(const struct topoconf *topo, const char *unit, struct mesh_address *where,
	struct mesh_err *err);

/* The first word of Topology= (NULL: empty) that names a place in one of the meshes. False: none does. */
bool mesh_address_find(const struct topoconf *topo, const char *topology,
	struct mesh_address *where);

/* Append torus0:3:1:0 to *text, a string of xmalloc() or NULL. */
void mesh_address_append(char **text, const struct mesh *mesh, int vertex);

#endif
