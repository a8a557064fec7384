/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that smesh writes. A file is written beside its name and takes the name when it is whole,
 * so that a run which fails or is stopped leaves what was there before. "-" is standard output;
 * devices and pipes are written to directly.
 */
#ifndef SMESH_OUTPUT_H
#define SMESH_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;	 /* write here; NULL: not open */
	const char *path; /* the caller's */
	char *target, *beside; /* ours; NULL where the file is written directly */
	int slot;
};

/* SMESH_OK, or SMESH_USAGE after a message: FILE cannot be written. path must stay. */
int output_open(struct output *output, const char *path);
/* Give the file its name. SMESH_OK, or SMESH_FAILED after a message. */
int output_close(struct output *output);
/* Leave nothing of a file that was not closed. Nothing happens to one that was, or never opened. */
void output_drop(struct output *output);

/* The object, which is taken over, and a new line; flags are jansson's. */
void output_json(FILE *file, json_t *json, size_t flags);

/* Is this output standard output? NULL is not. */
bool output_is_standard(const char *path);

/* SIGINT, SIGTERM and SIGHUP end the program without half a file left. Once, at the start. */
void output_catch_signals(void);
/* While on: a stop ends the progress line on standard error first. Then it says a text, which must
 * stay; NULL: nothing. */
void output_progress_line(bool on, const char *stopped);

#endif
