/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What few jobs need: lines and rings. slurmctld loads it when it is first needed, with the
 * strategies of papers/. smesh and the tests are linked with it.
 */
#ifndef MESH_EXTRAS_H
#define MESH_EXTRAS_H

#include "ask/strategy.h"

struct extras {
	/* walk/walks.h */
	enum mesh_result (*walks_decide)(const struct mesh *mesh, const struct mesh_state *state,
		const struct mesh_request *request, struct mesh_answer *answer);
	int (*walks_nodes)(const struct mesh *mesh, const struct mesh_shape *shape,
		struct mesh_err *err);
};

/* The library of papers/ has this symbol, a struct extras. */
#define EXTRAS_SYMBOL "mesh_extras"

/* Each program defines it, as strategies_more. NULL with text: they cannot be loaded. */
const struct extras *extras(struct mesh_err *err);

#endif
