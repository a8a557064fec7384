/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include <stdlib.h>

enum {
	PARTS = 27720, /* of a rank's message on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
	SHORT = 3,     /* links of a stretch that are added up one by one */
};

/* --- memory ----------------------------------------------------------------------- */

static int init_counts(struct load_counts *counts, size_t n)
{
	counts->count = calloc(n, sizeof(int));
	counts->ranks = calloc(n, sizeof(int));
	counts->used = malloc((n + 1) * sizeof(int));
	return counts->count && counts->ranks && counts->used ? 0 : -1;
}

static void release_counts(struct load_counts *counts)
{
	free(counts->count);
	free(counts->ranks);
	free(counts->used);
}

void load_meter_free(struct load_meter *m)
{
	if (!m)
		return;
	free(m->job.link);
	free(m->job.load);
	free(m->row);
	free(m->parts);
	nodeset_release(&m->seen);
	free(m->change);
	free(m->hull);
	free(m->line);
	free(m->share);
	release_counts(&m->upper);
	release_counts(&m->lower);
	free(m->broken);
	free(m->first);
	free(m->way);
	free(m->place);
	free(m);
}

struct load_meter *load_meter_new(const struct mesh *mesh)
{
	struct load_meter *m = calloc(1, sizeof(*m));
	size_t links = (size_t)links_count(mesh), vertices = (size_t)mesh->nvertices;

	if (!m)
		return NULL;
	m->mesh = mesh;
	m->job.link = malloc((links + 1) * sizeof(int));
	m->job.load = malloc((links + 1) * sizeof(double));
	m->row = malloc((size_t)mesh->nnodes * sizeof(int));
	m->parts = calloc(links, sizeof(*m->parts));
	m->change = calloc(links, sizeof(*m->change));
	m->hull = calloc(links, sizeof(*m->hull));
	m->line = malloc(links * sizeof(int));
	m->share = malloc((size_t)mesh->nnodes * sizeof(*m->share));
	if (!m->row || !m->parts || !m->change || !m->hull || !m->line || !m->share ||
		!m->job.link || !m->job.load || nodeset_init(&m->seen, links_count(mesh)) ||
		init_counts(&m->upper, vertices) || init_counts(&m->lower, vertices) ||
		load_detours_init(m)) {
		load_meter_free(m);
		return NULL;
	}
	return m;
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
	struct nodeset seen;
	int64_t *change;
	struct load_stretch *hull;
	int *line, nlines;
};

static struct adder adder_of(struct load_meter *m)
{
	return (struct adder){m->mesh, m->parts, m->seen, m->change, m->hull, m->line, 0};
}

/* Parts are above 0, so that loads are. */
ALWAYS_INLINE void put(struct adder *a, int link, int64_t parts)
{
	a->parts[link] += parts;
	nodeset_add(&a->seen, link);
}

/* Over n links side by side. */
ALWAYS_INLINE void put_each(struct adder *a, int link, const int64_t *parts, int n)
{
	for (int i = 0; i < n; i++)
		a->parts[link + i] += parts[i];
	nodeset_add_run(&a->seen, link, n);
}

/* What has been added up becomes loads, link by link. */
static void collect(struct load_meter *m, double scale)
{
	int64_t *parts = m->parts;
	double *load = m->job.load;
	int *at = m->job.link, n = 0;

	for (int w = 0; w < nodeset_words(m->seen.n); w++) {
		for (uint64_t word = m->seen.word[w]; word; word &= word - 1) {
			int link = 64 * w + __builtin_ctzll(word);

			at[n] = link;
			load[n++] = (double)parts[link] * scale;
			parts[link] = 0;
		}
		m->seen.word[w] = 0;
	}
	m->job.n = n;
}

/*
 * From coordinate `low` to below `high` of a line, which begins at a link. Long stretches are noted
 * by where they begin and end, and added up line by line: spread().
 */
ALWAYS_INLINE void put_stretch(
	struct adder *a, int d, int line, struct load_stretch at, int64_t parts)
{
	int side = a->mesh->side[d], by = a->mesh->stride[d];
	struct load_stretch *hull = &a->hull[line];

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
		struct load_stretch *hull = &a->hull[line];
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
		*hull = (struct load_stretch){0, 0};
	}
	a->nlines = 0;
}

/* The way from coordinate c to `end` of a line: one stretch, or two round the end of a ring. */
ALWAYS_INLINE int ways(int side, bool up, int c, int end, struct load_stretch *way)
{
	/* Downwards a link is the next coordinate's. */
	int low = up ? c : end + 1, high = up ? end : c + 1;

	way[0] = (struct load_stretch){low, high};
	if (low <= high)
		return 1;
	way[0] = (struct load_stretch){0, high};
	way[1] = (struct load_stretch){low, side};
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
		struct load_stretch way[2];
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
 * Ranks go in the order of vertices, mostly along rows of the first dimension. Where the senders of
 * some messages are next to each other in a row, and their receivers are, all go the same way side
 * by side.
 */
struct convoy {
	int from, to; /* the first message's; on from one to the next by a vertex */
	int n;
	const int64_t *parts; /* [n] */
};

/*
 * Each along dimension d, the first by this stretch of this line: the others on lines side by side,
 * or on the first dimension a coordinate further each.
 */
ALWAYS_INLINE void put_side_by_side(
	struct adder *a, int d, int line, struct load_stretch way, const struct convoy *convoy)
{
	int by = a->mesh->stride[d];

	if (way.high - way.low <= SHORT) {
		for (int c = way.low; c < way.high; c++)
			put_each(a, line + c * by, convoy->parts, convoy->n);
		return;
	}
	for (int i = 0; i < convoy->n; i++)
		put_stretch(a, d, d ? line + i : line,
			d ? way : (struct load_stretch){way.low + i, way.high + i},
			convoy->parts[i]);
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
		struct load_stretch way = {up ? from[0] : to[0] + 1, up ? to[0] : from[0] + 1};

		put_side_by_side(a, 0, load_link(mesh, v, 0, up), way, convoy);
	}
	v += to[0];
	for (int d = 1; d < mesh->ndims; d++) {
		struct load_stretch way[2];
		bool up;

		if (from[d] == to[d])
			continue;
		up = links_up(mesh, d, from[d], to[d]);
		for (int i = ways(mesh->side[d], up, from[d], to[d], way); i-- > 0;)
			put_side_by_side(a, d,
				load_link(mesh, v - from[d] * mesh->stride[d], d, up), way[i],
				convoy);
		v += (to[d] - from[d]) * mesh->stride[d];
	}
}

/* Ranks from number `first` to below `end`: each sends its share to the one `by` numbers on, and if
 * `back` that one to it. */
struct senders {
	int first, end, by;
	bool back;
};

static void send_on(struct load_meter *m, struct adder *a, const struct senders *senders)
{
	const int *vertex = m->vertex, *row = m->row;
	int by = senders->by;

	for (int i = senders->first, n; i < senders->end; i += n) {
		n = senders->end - i;
		n = row[i] < n ? row[i] : n;
		n = row[i + by] < n ? row[i + by] : n;
		send_convoy(a, &(struct convoy){vertex[i], vertex[i + by], n, m->share + i});
		if (senders->back)
			send_convoy(a,
				&(struct convoy){vertex[i + by], vertex[i], n, m->share + i + by});
		if ((i + n) / LOOK > i / LOOK && load_meter_late(m))
			return;
	}
}

static void send_ring(struct load_meter *m)
{
	struct adder adder = adder_of(m);
	int last = m->count - 1;

	for (int i = 0; i < last; i++)
		m->share[i] = 1;
	send_on(m, &adder, &(struct senders){0, last, 1, false});
	send_far(&adder, m->vertex[last], m->vertex[0], 1);
	spread(m, &adder);
	collect(m, 1);
}

/* What each rank of a grid sends to each of its neighbours: row by row of its last dimension. */
static void share_out(struct load_meter *m, const struct comm_grid *grid)
{
	int at[MESH_MAX_DIMS] = {0}, last = grid->ndims - 1, side = grid->side[last];

	for (int i = 0; i < m->count; i += side) {
		int n = 0;

		for (int d = 0; d < last; d++)
			n += (at[d] > 0) + (at[d] + 1 < grid->side[d]);
		for (int c = 1; c + 1 < side; c++)
			m->share[i + c] = PARTS / (n + 2);
		m->share[i] = m->share[i + side - 1] = PARTS / (n + (side > 1));
		for (int d = last - 1; d >= 0 && ++at[d] == grid->side[d]; d--)
			at[d] = 0;
	}
}

/* One rank on each vertex: along each of the grid's dimensions, first the last, all that go the
 * same way. */
static void send_grid_rows(struct load_meter *m, struct adder *a, const struct comm_grid *grid)
{
	share_out(m, grid);
	for (int d = grid->ndims - 1, by = 1; d >= 0; by *= grid->side[d--])
		for (int i = 0; i < m->count && !m->late; i += by * grid->side[d])
			send_on(m, a, &(struct senders){i, i + by * (grid->side[d] - 1), by, true});
}

/* Several ranks on each vertex: each rank to its neighbours, one by one. */
static void send_grid_ranks(
	struct load_meter *m, struct adder *a, const struct comm_grid *grid, int each)
{
	int ranks = comm_grid_ranks(grid), to[2 * MESH_MAX_DIMS];

	for (int i = 0; i < ranks && (i % LOOK || !load_meter_late(m)); i++) {
		int n = comm_grid_neighbours(i, grid->ndims, grid->side, to);

		for (int k = 0; k < n; k++)
			send_far(a, m->vertex[i / each], m->vertex[to[k] / each], PARTS / n);
	}
}

static void send_grid(struct load_meter *m, const struct comm_grid *given)
{
	struct comm_grid grid;
	int each = comm_grid_of(given, m->count, m->mesh->ndims, &grid);
	struct adder adder = adder_of(m);

	if (each > 1)
		send_grid_ranks(m, &adder, &grid, each);
	else
		send_grid_rows(m, &adder, &grid);
	spread(m, &adder);
	collect(m, 1.0 / PARTS / each);
}

void load_of_pairs(struct load_meter *m, int by, struct load_job *job)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count; i++)
		m->share[i] = 1;
	for (int i = 0; i + by < m->count && !m->late; i += 2 * by) {
		int end = i + 2 * by < m->count ? i + by : m->count - by;

		send_on(m, &adder, &(struct senders){i, end, by, true});
	}
	spread(m, &adder);
	collect(m, 1);
	load_detours(m);
	*job = m->job;
}

/* --- a job -------------------------------------------------------------------------- */

/* How many of the ranks from each on are next to each other in a row. */
static void find_rows(struct load_meter *m)
{
	const int *vertex = m->vertex;
	int *row = m->row;

	row[m->count - 1] = 1;
	for (int i = m->count - 1; i-- > 0;)
		row[i] = vertex[i + 1] == vertex[i] + 1 && m->mesh->coord[vertex[i + 1]][0]
			? row[i + 1] + 1
			: 1;
}

void load_ranks(struct load_meter *m, const int *vertex, int count)
{
	m->vertex = vertex;
	m->count = count;
	if (count > 0)
		find_rows(m);
}

void load_of(struct load_meter *m, enum comm_pattern pattern, const struct comm_grid *grid,
	struct load_job *job)
{
	m->job.n = 0;
	if (m->count > 1)
		switch (pattern) {
		case COMM_ALL_TO_ALL:
		case COMM_RANDOM: load_all_to_all(m); break;
		case COMM_RING: send_ring(m); break;
		case COMM_GRID: send_grid(m, grid); break;
		default: break;
		}
	load_detours(m);
	*job = m->job;
}

double load_bottleneck(const struct load_job *job)
{
	double most = 0;

	for (int i = 0; i < job->n; i++)
		most = job->load[i] > most ? job->load[i] : most;
	return most;
}
