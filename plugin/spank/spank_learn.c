/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_learn.h"

#include <dlfcn.h>
#include <limits.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/textfile.h"
#include "conf/spankword.h"
#include "spank/spank_more.h"
#include "spank/spank_place.h"

struct spank_learn_site spank_learn_site = {.every = 20};

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

enum { VALUE = 4096 };

/*
 * A variable of the task (NULL: of this process). False and an empty value: there is none, or it is
 * longer than ours are.
 */
static bool get(spank_t spank, const char *name, char value[VALUE])
{
	const char *own = spank ? NULL : getenv(name);

	if (spank ? spank_getenv(spank, name, value, VALUE) == ESPANK_SUCCESS
		  : own && snprintf(value, VALUE, "%s", own) < VALUE)
		return true;
	*value = '\0';
	return false;
}

void spank_learn_forget(spank_t spank)
{
	static const char *const told[] = {"MESH_MEASURE", "SLURM_MESH_MEASURE",
		"OMPI_MCA_pml_monitoring_enable", "OMPI_MCA_pml_monitoring_enable_output",
		"OMPI_MCA_pml_monitoring_filename"};
	char ours[VALUE], prefix[VALUE];
	int n = 2;

	if (!get(spank, told[0], ours))
		return;
	if (get(spank, told[4], prefix) && !strncmp(prefix, ours, strlen(ours)))
		n = 5;
	for (int i = 0; i < n; i++)
		if (spank)
			spank_unsetenv(spank, told[i]);
		else
			unsetenv(told[i]);
}

/* What mpirun starts in a script inherits the script's environment. */
static void measure_script(spank_t spank, const char *given)
{
	char job[VALUE], partition[VALUE], home[VALUE], data[VALUE], prefix[SPANK_MORE_PATH];
	struct spank_more_script script = {.job = job, .home = home, .data = data};
	const struct spank_more *more;
	struct mesh_err err = {{0}};
	int rc;

	get(spank, "SLURM_JOB_NAME", job);
	get(spank, "SLURM_JOB_PARTITION", partition);
	get(spank, "HOME", home);
	get(spank, "XDG_DATA_HOME", data);
	if (!(script.name = spank_learn_wanted(given, partition)))
		return;
	more = spank_more_load(&err);
	rc = more ? more->learn_script(&spank_learn_site, &script, prefix, &err) : -1;
	if (rc < 0)
		slurm_verbose("spank_mesh: %s; nothing is learnt", err.text);
	if (rc)
		return;
	spank_setenv(spank, "MESH_MEASURE", prefix, 1);
	spank_setenv(spank, "SLURM_MESH_MEASURE", prefix, 1);
}

/* Has this node the library? A container need not have it. */
static bool has_library(spank_t spank)
{
	const char *library = spank_learn_site.library;

	return library && *library == '/' && !access(library, R_OK) &&
	       !spank_place_has(spank, "SLURM_CONTAINER", NULL);
}

/* A step inherits its script's list of libraries, whose node had ours. Take ours out. */
static void leave_out(spank_t spank)
{
	const char *library = spank_learn_site.library;
	size_t n = library ? strlen(library) : 0;
	char list[VALUE], *at = list;
	bool found = false;

	if (!n || !get(spank, "LD_PRELOAD", list))
		return;
	while ((at = strstr(at, library))) {
		char *end = at + n;

		if ((at > list && !strchr(": ", at[-1])) || (*end && !strchr(": ", *end))) {
			at = end;
			continue;
		}
		end += *end != '\0';
		memmove(at, end, strlen(end) + 1);
		found = true;
	}
	if (found && *list)
		spank_setenv(spank, "LD_PRELOAD", list, 1);
	else if (found)
		spank_unsetenv(spank, "LD_PRELOAD");
}

/* Is this variable longer than ours are? Then it stays. */
static bool is_long(spank_t spank, const char *name)
{
	char value[VALUE];

	return spank_getenv(spank, name, value, VALUE) == ESPANK_NOSPACE;
}

/* Preload the library. False: it cannot be. */
static bool preload(spank_t spank)
{
	const char *library = spank_learn_site.library;
	char other[VALUE], list[2 * VALUE];

	if (!has_library(spank) || strlen(library) >= VALUE || is_long(spank, "LD_PRELOAD"))
		return false;
	get(spank, "LD_PRELOAD", other);
	if (strstr(other, library))
		return true;
	snprintf(list, sizeof(list), "%s%s%s", library, *other ? ":" : "", other);
	spank_setenv(spank, "LD_PRELOAD", list, 1);
	/* A container that a script starts does not have our library. */
	spank_setenv(spank, "APPTAINERENV_LD_PRELOAD", other, 0);
	spank_setenv(spank, "SINGULARITYENV_LD_PRELOAD", other, 0);
	return true;
}

/*
 * Without the library let Open MPI count by itself, unless users measure so by themselves. A
 * program that calls MPI_Comm_spawn() crashes then in Open MPI 4.1.4's component.
 */
static void tell_open_mpi(spank_t spank, const char *prefix)
{
	char value[VALUE + 8];

	if (is_long(spank, "OMPI_MCA_pml_monitoring_filename") ||
		(get(spank, "OMPI_MCA_pml_monitoring_filename", value) &&
			strncmp(value, prefix, strlen(prefix)) != 0))
		return;
	snprintf(value, sizeof(value), "%s.o", prefix);
	spank_setenv(spank, "OMPI_MCA_pml_monitoring_enable", "2", 1);
	spank_setenv(spank, "OMPI_MCA_pml_monitoring_enable_output", "3", 1);
	spank_setenv(spank, "OMPI_MCA_pml_monitoring_filename", value, 1);
}

void spank_learn_task(spank_t spank, const char *given)
{
	bool script = spank_place_is_script(spank);
	char prefix[VALUE];

	/* A step has what its script was told, also where its user says no. */
	if (script || (given && !strcmp(given, "no")))
		spank_learn_forget(spank);
	if (script)
		measure_script(spank, given);
	if (!has_library(spank))
		leave_out(spank);
	if (!get(spank, "MESH_MEASURE", prefix))
		return;
	if (!preload(spank))
		tell_open_mpi(spank, prefix);
}
