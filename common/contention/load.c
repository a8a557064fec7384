/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/load.h"

#include <stdlib.h>
#include <string.h>

enum {
	PARTS = 27720, /* of a rank's message on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
	SHORT = 3,     /* links of a stretch that are added up one by one */
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Ranks by coordinate along one dimension, for each combination of the others that matter. */
struct counts {
	int *count;  /* [nvertices] 0 between calls */
	int *ranks;  /* [nvertices] of a combination; 0 between calls */
	int *used;   /* [nvertices + 1] combinations in use, and one that may be overwritten */
	int nused;
};

/* Coordinates of a line, from low to below high. */
struct stretch {
	int low, high;
};

struct load_meter {
	const struct mesh *mesh;
	int64_t *parts; /* [links] what has been added up; 0 between calls */
	int64_t *change; /* [links] long stretches: from a link to the next of its line; 0 between calls */
	struct stretch *hull; /* [links] of those of a line, by its first link; 0 between calls */
	int *line;	/* [links] the lines that have any */
	double scale;	/* of a part */
	int *touched;	/* [links + 1] those with parts, and one that may be overwritten */
	int ntouched;
	double *load;	/* [links + 1] the answer */
	int *vertex;	/* [nnodes] */
	int *row;	/* [nnodes] see find_rows() */
	int64_t *share; /* [nnodes] parts of a message of each rank */
	struct counts upper, lower;
	struct mesh_budget *budget; /* NULL: none */
	bool late;
};

/* --- memory ----------------------------------------------------------------------- */

static int init_counts(struct counts *counts, size_t n)
{
	counts->count = calloc(n, sizeof(int));
	counts->ranks = calloc(n, sizeof(int));
	counts->used = malloc((n + 1) * sizeof(int));
	return counts->count && counts->ranks && counts->used ? 0 : -1;
}

static void release_counts(struct counts *counts)
{
	free(counts->count);
	free(counts->ranks);
	free(counts->used);
}

void load_meter_free(struct load_meter *m)
{
	if (!m)
		return;
	free(m->parts);
	free(m->change);
	free(m->hull);
	free(m->line);
	free(m->touched);
	free(m->load);
	free(m->vertex);
	free(m->row);
	free(m->share);
	release_counts(&m->upper);
	release_counts(&m->lower);
	free(m);
}

struct load_meter *load_meter_new(const struct mesh *mesh)
{
	struct load_meter *m = calloc(1, sizeof(*m));
	size_t links = (size_t)links_count(mesh), vertices = (size_t)mesh->nvertices;

	if (!m)
		return NULL;
	m->mesh = mesh;
	m->parts = calloc(links, sizeof(*m->parts));
	m->change = calloc(links, sizeof(*m->change));
	m->hull = calloc(links, sizeof(*m->hull));
	m->line = malloc(links * sizeof(int));
	m->touched = malloc((links + 1) * sizeof(int));
	m->load = malloc((links + 1) * sizeof(double));
	m->vertex = malloc((size_t)mesh->nnodes * sizeof(int));
	m->row = malloc((size_t)mesh->nnodes * sizeof(int));
	m->share = malloc((size_t)mesh->nnodes * sizeof(*m->share));
	if (!m->row || !m->share || !m->change || !m->hull || !m->line || !m->parts || !m->touched || !m->load || !m->vertex ||
		init_counts(&m->upper, vertices) || init_counts(&m->lower, vertices)) {
		load_meter_free(m);
		return NULL;
	}
	return m;
}

int load_job_init(struct load_job *kept, const struct mesh *mesh)
{
	size_t links = (size_t)links_count(mesh);

	kept->n = 0;
	kept->link = malloc((links + 1) * sizeof(int));
	kept->load = malloc((links + 1) * sizeof(double));
	return kept->link && kept->load ? 0 : -1;
}

void load_job_release(struct load_job *kept)
{
	free(kept->link);
	free(kept->load);
}

void load_meter_keep(struct load_meter *m, const struct load_job *job, struct load_job *kept)
{
	m->touched = kept->link;
	m->load = kept->load;
	*kept = *job;
}

void load_meter_budget(struct load_meter *m, struct mesh_budget *budget)
{
	m->budget = budget;
	m->late = false;
}

bool load_meter_late(struct load_meter *m)
{
	return m->late || (m->budget && (m->late = mesh_budget_late(m->budget)));
}

/* --- messages ----------------------------------------------------------------------- */

/* Where messages are added up: a copy of the meter's, which the compiler keeps in registers. */
struct adder {
	const struct mesh *mesh;
	int64_t *parts;
	int *touched, n;
	int64_t *change;
	struct stretch *hull;
	int *line, nlines;
	double *load, scale;
	bool parted; /* of an all-to-all: a link's load is not known from the first */
};

static struct adder adder_of(struct load_meter *m)
{
	return (struct adder){.mesh = m->mesh, .parts = m->parts, .touched = m->touched, .n = m->ntouched,
		.change = m->change, .hull = m->hull, .line = m->line, .load = m->load, .scale = m->scale};
}

/* parts > 0, or some that are there already. Without a branch, which would be guessed wrong. */
ALWAYS_INLINE void put(struct adder *a, int link, int64_t parts)
{
	a->touched[a->n] = link;
	a->n += !a->parts[link];
	a->parts[link] += parts;
}

/* What has been added up of the links from number `first` of touched[] on becomes loads. */
static void finish(struct load_meter *m, int first, int end)
{
	for (int i = first; i < end; i++) {
		m->load[i] = (double)m->parts[m->touched[i]] * m->scale;
		m->parts[m->touched[i]] = 0;
	}
	m->ntouched = end;
}

/* All loads since the last call, as a job's. */
static void take(struct load_meter *m, struct load_job *job)
{
	*job = (struct load_job){m->ntouched, m->touched, m->load};
	m->ntouched = 0;
}

/*
 * From coordinate `low` to below `high` of a line, which begins at a link. Long stretches are noted by
 * where they begin and end, and added up line by line: spread().
 */
ALWAYS_INLINE void put_stretch(struct adder *a, int d, int line, struct stretch at, int64_t parts)
{
	int side = a->mesh->side[d], by = a->mesh->stride[d];
	struct stretch *hull = &a->hull[line];

	if (at.high - at.low <= SHORT) {
		for (int c = at.low; c < at.high; c++)
			put(a, line + c * by, parts);
		return;
	}
	if (!hull->high) {
		a->line[a->nlines++] = line;
		*hull = at;
	}
	hull->low = at.low < hull->low ? at.low : hull->low;
	hull->high = at.high > hull->high ? at.high : hull->high;
	a->change[line + at.low * by] += parts;
	if (at.high < side)
		a->change[line + at.high * by] -= parts;
}

/* The long stretches. */
static void spread(struct load_meter *m, struct adder *a)
{
	for (int i = 0; i < a->nlines; i++) {
		int line = a->line[i], d = line / m->mesh->nvertices / 2, by = m->mesh->stride[d];
		struct stretch *hull = &a->hull[line];
		int64_t parts = 0;

		for (int c = hull->low; c < hull->high; c++) {
			int link = line + c * by;

			parts += a->change[link];
			a->change[link] = 0;
			if (parts)
				put(a, link, parts);
		}
		if (hull->high < m->mesh->side[d])
			a->change[line + hull->high * by] = 0;
		*hull = (struct stretch){0, 0};
	}
	a->nlines = 0;
}

/* The way from coordinate c to `end` of a line: one stretch, or two round the end of a ring. */
ALWAYS_INLINE int ways(int side, bool up, int c, int end, struct stretch *way)
{
	/* Downwards a link is the next coordinate's. */
	int low = up ? c : end + 1, high = up ? end : c + 1;

	way[0] = (struct stretch){low, high};
	if (low <= high)
		return 1;
	way[0] = (struct stretch){0, high};
	way[1] = (struct stretch){low, side};
	return 2;
}

/* As links_route(), without writing the route down. */
ALWAYS_INLINE void send_far(struct adder *a, int from, int to, int64_t parts)
{
	const struct mesh *mesh = a->mesh;
	int v = from;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		int line = v - c * mesh->stride[d];
		struct stretch way[2];
		bool up;

		if (c == end)
			continue;
		v += (end - c) * mesh->stride[d];
		up = links_up(mesh, d, c, end);
		for (int i = ways(side, up, c, end, way); i-- > 0;)
			put_stretch(a, d, load_link(mesh, line, d, up), way[i], parts);
	}
}

/* --- messages side by side --------------------------------------------------------------- */

/*
 * Ranks go in the order of vertices, mostly along rows of the first dimension. Where the senders of some
 * messages are next to each other in a row, and their receivers are, all go the same way side by side.
 */
struct convoy {
	int from, to; /* the first message's; on from one to the next by a vertex */
	int n;
	const int64_t *parts; /* [n] */
};

/* All of them over the links from `link` on. */
ALWAYS_INLINE void put_convoy(struct adder *a, int link, const struct convoy *convoy)
{
	const int64_t *parts = convoy->parts;
	struct adder near = *a;

	for (int i = 0; i < convoy->n; i++)
		put(&near, link + i, parts[i]);
	a->n = near.n;
}

/*
 * Each along dimension d, the first by this stretch of this line: the others on lines side by side, or on the
 * first dimension a coordinate further each.
 */
ALWAYS_INLINE void put_side_by_side(struct adder *a, int d, int line, struct stretch way, const struct convoy *convoy)
{
	int by = a->mesh->stride[d];

	if (way.high - way.low <= SHORT) {
		for (int c = way.low; c < way.high; c++)
			put_convoy(a, line + c * by, convoy);
		return;
	}
	for (int i = 0; i < convoy->n; i++)
		put_stretch(a, d, d ? line + i : line,
			d ? way : (struct stretch){way.low + i, way.high + i}, convoy->parts[i]);
}

static void send_convoy(struct adder *a, const struct convoy *convoy)
{
	const struct mesh *mesh = a->mesh;
	const int16_t *from = mesh->coord[convoy->from], *to = mesh->coord[convoy->to];
	int v = convoy->from - from[0];

	/* On the first dimension those at a ring's end may go another way. */
	if (convoy->n == 1 || (mesh->wrap[0] && 2 * abs(to[0] - from[0]) >= mesh->side[0])) {
		for (int i = 0; i < convoy->n; i++)
			send_far(a, convoy->from + i, convoy->to + i, convoy->parts[i]);
		return;
	}
	if (from[0] != to[0]) {
		bool up = to[0] > from[0];
		struct stretch way = {up ? from[0] : to[0] + 1, up ? to[0] : from[0] + 1};

		put_side_by_side(a, 0, load_link(mesh, v, 0, up), way, convoy);
	}
	v += to[0];
	for (int d = 1; d < mesh->ndims; d++) {
		struct stretch way[2];
		bool up;

		if (from[d] == to[d])
			continue;
		up = links_up(mesh, d, from[d], to[d]);
		for (int i = ways(mesh->side[d], up, from[d], to[d], way); i-- > 0;)
			put_side_by_side(a, d, load_link(mesh, v - from[d] * mesh->stride[d], d, up), way[i], convoy);
		v += (to[d] - from[d]) * mesh->stride[d];
	}
}

/* How many of the ranks from each on are next to each other in a row. */
static void find_rows(struct load_meter *m, const int *vertex, int count)
{
	m->row[count - 1] = 1;
	for (int i = count - 1; i-- > 0;)
		m->row[i] = vertex[i + 1] == vertex[i] + 1 && m->mesh->coord[vertex[i + 1]][0] ? m->row[i + 1] + 1 : 1;
}

/* Ranks from number `first` to below `end` of a job on vertex[]. */
struct senders {
	const int *vertex;
	int first, end;
};

/* Each to the rank so many numbers on, and if `back` that one to it, each with its share. */
static void send_on(struct load_meter *m, struct adder *a, const struct senders *senders, int by, bool back)
{
	const int *vertex = senders->vertex, *row = m->row;

	for (int i = senders->first, n; i < senders->end; i += n) {
		n = senders->end - i;
		n = row[i] < n ? row[i] : n;
		n = row[i + by] < n ? row[i + by] : n;
		send_convoy(a, &(struct convoy){vertex[i], vertex[i + by], n, m->share + i});
		if (back)
			send_convoy(a, &(struct convoy){vertex[i + by], vertex[i], n, m->share + i + by});
		if ((i + n) / LOOK > i / LOOK && load_meter_late(m))
			return;
	}
}

static void send_ring(struct load_meter *m, const int *vertex, int count)
{
	struct adder adder = adder_of(m);

	m->scale = 1;
	for (int i = 0; i < count; i++)
		m->share[i] = 1;
	find_rows(m, vertex, count);
	send_on(m, &adder, &(struct senders){vertex, 0, count - 1}, 1, false);
	send_far(&adder, vertex[count - 1], vertex[0], 1);
	spread(m, &adder);
	finish(m, m->ntouched, adder.n);
}

/* What each rank of a grid sends to each of its neighbours. */
static void share_out(struct load_meter *m, const struct comm_grid *grid, int count)
{
	int at[MESH_MAX_DIMS] = {0};

	for (int i = 0; i < count; i++) {
		int n = 0;

		for (int d = 0; d < grid->ndims; d++)
			n += (at[d] > 0) + (at[d] + 1 < grid->side[d]);
		m->share[i] = PARTS / n;
		for (int d = grid->ndims - 1; d >= 0 && ++at[d] == grid->side[d]; d--)
			at[d] = 0;
	}
}

/* One rank on each vertex: along each of the grid's dimensions, first the last, all that go the same way. */
static void send_grid_rows(struct load_meter *m, struct adder *a, const struct comm_grid *grid,
	const int *vertex, int count)
{
	share_out(m, grid, count);
	find_rows(m, vertex, count);
	for (int d = grid->ndims - 1, by = 1; d >= 0; by *= grid->side[d--])
		for (int i = 0; i < count && !m->late; i += by * grid->side[d])
			send_on(m, a, &(struct senders){vertex, i, i + by * (grid->side[d] - 1)}, by, true);
}

/* Several ranks on each vertex: each rank to its neighbours, one by one. */
static void send_grid_ranks(struct load_meter *m, struct adder *a, const struct comm_grid *grid,
	const int *vertex, int each)
{
	int ranks = comm_grid_ranks(grid), to[2 * MESH_MAX_DIMS];

	for (int i = 0; i < ranks && (i % LOOK || !load_meter_late(m)); i++) {
		int n = comm_grid_neighbours(i, grid->ndims, grid->side, to);

		for (int k = 0; k < n; k++)
			send_far(a, vertex[i / each], vertex[to[k] / each], PARTS / n);
	}
}

static void send_grid(struct load_meter *m, const struct comm_grid *given, const int *vertex, int count)
{
	struct comm_grid grid;
	int each = comm_grid_of(given, count, m->mesh->ndims, &grid);
	struct adder adder = adder_of(m);

	m->scale = 1.0 / PARTS / each;
	if (each > 1)
		send_grid_ranks(m, &adder, &grid, vertex, each);
	else
		send_grid_rows(m, &adder, &grid, vertex, count);
	spread(m, &adder);
	finish(m, m->ntouched, adder.n);
}

/* --- all to all ------------------------------------------------------------------------- */

/* The links of one line: ranks that send and that receive, by coordinate. */
struct line {
	const int *from, *to; /* [side] */
	int side;
	int start, length; /* the coordinates in use, round the end of a ring */
	int link, step; /* upwards from coordinate 0, and on to that of the next coordinate */
	int down;	/* and to that downwards */
};

/* The link from coordinate c, upwards or downwards: most are met once, and their load is known then. */
static inline void put_at(struct adder *a, const struct line *line, int c, bool up, int64_t pairs)
{
	int link = line->link + c * line->step + (up ? 0 : line->down);

	if (a->parted) {
		if (pairs)
			put(a, link, pairs);
		return;
	}
	a->touched[a->n] = link;
	a->load[a->n] = (double)pairs * a->scale;
	a->n += pairs != 0;
}

/* Where nothing goes the other way round, all that is below sends upwards to all that is above. */
ALWAYS_INLINE void open_line(struct adder *a, const struct line *line)
{
	int64_t from = 0, to = 0, all_from = 0, all_to = 0;
	int c = line->start;

	for (int i = 0; i < line->length; i++, c = c + 1 < line->side ? c + 1 : 0) {
		all_from += line->from[c];
		all_to += line->to[c];
	}
	c = line->start;
	for (int i = 0; i + 1 < line->length; i++) {
		int next = c + 1 < line->side ? c + 1 : 0;

		from += line->from[c];
		to += line->to[c];
		put_at(a, line, c, true, from * (all_to - to));
		put_at(a, line, next, false, (all_from - from) * to);
		c = next;
	}
}

/* The next coordinate round the ring. */
ALWAYS_INLINE int after(const struct line *line, int c, bool up)
{
	if (up)
		return c + 1 < line->side ? c + 1 : 0;
	return c ? c - 1 : line->side - 1;
}

/*
 * One way round a ring go the pairs up to `reach` apart. From one link to the next come those that
 * start between the two, and those that end there go. With coordinates in the order of the way:
 *
 *     pairs(c) = pairs(c-1) + from[c] * to[c+1..c+reach] - to[c] * from[c-reach..c-1]
 */
ALWAYS_INLINE void ring_way(struct adder *a, const struct line *line, int reach, bool up)
{
	int side = line->side, start = up ? 0 : side - 1;
	int head = start, tail = up ? (side - reach) % side : (reach + side - 1) % side;
	int64_t pairs = 0, from = 0, to = 0;

	/* Over the link from the last coordinate to the first. */
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
		put_at(a, line, c, up, pairs);
		head = after(line, head, up);
		to += line->to[head] - line->to[next];
		from += line->from[c] - line->from[tail];
		tail = after(line, tail, up);
		c = next;
	}
}

ALWAYS_INLINE void ring_line(struct load_meter *m, struct adder *a, const struct line *line)
{
	int side = line->side, half = side / 2, first = a->n;
	int64_t back = side % 2 ? 0 : (int64_t)line->from[half] * line->to[0];

	a->parted = back > 0;
	ring_way(a, line, half, true);
	ring_way(a, line, (side - 1) / 2, false);
	if (!back)
		return;
	/* Half way round is upwards, but to 0 (links.h). */
	for (int c = half; c < side; c++) {
		put_at(a, line, c, true, -back);
		put_at(a, line, side - c, false, back);
	}
	finish(m, first, a->n);
}

/* Of a combination there are so many more. */
static inline void count_some(struct counts *counts, int others, int ranks)
{
	counts->used[counts->nused] = others;
	counts->nused += !counts->ranks[others];
	counts->ranks[others] += ranks;
}

/* Ranks by coordinate along d, for each combination of the coordinates above it and below it, row by row. */
static void count_ranks(struct load_meter *m, int d, const int *vertex, int count)
{
	struct counts upper = m->upper, lower = m->lower;
	unsigned stride = (unsigned)m->mesh->stride[d], side = (unsigned)m->mesh->side[d];

	upper.nused = lower.nused = 0;
	for (int i = 0, n; i < count; i += n) {
		unsigned v = (unsigned)vertex[i], above = v / (stride * side);
		int c = m->mesh->coord[v][d], below = (int)(v - (above * side + (unsigned)c) * stride);

		n = m->row[i];
		count_some(&upper, (int)above, n);
		if (!d) {
			count_some(&lower, 0, n);
			for (int j = c; j < c + n; j++) {
				upper.count[(int)(above * side) + j]++;
				lower.count[j]++;
			}
			continue;
		}
		upper.count[(int)(above * side) + c] += n;
		for (int j = below; j < below + n; j++) {
			count_some(&lower, j, 1);
			lower.count[j * (int)side + c]++;
		}
	}
	m->upper.nused = upper.nused;
	m->lower.nused = lower.nused;
}

static void clear_counts(struct counts *counts, int side)
{
	for (int i = 0; i < counts->nused; i++) {
		memset(counts->count + (size_t)counts->used[i] * (size_t)side, 0,
			(size_t)side * sizeof(int));
		counts->ranks[counts->used[i]] = 0;
	}
}

static bool in_use(const struct counts *counts, int side, int c)
{
	for (int j = 0; j < counts->nused; j++)
		if (counts->count[(size_t)counts->used[j] * (size_t)side + (size_t)c])
			return true;
	return false;
}

/* The coordinates that are in use, from the first to the last; on a ring what is not the longest gap. */
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

/* All lines along d: each that has senders above it and receivers below it. */
static void send_lines(struct load_meter *m, int d)
{
	const struct mesh *mesh = m->mesh;
	int stride = mesh->stride[d], side = mesh->side[d];
	struct line all = {.side = side, .step = stride, .down = load_link(mesh, 0, d, false) - load_link(mesh, 0, d, true)};
	struct adder adder = adder_of(m);
	bool ring;

	find_stretch(m, d, &all);
	ring = mesh->wrap[d] && 2 * (all.length - 1) >= side;

	for (int i = 0; i < m->upper.nused && !load_meter_late(m); i++)
		for (int j = 0; j < m->lower.nused; j++) {
			int upper = m->upper.used[i], lower = m->lower.used[j];
			struct line line = all;

			line.from = m->upper.count + (size_t)upper * (size_t)side;
			line.to = m->lower.count + (size_t)lower * (size_t)side;
			line.link = load_link(mesh, upper * stride * side + lower, d, true);
			if (ring)
				ring_line(m, &adder, &line);
			else
				open_line(&adder, &line);
		}
	m->ntouched = adder.n;
}

static void send_all(struct load_meter *m, const int *vertex, int count)
{
	const struct mesh *mesh = m->mesh;

	m->scale = 1.0 / (count - 1);
	find_rows(m, vertex, count);
	for (int d = 0; d < mesh->ndims; d++) {
		if (mesh->side[d] == 1)
			continue;
		count_ranks(m, d, vertex, count);
		send_lines(m, d);
		clear_counts(&m->upper, mesh->side[d]);
		clear_counts(&m->lower, mesh->side[d]);
	}
}

/* --- a job -------------------------------------------------------------------------- */

void load_of_vertices(struct load_meter *m, enum comm_pattern pattern, const int *vertex, int count,
	struct load_job *job)
{
	if (count > 1)
		switch (pattern) {
		case COMM_ALL_TO_ALL:
		case COMM_RANDOM: send_all(m, vertex, count); break;
		case COMM_RING: send_ring(m, vertex, count); break;
		case COMM_GRID: send_grid(m, NULL, vertex, count); break;
		default: break;
		}
	take(m, job);
}

void load_of_grid(struct load_meter *m, const struct comm_grid *grid, const int *vertex, int count,
	struct load_job *job)
{
	if (count > 1)
		send_grid(m, grid, vertex, count);
	take(m, job);
}

void load_of(struct load_meter *m, enum comm_pattern pattern, const int *node, int count,
	struct load_job *job)
{
	for (int i = 0; i < count; i++)
		m->vertex[i] = m->mesh->vertex_of[node[i]];
	load_of_vertices(m, pattern, m->vertex, count, job);
}

double load_bottleneck(const struct load_job *job)
{
	double most = 0;

	for (int i = 0; i < job->n; i++)
		most = job->load[i] > most ? job->load[i] : most;
	return most;
}
