/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What keeps slurmctld from starting that lies outside of the files' text: Slurm's own parser, the
 * plugins' files, and what SlurmUser may read. Slurm ends the process that asks it, and a broken
 * plugin does, too: a child process asks.
 */
#ifndef STARTUP_H
#define STARTUP_H

#include <stddef.h>

#include "base/err.h"

/*
 * Does Slurm take this slurm.conf? By libslurm's own parser, of SLURM_VERSION_NUMBER. 1: yes, and
 * PluginDir or its default is in plugin_dir[size]; 0: no, with text; -1: not known.
 */
int startup_parse(const char *path, char *plugin_dir, size_t size, struct mesh_err *why);

struct startup_plugin {
	const char *dirs; /* with colons between */
	const char *type; /* select/mesh */
	const char *user; /* who loads it; NULL: we */
	unsigned version; /* what it has to be for, as Slurm numbers versions; 0: any */
};

enum { STARTUP_NO_FILE = -2 };

/* The version of a plugin that Slurm would load, 0 where that cannot be told; STARTUP_NO_FILE; or
 * -1 with text. */
int startup_plugin(const struct startup_plugin *p, struct mesh_err *why);

/* Can user read a map, with all that it names? 0, or -1 with text. */
int startup_map(const char *path, const char *user, struct mesh_err *why);

#endif
