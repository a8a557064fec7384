/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading what the administrator wrote, for whichever plugin asks.
 */
#ifndef MESH_READ_H
#define MESH_READ_H

#include "config/settings.h"
#include "config/topoconf.h"

/*
 * Read the mesh_ keys of SchedulerParameters into *settings, and the mesh lines of the file that
 * they name (topology.conf beside slurm.conf otherwise) into a new struct: mesh_settings_release()
 * and topoconf_free() them. NULL with text, and nothing to release then.
 */
struct topoconf *mesh_read(struct mesh_settings *settings, struct mesh_err *err);

#endif
