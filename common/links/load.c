/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include <stdlib.h>

enum {
	PARTS = 27720, /* of a rank's message on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
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
	if (!m->parts || !m->job.link || !m->job.load ||
		nodeset_init(&m->seen, links_count(mesh)) ||
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
};

static struct adder adder_of(struct load_meter *m)
{
	return (struct adder){m->mesh, m->parts, m->seen};
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

/* On n links from one on, so far apart. Parts are above 0, so that loads are. */
ALWAYS_INLINE void put(struct adder *a, int link, int stride, int n, int64_t parts)
{
	for (; n > 0; n--, link += stride) {
		a->parts[link] += parts;
		nodeset_add(&a->seen, link);
	}
}

/* As links_route(), without writing the route down. */
ALWAYS_INLINE void send_far(struct adder *a, int from, int to, int64_t parts)
{
	const struct mesh *mesh = a->mesh;
	int v = from;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		bool up = c != end && links_up(mesh, d, c, end);
		/* Downwards a link is the next coordinate's. */
		int low = up ? c : end + 1, high = up ? end : c + 1;
		int stride = mesh->stride[d], link = load_link(mesh, v - c * stride, d, up);

		v += (end - c) * stride;
		if (c == end)
			continue;
		if (low <= high) {
			put(a, link + low * stride, stride, high - low, parts);
		} else { /* round the end of a ring */
			put(a, link + low * stride, stride, side - low, parts);
			put(a, link, stride, high, parts);
		}
	}
}

/* Each rank sends 1 to the next. */
static void send_ring(struct load_meter *m)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && (i % LOOK || !load_meter_late(m)); i++)
		send_far(&adder, m->vertex[i], m->vertex[i + 1 < m->count ? i + 1 : 0], 1);
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
	collect(m, 1.0 / PARTS / each);
}

void load_of_pairs(struct load_meter *m, int by, struct load_job *job)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && (i % LOOK || !load_meter_late(m)); i++)
		if ((i ^ by) < m->count)
			send_far(&adder, m->vertex[i], m->vertex[i ^ by], 1);
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
