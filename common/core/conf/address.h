/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a node says it is: Topology=NAME:torus0:3:1:0, a list of such words separated by commas, as
 * Slurm 25.05 and later take it in slurm.conf, at `scontrol create node` and `scontrol update
 * node`, and from `slurmd -Z --conf`. NAME is the topology's ("default" without topology.yaml).
 */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdbool.h>

#include "conf/topoconf.h"

struct address {
	int mesh, vertex;
};

/* The part behind NAME: torus0:3:1:0, or torus0.3.1.0. 0, or -1 with text. Untrusted. */
int address_parse(const struct topoconf *topo, const char *unit, struct address *where,
	struct mesh_err *err);

/* The first word of Topology= (NULL: empty) that names a place in one of the meshes. False: none
 * does. */
bool address_find(const struct topoconf *topo, const char *topology, struct address *where);

/* torus0:3:1:0, at most `size` bytes with the end. */
void address_text(const struct mesh *mesh, int vertex, char *text, size_t size);

#endif
