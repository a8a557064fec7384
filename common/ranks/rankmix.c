/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which mixture: doc/lab/smpi.md.
 */
#include "ranks/rankmix.h"

#include <stdlib.h>

#include "links/comm.h"

/* Of so many ranks blocks look alike. */
enum { MOST_RANKS = 8192 };
/* Edges of a rank: one in the ring, and one along each side of each grid. */
enum { EACH = 1 + 2 * 2 + 2 * 3 };

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

/* A periodic grid, its first side the fastest. */
static void add_grid(struct maker *m, int ndims, const int *side)
{
	for (int rank = 0; rank < m->ranks; rank++)
		for (int d = 0, stride = 1; d < ndims; stride *= side[d++]) {
			int at = rank / stride % side[d];
			int other = rank + ((at + 1) % side[d] - at) * stride;
			int a = node_of(m, rank), b = node_of(m, other);

			if (a != b)
				m->edge[m->count++] = (struct traffic_edge){a, b, 1, 0};
		}
}

static void add_both_orders(struct maker *m, int ndims)
{
	int side[3], turned[3];

	comm_grid_sides(m->ranks, ndims, side);
	for (int d = 0; d < ndims; d++)
		turned[d] = side[ndims - 1 - d];
	add_grid(m, ndims, side);
	add_grid(m, ndims, turned);
}

int rankmix_init(struct traffic *traffic, const struct rankmix *mix, struct mesh_err *err)
{
	struct maker m = {.mix = *mix};
	int result;

	*traffic = (struct traffic){0};
	while (m.mix.per_node > 1 && m.mix.nodes > MOST_RANKS / m.mix.per_node)
		m.mix.per_node /= 2;
	m.ranks = m.mix.nodes * m.mix.per_node;
	m.edge = malloc((size_t)m.ranks * EACH * sizeof(*m.edge));
	if (!m.edge)
		return err_printf(err, "out of memory");
	add_grid(&m, 1, &m.ranks);
	add_both_orders(&m, 2);
	add_both_orders(&m, 3);
	result = traffic_init(traffic, m.mix.nodes, m.edge, m.count, err);
	free(m.edge);
	return result;
}
