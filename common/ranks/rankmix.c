/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * doc/lab/smpi.md says why this mixture.
 */
#include "ranks/rankmix.h"

#include <stdlib.h>

#include "links/comm.h"

/* Beyond so many ranks blocks look alike. */
enum { MOST_RANKS = 8192 };
/*
 * Edges of a rank: one in the ring; one along each side of each grid; for exchanges half as many
 * as two sides have bits; half a transpose.
 */
enum { EACH = 1 + 2 * 2 + 2 * 3 + 12 + 1 };
/*
 * Weights, where an edge of the grids of two dimensions has 1. A ring is little of the sum, but
 * its time doubles if two of its messages share one link.
 */
static const double RING = 3, SPACE = 0.5, EXCHANGE = 1, TRANSPOSE = 0.5;
/* Of a grid whose shortest side is fastest, and of one whose longest side is. */
static const double USUAL = 1.25, UNUSUAL = 0.75;

struct maker {
	struct rankmix mix;
	int ranks;
	struct traffic_edge *edge;
	size_t count;
};

static int node_of(const struct maker *m, int rank)
{
	return m->mix.cyclic ? rank % m->mix.nodes : rank / m->mix.per_node;
}

static void add_edge(struct maker *m, int rank, int other, double weight)
{
	int a = node_of(m, rank), b = node_of(m, other);

	if (a != b)
		m->edge[m->count++] = (struct traffic_edge){a, b, weight, 0};
}

/* Add a periodic grid, its first side fastest. */
static void add_grid(struct maker *m, int ndims, const int *side, double weight)
{
	for (int rank = 0; rank < m->ranks; rank++)
		for (int d = 0, stride = 1; d < ndims; stride *= side[d++]) {
			int at = rank / stride % side[d];

			add_edge(m, rank, rank + ((at + 1) % side[d] - at) * stride, weight);
		}
}

/* Along both sides of a grid, add pairs that are a power of two apart in one binary digit. */
static void add_exchanges(struct maker *m, const int *side)
{
	for (int rank = 0; rank < m->ranks; rank++)
		for (int d = 0, stride = 1; d < 2; stride *= side[d++]) {
			int at = rank / stride % side[d];

			for (int bit = 1; bit < side[d]; bit *= 2)
				if (!(at & bit) && at + bit < side[d])
					add_edge(m, rank, rank + bit * stride, EXCHANGE);
		}
}

/* Pair each rank with the one on the other side of the diagonal. */
static void add_transpose(struct maker *m, int side)
{
	for (int rank = 0; rank < m->ranks; rank++) {
		int other = rank % side * side + rank / side;

		if (other > rank)
			add_edge(m, rank, other, TRANSPOSE);
	}
}

/* turned[]: the sides with the last, which is the shortest, first. */
static void add_both_orders(struct maker *m, int ndims, double weight, int *turned)
{
	int side[3];

	comm_grid_sides(m->ranks, ndims, side);
	for (int d = 0; d < ndims; d++)
		turned[d] = side[ndims - 1 - d];
	/* With 1 it would be the grid of fewer dimensions again. */
	if (*turned > 1) {
		add_grid(m, ndims, side, UNUSUAL * weight);
		add_grid(m, ndims, turned, USUAL * weight);
	}
}

int rankmix_init(struct traffic *traffic, const struct rankmix *mix, struct mesh_err *err)
{
	struct maker m = {.mix = *mix};
	int side[3], result;

	*traffic = (struct traffic){0};
	while (m.mix.per_node > 1 && m.mix.nodes > MOST_RANKS / m.mix.per_node)
		m.mix.per_node /= 2;
	m.ranks = m.mix.nodes * m.mix.per_node;
	m.edge = malloc((size_t)m.ranks * EACH * sizeof(*m.edge));
	if (!m.edge)
		return err_printf(err, "out of memory");
	add_grid(&m, 1, &m.ranks, RING);
	add_both_orders(&m, 3, SPACE, side);
	add_both_orders(&m, 2, 1, side);
	add_exchanges(&m, side);
	if (side[0] == side[1])
		add_transpose(&m, side[0]);
	result = traffic_init(traffic, m.mix.nodes, m.edge, m.count, err);
	free(m.edge);
	return result;
}
