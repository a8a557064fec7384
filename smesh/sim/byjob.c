/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/byjob.h"

#include <stdlib.h>

#include "base/textfile.h"

struct order {
	int64_t id;
	int job;
};

struct reader {
	const struct byjob *file;
	struct order *order; /* [njobs] by number */
	int njobs;
	struct mesh_err *err;
};

static int by_id(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->job - y->job;
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

	if (rest == text || (*rest != ' ' && *rest != '\t') || f->parse(f->data, rest, &why))
		return *why.text ? err_at(r->err, f->path, line, "%.200s", why.text)
				 : err_at(r->err, f->path, line, "not %s", f->form);
	for (int at = first_of(r, id); at < r->njobs && r->order[at].id == id; at++)
		f->take(f->data, r->order[at].job);
	return 0;
}

int byjob_read(const struct trace *trace, const struct byjob *file, struct mesh_err *err)
{
	struct reader r = {.file = file, .njobs = trace->njobs, .err = err};
	int code;

	if (!(r.order = calloc((size_t)trace->njobs + 1, sizeof(*r.order))))
		return err_printf(err, "out of memory");
	for (int i = 0; i < trace->njobs; i++)
		r.order[i] = (struct order){trace->job[i].id, i};
	qsort(r.order, (size_t)trace->njobs, sizeof(*r.order), by_id);
	code = textfile_read(file->path, take_line, &r, err);
	free(r.order);
	return code;
}
