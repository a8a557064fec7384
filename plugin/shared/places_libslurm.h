/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The map as slurmctld has it, for programs that ask: with the names of dynamic nodes at the places
 * that their Topology= says (Slurm 25.05 and later; before that nothing is asked, nor changed).
 */
#ifndef MESH_PLACES_LIBSLURM_H
#define MESH_PLACES_LIBSLURM_H

#include "conf/topoconf.h"

struct node_info_msg;

/* By what slurmctld has said of its nodes. 0, or -1 with text. */
int places_libslurm_take(
	struct topoconf *topo, const struct node_info_msg *info, struct mesh_err *err);

/* The same, asking slurmctld. 0, or -1 with text: it did not answer. */
int places_libslurm_ask(struct topoconf *topo, struct mesh_err *err);

/* Ask only if one of the hosts has no place in the map. */
int places_libslurm_complete(struct topoconf *topo, char *const *host, int n, struct mesh_err *err);

#endif
