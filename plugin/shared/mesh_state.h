/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of ours in StateSaveLocation, which all slurmctld of a cluster share.
 */
#ifndef MESH_STATE_H
#define MESH_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "conf/topoconf.h"

/*
 * Put `size` bytes into the file called name, all of them or none: readable by SlurmUser and its
 * group. `sync`: they are on the disk then, for which the caller waits. 0, or -1 with errno.
 */
int mesh_state_write(const char *name, const char *text, size_t size, bool sync);

/*
 * The same in a thread, without `sync`, for callers that hold slurmctld's locks: the directory is
 * often on NFS. Takes over text, which is of malloc(). False: an earlier write
 * goes on, or there is no thread. What goes wrong later is logged, once.
 */
bool mesh_state_write_later(const char *name, char *text, size_t size);
/* Does an earlier write go on? */
bool mesh_state_is_busy(void);
/* The plugin is unloaded: wait two seconds for the write that goes on. */
void mesh_state_fini(void);

/*
 * Where several slurmctld stand by for each other: are their maps the same? Who has control leaves
 * its name and the hash of its map in the file mesh_map, for the others and for `smesh check`:
 *
 *   0 host1 a1b2c3d4e5f60718       the number of its SlurmctldHost= line, its name, the hash
 *
 * One error in the log if another slurmctld had control last, and with another map.
 */
void mesh_state_compare_map(const struct topoconf *topo);
/* The same, and this slurmctld has control from now on. */
void mesh_state_take_map(const struct topoconf *topo);

#endif
