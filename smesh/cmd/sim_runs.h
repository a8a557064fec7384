/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of runs, written by smesh sim --resume and read by smesh gather: lines of JSON. The first
 * line says what was run: the version, every option that matters, the SHA-256 of smesh and of
 * each file, and what a report says besides figures. Then comes a line for each finished run,
 * {"strategy": "mm", "run": 3, "figures": {...}}, to the last digit. A line that was cut off does
 * not count.
 */
#ifndef SMESH_SIM_RUNS_H
#define SMESH_SIM_RUNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/summary.h"

struct runs_line {
	const char *strategy;
	int run; /* from 1 */
	struct summary figures;
};

struct runs_reader {
	const char *path; /* for messages */
	/* Called with the first line, whose strings and objects are valid during the call; then
	 * with each other line. Return SMESH_OK, or another exit code after a message. */
	int (*head)(void *data, json_t *head);
	int (*line)(void *data, const struct runs_line *line);
	void *data;
	bool whole; /* result: the file is empty, or ends with a whole line */
};

/*
 * Read all lines. SMESH_OK, or another exit code after a message: it is no file of runs, or a
 * callback's code.
 */
int runs_read(struct runs_reader *reader, FILE *file);

/*
 * Are the runs of two first lines parts of one whole? Strategies and runs may differ. SMESH_OK, or
 * SMESH_USAGE after a message that names another difference. Of another build of the same version
 * there is only a message.
 */
int runs_belong(const json_t *head, const char *path, const json_t *other, const char *other_path);

/* A new object: a line for the file. */
json_t *runs_json(const struct runs_line *line);

#endif
