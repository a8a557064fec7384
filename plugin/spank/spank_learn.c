/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_learn.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "conf/spankword.h"

struct spank_learn_site spank_learn_site = {.every = 20};

/* --- plugstack.conf ----------------------------------------------------------------------- */

/* The library is in this plugin's directory. free() the path; NULL: unknown. */
static char *find_library(void)
{
	char path[PATH_MAX];
	Dl_info self;

	return dladdr(&spank_learn_site, &self) && !textfile_beside(self.dli_fname,
			"libmesh_measure.so", path, sizeof(path)) ? strdup(path) : NULL;
}

bool spank_learn_configure(int argc, char *argv[])
{
	struct spank_learn_site *site = &spank_learn_site;
	const char *library = NULL;

	for (int i = 0; i < argc; i++) {
		const char *value;

		switch (spankword_of(argv[i], &value)) {
		case SPANKWORD_LEARN: site->of = value; break;
		case SPANKWORD_LEARN_DIR:
			site->directory = *value == '/' ? value : site->directory;
			break;
		case SPANKWORD_LEARN_EVERY: site->every = atoi(value); break;
		case SPANKWORD_MEASURE:
		case SPANKWORD_MPICH: library = value; break;
		default: break;
		}
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
