/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What engine_record says about a job's nodes.
 */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include "geometry/metrics.h"
#include "sim/cubes.h"
#include "sim/engine.h"

/* node[0..count-1] of the answer, ascending; hops_only: the rest stays as it is. */
void measure_nodes(struct mesh_meter *meter, const struct mesh *mesh,
	const struct mesh_answer *nodes, bool hops_only, struct engine_record *record);
/* Hops of a slice, which the mesh does not know. */
void measure_slice(const struct slice *slice, int per_vertex, struct engine_record *record);

#endif
