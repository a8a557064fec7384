/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/load.h"

#include <stdlib.h>
#include <string.h>

const struct comm_mix comm_mix_default = {{[COMM_ALL_TO_ALL] = 0.25, [COMM_RING] = 0.25,
	[COMM_GRID] = 0.25, [COMM_RANDOM] = 0.25}};

struct load_meter {
	const struct mesh *mesh;
	double *sum;   /* [links] 0 between calls */
	int *touched;  /* [links] */
	double *load;  /* [links] the answer */
	int ntouched;
	double factor; /* of what is added now */
	int *route;    /* [links_longest] */
	int *vertex;   /* [nnodes] */
	/* All-to-all: how many nodes there are with given coordinates, of dimensions from d up
	 * (sources) and below d (destinations). Both are at most nvertices long. */
	double *source, *target;
	double *line;  /* [2 * longest side] */
};

void load_meter_free(struct load_meter *meter)
{
	if (!meter)
		return;
	free(meter->sum);
	free(meter->touched);
	free(meter->load);
	free(meter->route);
	free(meter->vertex);
	free(meter->source);
	free(meter->target);
	free(meter->line);
	free(meter);
}

struct load_meter *load_meter_new(const struct mesh *mesh)
{
	struct load_meter *m = calloc(1, sizeof(*m));
	size_t links = (size_t)links_count(mesh) + 1, vertices = (size_t)mesh->nvertices + 1;
	size_t side = 0;

	if (!m)
		return NULL;
	for (int d = 0; d < mesh->ndims; d++)
		side = side > (size_t)mesh->side[d] ? side : (size_t)mesh->side[d];
	m->mesh = mesh;
	m->sum = calloc(links, sizeof(double));
	m->touched = malloc(links * sizeof(int));
	m->load = malloc(links * sizeof(double));
	m->route = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));
	m->vertex = malloc(((size_t)mesh->nnodes + 1) * sizeof(int));
	m->source = calloc(vertices, sizeof(double));
	m->target = calloc(vertices, sizeof(double));
	m->line = calloc(side + 1, sizeof(double));
	if (!m->sum || !m->touched || !m->load || !m->route || !m->vertex || !m->source ||
		!m->target || !m->line) {
		load_meter_free(m);
		return NULL;
	}
	return m;
}

static void cross(struct load_meter *m, int link, double load)
{
	if (m->sum[link] <= 0)
		m->touched[m->ntouched++] = link;
	m->sum[link] += load;
}

/* What has been added up since the last call, as a job's. */
static void finish(struct load_meter *m, struct job_load *job)
{
	for (int i = 0; i < m->ntouched; i++) {
		m->load[i] = m->sum[m->touched[i]];
		m->sum[m->touched[i]] = 0;
	}
	*job = (struct job_load){m->ntouched, m->touched, m->load};
	m->ntouched = 0;
}

static void send(struct load_meter *m, int from, int to, double load)
{
	int n = links_route(m->mesh, from, to, m->route);

	for (int i = 0; i < n; i++)
		cross(m, m->route[i], load);
}

/* --- all-to-all ------------------------------------------------------------------- */

/*
 * On its way along dimension d a message has its destination's coordinates below d and its
 * source's above. So the load of a line along d is that of all pairs of a source with the line's
 * coordinates above d and a destination with those below.
 */

/* Vertices differ below `d` by less than this. */
static int block_of(const struct mesh *mesh, int d)
{
	return d < mesh->ndims ? mesh->stride[d] : mesh->nvertices;
}

/* One line: source[] by stride 1, target[] by stride `step`; its vertex 0 and direction. */
static void load_line(struct load_meter *m, const double *source, const double *target, int step,
	int first, int d)
{
	const struct mesh *mesh = m->mesh;
	int side = mesh->side[d], stride = mesh->stride[d], ndims = mesh->ndims;

	for (int a = 0; a < side; a++) {
		double weight = source[a] * m->factor, beyond = 0;
		int most = side - 1 - a;

		if (weight <= 0)
			continue;
		if (mesh->wrap[d])
			most = side / 2 - (side % 2 == 0 && a == side / 2);
		/* Upwards: the link that leads to a + i carries all that goes there and on. */
		for (int i = most; i > 0; i--) {
			int to = a + i < side ? a + i : a + i - side;
			int from = to ? to - 1 : side - 1;

			beyond += target[to * step];
			if (beyond > 0)
				cross(m, ((first + from * stride) * ndims + d) * 2 + 1,
					weight * beyond);
		}
		most = mesh->wrap[d] ? side - 1 - most : a;
		beyond = 0;
		for (int i = most; i > 0; i--) {
			int to = a - i >= 0 ? a - i : a - i + side;
			int from = to < side - 1 ? to + 1 : 0;

			beyond += target[to * step];
			if (beyond > 0)
				cross(m, ((first + from * stride) * ndims + d) * 2,
					weight * beyond);
		}
	}
}

static void load_dimension(struct load_meter *m, const int *vertex, int count, int d)
{
	int low = m->mesh->stride[d], high = block_of(m->mesh, d + 1);
	int side = m->mesh->side[d], uppers = m->mesh->nvertices / high;

	/* source[above * side + c], target[c * low + below] */
	for (int i = 0; i < count; i++) {
		m->source[vertex[i] / low]++;
		m->target[vertex[i] % high]++;
	}
	for (int above = 0; above < uppers; above++) {
		const double *source = &m->source[above * side];
		bool any = false;

		for (int c = 0; c < side; c++)
			any |= source[c] > 0;
		for (int below = 0; any && below < low; below++)
			load_line(m, source, &m->target[below], low, above * high + below, d);
	}
	for (int i = 0; i < count; i++)
		m->source[vertex[i] / low] = m->target[vertex[i] % high] = 0;
}

static void load_all_pairs(struct load_meter *m, const int *vertex, int count)
{
	m->factor /= count - 1;
	for (int d = 0; d < m->mesh->ndims; d++)
		load_dimension(m, vertex, count, d);
}

/* --- the other patterns ------------------------------------------------------------ */

static void load_ring(struct load_meter *m, const int *vertex, int count)
{
	for (int rank = 0; rank < count; rank++)
		send(m, vertex[rank], vertex[rank + 1 < count ? rank + 1 : 0], m->factor);
}

static void load_grid(struct load_meter *m, const int *vertex, int count)
{
	int side[MESH_MAX_DIMS], to[2 * MESH_MAX_DIMS];

	comm_grid_sides(count, m->mesh->ndims, side);
	for (int rank = 0; rank < count; rank++) {
		int n = comm_grid_neighbours(rank, m->mesh->ndims, side, to);

		for (int i = 0; i < n; i++)
			send(m, vertex[rank], vertex[to[i]], m->factor / n);
	}
}

static void add(struct load_meter *m, enum comm_pattern pattern, const int *vertex, int count)
{
	if (count < 2)
		return;
	switch (pattern) {
	case COMM_ALL_TO_ALL:
	case COMM_RANDOM: load_all_pairs(m, vertex, count); break;
	case COMM_RING: load_ring(m, vertex, count); break;
	case COMM_GRID: load_grid(m, vertex, count); break;
	default: break;
	}
}

static const int *vertices_of(struct load_meter *m, const int *node, int count)
{
	for (int i = 0; i < count; i++)
		m->vertex[i] = m->mesh->vertex_of[node[i]];
	return m->vertex;
}

void load_of(struct load_meter *m, enum comm_pattern pattern, const int *node, int count,
	struct job_load *job)
{
	m->factor = 1;
	add(m, pattern, vertices_of(m, node, count), count);
	finish(m, job);
}

void load_of_mix(struct load_meter *m, const struct comm_mix *mix, const int *node, int count,
	struct job_load *job)
{
	const int *vertex = vertices_of(m, node, count);
	struct comm_mix left = *mix;

	left.share[COMM_ALL_TO_ALL] += left.share[COMM_RANDOM]; /* the same load */
	left.share[COMM_RANDOM] = 0;
	for (int p = 0; p < COMM_PATTERNS; p++)
		if ((m->factor = left.share[p]) > 0)
			add(m, (enum comm_pattern)p, vertex, count);
	finish(m, job);
}

void load_of_round(struct load_meter *m, const struct comm_round *round, const int *vertex,
	struct job_load *job)
{
	for (int rank = 0; rank < round->count; rank++) {
		int n = round->start[rank + 1] - round->start[rank];

		for (int i = 0; i < n; i++)
			send(m, vertex[rank], vertex[round->to[round->start[rank] + i]], 1.0 / n);
	}
	finish(m, job);
}

/* --- what to do with it ------------------------------------------------------------ */

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
