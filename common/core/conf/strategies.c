/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/strategies.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf/strategynames.h"
#include "config.h"
#include "decide/span.h"

STRATEGIES(STRATEGIES_DECLARE)

static const struct strategy_ops *const families[] = {STRATEGIES(STRATEGIES_ROW) NULL};

/* The only state of the core that outlives its callers: libraries stay loaded. */
enum { LOADED_MOST = 32 };
static const struct strategy_ops *loaded[LOADED_MOST + 1];
static char papers[PATH_MAX];
/* The file is kept open, so that it is the one of this build when it is loaded. */
static int papers_file = -1;
static struct stat papers_opened;
static const struct extras *loaded_extras;
static struct mesh_err no_extras; /* why they cannot be loaded: it is not tried again */

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

	if (!ops && *papers && strategynames_of_papers(name)) {
		if (strategies_load(papers, err))
			return NULL;
		ops = strategy_find(name);
	}
	if (ops && !(ops->flags & STRATEGY_STUDY))
		return ops;
	err_printf(err, "unknown strategy '%.64s'%s (smesh strategies lists them)", name,
		strategynames_suggest(name, meant, sizeof(meant)));
	return NULL;
}

/* Is the descriptor still that of the file? */
static bool is_open(void)
{
	struct stat now;

	return papers_file >= 0 && !fstat(papers_file, &now) &&
		now.st_dev == papers_opened.st_dev && now.st_ino == papers_opened.st_ino;
}

void strategies_papers_at(const char *path)
{
	snprintf(papers, sizeof(papers), "%s", path);
	if (is_open())
		close(papers_file);
	papers_file = open(papers, O_RDONLY | O_CLOEXEC);
	if (papers_file >= 0 && fstat(papers_file, &papers_opened))
		papers_file = -1;
	*no_extras.text = '\0';
}

/* --- libraries -------------------------------------------------------------------- */

static int rows_of(const struct strategy_ops *const *family)
{
	int i = INT_MAX;

	row_of(family, &i);
	return INT_MAX - i;
}

/* Was the library compiled from these headers? */
static bool fits(const struct strategy_library *library)
{
	static const struct strategy_library_stamp stamp = STRATEGY_LIBRARY_STAMP;

	return !memcmp(&library->stamp, &stamp, sizeof(stamp));
}

static int add(const struct strategy_library *library, const char *path, struct mesh_err *err)
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

/* dlopen() looks for a path without a slash in the system's folders, not in this one. */
static void *open_object(const char *path)
{
	char here[PATH_MAX + 2];
	void *object = NULL;

	if (path == papers && is_open()) {
		snprintf(here, sizeof(here), "/proc/self/fd/%d", papers_file);
		object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	}
	snprintf(here, sizeof(here), "%s%s", strchr(path, '/') ? "" : "./", path);
	return object ? object : dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

/* Open a library of this build: the object, and *library in it. NULL with text. */
static void *open_library(
	const char *path, const struct strategy_library **library, struct mesh_err *err)
{
	void *object = open_object(path);

	*library = object ? dlsym(object, STRATEGY_LIBRARY_SYMBOL) : NULL;
	if (*library && fits(*library))
		return object;
	if (!object)
		err_printf(err, "%s", dlerror());
	else if (!*library)
		err_printf(err, "%s: no library of strategies (doc/add-a-strategy.md)", path);
	else
		err_printf(err, "%s: compiled for another version or another build than %s", path,
			PACKAGE_VERSION);
	if (object)
		dlclose(object);
	return NULL;
}

int strategies_load(const char *path, struct mesh_err *err)
{
	const struct strategy_library *library;
	void *object = open_library(path, &library, err);

	if (!object || !add(library, path, err))
		return object ? 0 : -1;
	dlclose(object);
	return -1;
}

/* A site's own library may have the names of the papers' strategies: theirs are not added here. */
static const struct extras *load_extras(struct mesh_err *err)
{
	const struct strategy_library *library;
	const struct extras *more;
	void *object;

	if (!*papers)
		err_printf(err, "mesh_strategies_papers.so: its folder is not known");
	if (!*papers || !(object = open_library(papers, &library, err)))
		return NULL;
	more = dlsym(object, EXTRAS_SYMBOL);
	if (more && more->span_sizes == EXTRAS_SPAN_SIZES)
		return more;
	err_printf(err, "%s: of another build than %s", papers, PACKAGE_VERSION);
	dlclose(object);
	return NULL;
}

const struct extras *strategies_extras(struct mesh_err *err)
{
	if (!loaded_extras && !*no_extras.text)
		loaded_extras = load_extras(&no_extras);
	if (!loaded_extras)
		err_printf(err, "%s", no_extras.text);
	return loaded_extras;
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
