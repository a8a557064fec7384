/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host lists are Slurm's (n[0-63,70]), and Slurm's code reads and writes them: libslurm in
 * smesh, slurmctld's own in the plugin. The core only sees this interface.
 */
#ifndef MESH_HOSTLIST_H
#define MESH_HOSTLIST_H

#include "base/err.h"
#include "base/limits.h"

/* More than this in one list is refused before it is expanded. */
#define MESH_MAX_HOSTS MESH_MAX_NODES

struct mesh_hostlist_ops {
	/*
	 * The names in text, in list order, one malloc()ed string each in a malloc()ed array
	 * (the caller frees both, see hostlist_free()). How many, or -1 with text.
	 */
	int (*expand)(const char *text, char ***name, struct mesh_err *err);
	/* The list in Slurm's short form, malloc()ed, or NULL when memory is out. */
	char *(*compress)(char *const *name, int count);
};

void hostlist_free(char **name, int count);

/*
 * Is text safe to be expanded? Balanced brackets, characters that names are made of, and at
 * most MESH_MAX_HOSTS names in all. Returns that number, or -1 with text. Host list parsers
 * trust their input; this is run over everything a file or a user wrote.
 */
int hostlist_check(const char *text, struct mesh_err *err);

#endif
