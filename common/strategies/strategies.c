/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "strategies/strategies.h"

#define DECLARE(name) extern const struct strategy_ops strategy_##name##_family[];
#define ROW(name) strategy_##name##_family,

STRATEGIES(DECLARE)

static const struct strategy_ops *const families[] = {STRATEGIES(ROW) NULL};

/* Row *i of some families, or NULL with *i less by their rows. */
static const struct strategy_ops *row_of(const struct strategy_ops *const *family, int *i)
{
	for (; *family; family++)
		for (const struct strategy_ops *ops = *family; ops->name; ops++)
			if (!(*i)--)
				return ops;
	return NULL;
}

const struct strategy_ops *strategy_at(int i)
{
	const struct strategy_ops *ops = row_of(families, &i);

	return ops ? ops : row_of(strategies_more, &i);
}

static const struct strategy_ops *find(const struct strategy_ops *const *family, const char *name)
{
	const struct strategy_ops *ops = NULL;

	for (; *family && !ops; family++)
		ops = strategy_in(*family, name);
	return ops;
}

const struct strategy_ops *strategy_find(const char *name)
{
	const struct strategy_ops *ops = strategy_of_slurm(name);

	return ops ? ops : find(strategies_more, name);
}

const struct strategy_ops *strategy_of_slurm(const char *name)
{
	return find(families, name);
}

const struct strategy_ops *strategy_for(enum strategy_role role)
{
	static const char *const name[] = {
		[STRATEGY_DEFAULT] = "snug",
		[STRATEGY_BOXES] = "snug-box",
		[STRATEGY_RELAXED] = "mm",
		[STRATEGY_QUICK] = "hilbert-bf",
		[STRATEGY_QUICK_BOXES] = "ff",
	};

	return strategy_find(name[role]);
}
