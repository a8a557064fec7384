/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/strategies.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "conf/library.h"
#include "conf/strategynames.h"

STRATEGIES(STRATEGIES_DECLARE)

static const struct strategy_ops *const families[] = {STRATEGIES(STRATEGIES_ROW) NULL};

/* The only state of the core that outlives its callers: libraries stay loaded. */
enum { LOADED_MOST = 32 };
static const struct strategy_ops *loaded[LOADED_MOST + 1];

/* Row *i of some families; or NULL, with *i reduced by their rows. */
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

	ops = ops ? ops : row_of(strategies_more, &i);
	return ops ? ops : row_of(loaded, &i);
}

const struct strategy_ops *strategy_find(const char *name)
{
	const struct strategy_ops *const *const table[] = {families, strategies_more, loaded};
	const struct strategy_ops *ops = NULL;

	for (size_t t = 0; t < sizeof(table) / sizeof(*table); t++)
		for (int f = 0; table[t][f] && !ops; f++)
			ops = strategy_in(table[t][f], name);
	return ops;
}

const struct strategy_ops *strategy_named(const char *name, struct mesh_err *err)
{
	const struct strategy_ops *ops = strategy_find(name);
	char meant[96];

	if (!ops && library_papers() && strategynames_of_papers(name)) {
		if (strategies_load(library_papers(), err))
			return NULL;
		ops = strategy_find(name);
	}
	if (ops && !(ops->flags & STRATEGY_STUDY))
		return ops;
	if (ops)
		err_printf(err, "strategy '%.64s' is for smesh alone", name);
	else
		err_printf(err, "unknown strategy '%.64s'%s (smesh strategies lists them)", name,
			strategynames_suggest(name, meant, sizeof(meant)));
	return NULL;
}

/* --- libraries -------------------------------------------------------------------- */

static int rows_of(const struct strategy_ops *const *family)
{
	int i = INT_MAX;

	row_of(family, &i);
	return INT_MAX - i;
}

static int add_library(
	const struct strategy_library *library, const char *path, struct mesh_err *err)
{
	int have = 0, more = 0;

	while (loaded[have]) {
		if (loaded[have++] == library->families[0])
			return 0;
	}
	for (const struct strategy_ops *ops; (ops = row_of(library->families, &(int){more}));
		more++)
		if (strategy_find(ops->name))
			return err_printf(err, "%s: there is a strategy '%.32s' already", path,
				ops->name);
	for (more = 0; library->families[more];)
		more++;
	if (have + more > LOADED_MOST || rows_of(families) + rows_of(strategies_more) +
			rows_of(loaded) + rows_of(library->families) > STRATEGIES_MOST)
		return err_printf(err, "%s: too many strategies", path);
	memcpy(loaded + have, library->families, (size_t)more * sizeof(*loaded));
	return 0;
}

int strategies_load(const char *path, struct mesh_err *err)
{
	const struct strategy_library *library;
	void *object = library_open(path, &library, err);

	if (!object || !add_library(library, path, err))
		return object ? 0 : -1;
	dlclose(object);
	return -1;
}

const struct strategy_ops *strategy_for(enum strategy_role role)
{
	static const char *const name[] = {
		[STRATEGY_DEFAULT] = "snug",
		[STRATEGY_BOXES] = "snug-box",
		[STRATEGY_RELAXED] = "snug",
		[STRATEGY_QUICK] = "hilbert-bf",
		[STRATEGY_QUICK_BOXES] = "ff",
		[STRATEGY_SCATTERED] = "scatter",
	};

	return strategy_find(name[role]);
}
