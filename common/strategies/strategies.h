/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of all strategies. A new one is a family of rows in a file of its own, and its name in
 * the list below: doc/add-a-strategy.md.
 */
#ifndef STRATEGIES_H
#define STRATEGIES_H

#include "strategy/strategy.h"

/* The families that slurmctld has, in the order of `smesh strategies`: strategy_NAME_family. */
#define STRATEGIES(FAMILY) \
	FAMILY(linear) \
	FAMILY(scatter) \
	FAMILY(curve) \
	FAMILY(buddy) \
	FAMILY(point) \
	FAMILY(box) \
	FAMILY(snug) \
	FAMILY(snug_box) \
	FAMILY(busylist) \
	FAMILY(qtree)

/*
 * Families that only this program has, after those: NULL-terminated, defined by each program that
 * links the core. The plugins have none (plugin/shared/strategies_more.c), smesh and the tests
 * those of smesh/study.
 */
extern const struct strategy_ops *const strategies_more[];

/* The row called name, in any case, or NULL. */
const struct strategy_ops *strategy_find(const char *name);
/* The same, but of those that slurmctld has. */
const struct strategy_ops *strategy_of_slurm(const char *name);
/* Row i of the table in its order, or NULL past the end. */
const struct strategy_ops *strategy_at(int i);
/* What a strategy is wanted for where nobody has named one. */
enum strategy_role {
	STRATEGY_DEFAULT, /* any job */
	STRATEGY_BOXES,   /* a job that wants a box where its own strategy gives none */
	STRATEGY_RELAXED, /* a job that no longer waits for a box: compact, whatever is left to
			     others */
	STRATEGY_QUICK, /* an answer in microseconds, for questions that only have to be about right
			 */
	STRATEGY_QUICK_BOXES, /* the quickest one that gives boxes */
};
const struct strategy_ops *strategy_for(enum strategy_role role);

#endif
