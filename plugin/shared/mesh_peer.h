/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where several slurmctld stand by for each other: are their maps the same? Who has control leaves
 * its name and the hash of its map in StateSaveLocation/mesh_map, for the others and for `smesh
 * check`:
 *
 *   0 host1 a1b2c3d4e5f60718       the number of its SlurmctldHost= line, its name, the hash
 */
#ifndef MESH_PEER_H
#define MESH_PEER_H

#include "config/topoconf.h"

/* One error in the log if another slurmctld had control last, and with another map. */
void mesh_peer_compare(const struct topoconf *topo);
/* The same, and this slurmctld has control from now on. */
void mesh_peer_take(const struct topoconf *topo);

#endif
