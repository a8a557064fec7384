/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "learn/runs.h"
#include "ranks/rankmap.h"
#include "spank/spank_learn.h"
#include "spank/spank_opt.h"

_Static_assert((int)SPANK_MORE_PATH == (int)RECORDS_PATH, "a prefix has room");

/* The step that is measured: the beginning of its files' names, and the directory of records. */
static char measured[RECORDS_PATH], measured_in[RECORDS_PATH];
static struct runs_order order = {.run = measured}; /* how the step's ranks are ordered */

/* --- what is known -------------------------------------------------------------------------- */

static int known_tasks(const struct spank_opt *said)
{
	const char *text = getenv("SLURM_NTASKS");

	if (said->ntasks)
		return said->ntasks;
	if (said->by_cpus && said->in_job)
		return 0;
	if (said->exactly)
		return said->exactly * (said->per_node ? said->per_node : 1);
	return said->srun && text ? atoi(text) : 0;
}

/*
 * The ranks that mpiexec starts by its proxies: as many for each as the job has tasks on a node,
 * unless nodes differ in that, or a host file of the user's own says otherwise. 0: not known.
 */
static int ranks_of_proxies(const struct spank_opt *said)
{
	const char *each = getenv("SLURM_TASKS_PER_NODE");
	int n = each && !strchr(each, ',') && !getenv("HYDRA_HOST_FILE") ? atoi(each) : 0;

	return n > 0 && n < TRAFFIC_MAX_RANKS / (said->ntasks + 1) ? n * said->ntasks : 0;
}

/* What this srun, sbatch or salloc is for. */
struct who {
	char directory[RECORDS_PATH];
	struct spank_opt said;
	const char *job; /* NAME of the option, or the job's name */
	int ranks; /* 0: not known */
	bool named; /* job is NAME */
	bool launcher; /* srun starts what mpirun needs, not its ranks */
	struct progname program;
};

static int find_who(struct who *who, const struct spank_learn_site *site, const char *name,
	struct mesh_err *err)
{
	const char *job = getenv("SLURM_JOB_NAME");

	*who = (struct who){.named = *name};
	spank_opt_read(&who->said);
	who->launcher = who->said.proxies || who->said.daemons;
	if (who->said.proxies)
		who->ranks = ranks_of_proxies(&who->said);
	else if (!who->said.daemons)
		who->ranks = known_tasks(&who->said);
	if (*name)
		who->job = name;
	else if (getenv("SLURM_JOB_ID") && job)
		who->job = job;
	else
		who->job = who->said.name ? who->said.name : "job";
	if (!who->named && !who->launcher)
		progname_of(who->said.argc, who->said.argv, &who->program);
	return records_directory(getenv("XDG_DATA_HOME"), getenv("HOME"),
		site->directory, who->directory, err);
}

/* Find the record by the name that it should have, then by the job's name, as 1.0 did. */
static bool find_record(const struct who *who, int ranks, struct record *record)
{
	char name[RECORDS_NAME];

	records_choose(who->directory, who->job, &who->program, ranks, name);
	return records_find(who->directory, name, ranks, record) ||
	       (!progname_says(who->job) &&
		       records_find(who->directory, who->job, ranks, record));
}

/* Say the record in words of the options. */
static void describe(const struct record *record, struct spank_more_learnt *learnt)
{
	bool grid = !strncmp(record->pattern, "grid:", 5);
	char share[8] = "", pattern[PATTERN_TEXT];

	*learnt = (struct spank_more_learnt){{0}};
	if (record->share >= 0)
		snprintf(share, sizeof(share), ",%.0f%%", 100 * record->share);
	patternfind_told(record->pattern, pattern);
	if (strcmp(pattern, "mix") != 0 || *share)
		snprintf(learnt->pattern, sizeof(learnt->pattern), "learnt:%s%s", pattern, share);
	if (record->matrix || grid)
		snprintf(learnt->ranks, sizeof(learnt->ranks), "%s%s",
			record->matrix ? "traffic:" : "",
			record->matrix ? record->path : record->pattern);
	snprintf(learnt->text, sizeof(learnt->text), "%s, %d ranks (%s)", record->pattern,
		record->ranks, record->path);
	learnt->nranks = record->ranks;
}

bool spank_records_find(
	const struct spank_learn_site *site, const char *name, struct spank_more_learnt *learnt)
{
	struct record record;
	struct mesh_err err;
	struct who who;

	if (find_who(&who, site, name, &err) || !who.ranks)
		return false;
	runs_collect(who.directory, NULL, &err);
	if (!find_record(&who, who.ranks, &record) &&
		!(find_record(&who, 0, &record) && records_scale(&record, who.ranks)))
		return false;
	describe(&record, learnt);
	return true;
}

/* --- measuring ---------------------------------------------------------------------------- */

/* Is enough known already, so that this run need not be measured? */
static bool is_known(const struct record *record, int every)
{
	unsigned lot = (unsigned)time(NULL) ^ (unsigned)getpid();

	/* Drawn by lot, so that no file need count the runs that were not measured. */
	return (record->runs > 1 || !record->matrix) && (every < 1 || lot % (unsigned)every);
}

/* Find a file in a directory, folder[0..length). */
static bool find_in(const char *folder, size_t length, const char *name, struct stat *status)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, name);

	return n < (int)sizeof(path) && !stat(path, status) && S_ISREG(status->st_mode);
}

/* Find the program or script as srun does: in the tasks' directory, and a program along PATH. */
static bool find_program(const struct spank_opt *said, struct stat *status)
{
	int file = progname_file(said->argc, said->argv);
	const char *name = said->argc > file ? said->argv[file] : "";
	const char *here = said->directory ? said->directory : ".";
	const char *path = file || strchr(name, '/') ? "" : getenv("PATH");
	bool found = *name == '/' ? !stat(name, status)
				  : *name && find_in(here, strlen(here), name, status);

	for (size_t n; !found && *name && path && *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		found = find_in(path, n, name, status);
	}
	return found;
}

/* Was the program compiled, or the script written, after the record? */
static bool has_changed(const struct spank_opt *said, const struct record *record)
{
	struct stat status;

	return find_program(said, &status) && status.st_mtime > record->written;
}

int spank_records_measure(
	const struct spank_learn_site *site, const char *name, struct mesh_err *err)
{
	struct runs_label label = {.of_job = false};
	struct record record;
	struct who who;

	if (find_who(&who, site, name, err))
		return -1;
	if (who.launcher)
		return 0; /* what mpirun starts is measured by the script */
	if (find_record(&who, who.ranks, &record) && is_known(&record, site->every) &&
		!has_changed(&who.said, &record))
		return 0;
	records_choose(who.directory, who.job, &who.program, who.ranks, label.name);
	memcpy(label.program, who.program.file, sizeof(label.program));
	/* With -c Slurm may make more tasks than one on each node. */
	label.ranks = who.said.by_cpus && !who.said.ntasks ? 0 : who.ranks;
	if (runs_begin(who.directory, &label, measured, err)) {
		*measured = '\0';
		return -1;
	}
	memcpy(measured_in, who.directory, sizeof(measured_in));
	setenv("MESH_MEASURE", measured, 1);
	return 0;
}

int spank_records_script(const struct spank_learn_site *site,
	const struct spank_more_script *script, char prefix[SPANK_MORE_PATH], struct mesh_err *err)
{
	struct runs_label label = {.of_job = !*script->name};
	char directory[RECORDS_PATH];
	struct record record;
	struct mesh_err why;

	if (records_directory(script->data, script->home, site->directory, directory, err))
		return -1;
	progname_clean(label.of_job ? script->job : script->name, label.name);
	runs_collect(directory, NULL, &why);
	if (records_find(directory, label.name, 0, &record) && is_known(&record, site->every))
		return 1;
	return runs_begin(directory, &label, prefix, err) ? -1 : 0;
}

int spank_records_order(const struct rankmap_input *in, const int *place, struct mesh_err *err)
{
	int *vertex, ranks = in->nnodes * in->per_node;

	if (!*measured)
		return 0;
	vertex = arena_get(&order.arena, in->nnodes, sizeof(*vertex));
	order.per_node = in->per_node;
	if (!arena_array(&order.arena, order.place, ranks))
		return err_printf(err, "out of memory");
	for (int i = 0; i < in->nnodes; i++)
		vertex[i] = in->mesh->vertex_of[in->node[i]];
	memcpy(order.place, place, (size_t)ranks * sizeof(*place));
	return assign_sites_init(&order.nodes, in->mesh, vertex, in->nnodes, &order.arena)
		? err_printf(err, "out of memory") : 0;
}

void spank_records_collect(void)
{
	struct mesh_err err;

	if (*measured)
		runs_collect(measured_in, &order, &err);
	arena_release(&order.arena);
}
