/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Traces of RFold's simulator (github.com/shuoshuc/RFold): comma-separated lines
 *
 *   JOB,ARRIVAL,TOPOLOGY,SHAPE,SIZE,DURATION
 *
 * after comment lines that begin with #. Times are seconds. On a mesh or torus (MESH2D, MESH3D,
 * T2D, T3D_NT, T3D_T) the shape is the box that the job wants, AxBxC in nodes. On a fat tree
 * (CLOS) it is the processors on each server, A+B+..., and only the size is used. A fraction of a
 * processor counts as one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conf/shape.h"
#include "sim/trace_format.h"

enum { ID, ARRIVAL, TOPOLOGY, SHAPE, SIZE, DURATION, FIELDS };

static const char *const field_name[FIELDS] = {
	"job id", "arrival time", "topology", "shape", "size", "duration"};

static bool is_rfold(const char *text)
{
	return strchr(text, ',') && *text >= '0' && *text <= '9';
}

static int split(char *text, char **field, struct mesh_err *err)
{
	int n = 0;

	for (; text && n < FIELDS; n++)
		field[n] = strsep(&text, ",");
	if (n < FIELDS)
		return err_printf(err, "%d fields of %d: the %s is missing", n, FIELDS,
			field_name[n]);
	return text ? err_printf(err, "more than %d fields, which RFold's CSV has", FIELDS) : 0;
}

static int parse_number(char *const *field, int which, double most, double *value,
	struct mesh_err *err)
{
	int bad = trace_number(field[which], 0, most, value);

	if (bad < 0)
		return err_printf(err, "the %s is not a number: '%.32s'", field_name[which],
			field[which]);
	return bad ? err_printf(err, "the %s is not from 0 to %.0f: '%.32s'", field_name[which],
		most, field[which]) : 0;
}

/* Has the topology sides, so that a job has a box? -1: it is none. */
static int has_sides(const char *topology)
{
	static const char *const grids[] = {"MESH2D", "MESH3D", "T2D", "T3D_NT", "T3D_T"};

	for (size_t i = 0; i < sizeof(grids) / sizeof(*grids); i++)
		if (!strcmp(topology, grids[i]))
			return 1;
	return strcmp(topology, "CLOS") ? -1 : 0;
}

/* Parse the shape of a job with sides. RFold has no words behind a colon. */
static int parse_shape(const char *text, double size, struct mesh_shape *shape,
	struct mesh_err *err)
{
	double nodes = 1;

	if (strchr(text, ':') || shape_parse(text, shape, err))
		return err_printf(err, "the shape is not AxB or AxBxC: '%.32s'", text);
	for (int d = 0; d < shape->ndims; d++)
		nodes *= shape->side[d];
	return fabs(nodes - size) > 0
		? err_printf(err, "the size is %.15g, the shape %.32s has %.15g", size, text, nodes)
		: 0;
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	double id, arrival, size, duration;
	struct mesh_shape shape = {0};
	struct trace_job *job;
	char *field[FIELDS];
	int sides;

	if (split(text, field, err) || parse_number(field, ID, 1e15, &id, err) ||
		parse_number(field, ARRIVAL, TRACE_LONGEST, &arrival, err) ||
		parse_number(field, SIZE, INT32_MAX, &size, err) ||
		parse_number(field, DURATION, TRACE_LONGEST, &duration, err))
		return -1;
	if ((sides = has_sides(field[TOPOLOGY])) < 0)
		return err_printf(err, "no topology of RFold's: '%.32s'", field[TOPOLOGY]);
	if (sides && parse_shape(field[SHAPE], size, &shape, err))
		return -1;
	job = trace_add(r->trace);
	job->id = (int64_t)id;
	job->submit = trace_time(arrival);
	job->run = trace_time(duration);
	job->count = (int)ceil(size);
	job->shape = shape;
	job->line = r->line;
	r->trace->nodes = sides;
	return 1;
}

const struct trace_format trace_rfold = {.is = is_rfold, .line = take_line, .comment = '#'};
