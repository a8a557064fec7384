/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of strategies. The core's strategies are always in it. A program adds others when it
 * is linked (strategies_more), or when it loads a library of them. doc/add-a-strategy.md says how
 * to add one.
 */
#ifndef MESH_CONF_STRATEGIES_H
#define MESH_CONF_STRATEGIES_H

#include "ask/strategy_library.h"

/* The families of the core, in the order of `smesh strategies`: strategy_NAME_family. */
#define STRATEGIES(FAMILY) \
	FAMILY(linear) \
	FAMILY(scatter) \
	FAMILY(curve) \
	FAMILY(buddy) \
	FAMILY(box) \
	FAMILY(snug) \
	FAMILY(snug_box)

/* The families of papers/. */
#define STRATEGIES_PAPERS(FAMILY) \
	FAMILY(point) \
	FAMILY(busylist) \
	FAMILY(qtree)

/* To declare families, and to list them in a table; a table ends with NULL. */
#define STRATEGIES_DECLARE(name) extern const struct strategy_ops strategy_##name##_family[];
#define STRATEGIES_ROW(name) strategy_##name##_family,

/*
 * The families that are linked into this program beside the core's, NULL-terminated. Each program
 * defines it: the plugins have none (plugin/shared/mesh_strategies.c); smesh and the tests have
 * those of papers/ and smesh/study.
 */
extern const struct strategy_ops *const strategies_more[];

enum { STRATEGIES_MOST = 128 }; /* rows of the table */

/*
 * Load a shared object of strategies; it stays loaded. A path without a slash is in the current
 * folder. Its rows come behind all others. 0, or -1 with text: it cannot be loaded, is no library
 * of strategies or one of another version, has a name that is taken, or the table is full. To load
 * one twice is fine. Not for two threads at once; the number of rows changes.
 */
int strategies_load(const char *path, struct mesh_err *err);

/* The row with this name, in any case, or NULL. */
const struct strategy_ops *strategy_find(const char *name);
/*
 * The same for strategies that slurm.conf may name. Loads the library of the papers' strategies if
 * the name is one of theirs. NULL with text.
 */
const struct strategy_ops *strategy_named(const char *name, struct mesh_err *err);
/* Row i of the table, or NULL past the end. */
const struct strategy_ops *strategy_at(int i);
/* What a strategy is needed for where nobody has named one. */
enum strategy_role {
	STRATEGY_DEFAULT, /* any job */
	STRATEGY_BOXES,   /* a job that needs a box, and whose strategy makes none */
	STRATEGY_RELAXED, /* a job that no longer waits for a box */
	STRATEGY_QUICK, /* an answer in microseconds, for questions that need only a rough one */
	STRATEGY_QUICK_BOXES, /* the quickest strategy that makes boxes */
	STRATEGY_SCATTERED, /* a job that does not communicate, or leaves good places to others */
};
const struct strategy_ops *strategy_for(enum strategy_role role); /* never NULL */

#endif
