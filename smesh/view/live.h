/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine as slurmctld says it is, through libslurm's public API.
 */
#ifndef MAP_LIVE_H
#define MAP_LIVE_H

#include "config/topoconf.h"
#include "view/picture.h"

/*
 * Running jobs and the states of nodes into an empty picture of a mesh of conf, whose places get
 * the names of the nodes that slurmctld has there. Nodes outside the mesh are passed over. 0, or -1
 * with text.
 */
int live_read(struct picture *picture, struct topoconf *conf, struct mesh_err *err);

/* Where slurmctld writes the plugin's counters (plugin/shared/mesh_counters.h). 0, or -1 with
 * text. */
int live_counters(char *path, size_t size, struct mesh_err *err);

#endif
