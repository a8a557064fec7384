/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include <string.h>

/* The links of one line, and how many ranks send and receive at each coordinate. */
struct line {
	const int *from, *to; /* [side] */
	int side;
	int start, length; /* the coordinates in use; on a ring they may go round its end */
	int link, step; /* the link up from coordinate 0, and from it to the next one */
	int down;	/* and from a link up to the link down */
};

/* A copy of the meter's place for loads, which the compiler keeps in registers. */
struct writer {
	struct load_job job;
	double scale;
};

/* Write the load of the link from coordinate c, upwards or downwards. */
ALWAYS_INLINE void put_at(struct writer *to, const struct line *line, int c, bool up, int64_t pairs)
{
	struct load_job *job = &to->job;

	job->link[job->n] = line->link + c * line->step + (up ? 0 : line->down);
	job->load[job->n] = (double)pairs * to->scale;
	job->n += pairs != 0;
}

/* The next coordinate round the ring. */
ALWAYS_INLINE int after(const struct line *line, int c, bool up)
{
	if (up)
		return c + 1 < line->side ? c + 1 : 0;
	return c ? c - 1 : line->side - 1;
}

/*
 * No message goes round the end of a ring: all ranks below a link send up over it to all above, and
 * these down to all below.
 */
ALWAYS_INLINE void open_line(struct writer *out, const struct line *line)
{
	int64_t from = 0, to = 0, all_from = 0, all_to = 0;
	int c = line->start;

	for (int i = 0; i < line->length; i++, c = after(line, c, true)) {
		all_from += line->from[c];
		all_to += line->to[c];
	}
	c = line->start;
	for (int i = 0; i + 1 < line->length; i++) {
		int next = after(line, c, true);

		from += line->from[c];
		to += line->to[c];
		put_at(out, line, c, true, from * (all_to - to));
		put_at(out, line, next, false, (all_from - from) * to);
		c = next;
	}
}

/*
 * One direction round a ring. The pairs up to `reach` apart go this way. From one link to the next
 * the pairs that start between the two are added, and those that end there are removed. In the
 * order of the direction:
 *
 *     pairs(c) = pairs(c-1) + from[c] * to[c+1..c+reach] - to[c] * from[c-reach..c-1]
 *
 * `back`: pairs from half way round to coordinate 0, which go downwards (links.h).
 */
ALWAYS_INLINE void ring_way(
	struct writer *out, const struct line *line, int reach, bool up, int64_t back)
{
	int side = line->side, half = side / 2, start = up ? 0 : side - 1;
	int head = start, tail = up ? (side - reach) % side : (reach + side - 1) % side;
	int64_t pairs = 0, from = 0, to = 0;

	/* First the pairs over the link from the last coordinate to the first. */
	for (int i = 0, c = tail; i < reach; i++, c = after(line, c, up)) {
		to += line->to[head];
		from += line->from[c];
		pairs += line->from[c] * to;
		head = after(line, head, up);
	}
	to += line->to[head] - line->to[start];
	for (int k = 0, c = start; k < side; k++) {
		int next = after(line, c, up);

		pairs += line->from[c] * to - line->to[c] * from;
		put_at(out, line, c, up,
			pairs + (up ? (c < half ? 0 : -back) : (c && c <= half ? back : 0)));
		head = after(line, head, up);
		to += line->to[head] - line->to[next];
		from += line->from[c] - line->from[tail];
		tail = after(line, tail, up);
		c = next;
	}
}

ALWAYS_INLINE void ring_line(struct writer *out, const struct line *line)
{
	int side = line->side;
	int64_t back = side % 2 ? 0 : (int64_t)line->from[side / 2] * line->to[0];

	ring_way(out, line, side / 2, true, back);
	ring_way(out, line, (side - 1) / 2, false, back);
}

/* Count one more rank at coordinate c, for a combination of the other coordinates. */
static inline void count_rank(struct load_counts *counts, int others, int side, int c)
{
	counts->used[counts->nused] = others;
	counts->nused += !counts->ranks[others];
	counts->ranks[others]++;
	counts->count[others * side + c]++;
}

/* Count ranks by coordinate along d, for each combination of coordinates above and below it. */
static void count_ranks(struct load_meter *m, int d)
{
	struct load_counts upper = m->upper, lower = m->lower;
	int stride = m->mesh->stride[d], side = m->mesh->side[d];

	upper.nused = lower.nused = 0;
	for (int i = 0; i < m->count; i++) {
		int v = m->vertex[i], c = m->mesh->coord[v][d];

		count_rank(&upper, v / (stride * side), side, c);
		count_rank(&lower, v % stride, side, c);
	}
	m->upper.nused = upper.nused;
	m->lower.nused = lower.nused;
}

static void clear_counts(struct load_counts *counts, int side)
{
	for (int i = 0; i < counts->nused; i++) {
		memset(counts->count + (size_t)counts->used[i] * (size_t)side, 0,
			(size_t)side * sizeof(int));
		counts->ranks[counts->used[i]] = 0;
	}
}

static bool in_use(const struct load_counts *counts, int side, int c)
{
	for (int j = 0; j < counts->nused; j++)
		if (counts->count[(size_t)counts->used[j] * (size_t)side + (size_t)c])
			return true;
	return false;
}

/*
 * Find the coordinates in use, from the first to the last; on a ring all but the longest gap.
 * axis_stretch() does the same with an array of the side's length, which took longer than the
 * lines themselves.
 */
static void find_stretch(const struct load_meter *m, int d, struct line *line)
{
	int side = m->mesh->side[d], gap = 0, longest = 0, first = 0, last = side - 1;

	while (!in_use(&m->lower, side, first))
		first++;
	while (!in_use(&m->lower, side, last))
		last--;
	line->start = first;
	line->length = last + 1 - first;
	if (!m->mesh->wrap[d])
		return;
	longest = side - line->length;
	for (int c = first; c < last; c++) {
		gap = in_use(&m->lower, side, c) ? 0 : gap + 1;
		if (gap > longest) {
			longest = gap;
			line->start = c + 1;
		}
	}
	line->length = side - longest;
}

/* Add up each line along d that has senders above it and receivers below it. */
static void send_lines(struct load_meter *m, int d)
{
	const struct mesh *mesh = m->mesh;
	const int *upper = m->upper.used, *lower = m->lower.used;
	int stride = mesh->stride[d], side = mesh->side[d];
	struct line line = {.side = side,
		.step = stride,
		.down = load_number(mesh, 0, d, false) - load_number(mesh, 0, d, true)};
	struct writer out = {m->job, 1.0 / (m->count - 1)};
	bool ring;

	find_stretch(m, d, &line);
	ring = mesh->wrap[d] && 2 * (line.length - 1) >= side;
	for (int i = 0; i < m->upper.nused && !load_meter_late(m); i++) {
		line.from = m->upper.count + (size_t)upper[i] * (size_t)side;
		for (int j = 0; j < m->lower.nused; j++) {
			line.to = m->lower.count + (size_t)lower[j] * (size_t)side;
			line.link = load_number(mesh, upper[i] * stride * side + lower[j], d, true);
			if (ring)
				ring_line(&out, &line);
			else
				open_line(&out, &line);
		}
	}
	m->job.n = out.job.n;
}

void load_all_to_all(struct load_meter *m)
{
	const struct mesh *mesh = m->mesh;

	for (int d = 0; d < mesh->ndims; d++) {
		if (mesh->side[d] == 1)
			continue;
		count_ranks(m, d);
		send_lines(m, d);
		clear_counts(&m->upper, mesh->side[d]);
		clear_counts(&m->lower, mesh->side[d]);
	}
}
