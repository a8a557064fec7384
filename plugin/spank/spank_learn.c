/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_learn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spank_learn_site spank_learn_site = {.every = 20};

/* --- plugstack.conf ----------------------------------------------------------------------- */

static const char *value_of(const char *argument, const char *key)
{
	size_t length = strlen(key);

	return strncmp(argument, key, length) ? NULL : argument + length;
}

/* The library is in this plugin's directory. free() the path; NULL: unknown. */
static char *find_library(void)
{
	const char *slash;
	char *path = NULL;
	Dl_info self;

	if (!dladdr(&spank_learn_site, &self) || !(slash = strrchr(self.dli_fname, '/')) ||
		asprintf(&path, "%.*s/libmesh_measure.so", (int)(slash - self.dli_fname),
			self.dli_fname) < 0)
		return NULL;
	return path;
}

bool spank_learn_configure(int argc, char *argv[])
{
	struct spank_learn_site *site = &spank_learn_site;
	const char *library = NULL;

	for (int i = 0; i < argc; i++) {
		const char *value;

		if ((value = value_of(argv[i], "learn=")))
			site->of = value;
		else if ((value = value_of(argv[i], "learn_dir=/")))
			site->directory = value - 1;
		else if ((value = value_of(argv[i], "learn_every=")))
			site->every = atoi(value);
		else if ((value = value_of(argv[i], "measure=")) ||
			 (value = value_of(argv[i], "mpich=")))
			library = value;
	}
	free(site->library);
	site->library = library ? strdup(library) : find_library();
	return !site->of || strcmp(site->of, "no") != 0;
}

/* Have two lists of words with commas a word in common? */
static bool have_common(const char *list, const char *other)
{
	for (size_t n; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		for (const char *o = other; n && *o; o += strcspn(o, ","), o += *o == ',')
			if (strcspn(o, ",") == n && !strncmp(o, list, n))
				return true;
	}
	return false;
}

const char *spank_learn_wanted(const char *given, const char *partitions)
{
	const char *of = spank_learn_site.of;

	if (given || !of)
		return given && !strcmp(given, "no") ? NULL : given;
	return !strcmp(of, "yes") || (partitions && have_common(partitions, of)) ? "" : NULL;
}
