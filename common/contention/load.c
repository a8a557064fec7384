/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/load.h"

#include <stdlib.h>
#include <string.h>

enum {
	PARTS = 27720, /* of a rank's message on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
};

const struct comm_mix comm_mix_default = {{[COMM_ALL_TO_ALL] = 0.25, [COMM_RING] = 0.25,
	[COMM_GRID] = 0.25, [COMM_RANDOM] = 0.25}};

/* Ranks by coordinate along one dimension, for each combination of the others that matter. */
struct counts {
	int *count;  /* [nvertices] 0 between calls */
	int *ranks;  /* [nvertices] of a combination; 0 between calls */
	int *used;   /* [nvertices] combinations in use */
	int nused;
};

struct load_meter {
	const struct mesh *mesh;
	int64_t *parts; /* [links] what has been added up; 0 between calls */
	double scale;	/* of a part */
	int *touched;	/* [links] those with parts */
	int ntouched;
	double *load;	/* [links] the answer */
	int *vertex;	/* [nnodes] */
	struct counts upper, lower;
	struct mesh_budget *budget; /* NULL: none */
	bool late;
};

/* --- memory ----------------------------------------------------------------------- */

static int init_counts(struct counts *counts, size_t n)
{
	counts->count = calloc(n, sizeof(int));
	counts->ranks = calloc(n, sizeof(int));
	counts->used = malloc(n * sizeof(int));
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
	free(m->touched);
	free(m->load);
	free(m->vertex);
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
	m->touched = malloc(links * sizeof(int));
	m->load = malloc(links * sizeof(double));
	m->vertex = malloc((size_t)mesh->nnodes * sizeof(int));
	if (!m->parts || !m->touched || !m->load || !m->vertex ||
		init_counts(&m->upper, vertices) || init_counts(&m->lower, vertices)) {
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

static void put(struct load_meter *m, int link, int64_t parts)
{
	if (!parts)
		return;
	if (!m->parts[link])
		m->touched[m->ntouched++] = link;
	m->parts[link] += parts;
}

/* What has been added up since the last call, as a job's. */
static void finish(struct load_meter *m, struct job_load *job)
{
	for (int i = 0; i < m->ntouched; i++) {
		m->load[i] = (double)m->parts[m->touched[i]] * m->scale;
		m->parts[m->touched[i]] = 0;
	}
	*job = (struct job_load){m->ntouched, m->touched, m->load};
	m->ntouched = 0;
}

/* As links_route(), without writing the route down. */
static void send(struct load_meter *m, int from, int to, int64_t parts)
{
	const struct mesh *mesh = m->mesh;
	int v = from;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		bool up = c != end && links_up(mesh, d, c, end);

		while (c != end) {
			int next = up ? c + 1 : c - 1;

			put(m, (v * mesh->ndims + d) * 2 + up, parts);
			next = next == side ? 0 : next < 0 ? side - 1 : next;
			v += (next - c) * mesh->stride[d];
			c = next;
		}
	}
}

static void send_ring(struct load_meter *m, const int *vertex, int count)
{
	m->scale = 1;
	for (int i = 0; i < count && (i % LOOK || !load_meter_late(m)); i++)
		send(m, vertex[i], vertex[i + 1 < count ? i + 1 : 0], 1);
}

static void send_grid(struct load_meter *m, const struct comm_grid *given, const int *vertex,
	int count)
{
	struct comm_grid grid;
	int each = comm_grid_of(given, count, m->mesh->ndims, &grid), ranks = count * each;
	int to[2 * MESH_MAX_DIMS];

	m->scale = 1.0 / PARTS / each;
	for (int i = 0; i < ranks && (i % LOOK || !load_meter_late(m)); i++) {
		int n = comm_grid_neighbours(i, grid.ndims, grid.side, to);

		for (int j = 0; j < n; j++)
			send(m, vertex[i / each], vertex[to[j] / each], PARTS / n);
	}
}

/* --- all to all ------------------------------------------------------------------------- */

/* The links of one line: ranks that send and that receive, by coordinate. */
struct line {
	const int *from, *to; /* [side] */
	int side;
	int start, length; /* the coordinates in use, round the end of a ring */
	int link, step; /* upwards from coordinate 0, and on to that of the next coordinate */
};

/* The link from coordinate c, upwards or downwards. */
static void put_at(struct load_meter *m, const struct line *line, int c, bool up, int64_t pairs)
{
	put(m, line->link + c * line->step - !up, pairs);
}

/* Where nothing goes the other way round, all that is below sends upwards to all that is above. */
static void open_line(struct load_meter *m, const struct line *line)
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
		put_at(m, line, c, true, from * (all_to - to));
		put_at(m, line, next, false, (all_from - from) * to);
		c = next;
	}
}

/* Coordinate of the k-th step round the ring, k < 2 * side. */
static int around(const struct line *line, int k, bool up)
{
	k = k < line->side ? k : k - line->side;
	return up ? k : line->side - 1 - k;
}

/*
 * One way round a ring go the pairs up to `reach` apart. From one link to the next come those that
 * start between the two, and those that end there go. With coordinates in the order of the way:
 *
 *     pairs(c) = pairs(c-1) + from[c] * to[c+1..c+reach] - to[c] * from[c-reach..c-1]
 */
static void ring_way(struct load_meter *m, const struct line *line, int reach, bool up)
{
	int64_t pairs = 0, from = 0, to = 0;
	int side = line->side;

	/* Over the link from the last coordinate to the first. */
	for (int i = reach - 1; i >= 0; i--) {
		to += line->to[around(line, reach - 1 - i, up)];
		pairs += line->from[around(line, side - 1 - i, up)] * to;
	}
	to = 0;
	for (int i = 1; i <= reach; i++) {
		to += line->to[around(line, i, up)];
		from += line->from[around(line, side - i, up)];
	}
	for (int k = 0; k < side; k++) {
		int c = around(line, k, up);

		pairs += line->from[c] * to - line->to[c] * from;
		put_at(m, line, c, up, pairs);
		to += line->to[around(line, k + 1 + reach, up)] - line->to[around(line, k + 1, up)];
		from += line->from[c] - line->from[around(line, k + side - reach, up)];
	}
}

static void ring_line(struct load_meter *m, const struct line *line)
{
	int side = line->side, half = side / 2;
	int64_t back = (int64_t)line->from[half] * line->to[0];

	ring_way(m, line, half, true);
	ring_way(m, line, (side - 1) / 2, false);
	/* Half way round is upwards, but to 0 (links.h). */
	for (int c = half; back && side % 2 == 0 && c < side; c++) {
		put_at(m, line, c, true, -back);
		put_at(m, line, side - c, false, back);
	}
}

static void count_rank(struct counts *counts, int others, int side, int c)
{
	if (!counts->ranks[others]++)
		counts->used[counts->nused++] = others;
	counts->count[others * side + c]++;
}

/* Ranks by coordinate along d, for each combination of the coordinates above it, and below it. */
static void count_ranks(struct load_meter *m, int d, const int *vertex, int count)
{
	const struct mesh *mesh = m->mesh;
	int stride = mesh->stride[d], side = mesh->side[d];

	m->upper.nused = m->lower.nused = 0;
	for (int i = 0; i < count; i++) {
		int v = vertex[i], c = mesh->coord[v][d];

		count_rank(&m->upper, v / (stride * side), side, c);
		count_rank(&m->lower, v % stride, side, c);
	}
}

static void clear_counts(struct counts *counts, int side)
{
	for (int i = 0; i < counts->nused; i++) {
		memset(counts->count + (size_t)counts->used[i] * (size_t)side, 0,
			(size_t)side * sizeof(int));
		counts->ranks[counts->used[i]] = 0;
	}
}

/* The coordinates that are in use: on a ring what is not the longest gap. */
static void find_stretch(const struct load_meter *m, int d, struct line *line)
{
	int side = m->mesh->side[d], gap = 0, longest = 0, end = 0;

	line->start = 0;
	line->length = side;
	for (int i = 0; i < 2 * side && gap < side; i++) {
		int c = i < side ? i : i - side;
		bool used = false;

		for (int j = 0; j < m->lower.nused && !used; j++)
			used = m->lower.count[(size_t)m->lower.used[j] * (size_t)side + (size_t)c] > 0;
		gap = used ? 0 : gap + 1;
		if (gap > longest && (m->mesh->wrap[d] || i < side)) {
			longest = gap;
			end = c;
		}
	}
	if (m->mesh->wrap[d]) {
		line->start = end + 1 < side ? end + 1 : 0;
		line->length = side - longest;
	}
}

/* All lines along d: each that has senders above it and receivers below it. */
static void send_lines(struct load_meter *m, int d)
{
	const struct mesh *mesh = m->mesh;
	int stride = mesh->stride[d], side = mesh->side[d], links = 2 * mesh->ndims;
	struct line all = {.side = side, .step = stride * links};
	bool ring;

	find_stretch(m, d, &all);
	ring = mesh->wrap[d] && 2 * (all.length - 1) >= side;

	for (int i = 0; i < m->upper.nused && !load_meter_late(m); i++)
		for (int j = 0; j < m->lower.nused; j++) {
			int upper = m->upper.used[i], lower = m->lower.used[j];
			struct line line = all;

			line.from = m->upper.count + (size_t)upper * (size_t)side;
			line.to = m->lower.count + (size_t)lower * (size_t)side;
			line.link = (upper * stride * side + lower) * links + 2 * d + 1;
			(ring ? ring_line : open_line)(m, &line);
		}
}

static void send_all(struct load_meter *m, const int *vertex, int count)
{
	const struct mesh *mesh = m->mesh;

	m->scale = 1.0 / (count - 1);
	for (int d = 0; d < mesh->ndims; d++) {
		if (mesh->side[d] == 1)
			continue;
		count_ranks(m, d, vertex, count);
		send_lines(m, d);
		clear_counts(&m->upper, mesh->side[d]);
		clear_counts(&m->lower, mesh->side[d]);
	}
}

struct comm_mix comm_mix_of(enum comm_pattern pattern)
{
	struct comm_mix mix = {{0}};

	if (pattern == COMM_NONE)
		return comm_mix_default;
	mix.share[pattern] = 1;
	return mix;
}

/* --- a job -------------------------------------------------------------------------- */

void load_of_vertices(struct load_meter *m, enum comm_pattern pattern, const int *vertex, int count,
	struct job_load *job)
{
	if (count > 1)
		switch (pattern) {
		case COMM_ALL_TO_ALL:
		case COMM_RANDOM: send_all(m, vertex, count); break;
		case COMM_RING: send_ring(m, vertex, count); break;
		case COMM_GRID: send_grid(m, NULL, vertex, count); break;
		default: break;
		}
	finish(m, job);
}

void load_of_grid(struct load_meter *m, const struct comm_grid *grid, const int *vertex, int count,
	struct job_load *job)
{
	if (count > 1)
		send_grid(m, grid, vertex, count);
	finish(m, job);
}

void load_of(struct load_meter *m, enum comm_pattern pattern, const int *node, int count,
	struct job_load *job)
{
	for (int i = 0; i < count; i++)
		m->vertex[i] = m->mesh->vertex_of[node[i]];
	load_of_vertices(m, pattern, m->vertex, count, job);
}

void load_of_round(struct load_meter *m, const struct comm_round *round, const int *vertex,
	struct job_load *job)
{
	int64_t whole = INT64_MAX / (round->count + 1); /* of a rank: all of them on one link fit */

	for (int rank = 0; rank < round->count; rank++) {
		int n = round->start[rank + 1] - round->start[rank];

		for (int i = 0; i < n; i++)
			send(m, vertex[rank], vertex[round->to[round->start[rank] + i]],
				whole / n);
	}
	m->scale = 1.0 / (double)whole;
	finish(m, job);
}

double job_load_bottleneck(const struct job_load *job, const double *others)
{
	double most = 0;

	for (int i = 0; i < job->n; i++) {
		double load = job->load[i] + (others ? others[job->link[i]] : 0);

		most = load > most ? load : most;
	}
	return most;
}

void job_load_add(const struct job_load *job, double factor, double *load)
{
	for (int i = 0; i < job->n; i++)
		load[job->link[i]] += factor * job->load[i];
}
