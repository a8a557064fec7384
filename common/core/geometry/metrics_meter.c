/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/metrics_meter.h"

#include <string.h>

#include "geometry/metrics_count.h"
#include "graph/graphset.h"

struct mesh_meter {
	const struct mesh *mesh;
	int *marginal;	     /* of all dimensions, one after the other */
	int *vertex;  /* [nnodes] the vertices used, each once */
	int *taken;   /* [nvertices] nodes on a vertex; 0 between readings */
	int *scratch; /* [nnodes] */
	int *far, *next; /* [nvertices] see diameter() */
	int *apart; /* [2 * side - 1] hops along the first dimension, by side - 1 + x - y */
};

struct mesh_meter *mesh_meter_new(const struct mesh *mesh, struct arena *arena)
{
	struct mesh_meter *m = arena_get(arena, 1, sizeof(*m));
	int last = mesh->side[0] - 1;

	if (!m)
		return NULL;
	m->mesh = mesh;
	arena_array(arena, m->marginal, mesh_sum_of_sides(mesh));
	arena_array(arena, m->vertex, mesh->nnodes);
	arena_array(arena, m->scratch, mesh->nnodes);
	arena_array(arena, m->taken, mesh->nvertices);
	arena_array(arena, m->far, mesh->nvertices);
	arena_array(arena, m->next, mesh->nvertices);
	if (!arena_array(arena, m->apart, 2 * mesh->side[0]))
		return NULL;
	for (int x = 0; x <= last; x++)
		m->apart[last + x] = m->apart[last - x] = mesh_axis_hops(mesh, 0, x, 0);
	return m;
}

static void raise_row(int *restrict to, const int *restrict from, int hops, int count)
{
	for (int i = 0; i < count; i++)
		to[i] = from[i] + hops > to[i] ? from[i] + hops : to[i];
}

/*
 * The first dimension of diameter(), a row at a time: next[x] = hops to the farthest vertex in use
 * of the same row; negative if there is none. Coordinates that are not in use get a value too,
 * which no other depends on.
 */
static void spread_rows(const struct mesh_meter *m, int used)
{
	int side = m->mesh->side[0];

	for (int i = 0; i < used; i++) {
		int y = m->vertex[i] % side;

		raise_row(m->next + m->vertex[i] - y, m->apart + side - 1 - y, 0, side);
	}
}

/*
 * Another dimension: next[x] = max over the coordinates y in use of far[y] + hops(x, y), for
 * planes of `stride` vertices at a time.
 */
static void spread_axis(const struct mesh_meter *m, int d, const int *marginal)
{
	const struct mesh *mesh = m->mesh;
	int stride = mesh->stride[d], side = mesh->side[d];

	for (int base = 0; base < mesh->nvertices; base += stride * side)
		for (int y = 0; y < side; y++) {
			if (!marginal[y])
				continue;
			for (int x = 0; x < side; x++)
				if (marginal[x])
					raise_row(m->next + base + x * stride,
						m->far + base + y * stride,
						mesh_axis_hops(mesh, d, x, y), stride);
		}
}

/* Most hops between two of the vertices by the graph; as exactly as graphset_hops(). */
static int graph_diameter(const struct mesh *mesh, const int *vertex, int n)
{
	int most = 0, step = graphset_step(mesh->graph, n);

	for (int i = 0; i < n; i += step)
		for (int j = step == 1 ? i + 1 : 0; j < n; j++) {
			int hops = linkgraph_mesh_hops(mesh, vertex[i], vertex[j]);

			most = hops > most ? hops : most;
		}
	return most;
}

/*
 * far[v] = most hops from v to a vertex in use, one dimension after the other. O(nvertices * sum of
 * sides) at most, in plain loops over planes.
 */
static int diameter(struct mesh_meter *m, int used)
{
	const struct mesh *mesh = m->mesh;
	const int *marginal = m->marginal;
	size_t bytes = (size_t)mesh->nvertices * sizeof(*m->far);
	int most = 0;

	if (mesh->graph)
		return graph_diameter(mesh, m->vertex, used);
	memset(m->far, 0x80, bytes); /* far below 0 */
	for (int i = 0; i < used; i++)
		m->far[m->vertex[i]] = 0;
	for (int d = 0; d < mesh->ndims; marginal += mesh->side[d], d++) {
		int *swap = m->far;

		memset(m->next, 0x80, bytes);
		if (d)
			spread_axis(m, d, marginal);
		else
			spread_rows(m, used);
		m->far = m->next;
		m->next = swap;
	}
	for (int i = 0; i < used; i++)
		most = m->far[m->vertex[i]] > most ? m->far[m->vertex[i]] : most;
	return most;
}

/* Mark all that v reaches inside the set, by negative values. */
static void flood(const struct mesh *mesh, int v, int *taken, int *stack)
{
	int top = 0;

	taken[v] = -taken[v];
	stack[top++] = v;
	while (top) {
		struct linkgraph_near near;

		linkgraph_near(mesh, stack[--top], &near);
		for (int i = 0; i < near.n; i++) {
			int w = near.vertex[i] - near.first;

			if (w < 0 || w >= mesh->nvertices || taken[w] <= 0)
				continue;
			taken[w] = -taken[w];
			stack[top++] = w;
		}
	}
}

/*
 * The number of connected parts of the vertices, with or without a graph; vertices one hop apart
 * are joined. O(links of the vertices).
 */
static int count_components(const struct mesh_meter *m, int n)
{
	int components = 0;

	for (int i = 0; i < n; i++)
		if (m->taken[m->vertex[i]] > 0) {
			flood(m->mesh, m->vertex[i], m->taken, m->scratch);
			components++;
		}
	for (int i = 0; i < n; i++)
		m->taken[m->vertex[i]] *= -1;
	return components;
}

/* The hops of the vertices in use, from them and m->marginal. Clears m->taken. */
static int64_t hops_of(struct mesh_meter *m, int used)
{
	int64_t total = metrics_total(m->mesh, m->marginal);

	if (m->mesh->graph)
		total = metrics_by_graph(m->mesh, m->vertex, used, m->taken, total);
	for (int i = 0; i < used; i++)
		m->taken[m->vertex[i]] = 0;
	return total;
}

void mesh_meter_read(struct mesh_meter *m, const int *node, int count, struct mesh_metrics *out)
{
	const struct mesh *mesh = m->mesh;
	const int *base = m->marginal;
	int first, used;

	memset(out, 0, sizeof(*out));
	if (count < 1)
		return;
	metrics_marginals(mesh, node, count, m->marginal);
	for (int d = 0; d < mesh->ndims; base += mesh->side[d], d++)
		out->box[d] = axis_stretch(base, mesh->side[d], mesh->wrap[d], &first);
	used = metrics_vertices(mesh, node, count, m->vertex, m->taken);
	out->diameter = diameter(m, used);
	out->components = count_components(m, used);
	out->pairwise_hops = hops_of(m, used);
	out->mean_hops = mesh_mean_hops(out->pairwise_hops, count);
}

int64_t mesh_meter_hops(struct mesh_meter *m, const int *node, int count)
{
	metrics_marginals(m->mesh, node, count, m->marginal);
	return hops_of(m, m->mesh->graph
			? metrics_vertices(m->mesh, node, count, m->vertex, m->taken) : 0);
}

int mesh_measure(const struct mesh *mesh, const int *node, int count, struct mesh_metrics *out)
{
	struct arena arena = {0};
	struct mesh_meter *meter = mesh_meter_new(mesh, &arena);

	memset(out, 0, sizeof(*out));
	if (meter)
		mesh_meter_read(meter, node, count, out);
	arena_release(&arena);
	return meter ? 0 : -1;
}
