/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/byjob.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/textfile.h"
#include "conf/shape.h"
#include "sim/need.h"

struct order {
	int64_t id;
	int job;
	bool taken; /* a line was about it */
};

struct reader {
	const struct byjob *file;
	struct order *order; /* [njobs] by number */
	int njobs;
	struct trace_byjob *lines;
	struct mesh_err *err;
};

static int by_id(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	return x->id != y->id ? trace_order(x->id, y->id) : x->job - y->job;
}

static int first_of(const struct reader *r, int64_t id)
{
	int low = 0, high = r->njobs;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (r->order[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	const struct byjob *f = r->file;
	struct mesh_err why = {{0}};
	char *rest;
	long long id = strtoll(text, &rest, 10);
	int first;

	if (rest == text || (*rest != ' ' && *rest != '\t') || f->parse(f->data, rest, &why))
		return *why.text ? err_at(r->err, f->path, line, "%.200s", why.text)
				 : err_at(r->err, f->path, line, "not %s", f->form);
	first = first_of(r, id);
	if (first == r->njobs || r->order[first].id != id)
		trace_count_one(&r->lines->unknown, line);
	else if (r->order[first].taken)
		trace_count_one(&r->lines->again, line);
	for (int at = first; at < r->njobs && r->order[at].id == id; at++) {
		r->order[at].taken = true;
		f->take(f->data, r->order[at].job);
	}
	return 0;
}

int byjob_read(const struct trace *trace, const struct byjob *file, struct trace_byjob *lines,
	struct mesh_err *err)
{
	struct reader r = {.file = file, .njobs = trace->njobs, .lines = lines, .err = err};
	int code;

	r.order = need(calloc((size_t)trace->njobs + 1, sizeof(*r.order)));
	for (int i = 0; i < trace->njobs; i++)
		r.order[i] = (struct order){trace->job[i].id, i, false};
	qsort(r.order, (size_t)trace->njobs, sizeof(*r.order), by_id);
	code = textfile_read(file->path, take_line, &r, err);
	free(r.order);
	return code;
}

/* --- shapes ------------------------------------------------------------------------------ */

struct shapes {
	struct trace *trace;
	const struct mesh *mesh;
	struct mesh_shape shape; /* of the current line */
	int count;		 /* the nodes of that shape */
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

int byjob_shapes(
	struct trace *trace, const char *path, const struct mesh *mesh, struct mesh_err *err)
{
	struct shapes s = {.trace = trace, .mesh = mesh};

	return byjob_read(trace, &(struct byjob){path, "ID SHAPE", parse, take, &s},
		&trace->shape_lines, err);
}
