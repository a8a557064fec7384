/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/shapes.h"

#include <stdio.h>

#include "sim/byjob.h"
#include "config/shape.h"

struct shapes {
	struct trace *trace;
	const struct mesh *mesh;
	struct mesh_shape shape; /* of the line at hand, */
	int count;		 /* and its nodes */
};

static int parse(void *data, const char *rest, struct mesh_err *err)
{
	struct shapes *s = data;
	char text[128], more[2];

	if (sscanf(rest, "%127s %1s", text, more) != 1 || shape_parse(text, &s->shape, err))
		return -1;
	s->count = mesh_shape_nodes(s->mesh, &s->shape);
	return s->count > s->mesh->nnodes
		? err_printf(err, "%.60s is larger than the machine", text)
		: 0;
}

static void take(void *data, int job)
{
	struct shapes *s = data;

	s->trace->job[job].shape = s->shape;
	s->trace->job[job].count = s->count;
}

int shapes_read(
	struct trace *trace, const char *path, const struct mesh *mesh, struct mesh_err *err)
{
	struct shapes s = {.trace = trace, .mesh = mesh};

	return byjob_read(trace, &(struct byjob){path, "ID SHAPE", parse, take, &s}, err);
}
