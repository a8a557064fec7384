/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Configuration as Slurm reads its own: the lines of textfile.h, other files by `Include FILE`,
 * and KEY=VALUE pairs with blanks around the = or none, the value in quotes or not.
 */
#ifndef MESH_CONFFILE_H
#define MESH_CONFFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

/* What Include may come to: files inside of files, files, and bytes of all of them
 * (TEXTFILE_MAX_CONFIG). */
enum { CONFFILE_DEPTH = 16, CONFFILE_FILES = 1024 };

/* Where a line stands. */
struct conffile_place {
	const char *path; /* of the arena, or what conffile_read() was given */
	int line;
};

#define conffile_fail(err, at, ...) err_at(err, (at).path, (at).line, __VA_ARGS__)

/* As textfile_line. Include lines are not given to it. */
typedef int conffile_line(void *data, char *text, struct conffile_place at);

struct conffile {
	conffile_line *take;
	void *data;
	struct arena *arena; /* has the paths of included files; the caller's */
	char *const *cluster; /* *cluster is put in place of %c in Include; NULL, or *cluster NULL:
			       * there is no name */
	bool beside_own; /* names in Include are beside the file with the line, as in Slurm 22.05;
			  * not beside the first file */
	bool any_kind; /* the first file may be a pipe, or large: not for a daemon */
	struct mesh_err *err;
};

/*
 * The lines of a file, or of text in memory that stands for it, and of those that it includes,
 * which are beside it unless their names are absolute. 0; what take() returned; or -1 with text
 * in c->err, which was emptied first. Without text memory was out.
 */
int conffile_read(const struct conffile *c, const char *path);
int conffile_parse(const struct conffile *c, const char *text, size_t size, const char *path);

/*
 * The next pair of a line, cut out of it: 1, and *rest is behind it; 0: there are no more; -1: *key
 * is a word that has no = behind it. A value may be empty.
 */
int conffile_pair(char **rest, char **key, char **value);

/* Does the line begin with this key and a =? */
bool conffile_begins(const char *line, const char *key);

/* What stands behind the = of a line that is one pair, without quotes around all of it. */
char *conffile_value(char *line);

#endif
