/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts the names of dynamic nodes onto a program's map, at the places that their Topology= names.
 * That needs Slurm 25.05; with older versions nothing is asked or changed.
 */
#ifndef MESH_PLACES_LIBSLURM_H
#define MESH_PLACES_LIBSLURM_H

#include "conf/topoconf.h"

struct node_info_msg;

/* Rename nodes of the map by slurmctld's answer `info`. 0, or -1 with text. */
int places_libslurm_take(
	struct topoconf *topo, const struct node_info_msg *info, struct mesh_err *err);

/*
 * The same by an answer that it asks slurmctld for. 0, or -1 with text: slurmctld did not answer.
 */
int places_libslurm_ask(struct topoconf *topo, struct mesh_err *err);

/*
 * Rename nodes of the map for the n hosts of a job, by the text `told` that slurmctld gave the job
 * (places.h; NULL: none). slurmctld is asked only where that text does not place all hosts. 0; 1
 * with text: the map is another than slurmctld's; -1 with text: failure.
 */
int places_libslurm_complete(
	struct topoconf *topo, const char *told, char *const *host, int n, struct mesh_err *err);

#endif
