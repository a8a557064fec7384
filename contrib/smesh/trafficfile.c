/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trafficfile.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "base/textfile.h"

struct reader {
	const char *path;
	struct traffic_edge *edge;
	size_t count, room;
	int ranks;
	struct mesh_err *err;
};

/* RANK RANK BYTES */
static int take_traffic(void *data, char *text, int line)
{
	struct reader *r = data;
	char *save = NULL, *a_text = strtok_r(text, " \t", &save);
	char *b_text = strtok_r(NULL, " \t", &save), *w_text = strtok_r(NULL, " \t", &save);
	double weight;
	long a, b;

	if (!w_text || strtok_r(NULL, " \t", &save) ||
		options_int(a_text, 0, INT32_MAX, &a) || options_int(b_text, 0, INT32_MAX, &b))
		return err_printf(r->err, "%s:%d: expected RANK RANK BYTES", r->path, line);
	if (a >= r->ranks || b >= r->ranks)
		return err_printf(r->err, "%s:%d: rank %ld: there are 0 to %d", r->path, line,
			a >= r->ranks ? a : b, r->ranks - 1);
	if (options_double(w_text, 0, 1e15, &weight))
		return err_printf(r->err, "%s:%d: '%.32s' is not a number of bytes", r->path, line,
			w_text);
	if (r->count == r->room) {
		size_t room = 2 * r->room + 256;
		struct traffic_edge *more = realloc(r->edge, room * sizeof(*more));

		if (!more)
			return err_printf(r->err, "out of memory");
		r->edge = more;
		r->room = room;
	}
	r->edge[r->count++] = (struct traffic_edge){(int)a, (int)b, weight};
	return 0;
}

int trafficfile_read(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err)
{
	struct reader r = {.path = path, .ranks = ranks, .err = err};
	int bad = textfile_read(path, take_traffic, &r, err) ||
		traffic_init(traffic, ranks, r.edge, r.count, err);

	free(r.edge);
	return bad ? -1 : 0;
}
