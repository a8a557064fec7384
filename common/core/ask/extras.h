/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What not all jobs and machines need: boxes, lines and rings; machines of cables, and meshes that
 * cables join. slurmctld loads it when it is first needed, with the strategies of papers/; so does
 * srun for boxes, lines and rings. smesh and the tests are linked with it.
 */
#ifndef MESH_EXTRAS_H
#define MESH_EXTRAS_H

#include "ask/strategy.h"

struct span;

enum extras_boxes { BOXES_FIRST_FIT, BOXES_BEST_FIT, BOXES_KEEPER };

struct extras {
	/* boxes/contiguous.h */
	int (*boxes_init)(struct strategy *strategy, enum extras_boxes which);
	enum mesh_result (*boxes_decide)(struct strategy *strategy, const struct mesh_state *state,
		const struct mesh_request *request, struct mesh_answer *answer);
	/* boxes/boxplan.h */
	int (*boxplan_shape_nodes)(const struct mesh *mesh, const struct mesh_shape *shape,
		struct mesh_err *err);
	/* walk/walks.h */
	enum mesh_result (*walks_decide)(const struct mesh *mesh, const struct mesh_state *state,
		const struct mesh_request *request, struct mesh_answer *answer);
	int (*walks_order)(const struct mesh *mesh, const int *node, int n, enum walk_kind kind,
		int *order);
	const struct strategy_ops *snug_cables; /* cables/snug_cables.h */
	/* cables/span_cables.h */
	bool (*span_cables)(struct span *span, struct linkgraph *graph, int count);
	size_t span_sizes; /* EXTRAS_SPAN_SIZES: strategy_library.h's stamp has the other sizes */
};

/* For files that include decide/span.h. */
#define EXTRAS_SPAN_SIZES (sizeof(struct span) << 16 | sizeof(struct span_mesh))

/* All of them (papers/papers.c): what smesh is linked with, and finds in the library. */
extern const struct extras mesh_extras;
#define EXTRAS_SYMBOL "mesh_extras"

/* Each program defines it, as strategies_more. NULL with text: they cannot be loaded. */
const struct extras *extras(struct mesh_err *err);

#endif
