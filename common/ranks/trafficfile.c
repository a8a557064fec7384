/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/trafficfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"

struct reader {
	const char *path;
	struct traffic_edge *edge;
	size_t count, room;
	int ranks;
	struct mesh_err *err;
};

/* A rank, or -1 where the word is none. */
static long rank_in(const char *text)
{
	char *end;
	long rank;

	errno = 0;
	rank = strtol(text, &end, 10);
	return errno || end == text || *end || rank > INT32_MAX ? -1 : rank;
}

static bool bytes_in(const char *text, double *bytes)
{
	char *end;

	errno = 0;
	*bytes = strtod(text, &end);
	return !errno && end != text && !*end && *bytes >= 0 && *bytes <= 1e15;
}

/* RANK RANK BYTES */
static int take_traffic(void *data, char *text, int line)
{
	struct reader *r = data;
	char *save = NULL, *a_text = strtok_r(text, " \t", &save);
	char *b_text = strtok_r(NULL, " \t", &save), *w_text = strtok_r(NULL, " \t", &save);
	double weight;
	long a, b;

	if (!w_text || strtok_r(NULL, " \t", &save) || (a = rank_in(a_text)) < 0 ||
		(b = rank_in(b_text)) < 0)
		return err_at(r->err, r->path, line, "expected RANK RANK BYTES");
	if (a >= r->ranks || b >= r->ranks)
		return err_at(r->err, r->path, line, "rank %ld: there are 0 to %d",
			a >= r->ranks ? a : b, r->ranks - 1);
	if (!bytes_in(w_text, &weight))
		return err_at(r->err, r->path, line, "'%.32s' is not a number of bytes",
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
