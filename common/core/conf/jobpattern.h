/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job sends, as its user or the site says it:
 *
 *     all-to-all | ring | grid[:AxBxC] | random | none | mix
 *
 * none: the job does not communicate; mix: nothing is known. The sides of a grid count ranks, the
 * last side fastest as in MPI_Cart_create(). A pattern from --mesh-learn begins with `learnt:`,
 * and may end with the share of time in MPI: learnt:grid:8x8,34%. It is for accounting only: ranks
 * are ordered by it, but programs run no shorter if nodes are chosen by it as well
 * (doc/lab/smpi.md).
 */
#ifndef MESH_JOBPATTERN_H
#define MESH_JOBPATTERN_H

#include <stdbool.h>

#include "ask/comm_pattern.h"
#include "base/err.h"

struct mesh_request;

enum { MESH_PATTERN_MIX = COMM_PATTERNS, MESH_PATTERN_UNSAID = -1, MESH_PATTERN_WORD = 80 };

struct mesh_pattern {
	int kind; /* enum comm_pattern, or MESH_PATTERN_... */
	struct comm_grid grid;
	bool learnt;
	int share; /* of the time in MPI, in percent; negative: not known */
};

/* The forms above, for help texts. */
#define MESH_PATTERN_FORMS "all-to-all|ring|grid[:AxBxC]|random|none|mix"

/* Parse a pattern. 0, or -1 with text and *pattern unchanged. Untrusted text. */
int mesh_pattern_parse(const char *text, struct mesh_pattern *pattern, struct mesh_err *err);

/* Find the pattern in a job's SystemComment (or NULL), and its text. False, and word "": none. */
bool mesh_pattern_in(const char *comment, char word[MESH_PATTERN_WORD],
	struct mesh_pattern *pattern);

/*
 * Write the pattern into a request, unless it was learnt. A job that sends nothing and has no
 * other hint gets MESH_HINT_SCATTER. Only rings and grids are written; all others
 * become COMM_NONE, as nodes chosen for an all-to-all or random pairs make run times of all jobs
 * longer (doc/lab/turnaround.md).
 */
void mesh_pattern_apply(const struct mesh_pattern *pattern, struct mesh_request *request);

#endif
