/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Topology= of a node says where the node is: NAME:torus0:3:1:0, or several such words with commas
 * between. Slurm 25.05 and later read it in slurm.conf, from `scontrol create node` and `scontrol
 * update node`, and from `slurmd -Z --conf`. NAME is the topology's name ("default" without
 * topology.yaml).
 */
#ifndef MESH_ADDRESS_H
#define MESH_ADDRESS_H

#include <stdbool.h>

#include "conf/topoconf.h"

struct address {
	int mesh, vertex;
};

/* Parse a word without NAME: torus0:3:1:0, or torus0.3.1.0. 0, or -1 with text. Untrusted text. */
int address_parse(const struct topoconf *topo, const char *unit, struct address *where,
	struct mesh_err *err);

/*
 * Find the first word of Topology= (NULL: empty) that names a place in one of the meshes. False:
 * there is none.
 */
bool address_find(const struct topoconf *topo, const char *topology, struct address *where);

/* Write torus0:3:1:0, at most `size` bytes with the NUL. */
void address_text(const struct mesh *mesh, int vertex, char *text, size_t size);

#endif
