/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of ours in StateSaveLocation, which all slurmctld of a cluster share.
 */
#ifndef MESH_STATE_H
#define MESH_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* The path of the file called name: xfree() it. */
char *mesh_state_path(const char *name);

/*
 * Put `size` bytes into the file called name, all of them or none: readable by SlurmUser and its
 * group. `sync`: they are on the disk then, for which the caller waits. 0, or -1 with errno.
 */
int mesh_state_write(const char *name, const char *text, size_t size, bool sync);

#endif
