/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads files about single jobs of a log: lines `ID REST`.
 */
#ifndef SMESH_BYJOB_H
#define SMESH_BYJOB_H

#include "base/mesh.h"
#include "sim/trace.h"

struct byjob {
	const char *path;
	const char *form; /* of a line, for messages: "ID PATTERN [PERCENT]" */
	/* Called with what follows the number, once for each line. 0, or not 0 with text (no text:
	 * the form is wrong). */
	int (*parse)(void *data, const char *rest, struct mesh_err *err);
	/* Then called for each job with that number. */
	void (*take)(void *data, int job);
	void *data;
};

/*
 * Read the file. A number that no job has is no error, but counted: the job may have left the
 * workload as too large. A number that is there again is counted, too, and take() is called again:
 * it is to forget what it took before. Copies of a job have one number. O((lines + jobs) log jobs).
 * 0, or -1 with `FILE:LINE: what is wrong`.
 */
int byjob_read(const struct trace *trace, const struct byjob *file, struct trace_byjob *lines,
	struct mesh_err *err);

/*
 * Read the boxes that jobs want, lines ID AxBxC[:torus], for a trace that trace_fit() has fit to
 * the mesh. A job then has the size of its box, whatever the log says. 0, or -1 with text; a box
 * of more nodes than the machine has is an error. Counts trace->shape_lines.
 */
int byjob_shapes(
	struct trace *trace, const char *path, const struct mesh *mesh, struct mesh_err *err);

#endif
