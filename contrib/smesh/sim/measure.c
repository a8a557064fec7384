/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "metrics.h"

struct measure {
	const struct mesh *mesh;
	int *rank;		/* [nnodes] of nodes in the mesh's order */
	struct nodeset taken;	/* over ranks; empty between calls */
};

struct measure *measure_new(const struct mesh *mesh)
{
	struct measure *m = calloc(1, sizeof(*m));
	int rank = 0;

	if (!m)
		return NULL;
	m->mesh = mesh;
	m->rank = malloc((size_t)mesh->nnodes * sizeof(int));
	if (!m->rank || nodeset_init(&m->taken, mesh->nnodes)) {
		measure_free(m);
		return NULL;
	}
	for (int i = 0; i < mesh->nvertices; i++) {
		int v = mesh->order ? mesh->order[i] : i;

		for (int j = mesh->first[v]; j < mesh->first[v + 1]; j++)
			m->rank[mesh->node_at[j]] = rank++;
	}
	return m;
}

void measure_free(struct measure *measure)
{
	if (!measure)
		return;
	nodeset_release(&measure->taken);
	free(measure->rank);
	free(measure);
}

/* Leung et al. 2.1: the linear span, and the ring span, which leaves out the widest gap. */
static void spans(struct measure *m, const int *node, int count, struct engine_record *record)
{
	int first, last, widest = 0;

	for (int i = 0; i < count; i++)
		nodeset_add(&m->taken, m->rank[node[i]]);
	first = last = nodeset_next(&m->taken, 0);
	for (int rank; (rank = nodeset_next(&m->taken, last + 1)) >= 0; last = rank)
		widest = rank - last - 1 > widest ? rank - last - 1 : widest;
	int around = m->mesh->nnodes - 1 - last + first;

	record->linear_span = last - first + 1;
	record->ring_span = m->mesh->nnodes - (around > widest ? around : widest);
	for (int i = 0; i < count; i++)
		nodeset_del(&m->taken, m->rank[node[i]]);
}

void measure_nodes(struct measure *m, const int *node, int count, bool hops_only,
	struct engine_record *record)
{
	struct mesh_metrics metrics;
	double volume = 1;

	if (hops_only) {
		record->pairwise_hops = mesh_pairwise_hops(m->mesh, node, count);
		record->mean_hops = count > 1 ? (double)record->pairwise_hops * 2 / count /
				(count - 1) : 0;
		return;
	}
	if (mesh_measure(m->mesh, node, count, &metrics))
		return;
	record->pairwise_hops = metrics.pairwise_hops;
	record->mean_hops = metrics.mean_hops;
	record->diameter = metrics.diameter;
	record->components = metrics.components;
	for (int d = 0; d < m->mesh->ndims; d++)
		volume *= metrics.box[d];
	record->box_ratio = (float)(volume * m->mesh->nodes_per_vertex / count);
	spans(m, node, count, record);
}
