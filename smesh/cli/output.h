/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that smesh writes. A file is written beside its name, and gets the name when it is whole.
 * So a run that fails or is stopped leaves the old file. "-" is standard output; devices and pipes
 * are written directly.
 */
#ifndef SMESH_OUTPUT_H
#define SMESH_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;	 /* write here; NULL: not open */
	const char *path; /* the caller's */
	char *target, *beside; /* owned; NULL if the file is written directly */
	int slot;
};

/*
 * Open a file; path must stay valid. SMESH_OK, or SMESH_USAGE after a message: it cannot be
 * written.
 */
int output_open(struct output *output, const char *path);
/* Give the file its name. SMESH_OK, or SMESH_FAILED after a message. */
int output_close(struct output *output);
/* Remove a file that was not closed. Does nothing to a file that was closed, or never opened. */
void output_drop(struct output *output);

/*
 * Write the object, which is taken over, and a new line; flags are jansson's. SMESH_OK, or
 * SMESH_FAILED after a message: the object is NULL, as jansson makes it of text that is not UTF-8.
 */
int output_json(FILE *file, json_t *json, size_t flags);

/* Is this path standard output? NULL is not. */
bool output_is_standard(const char *path);

/*
 * Let SIGINT, SIGTERM, SIGHUP and exit() end the program without half a file. Call once, at the
 * start.
 */
void output_catch_signals(void);
/*
 * While on, a signal that ends the program first ends the progress line on standard error. Then it
 * prints the text `stopped`, which must stay valid; NULL: none.
 */
void output_progress_line(bool on, const char *stopped);

#endif
