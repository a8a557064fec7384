/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that single jobs of a log want, from a file: lines ID AxBxC[:torus]...
 */
#ifndef SIM_SHAPES_H
#define SIM_SHAPES_H

#include "base/mesh.h"
#include "sim/trace.h"

/* Of a trace that trace_fit() has fit to the mesh. A job is as large as its box then, whatever the
 * log says. 0, or -1 with text; one that the machine has too few nodes for is an error. */
int shapes_read(
	struct trace *trace, const char *path, const struct mesh *mesh, struct mesh_err *err);

#endif
