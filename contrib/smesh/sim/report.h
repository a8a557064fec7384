/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The outcome of a simulation (or a replay) as a table, JSON and CSV: one struct, one table
 * of figures (summary_rows), several ways out.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/mesh.h"
#include "summary.h"
#include "trace.h"

struct report_strategy {
	const char *name;
	struct summary mean;
	struct summary plusminus; /* zero with one run */
};

struct report {
	const struct mesh *mesh;
	const struct trace *trace;
	const char *scheduler;
	uint64_t seed;
	int runs; /* of each strategy */
	int nodes; /* that are not down */
	const struct report_strategy *strategy; /* [nstrategies] */
	int nstrategies;
	/* matrix[situation * nstrategies + decision], mean total hops, or NULL */
	const double *matrix;
};

/* Is the figure in the short table? Those that were not asked for are 0 throughout, and not. */
bool report_shows(const struct report *report, const struct summary_row *row);
/* Aligned, for people. */
void report_table(const struct report *report, FILE *file);
/* A new object, or NULL. */
json_t *report_json(const struct report *report);
/* A line of names, then a line a strategy; all figures. */
void report_csv(const struct report *report, FILE *file);

#endif
