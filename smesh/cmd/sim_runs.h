/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of runs, which smesh sim --resume writes and smesh gather reads: lines of JSON. The first
 * says what was run: the version, every option that matters, the SHA-256 of each file, and what a
 * report says besides figures. Then a line for each run that is done, {"strategy": "mm", "run": 3,
 * "figures": {...}}, to the last digit. A line that was cut off counts for nothing.
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
	/* The first line, whose strings and objects are there during the call; then each other one.
	 * An exit code, after a message unless it is SMESH_OK. */
	int (*head)(void *data, json_t *head);
	int (*line)(void *data, const struct runs_line *line);
	void *data;
	bool whole; /* after it: the file is empty or ends with a whole line */
};

/* All lines. An exit code, after a message unless it is SMESH_OK: not such a file, or a callback's. */
int runs_read(struct runs_reader *reader, FILE *file);

/*
 * Are the runs of two first lines parts of one whole? Strategies and runs may differ. SMESH_OK, or
 * SMESH_USAGE after a message that names what else does.
 */
int runs_belong(const json_t *head, const char *path, const json_t *other, const char *other_path);

/* A line for the file, new. */
json_t *runs_json(const struct runs_line *line);

#endif
