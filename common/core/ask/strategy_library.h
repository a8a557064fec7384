/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A shared object of strategies, as programs load it. It has one symbol,
 *
 *	const struct strategy_library mesh_strategies = {STRATEGY_LIBRARY_STAMP, families};
 *
 * and its own copy of what it uses of the core. The object of papers/ also has the symbol of
 * extras.h. The stamp tells whether the program and the library were compiled from the same
 * version and the same structs. A loaded library stays loaded.
 */
#ifndef MESH_STRATEGY_LIBRARY_H
#define MESH_STRATEGY_LIBRARY_H

#include "ask/extras.h"
#include "graph/linkgraph.h"

#define STRATEGY_LIBRARY_SYMBOL "mesh_strategies"

struct strategy_library_stamp {
	char version[16];  /* PACKAGE_VERSION of config.h */
	uint32_t size[11]; /* of the structs that both sides see */
};

struct strategy_library {
	struct strategy_library_stamp stamp;
	const struct strategy_ops *const *families; /* NULL-terminated */
};

/* For files that include config.h. */
#define STRATEGY_LIBRARY_STAMP                                                               \
	{                                                                                    \
		PACKAGE_VERSION,                                                             \
		{                                                                            \
			sizeof(struct strategy_library), sizeof(struct strategy_ops),        \
				sizeof(struct strategy), sizeof(struct mesh),                \
				sizeof(struct linkgraph), sizeof(struct nodeset),            \
				sizeof(struct mesh_state), sizeof(struct mesh_run),          \
				sizeof(struct mesh_request), sizeof(struct mesh_answer),     \
				sizeof(struct extras),                                       \
		}                                                                            \
	}

#endif
