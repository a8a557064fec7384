/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job sends, as its user or the site says it:
 *
 *     all-to-all | ring | grid[:AxBxC] | random | none | mix
 *
 * none: it does not communicate; mix: nothing is known. The sides of a grid count ranks, the last side
 * fastest as in MPI_Cart_create().
 */
#ifndef MESH_JOBPATTERN_H
#define MESH_JOBPATTERN_H

#include "base/err.h"
#include "strategy/strategy.h"

enum { MESH_PATTERN_MIX = COMM_PATTERNS, MESH_PATTERN_UNSAID = -1 };

struct mesh_pattern {
	int kind; /* of enum comm_pattern or MESH_PATTERN_... */
	struct comm_grid grid;
};

/* The forms above, for help texts. */
#define MESH_PATTERN_FORMS "all-to-all|ring|grid[:AxBxC]|random|none|mix"

/* 0, or -1 with text; *pattern is untouched then. Untrusted text. */
int mesh_pattern_parse(const char *text, struct mesh_pattern *pattern, struct mesh_err *err);

/* Write it into a request. A job that sends nothing and has no other hint becomes MESH_HINT_SCATTER. */
void mesh_pattern_apply(const struct mesh_pattern *pattern, struct mesh_request *request);

#endif
