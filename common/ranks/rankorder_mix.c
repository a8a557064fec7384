/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For an unknown program the nodes are tried in a few orders, and a search of some milliseconds
 * starts from the best of them.
 */
#include "ranks/rankorder.h"

#include <math.h>
#include <string.h>

#include "ranks/assign.h"
#include "ranks/drb.h"
#include "ranks/rankmix.h"

/*
 * Up to TABLE nodes hops are looked up; up to ANNEALED exchanges are annealed, as so short an
 * annealing gains nothing on more; up to DUAL ranks and nodes are halved by their traffic, down to
 * LEAF nodes. LOOKS: at neighbours. Half as many looks: 0.5% more hops; four times as many: 0.6%
 * fewer on up to 84 nodes.
 */
enum { TABLE = 512, ANNEALED = 150, DUAL = 512, LEAF = 24, LOOKS = 1000000 };
/* Of node order's price: a guess that is a few percent better may well be worse for a program. */
static const double WORTH_IT = 0.98;

struct mixer {
	struct arena arena;
	int n;
	struct traffic traffic;
	struct assign_sites table;
	struct drb_points points;
	int *trial, *turned; /* [n] */
	int *best; /* [n] the caller's */
	double least; /* < 0: there is none yet */
};

/*
 * Keep the order in trial[] if it is the best so far, turned so that the first node keeps its
 * place.
 */
static void offer(struct mixer *m)
{
	int first = 0;
	double cost;

	while (m->trial[first])
		first++;
	for (int i = 0; i < m->n; i++)
		m->turned[i] = m->trial[(first + i) % m->n];
	cost = assign_cost(&m->traffic, &m->table, m->turned);
	if (m->least >= 0 && cost >= m->least)
		return;
	m->least = cost;
	memcpy(m->best, m->turned, (size_t)m->n * sizeof(int));
}

/* The distance from a point to the middle of others. */
static double apart(const struct mixer *m, int from, const int *point, int n)
{
	double hops = 0;

	for (int d = 0; d < m->points.ndims; d++) {
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += m->points.pos[point[i]][d];
		hops += fabs(sum / n - m->points.pos[from][d]);
	}
	return hops;
}

/* Put point[n] into trial[*end..]: halved again and again, the half near the last node first. */
static void put_halves(struct mixer *m, int *point, int n, int *end, uint64_t *scratch)
{
	int last = *end ? m->trial[*end - 1] : 0, *part[2] = {point, point}, count[2], far;

	if (n == 1) {
		m->trial[(*end)++] = *point;
		return;
	}
	count[0] = drb_halve(&m->points, point, n, scratch);
	count[1] = n - count[0];
	part[1] += count[0];
	far = apart(m, last, part[0], count[0]) > apart(m, last, part[1], count[1]);
	put_halves(m, part[far], count[far], end, scratch);
	put_halves(m, part[!far], count[!far], end, scratch);
}

static int offer_halves(struct mixer *m)
{
	uint64_t *scratch = arena_get(&m->arena, m->n, sizeof(*scratch));
	int *point = arena_get(&m->arena, m->n, sizeof(*point)), end = 0;

	if (!point)
		return -1;
	for (int i = 0; i < m->n; i++)
		point[i] = i;
	put_halves(m, point, m->n, &end, scratch);
	offer(m);
	return 0;
}

static int mixer_init(struct mixer *m, const struct mesh *mesh, const int *node)
{
	struct arena *arena = &m->arena;
	int *vertex = arena_get(arena, m->n, sizeof(*vertex));

	arena_array(arena, m->trial, m->n);
	if (!arena_array(arena, m->turned, m->n))
		return -1;
	for (int i = 0; i < m->n; i++) {
		vertex[i] = mesh->vertex_of[node[i]];
		m->trial[i] = i;
	}
	m->table = (struct assign_sites){.n = m->n, .mesh = mesh, .vertex = vertex};
	if (m->n <= TABLE && assign_sites_init(&m->table, mesh, vertex, m->n, arena))
		return -1;
	return drb_points_init(&m->points, mesh, node, m->n, arena);
}

static int search(struct mixer *m)
{
	const struct drb_input dual = {.traffic = &m->traffic, .nodes = &m->points,
		.mesh = m->table.mesh, .per_node = 1, .leaf = m->n > ANNEALED ? LEAF : 1};
	struct assign_effort effort = {.looks = LOOKS, .moves = m->n <= ANNEALED ? LOOKS : 0,
		.fixed = 1};
	double plain;

	offer(m);
	plain = m->least;
	if (offer_halves(m) || (m->n <= DUAL && drb_map(&dual, m->trial)))
		return -1;
	offer(m);
	m->least = assign_improve(&m->traffic, &m->table, m->best, &effort);
	for (int i = 0; m->least > WORTH_IT * plain && i < m->n; i++)
		m->best[i] = i;
	return m->least < 0 ? -1 : 0;
}

int rankorder_mix(const struct mesh *mesh, const int *node, const struct rankmix *mix, int *order,
	struct mesh_err *err)
{
	struct mixer m = {.n = mix->nodes, .best = order, .least = -1};
	int bad = rankmix_init(&m.traffic, mix, err);

	if (!bad && (mixer_init(&m, mesh, node) || search(&m)))
		bad = err_printf(err, "out of memory");
	traffic_release(&m.traffic);
	arena_release(&m.arena);
	return bad;
}
