/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Our files in StateSaveLocation, which all slurmctld of a cluster share.
 */
#ifndef MESH_STATE_H
#define MESH_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "conf/topoconf.h"

/*
 * Write `size` bytes to the file `name`, all of them or none. SlurmUser and its group may read it.
 * sync: wait until they are on the disk. 0, or -1 with errno.
 */
int mesh_state_write(const char *name, const char *text, size_t size, bool sync);

/*
 * The same in a thread, without sync, for callers that hold slurmctld's locks: the directory is
 * often on NFS. Frees `text`, which is of malloc(). False: an earlier write goes on, or there is
 * no thread. The thread logs a failure, once.
 */
bool mesh_state_write_later(const char *name, char *text, size_t size);
/* Is a write going on? */
bool mesh_state_is_busy(void);
/* The plugin is unloaded: wait up to two seconds for a write that is going on. While that goes on
 * afterwards, the plugin stays in memory. */
void mesh_state_fini(void);

/*
 * Compare the maps of slurmctld that stand by for each other. The one in control leaves its name
 * and the hash of its map in the file mesh_map, for the others and for `smesh check`:
 *
 *   0 host1 a1b2c3d4e5f60718       the number of its SlurmctldHost= line, its name, the hash
 *
 * Logs an error if another slurmctld had control last, with another map.
 */
void mesh_state_compare_map(const struct topoconf *topo);
/* The same, and write this slurmctld's map: it has control from now on. */
void mesh_state_take_map(const struct topoconf *topo);

#endif
