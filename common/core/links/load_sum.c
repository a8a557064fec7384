/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

enum {
	PARTS = 27720, /* of a rank's messages on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
};

/* --- memory ----------------------------------------------------------------------- */

static void init_counts(struct load_counts *counts, int n, struct arena *arena)
{
	arena_array(arena, counts->count, n);
	arena_array(arena, counts->ranks, n);
	arena_array(arena, counts->used, n + 1);
}

struct load_meter *load_meter_new(const struct mesh *mesh, struct arena *arena)
{
	struct load_meter *m = arena_get(arena, 1, sizeof(*m));
	int links = links_count(mesh);

	if (!m)
		return NULL;
	m->mesh = mesh;
	arena_array(arena, m->job.link, links + 1);
	arena_array(arena, m->job.load, links + 1);
	arena_array(arena, m->parts, links);
	if (mesh->cabled)
		arena_array(arena, m->route, links_longest(mesh) + 1);
	init_counts(&m->upper, mesh->nvertices, arena);
	init_counts(&m->lower, mesh->nvertices, arena);
	return nodeset_get(&m->seen, links, arena) || load_detours_init(m, arena) ? NULL : m;
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

/* A copy of the meter's place for sums, which the compiler keeps in registers. */
struct adder {
	const struct mesh *mesh;
	int64_t *parts;
	struct nodeset seen;
	int *route;
};

static struct adder adder_of(struct load_meter *m)
{
	return (struct adder){m->mesh, m->parts, m->seen, m->route};
}

/* Turn the sums into loads, link by link. */
static void collect(struct load_meter *m, double scale)
{
	int64_t *parts = m->parts;
	double *load = m->job.load;
	int *at = m->job.link, n = 0;

	for (int w = 0; w < nodeset_words(m->seen.n); w++) {
		for (uint64_t word = m->seen.word[w]; word; word &= word - 1) {
			int link = 64 * w + __builtin_ctzll(word);

			at[n] = link;
			load[n++] = (double)parts[link] * scale *
				(m->route ? links_slower(m->mesh, link) : 1);
			parts[link] = 0;
		}
		m->seen.word[w] = 0;
	}
	m->job.n = n;
}

/* Add to n links from `link` on, `stride` apart. parts > 0, so that loads are. */
ALWAYS_INLINE void put(struct adder *a, int link, int stride, int n, int64_t parts)
{
	for (; n > 0; n--, link += stride) {
		a->parts[link] += parts;
		nodeset_add(&a->seen, link);
	}
}

/* Send a message over the cables. */
static void send_over(struct adder *a, int from, int to, int64_t parts)
{
	int n = from == to ? 0 : links_route(a->mesh, from, to, a->route);

	for (int i = 0; i < n; i++)
		put(a, a->route[i], 0, 1, parts);
}

/* Add a message as links_route() routes it, without writing its route down. */
ALWAYS_INLINE void send_far(struct adder *a, int from, int to, int64_t parts)
{
	const struct mesh *mesh = a->mesh;
	int v = from;

	if (a->route) {
		send_over(a, from, to, parts);
		return;
	}
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		bool up = c != end && links_up(mesh, d, c, end);
		/* The number of a link downwards is that of the next coordinate. */
		int low = up ? c : end + 1, high = up ? end : c + 1;
		int stride = mesh->stride[d], link = load_number(mesh, v - c * stride, d, up);

		v += (end - c) * stride;
		if (c == end)
			continue;
		if (low <= high) {
			put(a, link + low * stride, stride, high - low, parts);
		} else { /* the way goes round the end of a ring */
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

/* Each rank sends 1 in all to its neighbours; `each` ranks share a vertex. */
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

/* Each rank sends 1 to all others. */
static void send_all(struct load_meter *m)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && !load_meter_late(m); i++)
		for (int j = 0; j < m->count; j++)
			send_over(&adder, m->vertex[i], m->vertex[j], 1);
	collect(m, 1.0 / (m->count - 1));
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
		case COMM_RANDOM:
			if (m->route)
				send_all(m);
			else
				load_all_to_all(m);
			break;
		case COMM_RING: send_ring(m); break;
		case COMM_GRID: send_grid(m, grid); break;
		default: break;
		}
	load_detours(m);
	*job = m->job;
}
