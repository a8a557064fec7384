/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "decide/span.h"

static char papers[PATH_MAX];
/* The file is kept open, so that it is the one of this build when it is loaded. */
static int papers_file = -1;
static struct stat papers_opened;
static const struct extras *loaded_extras;
static struct mesh_err no_extras; /* why they cannot be loaded: it is not tried again */

/* Is the descriptor still that of the file? */
static bool is_open(void)
{
	struct stat now;

	return papers_file >= 0 && !fstat(papers_file, &now) &&
		now.st_dev == papers_opened.st_dev && now.st_ino == papers_opened.st_ino;
}

void library_papers_at(const char *path)
{
	snprintf(papers, sizeof(papers), "%s", path);
	if (is_open())
		close(papers_file);
	papers_file = open(papers, O_RDONLY | O_CLOEXEC);
	if (papers_file >= 0)
		fstat(papers_file, &papers_opened);
	*no_extras.text = '\0';
}

const char *library_papers(void)
{
	return *papers ? papers : NULL;
}

/* Was the library compiled from these headers? */
static bool fits(const struct strategy_library *library)
{
	static const struct strategy_library_stamp stamp = STRATEGY_LIBRARY_STAMP;

	return !memcmp(&library->stamp, &stamp, sizeof(stamp));
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

void *library_open(
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

/* A site's own library may have the names of the papers' strategies: theirs are not added here. */
static const struct extras *load_extras(struct mesh_err *err)
{
	const struct strategy_library *library;
	const struct extras *more;
	void *object;

	if (!*papers)
		err_printf(err, "mesh_strategies_papers.so: its folder is not known");
	if (!*papers || !(object = library_open(papers, &library, err)))
		return NULL;
	more = dlsym(object, EXTRAS_SYMBOL);
	if (more && more->span_sizes == EXTRAS_SPAN_SIZES)
		return more;
	err_printf(err, "%s: of another build than %s", papers, PACKAGE_VERSION);
	dlclose(object);
	return NULL;
}

const struct extras *library_extras(struct mesh_err *err)
{
	if (!loaded_extras && !*no_extras.text)
		loaded_extras = load_extras(&no_extras);
	if (!loaded_extras)
		err_printf(err, "%s", no_extras.text);
	return loaded_extras;
}
