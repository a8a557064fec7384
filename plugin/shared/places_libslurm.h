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

/*
 * For the hosts of a job, by what slurmctld told it (places.h; NULL: nothing); asking only where that
 * does not say where each of them is. 0; 1 with text: the file's map is another than slurmctld's; -1
 * with text.
 */
int places_libslurm_complete(
	struct topoconf *topo, const char *told, char *const *host, int n, struct mesh_err *err);

#endif
