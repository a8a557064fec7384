/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * mesh_measure() and the spans, many times over: scratch is allocated once.
 */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include "sim/engine.h"
#include "sim/cubes.h"

struct measure;

struct measure *measure_new(const struct mesh *mesh);
void measure_free(struct measure *measure);
/* Fill in what engine_record says about the nodes. node[] ascending. O(count*d + spans). */
void measure_nodes(struct measure *measure, const int *node, int count, bool hops_only,
	struct engine_record *record);
/* Hops of a slice, which the mesh does not know. */
void measure_slice(const struct slice *slice, int per_vertex, struct engine_record *record);

#endif
