/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host lists as Slurm writes them (n[0-63,70]). Functions of libslurm parse and write them, in
 * smesh and the plugins. The core only sees this interface.
 */
#ifndef MESH_HOSTLIST_H
#define MESH_HOSTLIST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"

/* A list of more hosts is refused before it is expanded. */
#define MESH_MAX_HOSTS MESH_MAX_NODES

struct mesh_hostlist_ops {
	/*
	 * Expand text into *name: a new array of new strings, in list order, owned by the arena.
	 * Returns how many, or -1 with text.
	 */
	int (*expand)(
		const char *text, struct arena *arena, char ***name, struct mesh_err *err);
	/* The names in Slurm's short form: free() it. NULL when memory is out. */
	char *(*compress)(char *const *name, int count);
};

/* The implementation by libslurm's public functions: plugin/shared/hostlist_libslurm.c. */
extern const struct mesh_hostlist_ops hostlist_libslurm;

/*
 * Is it safe to expand this text? Brackets must be balanced, names made of letters, digits and . _
 * -, with blanks and commas between them, and there may be 1 to MESH_MAX_HOSTS names. Returns their
 * number, or -1 with text. Slurm's parsers trust their input: check everything that a file or a
 * user wrote.
 */
int hostlist_check(const char *text, struct mesh_err *err);
/* Is this one such name? */
bool hostlist_is_name(const char *text);
/*
 * hostlist_check() for nodes of slurm.conf, which may be in no mesh. Names may have any characters
 * but blanks, commas and brackets, as in Slurm (n/a, gpu+a[1-2]), and there may be no name.
 */
int hostlist_check_any(const char *text, struct mesh_err *err);

/* Sort names by the numbers in them: n9 before n10. Allocates, if qsort() does. */
void hostlist_by_number(char **name, int n);

#endif
