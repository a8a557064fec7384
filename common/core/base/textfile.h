/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text files in Slurm's manner, line by line: # starts a comment (\# does not), a backslash at the
 * end continues the line with nothing in its place. A byte order mark is passed over.
 */
#ifndef MESH_TEXTFILE_H
#define MESH_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Called for each logical line that is not empty, without its comment and outer blanks. The callee
 * may write to text, which lasts as long as the call. `line` is the number of its first line,
 * from 1. A result other than 0 ends the reading.
 */
typedef int textfile_line(void *data, char *text, int line);

/* Text in memory; a NUL byte ends its line early. 0, -1 when memory is out, or what take()
 * returned. */
int textfile_parse(const char *text, size_t size, textfile_line *take, void *data);

/*
 * A file of any kind, at most 1 GiB. 0; what take() returned; or -1 with text. When memory is out
 * for its lines -1 comes without text: an empty err then means that.
 */
int textfile_read(const char *path, textfile_line *take, void *data, struct mesh_err *err);

#define TEXTFILE_MAX_CONFIG (64 << 20)

/*
 * The same for configuration, which a daemon reads while others wait: a regular file (a link to one
 * will do) of at most TEXTFILE_MAX_CONFIG bytes without a NUL byte. Never waits for the writer of a
 * FIFO.
 */
int textfile_read_config(const char *path, textfile_line *take, void *data, struct mesh_err *err);
/* The same for one of several files: at most *left bytes, which becomes less by so many. */
int textfile_read_part(const char *path, size_t *left, textfile_line *take, void *data,
	struct mesh_err *err);

/* The path of a file that another one names: beside that, unless it is absolute. 0, or -1: longer
 * than size. */
int textfile_beside(const char *other, const char *name, char *path, size_t size);

/* A value that is yes or no, in any case. 0, or -1: it is neither, and *flag is untouched. */
int textfile_yes_no(const char *value, bool *flag);

/* The decimal number of 0 to `most` at *at, which is moved behind it; -1: there is none. */
int textfile_number(const char **at, int most);

/*
 * A time as in Slurm: MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS,
 * DAYS-HOURS[:MINUTES[:SECONDS]], or infinite. Seconds, -1 for infinite, -2 for nonsense. Untrusted
 * text.
 */
int64_t textfile_seconds(const char *text);

#endif
