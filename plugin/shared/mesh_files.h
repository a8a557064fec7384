/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Our files in StateSaveLocation, which all slurmctld of a cluster share.
 */
#ifndef MESH_FILES_H
#define MESH_FILES_H

#include "conf/topoconf.h"

enum mesh_files { MESH_FILES_MAP, MESH_FILES_COUNTERS, MESH_FILES_END };

/*
 * Write the text, which is of malloc(), to our file: all of it or nothing. SlurmUser and its group
 * may read the file. Returns at once, as callers hold slurmctld's locks and the directory is often
 * on NFS: a thread writes one file after the other. It writes the last text of each, frees the
 * texts, and logs a failure, once.
 */
void mesh_files_write(enum mesh_files which, char *text);
/*
 * The plugin is unloaded: wait up to two seconds for writes that go on. While they go on
 * afterwards, the plugin stays in memory.
 */
void mesh_files_fini(void);

/*
 * Compare the maps of slurmctld that stand by for each other. The one in control leaves its name
 * and the hash of its map in the file mesh_map, for the others and for `smesh check`:
 *
 *   0 host1 a1b2c3d4e5f60718       the number of its SlurmctldHost= line, its name, the hash
 *
 * Logs an error if another slurmctld had control last, with another map.
 */
void mesh_files_compare_map(const struct topoconf *topo);
/* The same in the writer's thread, which then writes the map: this slurmctld has control now. */
void mesh_files_take_map(const struct topoconf *topo);

#endif
