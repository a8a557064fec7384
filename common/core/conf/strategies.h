/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of strategies. Those of the core are always there; a program adds others when it is
 * linked (strategies_more) or when it loads a library of them. To add one: doc/add-a-strategy.md.
 */
#ifndef STRATEGIES_H
#define STRATEGIES_H

#include "ask/strategy.h"
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

/* A table of families, and the declarations that it needs: NAME[] ends with NULL. */
#define STRATEGIES_DECLARE(name) extern const struct strategy_ops strategy_##name##_family[];
#define STRATEGIES_ROW(name) strategy_##name##_family,

/*
 * Families that are linked into this program beside the core's: NULL-terminated, defined by each
 * program. The plugins have none (plugin/shared/mesh_strategies.c), smesh and the tests those of
 * papers/ and smesh/study.
 */
extern const struct strategy_ops *const strategies_more[];

enum { STRATEGIES_MOST = 128 }; /* rows of the table */

/*
 * Load a shared object of strategies, which stays loaded: its rows come behind all others. 0, or -1
 * with text: it cannot be loaded, is of another version, has a name that is taken, or the table is
 * full. Loading one twice is fine. Not for two threads at once; no thread may hold strategy_at()'s
 * number of rows over it.
 */
int strategies_load(const char *path, struct mesh_err *err);

/* Where the library of the papers' strategies is, for strategy_named(). Longer paths than PATH_MAX
 * are cut, and fail when they are loaded. */
void strategies_papers_at(const char *path);

/* The row called name, in any case, or NULL. */
const struct strategy_ops *strategy_find(const char *name);
/* The same, but of those that slurm.conf may name; the library of the papers' strategies is loaded
 * when it is one of theirs. NULL with text. */
const struct strategy_ops *strategy_named(const char *name, struct mesh_err *err);
/* Row i of the table in its order, or NULL past the end. */
const struct strategy_ops *strategy_at(int i);
/* What a strategy is wanted for where nobody has named one. */
enum strategy_role {
	STRATEGY_DEFAULT, /* any job */
	STRATEGY_BOXES,   /* a job that wants a box where its own strategy gives none */
	STRATEGY_RELAXED, /* a job that no longer waits for a box */
	STRATEGY_QUICK, /* an answer in microseconds, for questions that only have to be about right
			 */
	STRATEGY_QUICK_BOXES, /* the quickest one that gives boxes */
	STRATEGY_SCATTERED, /* a job that does not communicate, or leaves good places to others */
};
const struct strategy_ops *strategy_for(enum strategy_role role);

#endif
