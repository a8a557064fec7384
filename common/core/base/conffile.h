/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Configuration files as Slurm reads its own: the lines of textfile.h, other files by `Include
 * FILE`, and pairs KEY=VALUE, with or without blanks around the = and quotes around the value.
 */
#ifndef MESH_CONFFILE_H
#define MESH_CONFFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

/* Limits for Include: files inside of files, and files. Their bytes: TEXTFILE_MAX_CONFIG in all. */
enum { CONFFILE_DEPTH = 16, CONFFILE_FILES = 1024 };

/* Where a line is. */
struct conffile_place {
	const char *path; /* owned by the arena, or the path given to conffile_read() */
	int line;
};

#define conffile_fail(err, at, ...) err_at(err, (at).path, (at).line, __VA_ARGS__)

/* As textfile_line. Include lines are not passed to it. */
typedef int conffile_line(void *data, char *text, struct conffile_place at);

struct conffile {
	conffile_line *take;
	void *data;
	struct arena *arena; /* the caller's; gets the paths of included files */
	char *const *cluster; /* %c in Include becomes *cluster; NULL, or *cluster NULL: there is no
			       * name */
	bool beside_own; /* Include names a file beside the file that has the line, as in Slurm
			  * 22.05; otherwise beside the first file */
	bool skip_globs; /* pass over Include with a * in the name, as Slurm can be told to do */
	bool any_kind; /* the first file may be a pipe, or large: not for a daemon */
	struct mesh_err *err;
};

/*
 * Pass each line of a file, or of text in memory that stands for it, to take(), and the lines of
 * the files that it includes. 0; the result of take() if not 0; or -1 with text in c->err, which
 * is emptied first. No text: memory was out.
 */
int conffile_read(const struct conffile *c, const char *path);
int conffile_parse(const struct conffile *c, const char *text, size_t size, const char *path);

/*
 * Cut the next pair out of a line. 1: *rest is behind the pair; 0: there are no more; -1: *key is
 * a word without a =. A value may be empty.
 */
int conffile_pair(char **rest, char **key, char **value);

/* Does the line begin with KEY= for this key? */
bool conffile_begins(const char *line, const char *key);

/* The value of a line that is one pair, without quotes around all of it. */
char *conffile_value(char *line);

#endif
