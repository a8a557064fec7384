/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host lists are Slurm's (n[0-63,70]). Functions of libslurm read and write them, in smesh and in
 * the plugins. The core only sees this interface.
 */
#ifndef MESH_HOSTLIST_H
#define MESH_HOSTLIST_H

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"

/* More than this in one list is refused before it is expanded. */
#define MESH_MAX_HOSTS MESH_MAX_NODES

struct mesh_hostlist_ops {
	/*
	 * The names in text, in list order, into *name: a new array of new strings, all of the
	 * arena. How many, or -1 with text.
	 */
	int (*expand)(
		const char *text, struct arena *arena, char ***name, struct mesh_err *err);
	/* The list in Slurm's short form, for the caller to free(); NULL when memory is out. */
	char *(*compress)(char *const *name, int count);
};

/* By libslurm's public functions: plugin/shared/hostlist_libslurm.c, not of the core. */
extern const struct mesh_hostlist_ops hostlist_libslurm;

/*
 * Is it safe to expand this text? Brackets must be balanced, names made of letters, digits and . _
 * -, and there may be MESH_MAX_HOSTS names at most. Returns their number, or -1 with text. Slurm's
 * parsers trust their input: run this first over everything that a file or a user wrote.
 */
int hostlist_check(const char *text, struct mesh_err *err);
/* The same where names are made of anything but blanks, commas and brackets, as Slurm takes them
 * (n/a, gpu+a[1-2]), and where nothing stands between two commas: of nodes in slurm.conf, which may
 * be in no mesh. */
int hostlist_check_any(const char *text, struct mesh_err *err);

#endif
