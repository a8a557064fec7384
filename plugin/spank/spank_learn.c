/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "learn/records.h"
#include "spank/spank_opt.h"

/* Where a step is being measured: its run, and the directory of that. */
static char measured[RECORDS_PATH], measured_in[RECORDS_PATH];
/* And how its ranks are in order. */
static struct records_order order = {.run = measured};

/* What plugstack.conf says. */
static struct {
	const char *of;	       /* learn=; NULL: only for those who ask */
	const char *directory; /* learn_dir=; NULL: in users' homes */
	const char *library;   /* mpich=; NULL: Open MPI counts */
	int every;	       /* learn_every= */
} site = {.every = 20};

/* --- plugstack.conf ----------------------------------------------------------------------- */

static const char *value_of(const char *argument, const char *key)
{
	size_t length = strlen(key);

	return strncmp(argument, key, length) ? NULL : argument + length;
}

bool spank_learn_configure(int argc, char *argv[])
{
	for (int i = 0; i < argc; i++) {
		const char *value;

		if ((value = value_of(argv[i], "learn=")))
			site.of = value;
		else if ((value = value_of(argv[i], "learn_dir=/")))
			site.directory = value - 1;
		else if ((value = value_of(argv[i], "learn_every=")))
			site.every = atoi(value);
		else if ((value = value_of(argv[i], "mpich=/")))
			site.library = value - 1;
	}
	return !site.of || strcmp(site.of, "no") != 0;
}

/* Is one of the words of a list, up to a comma, in another list? */
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
	if (given || !site.of)
		return given && !strcmp(given, "no") ? NULL : given;
	return !strcmp(site.of, "yes") || (partitions && have_common(partitions, site.of)) ? ""
											   : NULL;
}

/* --- measuring ---------------------------------------------------------------------------- */

/* Tell MPI to write files that begin with prefix. */
static void tell_mpi(spank_learn_set *set, void *data, const char *prefix)
{
	const char *other = getenv("LD_PRELOAD");
	char list[2 * RECORDS_PATH];

	if (site.library) {
		snprintf(list, sizeof(list), "%s%s%s", site.library, other ? ":" : "",
			other ? other : "");
		set(data, "LD_PRELOAD", list);
		set(data, "SLURM_MESH_MEASURE", prefix);
		return;
	}
	set(data, "OMPI_MCA_pml_monitoring_enable", "2");
	set(data, "OMPI_MCA_pml_monitoring_enable_output", "3");
	set(data, "OMPI_MCA_pml_monitoring_filename", prefix);
}

/* What the batch script measures is what mpirun starts, and not the steps of srun. */
static void forget_script(void)
{
	const char *prefix = getenv("OMPI_MCA_pml_monitoring_filename");

	unsetenv("SLURM_MESH_MEASURE");
	if (prefix && strstr(prefix, "/slurm-mesh/traffic/run."))
		unsetenv("OMPI_MCA_pml_monitoring_enable");
}

static int known_tasks(void)
{
	struct spank_opt said;
	const char *text = getenv("SLURM_NTASKS");

	if (spank_opt_read(&said) && said.ntasks)
		return said.ntasks;
	if (said.nodes && said.nodes == said.most_nodes)
		return said.nodes * (said.per_node ? said.per_node : 1);
	return said.srun && text ? atoi(text) : 0;
}

/* The name that the user gave, or the job's. */
static const char *name_of(const char *name)
{
	struct spank_opt said;
	const char *job = getenv("SLURM_JOB_NAME");

	if (*name)
		return name;
	spank_opt_read(&said);
	if (getenv("SLURM_JOB_ID") && job)
		return job;
	return said.name ? said.name : "job";
}

bool spank_learn_find(const char *name, struct record *record)
{
	char directory[RECORDS_PATH];
	struct mesh_err err;
	int ranks = known_tasks();

	if (!ranks || records_directory(NULL, site.directory, directory, &err))
		return false;
	records_collect(directory, NULL, &err);
	return records_find(directory, name_of(name), ranks, record) ||
	       (records_find(directory, name_of(name), 0, record) && records_scale(record, ranks));
}

/*
 * Is this run not worth measuring? Once a second run has borne the first out, one in so many is, by
 * lot: runs that were not measured need not be counted in a file.
 */
static bool is_known(const struct record *record)
{
	unsigned lot = (unsigned)time(NULL) ^ (unsigned)getpid();

	return (record->runs > 1 || !record->matrix) &&
	       (site.every < 1 || lot % (unsigned)site.every);
}

int spank_learn_measure(const char *name, const char *home, spank_learn_set *set, void *data,
	struct mesh_err *err)
{
	char directory[RECORDS_PATH], run[RECORDS_PATH], prefix[RECORDS_PATH + 2];
	int ranks = home ? 0 : known_tasks();
	struct record record;

	if (records_directory(home, site.directory, directory, err))
		return -1;
	if (records_find(directory, name_of(name), ranks, &record) && is_known(&record)) {
		forget_script();
		return 0;
	}
	if (records_begin(directory, name_of(name), ranks, run, err))
		return -1;
	snprintf(prefix, sizeof(prefix), "%s/t", run);
	tell_mpi(set, data, prefix);
	if (!home) {
		memcpy(measured, run, sizeof(measured));
		memcpy(measured_in, directory, sizeof(measured_in));
	}
	return 0;
}

struct records_order *spank_learn_order(void)
{
	return *measured ? &order : NULL;
}

void spank_learn_collect(void)
{
	struct mesh_err err;

	if (!*measured)
		return;
	records_end(measured);
	records_collect(measured_in, &order, &err);
	arena_release(&order.arena);
}
