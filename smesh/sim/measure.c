/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/measure.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/curve.h"
#include "geometry/metrics.h"

struct measure {
	const struct mesh *mesh;
	struct mesh_meter *meter;
	int *rank;		/* [nnodes] of nodes in the mesh's order */
	struct nodeset taken;	/* over ranks; empty between calls */
};

struct measure *measure_new(const struct mesh *mesh)
{
	struct measure *m = calloc(1, sizeof(*m));
	int *order = malloc((size_t)mesh->nvertices * sizeof(int));
	bool fine = m && order && !curve_fill(mesh, CURVE_MESH, order);

	if (fine) {
		m->mesh = mesh;
		m->meter = mesh_meter_new(mesh);
		m->rank = malloc((size_t)mesh->nnodes * sizeof(int));
		fine = m->meter && m->rank && !nodeset_init(&m->taken, mesh->nnodes);
	}
	if (fine) {
		curve_nodes(mesh, order, NULL, m->rank);
	} else {
		measure_free(m);
		m = NULL;
	}
	free(order);
	return m;
}

void measure_free(struct measure *measure)
{
	if (!measure)
		return;
	nodeset_release(&measure->taken);
	free(measure->rank);
	mesh_meter_free(measure->meter);
	free(measure);
}

/* Ranks in use: the ends, and the widest gap between two neighbours. */
struct ranks {
	int first, last, widest;
};

/* A run of ranks at a time, in order: strategies give nodes in their own. */
static struct ranks read_ranks(struct measure *m, const int *node, int count)
{
	struct ranks ranks = {-1, -1, 0};

	for (int i = 0; i < count; i++)
		nodeset_add(&m->taken, m->rank[node[i]]);
	for (int w = 0; w < nodeset_words(m->taken.n); w++) {
		for (uint64_t word = m->taken.word[w]; word;) {
			int from = 64 * w + __builtin_ctzll(word);
			uint64_t to_end = word | (word - 1); /* of the run, and all below */

			if (ranks.first < 0)
				ranks.first = from;
			else if (from - ranks.last - 1 > ranks.widest)
				ranks.widest = from - ranks.last - 1;
			ranks.last = 64 * w + (~to_end ? __builtin_ctzll(~to_end) : 64) - 1;
			word &= to_end + 1;
		}
		m->taken.word[w] = 0;
	}
	return ranks;
}

/* Leung et al. 2.1: the linear span, and the ring span, which leaves out the widest gap. */
static void spans(struct measure *m, const int *node, int count, struct engine_record *record)
{
	struct ranks ranks = read_ranks(m, node, count);
	int around = m->mesh->nnodes - 1 - ranks.last + ranks.first;

	record->linear_span = ranks.last - ranks.first + 1;
	record->ring_span = m->mesh->nnodes - (around > ranks.widest ? around : ranks.widest);
}

void measure_nodes(struct measure *m, const int *node, int count, bool hops_only,
	struct engine_record *record)
{
	struct mesh_metrics metrics;
	double volume = 1;

	if (hops_only) {
		record->pairwise_hops = mesh_meter_hops(m->meter, node, count);
		record->mean_hops = mesh_mean_hops(record->pairwise_hops, count);
		return;
	}
	mesh_meter_read(m->meter, node, count, &metrics);
	record->pairwise_hops = metrics.pairwise_hops;
	record->mean_hops = metrics.mean_hops;
	record->diameter = metrics.diameter;
	record->components = metrics.components;
	for (int d = 0; d < m->mesh->ndims; d++)
		volume *= metrics.box[d];
	record->box_ratio = (float)(volume * m->mesh->nodes_per_vertex / count);
	spans(m, node, count, record);
}

/* Each side by itself: ordered pairs of a ring of n are n n^2/4 hops apart in all, those of a line
 * n (n^2 - 1) / 3. */
void measure_slice(const struct slice *slice, int per_vertex, struct engine_record *record)
{
	double vertices = 1, hops = 0, nodes;

	for (int d = 0; d < slice->ndims; d++)
		vertices *= slice->side[d];
	record->diameter = 0;
	for (int d = 0; d < slice->ndims; d++) {
		int n = slice->side[d], half = n * n / 4;
		double along = slice->open[d] ? (n * (double)n - 1) / 3 : half;

		hops += along * (vertices / n);
		record->diameter += slice->open[d] ? n - 1 : n / 2;
	}
	nodes = vertices * per_vertex;
	record->pairwise_hops = (int64_t)(nodes * per_vertex * hops / 2);
	record->mean_hops = nodes > 1 ? per_vertex * hops / (nodes - 1) : 0;
}
