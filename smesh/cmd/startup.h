/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reasons why slurmctld would not start that are not in the text of the files: Slurm's own parser,
 * the plugins' files, and what SlurmUser may read. The checks run in a child process, as Slurm's
 * code and a broken plugin end the process.
 */
#ifndef SMESH_STARTUP_H
#define SMESH_STARTUP_H

#include <stddef.h>

#include "base/err.h"

/*
 * Does Slurm accept this slurm.conf if a user (NULL: the caller) reads it? Asks libslurm's own
 * parser, of SLURM_VERSION_NUMBER. 1: yes, and plugin_dir[size] has PluginDir or its default;
 * 0: no, with text; -1: not known.
 */
int startup_parse(const char *path, const char *user, char *plugin_dir, size_t size,
	struct mesh_err *why);

struct startup_plugin {
	const char *dirs; /* separated by colons */
	const char *type; /* as select/mesh */
	const char *user; /* the user who loads it; NULL: the caller */
	unsigned version; /* what it must be built for, as Slurm numbers versions; 0: any */
	const char *beside; /* a library that it loads from its folder; NULL: none */
};

enum { STARTUP_NO_FILE = -2 };

/* The version of the plugin that Slurm would load; 0: unknown; STARTUP_NO_FILE; or -1 with text. */
int startup_plugin(const struct startup_plugin *p, struct mesh_err *why);

/* Can the user read a map and all files that it names? 0, or -1 with text. */
int startup_map(const char *path, const char *user, struct mesh_err *why);

#endif
