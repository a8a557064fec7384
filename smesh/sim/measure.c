/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "sim/cubes.h"
#include "sim/engine.h"

void measure_nodes(struct mesh_meter *meter, const struct mesh *mesh,
	const struct mesh_answer *nodes, bool hops_only, struct engine_record *record)
{
	struct mesh_metrics metrics;
	double volume = 1;

	if (hops_only) {
		record->pairwise_hops = mesh_meter_hops(meter, nodes->node, nodes->count);
		record->mean_hops = mesh_mean_hops(record->pairwise_hops, nodes->count);
		return;
	}
	mesh_meter_read(meter, nodes->node, nodes->count, &metrics);
	record->pairwise_hops = metrics.pairwise_hops;
	record->mean_hops = metrics.mean_hops;
	record->diameter = metrics.diameter;
	record->components = metrics.components;
	for (int d = 0; d < mesh->ndims; d++)
		volume *= metrics.box[d];
	record->box_ratio = (float)(volume * mesh->nodes_per_vertex / nodes->count);
}

/*
 * Each side counts by itself: the ordered pairs of a ring of n are n n^2/4 hops apart in all,
 * those of a line n (n^2 - 1) / 3.
 */
void measure_slice(const struct slice *slice, int per_vertex, struct engine_record *record)
{
	double vertices = 1, hops = 0, nodes;

	for (int d = 0; d < slice->ndims; d++)
		vertices *= slice->side[d];
	record->diameter = 0;
	for (int d = 0; d < slice->ndims; d++) {
		int n = slice->side[d];
		double square = (double)n * n;
		double along = slice->open[d] ? (square - 1) / 3 : floor(square / 4);

		hops += along * (vertices / n);
		record->diameter += slice->open[d] ? n - 1 : n / 2;
	}
	nodes = vertices * per_vertex;
	record->pairwise_hops = (int64_t)(nodes * per_vertex * hops / 2);
	record->mean_hops = nodes > 1 ? per_vertex * hops / (nodes - 1) : 0;
}
