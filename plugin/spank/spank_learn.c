/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_learn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "learn/runs.h"
#include "spank/spank_opt.h"

/* Where a step is being measured: the beginning of its files' names, and the records. */
static char measured[RECORDS_PATH], measured_in[RECORDS_PATH];
/* And how its ranks are in order. */
static struct runs_order order = {.run = measured};

struct spank_learn_site spank_learn_site = {.every = 20};

/* --- plugstack.conf ----------------------------------------------------------------------- */

static const char *value_of(const char *argument, const char *key)
{
	size_t length = strlen(key);

	return strncmp(argument, key, length) ? NULL : argument + length;
}

/* The library lies beside this plugin. */
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
	const char *of = spank_learn_site.of;

	if (given || !of)
		return given && !strcmp(given, "no") ? NULL : given;
	return !strcmp(of, "yes") || (partitions && have_common(partitions, of)) ? "" : NULL;
}

/* --- what is known -------------------------------------------------------------------------- */

static int known_tasks(const struct spank_opt *said)
{
	const char *text = getenv("SLURM_NTASKS");

	if (said->ntasks)
		return said->ntasks;
	if (said->nodes && said->nodes == said->most_nodes)
		return said->nodes * (said->per_node ? said->per_node : 1);
	return said->srun && text ? atoi(text) : 0;
}

/* Who this srun, sbatch or salloc is for. */
struct who {
	char directory[RECORDS_PATH];
	struct spank_opt said;
	const char *job; /* NAME, or the job's */
	int ranks; /* 0: not known */
	bool named; /* it is NAME */
	struct progname program;
};

static int ask(struct who *who, const char *name, struct mesh_err *err)
{
	const char *job = getenv("SLURM_JOB_NAME");

	*who = (struct who){.named = *name};
	spank_opt_read(&who->said);
	who->ranks = known_tasks(&who->said);
	if (*name)
		who->job = name;
	else if (getenv("SLURM_JOB_ID") && job)
		who->job = job;
	else
		who->job = who->said.name ? who->said.name : "job";
	if (!who->named)
		progname_of(who->said.argc, who->said.argv, &who->program);
	return records_directory(getenv("XDG_DATA_HOME"), getenv("HOME"),
		spank_learn_site.directory, who->directory, err);
}

/* By the name that the record should have; then by the job's, as 1.0 had it. */
static bool find(const struct who *who, int ranks, struct record *record)
{
	char name[RECORDS_NAME];

	records_choose(who->directory, who->job, &who->program, ranks, name);
	return records_find(who->directory, name, ranks, record) ||
	       (!progname_says(who->job) &&
		       records_find(who->directory, who->job, ranks, record));
}

bool spank_learn_find(const char *name, struct record *record)
{
	struct mesh_err err;
	struct who who;

	if (ask(&who, name, &err) || !who.ranks)
		return false;
	runs_collect(who.directory, NULL, &err);
	return find(&who, who.ranks, record) ||
	       (find(&who, 0, record) && records_scale(record, who.ranks));
}

/* --- measuring ---------------------------------------------------------------------------- */

bool spank_learn_is_known(const struct record *record)
{
	unsigned lot = (unsigned)time(NULL) ^ (unsigned)getpid();
	int every = spank_learn_site.every;

	/* By lot: runs that were not measured need not be counted in a file. */
	return (record->runs > 1 || !record->matrix) && (every < 1 || lot % (unsigned)every);
}

/* Was the program compiled, or the script written, after its run? */
static bool has_changed(const struct spank_opt *said, const struct record *record)
{
	int file = progname_file(said->argc, said->argv);
	struct stat status;

	return said->argc > file && !stat(said->argv[file], &status) &&
	       status.st_mtime > record->written;
}

/* What the batch script measures is what mpirun starts, and not the steps of srun. */
static void forget_script(void)
{
	const char *ours = getenv("SLURM_MESH_MEASURE");
	const char *prefix = getenv("OMPI_MCA_pml_monitoring_filename");

	if (ours && prefix && !strncmp(prefix, ours, strlen(ours))) {
		unsetenv("OMPI_MCA_pml_monitoring_enable");
		unsetenv("OMPI_MCA_pml_monitoring_enable_output");
		unsetenv("OMPI_MCA_pml_monitoring_filename");
	}
	unsetenv("SLURM_MESH_MEASURE");
}

int spank_learn_measure(const char *name, struct mesh_err *err)
{
	struct runs_label label = {.of_job = false};
	struct record record;
	struct who who;

	forget_script();
	if (ask(&who, name, err))
		return -1;
	if (find(&who, who.ranks, &record) && spank_learn_is_known(&record) &&
		!has_changed(&who.said, &record))
		return 0;
	records_choose(who.directory, who.job, &who.program, who.ranks, label.name);
	memcpy(label.program, who.program.file, sizeof(label.program));
	label.ranks = who.ranks;
	if (runs_begin(who.directory, &label, measured, err)) {
		*measured = '\0';
		return -1;
	}
	memcpy(measured_in, who.directory, sizeof(measured_in));
	setenv("SLURM_MESH_MEASURE", measured, 1);
	return 0;
}

struct runs_order *spank_learn_order(void)
{
	return *measured ? &order : NULL;
}

void spank_learn_collect(void)
{
	struct mesh_err err;

	if (*measured)
		runs_collect(measured_in, &order, &err);
	arena_release(&order.arena);
}
