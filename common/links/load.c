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
	free(m->parts);
	nodeset_release(&m->seen);
	free(m->change);
	free(m->hull);
	free(m->line);
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
	m->parts = calloc(links, sizeof(*m->parts));
	m->change = calloc(links, sizeof(*m->change));
	m->hull = calloc(links, sizeof(*m->hull));
	m->line = malloc(links * sizeof(int));
	if (!m->parts || !m->change || !m->hull || !m->line ||
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

/* Each rank sends 1 to the next. */
static void send_ring(struct load_meter *m)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && (i % LOOK || !load_meter_late(m)); i++)
		send_far(&adder, m->vertex[i], m->vertex[i + 1 < m->count ? i + 1 : 0], 1);
	spread(m, &adder);
	collect(m, 1);
}

/* Each rank sends 1 in all to its neighbours; `each` ranks are on a vertex. */
static void send_grid(struct load_meter *m, const struct comm_grid *given)
{
	struct comm_grid grid;
	int each = comm_grid_of(given, m->count, m->mesh->ndims, &grid);
	int ranks = comm_grid_ranks(&grid), to[2 * MESH_MAX_DIMS];
	struct adder adder = adder_of(m);

	for (int i = 0; i < ranks && (i % LOOK || !load_meter_late(m)); i++) {
		int n = comm_grid_neighbours(i, grid.ndims, grid.side, to);

		for (int k = 0; k < n; k++)
			send_far(&adder, m->vertex[i / each], m->vertex[to[k] / each], PARTS / n);
	}
	spread(m, &adder);
	collect(m, 1.0 / PARTS / each);
}

void load_of_pairs(struct load_meter *m, int by, struct load_job *job)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && (i % LOOK || !load_meter_late(m)); i++)
		if ((i ^ by) < m->count)
			send_far(&adder, m->vertex[i], m->vertex[i ^ by], 1);
	spread(m, &adder);
	collect(m, 1);
	load_detours(m);
	*job = m->job;
}

/* --- a job -------------------------------------------------------------------------- */

void load_ranks(struct load_meter *m, const int *vertex, int count)
{
	m->vertex = vertex;
	m->count = count;
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
