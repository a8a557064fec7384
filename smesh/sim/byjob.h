/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files about single jobs of a log: lines `ID REST`.
 */
#ifndef SIM_BYJOB_H
#define SIM_BYJOB_H

#include "base/mesh.h"
#include "sim/trace.h"

struct byjob {
	const char *path;
	const char *form; /* of a line, for messages: "ID PATTERN [PERCENT]" */
	/* What stands behind the number, once a line: 0, or not with text (none: the form is
	 * it). */
	int (*parse)(void *data, const char *rest, struct mesh_err *err);
	/* Then for each job of that number. */
	void (*take)(void *data, int job);
	void *data;
};

/*
 * A number that no job has is none of ours: it may have left the workload, as too large. Copies of
 * a job have one number. O((lines + jobs) log jobs). 0, or -1 with `FILE:LINE: what is wrong`.
 */
int byjob_read(const struct trace *trace, const struct byjob *file, struct mesh_err *err);

/*
 * The boxes that jobs want, lines ID AxBxC[:torus], of a trace that trace_fit() has fit to the
 * mesh. A job is as large as its box then, whatever the log says. 0, or -1 with text; one that the
 * machine has too few nodes for is an error.
 */
int byjob_shapes(
	struct trace *trace, const char *path, const struct mesh *mesh, struct mesh_err *err);

#endif
