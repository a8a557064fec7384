/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_options.h"

#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/settings.h"
#include "conf/topoconf.h"
#include "links/comm.h"
#include "spank/spank_learn.h"
#include "spank/spank_map.h"
#include "spank/spank_more.h"
#include "spank/spank_opt.h"
#include "spank/spank_user.h"

struct spank_options_ours spank_options_ours;

/* Numbers for Slurm: rows of useroptions_table[], then ours. */
enum { ROWS = 8, RANKS = ROWS, LEARN };

/* By row of useroptions_table[]. */
static struct {
	char *value;  /* see spank_options_value() */
	bool given;   /* for the job, or for this component of it */
	char *preset; /* what the user's environment has, see spank_options_register() */
} options[ROWS];

/* The rows of useroptions_table[]. */
#define each_row(i) for (int i = 0; i < ROWS && useroptions_table[i].option; i++)

/* Does the administrator allow users this option? */
static bool allowed(const struct useroption *option)
{
	struct mesh_settings settings;
	struct mesh_err err;
	unsigned bits;

	if (mesh_settings_read(spank_opt_params(), &settings, &err))
		return true; /* slurmctld complains about it */
	bits = settings.user_options;
	mesh_settings_release(&settings);
	return bits & option->bit;
}

enum { VARIABLE = 128 };

/* The variable by which Slurm hands an option on to the job. */
static void name_variable(const char *option, char name[VARIABLE])
{
	int n = snprintf(name, VARIABLE, "SLURM_SPANK__SLURM_SPANK_OPTION_mesh_");

	snprintf(name + n, VARIABLE - (size_t)n, "%s", option);
	for (char *c = name + n; *c; c++)
		if (*c == '-')
			*c = '_';
}

/* The value of a row's variable, or NULL. */
static const char *in_environment(int row)
{
	char name[VARIABLE];

	name_variable(useroptions_table[row].option, name);
	return getenv(name);
}

/*
 * A job that is submitted inside another one has options of its own. But who lets nothing be
 * measured means all jobs.
 */
static void forget_outer(const char *option)
{
	char name[VARIABLE];
	const char *value;

	name_variable(option, name);
	value = getenv(name);
	if (spank_context() == S_CTX_ALLOCATOR && getenv("SLURM_JOB_ID") && value &&
		strcmp(value, "no") != 0)
		unsetenv(name);
}

/* Copy a value in the place of another. 0, or -1 when memory is out. */
static int replace(char **old, const char *value)
{
	free(*old);
	*old = strdup(value);
	return *old ? 0 : -1;
}

/* May the job have this value? 0, or -1 with text. */
static int check_value(const struct useroption *option, const char *value, struct mesh_err *err)
{
	const char *params = spank_opt_params();
	struct useroptions asked;
	char meant[96];

	useroptions_init(&asked);
	if (useroptions_take(&asked, option, value, err))
		return -1;
	/* Only slurmctld knows the names in a site's own libraries. */
	if (*asked.strategy && !strategynames_has(asked.strategy) &&
		!(params && strcasestr(params, "mesh_strategies="))) {
		strategynames_suggest(asked.strategy, meant, sizeof(meant));
		return err_printf(err, "--mesh-strategy: unknown strategy '%s'%s"
			" (smesh strategies lists them)", asked.strategy, meant);
	}
	return allowed(option) ? 0 : err_printf(err, "--%s is not allowed on this cluster"
		" (mesh_user_options)", option->option);
}

static int take_option(int row, const char *value, int remote)
{
	struct mesh_err err = {{0}};
	bool inherited;

	if (row < 0 || row >= ROWS)
		return 0;
	inherited = value && value == in_environment(row);
	if (remote || (inherited && !options[row].preset)) {
		if (value && !options[row].value)
			options[row].value = strdup(value);
		return 0;
	}
	if (inherited)
		value = options[row].preset;
	if (check_value(&useroptions_table[row], value ? value : "", &err)) {
		slurm_error("%s", err.text);
		return -1;
	}
	options[row].given = !replace(&options[row].value, value);
	return options[row].given ? 0 : -1;
}

/*
 * --mesh-ranks or --mesh-learn. Slurm hands sbatch's option on in the environment, so it counts for
 * every srun in the job. Also called in the batch script, for mpirun.
 */
static int take_ours(int row, const char *value, int remote)
{
	(void)remote;
	if (row == LEARN)
		return replace(&spank_options_ours.learn,
			value && strcmp(value, "(null)") != 0 ? value : "");
	return value ? replace(&spank_options_ours.ranks, value) : 0;
}

/* Slurm copies the texts, but its members are not const. */
static int add_option(spank_t spank, const struct useroption *o, int row)
{
	struct spank_option option = {strdup(o->option), strdup(o->argument), strdup(o->usage),
		row == LEARN ? 2 : 1, row, row < ROWS ? take_option : take_ours};
	spank_err_t rc = spank_option_register(spank, &option);

	free(option.name);
	free(option.arginfo);
	free(option.usage);
	forget_outer(o->option);
	if (rc == ESPANK_SUCCESS)
		return 0;
	slurm_error("spank_mesh: --%s: %s", o->option, spank_strerror(rc));
	return -1;
}

/*
 * Slurm reads an option from its variable again for the next component of a heterogeneous job, and
 * for jobs submitted inside this one, though the user did not give it for them. Only a variable
 * that the user has set counts.
 */
int spank_options_register(spank_t spank, bool learn)
{
	static const struct useroption ours[] = {
		{SPANK_RANKS_OPTION, NULL, SPANK_RANKS_ARGUMENT, SPANK_RANKS_USAGE, 0, NULL},
		{SPANK_LEARN_OPTION, NULL, SPANK_LEARN_ARGUMENT, SPANK_LEARN_USAGE, 0, NULL}};

	each_row(i) {
		const char *value = getenv("SLURM_JOB_ID") ? NULL : in_environment(i);

		if (value && !options[i].preset)
			options[i].preset = strdup(value);
		if (add_option(spank, &useroptions_table[i], i))
			return -1;
	}
	if (learn && add_option(spank, &ours[1], LEARN))
		return -1;
	return add_option(spank, &ours[0], RANKS);
}

static int row_of(unsigned bit)
{
	int row = 0;

	while (useroptions_table[row].bit != bit)
		row++;
	return row;
}

const char *spank_options_value(unsigned bit)
{
	return options[row_of(bit)].value;
}

/*
 * Refuse numbers of nodes and tasks that contradict each other. slurmctld would refuse them with a
 * mere code, or take a grid for one of other sides. of_shape: nodes of the shape; 0: there is
 * none.
 */
static int check_sizes(const struct useroptions *asked, int of_shape, struct mesh_err *err)
{
	int ranks = comm_grid_ranks(&asked->pattern.grid), nodes, tasks;
	struct spank_opt said;

	if (!spank_opt_read(&said) || said.in_job)
		return 0;
	nodes = said.exactly;
	tasks = said.ntasks ? said.ntasks : nodes * said.per_node;
	if (of_shape > 0 && (said.nodes > of_shape ||
		(asked->shape.walk && said.nodes && said.nodes != of_shape)))
		return err_printf(err, "--mesh-shape: it is of %d nodes, -N asks for %d", of_shape,
			said.nodes);
	if (asked->segment && nodes > asked->segment && nodes % asked->segment)
		return err_printf(err, "--mesh-segment=%d: -N %d is not a multiple of it",
			asked->segment, nodes);
	if (ranks && tasks && ranks != tasks)
		return err_printf(err, "--mesh-pattern: a grid of %d ranks, but there are %d tasks",
			ranks, tasks);
	if (ranks && nodes && ranks % nodes)
		return err_printf(err,
			"--mesh-pattern: a grid of %d ranks cannot be spread evenly over %d nodes",
			ranks, nodes);
	return 0;
}

/*
 * Refuse a shape that no mesh can ever hold, with the reason: slurmctld has only a code for it.
 * For other shapes ask for their number of nodes, as -N would, so that all its errors appear at
 * submission. Returns the number; 0: there is none, or slurmctld decides; -1: refused.
 */
static int ask_nodes_of_shape(const struct mesh_shape *shape, int argc, char *argv[])
{
	struct mesh_err err = {{0}}, why;
	const struct spank_more *more = spank_more_load(&err);
	char *path = spank_map_path(argc, argv);
	struct topoconf *conf = path ? topoconf_read(path, &hostlist_libslurm, &why) : NULL;
	int nodes = more && conf ? more->shape_nodes(conf, shape, &err) : 0;

	if (!more)
		slurm_verbose("spank_mesh: %s", err.text);
	if (nodes < 0)
		slurm_error("--mesh-shape: it can never fit: %s", err.text);
	if (nodes > 0)
		spank_opt_ask_nodes(nodes);
	topoconf_free(conf);
	free(path);
	return nodes;
}

int spank_options_check(int argc, char *argv[], struct mesh_err *err)
{
	struct useroptions asked;
	int nodes = 0;

	useroptions_init(&asked);
	each_row(i) {
		if (!options[i].given)
			continue;
		useroptions_take(&asked, &useroptions_table[i], options[i].value, err);
		if (useroptions_table[i].bit == MESH_USER_SHAPE)
			nodes = ask_nodes_of_shape(&asked.shape, argc, argv);
	}
	if (check_sizes(&asked, nodes, err))
		return 1;
	return nodes < 0 ? -1 : 0;
}

/* Accounting shall show the pattern, and the share of time. */
void spank_options_use_pattern(const char *pattern)
{
	struct mesh_err err = {{0}};
	struct useroptions asked;
	int row = row_of(MESH_USER_PATTERN);

	useroptions_init(&asked);
	if (options[row].given || getenv("SLURM_JOB_ID") || !*pattern ||
		!allowed(&useroptions_table[row]))
		return;
	if (useroptions_take(&asked, &useroptions_table[row], pattern, &err) ||
		check_sizes(&asked, 0, &err))
		slurm_info("--" SPANK_LEARN_OPTION ": %s; what was learnt is not used", err.text);
	else
		take_option(row, pattern, 0);
}

int spank_options_pass_on(spank_t spank)
{
	int rc = 0;

	each_row(i) {
		const struct useroption *o = &useroptions_table[i];
		spank_err_t told = ESPANK_SUCCESS;

		if (options[i].given)
			told = spank_job_control_setenv(spank, o->variable, options[i].value, 1);
		else /* an earlier component may have had it */
			spank_job_control_unsetenv(spank, o->variable);
		options[i].given = false;
		if (told == ESPANK_SUCCESS)
			continue;
		slurm_error("spank_mesh: --%s cannot be passed on", o->option);
		rc = -1;
	}
	return rc;
}
