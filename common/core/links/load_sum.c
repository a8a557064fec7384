/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include "base/simd.h"

enum {
	PARTS = 27720, /* of a rank's messages on a grid: divisible by 1..12 partners */
	LOOK = 1024,   /* ranks between two looks at the clock */
	BLOCK = 16,    /* links that are looked at together */
};

/* --- memory ----------------------------------------------------------------------- */

struct load_meter *load_meter_new(const struct mesh *mesh, struct arena *arena)
{
	struct load_meter *m = arena_get(arena, 1, sizeof(*m));
	int links = links_count(mesh);

	if (!m)
		return NULL;
	m->mesh = mesh;
	arena_array(arena, m->job.link, links + 1);
	arena_array(arena, m->job.load, links + 1);
	arena_array(arena, m->parts, links + BLOCK);
	arena_array(arena, m->run, mesh->nnodes + 1);
	if (mesh->cabled)
		arena_array(arena, m->route, links_longest(mesh) + 1);
	if (nodeset_get(&m->seen, links / BLOCK + 1, arena) || load_detours_init(m, arena))
		return NULL;
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

/* A copy of the meter's place for sums, which the compiler keeps in registers. */
struct adder {
	const struct mesh *mesh;
	int64_t *parts;
	struct nodeset seen;
	int *route;
	int64_t each; /* what a message adds; > 0, so that loads are */
	int wide;     /* messages that go side by side, along rows */
};

static struct adder adder_of(struct load_meter *m)
{
	return (struct adder){m->mesh, m->parts, m->seen, m->route, 1, 1};
}

/* Turn the sums into loads, link by link. */
static void collect(struct load_meter *m, double scale)
{
	int64_t *parts = m->parts;
	double *load = m->job.load;
	int *at = m->job.link, n = 0, links = links_count(m->mesh);

	nodeset_each(block, &m->seen) {
		int end = (block + 1) * BLOCK;

		for (int link = block * BLOCK; link < end && link < links; link++) {
			/* No branch: it would mostly be mispredicted. */
			at[n] = link;
			load[n] = (double)parts[link] * scale *
				(m->route ? links_slower(m->mesh, link) : 1);
			n += parts[link] != 0;
			parts[link] = 0;
		}
	}
	nodeset_clear_all(&m->seen);
	m->job.n = n;
}

/* Note that n links from this one on have a sum. */
ALWAYS_INLINE void note(struct adder *a, int link, int n)
{
	for (int block = link / BLOCK; block <= (link + n - 1) / BLOCK; block++)
		nodeset_add(&a->seen, block);
}

/* Add to n links side by side. */
ALWAYS_INLINE void put_row(struct adder *a, int link, int n)
{
	for (int i = 0; i < n; i++)
		a->parts[link + i] += a->each;
	if (n > 0)
		note(a, link, n);
}

/* Add to n links, `stride` apart, and to those beside them. */
ALWAYS_INLINE void put(struct adder *a, int link, int stride, int n)
{
	for (; a->wide > 1 && n > 0; n--, link += stride)
		put_row(a, link, a->wide);
	for (; n > 0; n--, link += stride) {
		a->parts[link] += a->each;
		nodeset_add(&a->seen, link / BLOCK);
	}
}

/*
 * Messages along a row, over `length` links each, and each begins one link behind the one before:
 * add to n of their links, from number `from` on.
 */
ALWAYS_INLINE void put_slope(struct adder *a, int link, int from, int n, int length)
{
	int all = length + a->wide - 1, most = length < a->wide ? length : a->wide;

	for (int i = from; i < from + n; i++) {
		int rise = i + 1 < most ? i + 1 : most, fall = all - i;

		a->parts[link + i] += rise < fall ? rise : fall;
	}
	if (n > 0)
		note(a, link + from, n);
}

/* Send a message over the cables. */
static void send_over(struct adder *a, int from, int to)
{
	int n = from == to ? 0 : links_route(a->mesh, from, to, a->route);

	for (int i = 0; i < n; i++)
		put(a, a->route[i], 0, 1);
}

/*
 * Add a message as links_route() routes it, without writing its route down; if a->wide > 1, also
 * those between the vertices behind these two in their rows.
 */
ALWAYS_INLINE void send_far(struct adder *a, int from, int to)
{
	const struct mesh *mesh = a->mesh;
	int v = from;

	if (a->route) {
		send_over(a, from, to);
		return;
	}
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		bool up = c != end && links_up(mesh, d, c, end);
		/* The number of a link downwards is that of the next coordinate. */
		int low = up ? c : end + 1, high = up ? end : c + 1;
		int stride = mesh->stride[d], link = load_number(mesh, v - c * stride, d, up);
		int length = high - low + (low > high ? side : 0);
		int all = d == 0 ? length + a->wide - 1 : length;
		/* The others are behind the end of the ring. */
		int first = all < side - low ? all : side - low;

		v += (end - c) * stride;
		if (c == end)
			continue;
		if (d > 0) {
			put(a, link + low * stride, stride, first);
			put(a, link, stride, all - first);
		} else if (a->wide > 1) {
			put_slope(a, link + low, 0, first, length);
			put_slope(a, link + low - side, first, all - first, length);
		} else {
			put_row(a, link + low, first);
			put_row(a, link, all - first);
		}
	}
}

/* Each rank sends 1 to the next. */
static void send_ring(struct load_meter *m)
{
	struct adder adder = adder_of(m);

	for (int i = 0; i < m->count && (i % LOOK || !load_meter_late(m)); i++)
		send_far(&adder, m->vertex[i], m->vertex[i + 1 < m->count ? i + 1 : 0]);
	collect(m, 1);
}

/* Each rank sends 1 in all to its neighbours; `each` ranks share a vertex. */
static void send_grid(struct load_meter *m, const struct comm_grid *given)
{
	struct comm_grid grid;
	int each = comm_grid_of(given, m->count, m->mesh->ndims, &grid);
	int ranks = each * m->count, to[2 * MESH_MAX_DIMS];
	struct adder adder = adder_of(m);

	for (int i = 0; i < ranks && (i % LOOK || !load_meter_late(m)); i++) {
		int n = comm_grid_neighbours(i, grid.ndims, grid.side, to);

		adder.each = PARTS / n;
		for (int k = 0; k < n; k++)
			send_far(&adder, m->vertex[i / each], m->vertex[to[k] / each]);
	}
	collect(m, 1.0 / PARTS / each);
}

/* How many ranks from i on are one by one in a row, and so are their partners i ^ by. */
static int run_of(const struct load_meter *m, int i, int by)
{
	int from = m->vertex[i], to = m->vertex[i ^ by], n = by - (i & (by - 1));

	/* Half way round the ring the direction depends on the end. */
	if (!m->mesh->coord[to][0] && 2 * m->mesh->coord[from][0] == m->mesh->side[0])
		return 1;
	n = m->run[i] < n ? m->run[i] : n;
	return m->run[i ^ by] < n ? m->run[i ^ by] : n;
}

/*
 * n ranks lie one by one in a row from this vertex on, and each sends 1 to the one `by` up or down.
 * Every 2 * by of them are alike.
 */
ALWAYS_INLINE void send_row(struct adder *a, int vertex, int n, int by)
{
	int up = load_number(a->mesh, vertex, 0, true);
	int down = load_number(a->mesh, vertex, 0, false) + 1;

	for (int i = 0; i < n; i++) {
		int rise = (i & (2 * by - 1)) + 1, fall = 2 * by - rise;
		int sum = rise < fall ? rise : fall;

		a->parts[up + i] += sum;
		a->parts[down + i] += sum; /* none behind the last rank */
	}
	note(a, up, n);
	note(a, down, n);
}

/* Ranks i and i ^ by send 1 to each other. */
MESH_VECTORISE static void send_pairs(struct load_meter *m, int by)
{
	struct adder adder = adder_of(m);
	bool rows = !m->mesh->wrap[0] || 2 * by < m->mesh->side[0];

	for (int i = 0, look = 0, n; i < m->count; i += n) {
		n = 1;
		if (i >= look && load_meter_late(m))
			break;
		look = i >= look ? i + LOOK : look;
		if (rows && i % (2 * by) == 0 && m->run[i] >= 2 * by) {
			n = m->run[i] & -(2 * by);
			send_row(&adder, m->vertex[i], n, by);
		} else if ((i ^ by) < m->count) {
			adder.wide = n = run_of(m, i, by);
			send_far(&adder, m->vertex[i], m->vertex[i ^ by]);
		}
	}
}

/* Add up the sums, which fit into 32 bits, and clear them. */
MESH_VECTORISE static void sum_up(struct load_meter *m, struct load_sums *sums)
{
	int64_t all = 0, squares = 0;

	for (int w = 0; w < nodeset_words(m->seen.n); w++) {
		for (uint64_t word = m->seen.word[w], rest; word; word &= rest) {
			int first = __builtin_ctzll(word);
			int64_t *parts = m->parts + (64 * w + first) * BLOCK;
			int links = BLOCK;

			/* The neighbours of the block that are seen, too. */
			rest = word & (word + (UINT64_C(1) << first));
			links *= __builtin_popcountll(word ^ rest);
			for (int i = 0; i < links; i++) {
				all += parts[i];
				squares += (int64_t)(int32_t)parts[i] * (int32_t)parts[i];
				parts[i] = 0;
			}
		}
		m->seen.word[w] = 0;
	}
	*sums = (struct load_sums){(double)all, (double)squares};
}

void load_of_pairs(struct load_meter *m, int by, struct load_sums *sums)
{
	send_pairs(m, by);
	if (!m->route && !m->place) {
		sum_up(m, sums);
		return;
	}
	collect(m, 1);
	load_detours(m);
	*sums = (struct load_sums){0, 0};
	for (int i = 0; i < m->job.n; i++) {
		sums->all += m->job.load[i];
		sums->squares += m->job.load[i] * m->job.load[i];
	}
}

/* --- a job -------------------------------------------------------------------------- */

void load_ranks(struct load_meter *m, const int *vertex, int count)
{
	m->vertex = vertex;
	m->count = count;
	for (int i = count - 1; i >= 0; i--) {
		bool row = !m->route && i + 1 < count && vertex[i + 1] == vertex[i] + 1 &&
			m->mesh->coord[vertex[i + 1]][0];

		m->run[i] = row ? m->run[i + 1] + 1 : 1;
	}
}

void load_of(struct load_meter *m, enum comm_pattern pattern, const struct comm_grid *grid,
	struct load_job *job)
{
	m->job.n = 0;
	if (m->count > 1 && pattern == COMM_GRID)
		send_grid(m, grid);
	else if (m->count > 1)
		send_ring(m);
	load_detours(m);
	*job = m->job;
}
