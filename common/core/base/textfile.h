/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text files in Slurm's manner, line by line: # starts a comment (\# does not), and a backslash at
 * the end of a line joins it with the next one. A byte order mark is skipped.
 */
#ifndef MESH_TEXTFILE_H
#define MESH_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Called for each logical line that is not empty, without its comment and outer blanks. The callee
 * may change text, which is valid during the call. `line`: the number of the line's first physical
 * line, from 1. A result other than 0 ends the reading.
 */
typedef int textfile_line(void *data, char *text, int line);

/*
 * Read text in memory; a NUL byte ends its line. 0; -1 when memory is out; or the result of
 * take().
 */
int textfile_parse(const char *text, size_t size, textfile_line *take, void *data);

/*
 * Read a file of any kind, at most 1 GiB. 0; the result of take() if not 0; or -1 with text. -1
 * without text (err is as it was before): memory was out.
 */
int textfile_read(const char *path, textfile_line *take, void *data, struct mesh_err *err);

#define TEXTFILE_MAX_CONFIG (64 << 20)

/*
 * The same for configuration, which a daemon reads while others wait. Only a regular file (or a
 * link to one) of at most TEXTFILE_MAX_CONFIG bytes without a NUL byte is read. Never waits for
 * the writer of a FIFO.
 */
int textfile_read_config(const char *path, textfile_line *take, void *data, struct mesh_err *err);
/* The same for one of several files: at most *left bytes. *left shrinks by the bytes read. */
int textfile_read_part(const char *path, size_t *left, textfile_line *take, void *data,
	struct mesh_err *err);

/*
 * The path of a file that another file names: in the directory of `other`, unless the name is
 * absolute. 0, or -1: longer than size.
 */
int textfile_beside(const char *other, const char *name, char *path, size_t size);
/* The last part of a path. */
const char *textfile_name(const char *path);

/* Parse yes or no, in any case. 0; -1: neither, and *flag is unchanged. */
int textfile_yes_no(const char *value, bool *flag);

/* Parse a decimal number from 0 to `most` at *at, and move *at behind it. -1: there is none. */
int textfile_number(const char **at, int most);

/*
 * Parse a time as Slurm does: MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS,
 * DAYS-HOURS[:MINUTES[:SECONDS]], or infinite or unlimited. Returns seconds, -1 for infinite, -2
 * for nonsense. Untrusted text.
 */
int64_t textfile_seconds(const char *text);

#endif
