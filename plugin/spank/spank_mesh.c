/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SPANK plugin for select/mesh: the --mesh- options of srun, sbatch and salloc. spank_place.h says
 * what tasks are told about their nodes, spank_mpirun.h how mpirun learns the order of ranks.
 *
 * plugstack.conf: `optional /usr/lib/slurm-mesh/spank_mesh.so [conf=/etc/slurm/topology.conf]
 * [prefix=SLURM_MESH_] [order=auto]`, and the words of spank_learn.h.
 */
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/settings.h"
#include "conf/spankword.h"
#include "conf/places.h"
#include "conf/strategynames.h"
#include "conf/useroptions.h"
#include "links/comm.h"
#include "spank/spank_implied.h"
#include "spank/spank_map.h"
#include "spank/spank_mpirun.h"
#include "spank/spank_more.h"
#include "spank/spank_opt.h"
#include "spank/spank_place.h"
#include "spank/spank_user.h"

#pragma GCC visibility push(default)
SPANK_PLUGIN(mesh, 1)
int slurm_spank_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_init_post_opt(spank_t spank, int argc, char *argv[]);
int slurm_spank_local_user_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_user_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_task_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_task_exit(spank_t spank, int argc, char *argv[]);
int slurm_spank_exit(spank_t spank, int argc, char *argv[]);
#pragma GCC visibility pop

/* Numbers of options for Slurm: rows of useroptions_table[], then ours. */
enum { MAX_OPTIONS = 8, RANKS = MAX_OPTIONS, LEARN };

/* The values given for the job, or for this component of it, by row of useroptions_table[]. */
static char *given[MAX_OPTIONS];
/* The values that the user's environment has for the same options, see note_environment(). */
static char *preset[MAX_OPTIONS];

/* --mesh-ranks, of which slurmctld need not know. */
static char *given_ranks;
/* The same in srun, until srun has its step; and how many components its job has. */
static char *awaited_ranks;
static int components;
/* --mesh-learn: the name to learn under; "": the job's name. */
static char *given_learn;
/* The order of ranks comes from a record of so many ranks; 0: not from a record. */
static int learnt_ranks;
/* The step may be measured. */
static const struct spank_more *learns;
/* This srun runs inside a job. */
static bool in_job;
/* The shape of this srun's nodes, and the pattern: its own options, or else those of its job. */
static char *shape_given, *pattern_given;
/* order=auto of plugstack.conf: the site wants tasks in order where the user says nothing. */
static bool site_orders;
/* The job's SLURM_TASKS_PER_NODE, before srun sets it to its step's. */
static char tasks_per_node[32];

/* --- options ---------------------------------------------------------------------- */

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

/* The value of the variable by which Slurm hands an option on to the job, or NULL. */
static const char *in_environment(int row)
{
	char name[128];
	int n = snprintf(name, sizeof(name), "SLURM_SPANK__SLURM_SPANK_OPTION_mesh_");

	snprintf(name + n, sizeof(name) - (size_t)n, "%s", useroptions_table[row].option);
	for (char *c = name + n; *c; c++)
		if (*c == '-')
			*c = '_';
	return getenv(name);
}

/*
 * Slurm reads an option from that variable again for the next component of a heterogeneous job,
 * and for jobs submitted inside this one, though the user did not give it for them. Only a
 * variable that the user has set counts.
 */
static void note_environment(void)
{
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (in_environment(i) && !getenv("SLURM_JOB_ID") && !preset[i])
			preset[i] = strdup(in_environment(i));
}

/* Only slurmctld knows the names in a site's own libraries (mesh_strategies=). */
static bool has_strategy(const char *name)
{
	const char *params = spank_opt_params();

	return !*name || strategynames_has(name) ||
	       (params && strcasestr(params, "mesh_strategies="));
}

/* Where srun keeps an option's value for itself; NULL: nowhere. */
static char **kept(int row)
{
	unsigned bit = useroptions_table[row].bit;

	return bit == MESH_USER_SHAPE ? &shape_given
				      : bit == MESH_USER_PATTERN ? &pattern_given : NULL;
}

/* Copy a value (NULL: nothing) in the place of another. 0, or -1 when memory is out. */
static int replace(char **old, const char *value)
{
	free(*old);
	*old = value ? strdup(value) : NULL;
	return value && !*old ? -1 : 0;
}

static int take_option(int row, const char *value, int remote)
{
	struct mesh_err err = {{0}};
	struct useroptions asked;
	char meant[96], **keep;
	bool inherited;

	if (row < 0 || row >= MAX_OPTIONS)
		return 0;
	keep = kept(row);
	inherited = value && value == in_environment(row);
	if (remote || (inherited && !preset[row])) {
		if (keep && value && !*keep)
			*keep = strdup(value);
		return 0;
	}
	if (inherited)
		value = preset[row];
	useroptions_init(&asked);
	if (useroptions_take(&asked, &useroptions_table[row], value ? value : "", &err)) {
		slurm_error("%s", err.text);
		return -1;
	}
	if (!has_strategy(asked.strategy)) {
		strategynames_suggest(asked.strategy, meant, sizeof(meant));
		slurm_error("--mesh-strategy: unknown strategy '%s'%s"
			" (smesh strategies lists them)", asked.strategy, meant);
		return -1;
	}
	if (!allowed(&useroptions_table[row])) {
		slurm_error("--%s is not allowed on this cluster (mesh_user_options)",
			useroptions_table[row].option);
		return -1;
	}
	if (keep)
		replace(keep, value);
	return replace(&given[row], value);
}

/*
 * --mesh-ranks or --mesh-learn. Slurm hands sbatch's option on in the environment, so it counts for
 * every srun in the job. Also called in the batch script, for mpirun.
 */
static int take_ours(int row, const char *value, int remote)
{
	(void)remote;
	if (row == LEARN)
		return replace(&given_learn, value && strcmp(value, "(null)") != 0 ? value : "");
	return value ? replace(&given_ranks, value) : 0;
}

/* Slurm copies the texts, but its members are not const. */
static int add_option(spank_t spank, const struct useroption *o, int row)
{
	struct spank_option option = {strdup(o->option), strdup(o->argument), strdup(o->usage),
		row == LEARN ? 2 : 1, row, row < MAX_OPTIONS ? take_option : take_ours};
	spank_err_t rc = spank_option_register(spank, &option);

	free(option.name);
	free(option.arginfo);
	free(option.usage);
	if (rc == ESPANK_SUCCESS)
		return 0;
	slurm_error("spank_mesh: --%s: %s", o->option, spank_strerror(rc));
	return -1;
}

static bool wants_order(int argc, char *argv[])
{
	const char *value;
	bool automatic = false;

	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_ORDER)
			automatic = !strcmp(value, "auto");
	return automatic;
}

int slurm_spank_init(spank_t spank, int argc, char *argv[])
{
	static const struct useroption ranks = {.option = SPANK_RANKS_OPTION,
		.argument = SPANK_RANKS_ARGUMENT, .usage = SPANK_RANKS_USAGE},
		learn = {.option = SPANK_LEARN_OPTION, .argument = SPANK_LEARN_ARGUMENT,
		.usage = SPANK_LEARN_USAGE};
	spank_context_t context = spank_context();
	const char *each = getenv("SLURM_TASKS_PER_NODE");

	if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE)
		return 0;
	note_environment();
	site_orders = wants_order(argc, argv);
	snprintf(tasks_per_node, sizeof(tasks_per_node), "%s", each ? each : "");
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (add_option(spank, &useroptions_table[i], i))
			return -1;
	if (spank_learn_configure(argc, argv) && add_option(spank, &learn, LEARN))
		return -1;
	return add_option(spank, &ranks, RANKS);
}

/* Put one option into the job's SPANK environment, or remove what an earlier component had. */
static int pass_on(spank_t spank, int row)
{
	const struct useroption *option = &useroptions_table[row];
	spank_err_t rc = ESPANK_SUCCESS;

	if (given[row])
		rc = spank_job_control_setenv(spank, option->variable, given[row], 1);
	else
		spank_job_control_unsetenv(spank, option->variable);
	replace(&given[row], NULL);
	if (rc == ESPANK_SUCCESS)
		return 0;
	slurm_error("spank_mesh: --%s cannot be passed on", option->option);
	return -1;
}

static char *conf_path(int argc, char *argv[])
{
	struct mesh_settings settings;
	struct mesh_err err;
	const char *value;
	char *path = NULL;

	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_CONF)
			return strdup(value);
	if (!mesh_settings_read(spank_opt_params(), &settings, &err)) {
		path = settings.conf ? strdup(settings.conf) : NULL;
		mesh_settings_release(&settings);
	}
	return path ? path : spank_opt_topology();
}

/*
 * End the client with its own exit code, where tasks would start in another order than the user
 * believes. Slurm heeds what an option's callback returns. It ignores what a hook returns if
 * plugstack.conf calls the plugin optional (src/common/spank.c, _do_call_stack(): `if (rc &&
 * sp->required)`). For a required plugin it does the same as this function (src/srun/opt.c: `if
 * (spank_init_post_opt()) { error(...); exit(error_exit); }`).
 */
static void refuse(const struct mesh_err *err)
{
	slurm_error("%s", err->text);
	exit(spank_opt_exit_code());
}

/* Does srun start mpiexec's proxies, one on each node? Then the ranks are not srun's to refuse. */
static bool of_mpiexec(void)
{
	struct spank_opt said;

	return spank_opt_read(&said) && said.proxies;
}

/* Ranks cannot be ordered as the user asked, or as a record says. */
static void refuse_order(const struct mesh_err *err)
{
	if (!learnt_ranks && !of_mpiexec())
		refuse(err);
	if (!learnt_ranks)
		slurm_info("--" SPANK_RANKS_OPTION ": %s; mpiexec's ranks are in node order",
			err->text);
	else
		slurm_info("--" SPANK_LEARN_OPTION ": %s; what was learnt is not used", err->text);
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

	if (!spank_opt_read(&said) || (said.srun && getenv("SLURM_JOB_ID")))
		return 0;
	nodes = said.nodes == said.most_nodes ? said.nodes : 0;
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
	char *path = conf_path(argc, argv);
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

/* Check the options together, as far as possible before slurmctld has the job. */
static int check_options(int argc, char *argv[])
{
	struct mesh_err err = {{0}};
	struct useroptions asked;
	int nodes = 0;

	useroptions_init(&asked);
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++) {
		if (given[i])
			useroptions_take(&asked, &useroptions_table[i], given[i], &err);
		if (given[i] && useroptions_table[i].bit == MESH_USER_SHAPE)
			nodes = ask_nodes_of_shape(&asked.shape, argc, argv);
	}
	if (check_sizes(&asked, nodes, &err))
		refuse(&err);
	return nodes < 0 ? -1 : 0;
}

static bool is_heterogeneous(void)
{
	return components > 1 || getenv("SLURM_HET_SIZE");
}

/* --mesh-ranks: check its value now, and keep it until srun has a step. */
static void order_ranks(void)
{
	struct mesh_err err = {{0}};
	const struct spank_user *user = given_ranks ? spank_user_load(&err) : NULL;
	int rc = !given_ranks ? 0 : user ? user->ranks_check(given_ranks, &err) : -1;

	components++;
	in_job = getenv("SLURM_JOB_ID");
	if (given_ranks && !rc && spank_context() == S_CTX_LOCAL)
		rc = replace(&awaited_ranks, given_ranks);
	if (!rc && awaited_ranks && strcmp(awaited_ranks, "node") != 0 && is_heterogeneous())
		rc = err_printf(&err, "--" SPANK_RANKS_OPTION ": not in a heterogeneous job");
	replace(&given_ranks, NULL);
	if (rc) {
		refuse_order(&err);
		replace(&awaited_ranks, NULL);
	}
}

/*
 * Use the pattern of a record if it fits this job: accounting shall show it, and the share of
 * time.
 */
static void use_pattern(const char *value)
{
	struct mesh_err err = {{0}};
	struct useroptions asked;
	int row = 0;

	while (useroptions_table[row].bit != MESH_USER_PATTERN)
		row++;
	useroptions_init(&asked);
	if (given[row] || getenv("SLURM_JOB_ID") || !*value || !allowed(&useroptions_table[row]))
		return;
	if (useroptions_take(&asked, &useroptions_table[row], value, &err) ||
		check_sizes(&asked, 0, &err))
		slurm_info("--" SPANK_LEARN_OPTION ": %s; what was learnt is not used", err.text);
	else
		take_option(row, value, 0);
}

/*
 * Use a record's traffic, or its grid if it has no traffic for this number of ranks. Only in srun,
 * where nothing else orders the tasks.
 */
static void use_traffic(const struct spank_learnt *learnt, const struct spank_opt *said)
{
	learnt_ranks = 0;
	if (*learnt->ranks && !given_ranks && said->srun && !said->nodelist && !said->arbitrary) {
		given_ranks = strdup(learnt->ranks);
		learnt_ranks = learnt->nranks;
	}
}

/*
 * What is known of the job replaces options that the user did not give. Learning must never keep a
 * job from running.
 */
static void use_record(void)
{
	const struct spank_more *more;
	struct mesh_err err = {{0}};
	struct spank_learnt learnt;
	struct spank_opt said;
	const char *name;
	int rc;

	if (!spank_opt_read(&said))
		return;
	name = spank_learn_wanted(
		given_learn, said.partitions ? said.partitions : getenv("SLURM_JOB_PARTITION"));
	if (!name)
		return;
	more = learns = spank_more_load(&err);
	if (more && more->learn_find(&spank_learn_site, name, &learnt)) {
		use_pattern(learnt.pattern);
		use_traffic(&learnt, &said);
		slurm_verbose("spank_mesh: learnt: %s", learnt.text);
	}
	/* A batch script measures what mpirun starts, not the steps of srun. */
	if (more && said.srun)
		spank_learn_forget(NULL);
	rc = !more ? -1 : said.srun ? more->learn_measure(&spank_learn_site, name, &err) : 0;
	if (rc)
		slurm_info("--" SPANK_LEARN_OPTION ": %s; nothing is learnt", err.text);
}

/* Send the options to slurmctld. Called once for each component of a heterogeneous job. */
int slurm_spank_init_post_opt(spank_t spank, int argc, char *argv[])
{
	char *path = spank_context() == S_CTX_REMOTE ? conf_path(argc, argv) : NULL;
	int rc;

	if (spank_context() == S_CTX_REMOTE)
		spank_place_read(spank, path);
	free(path);
	if (spank_context() != S_CTX_LOCAL && spank_context() != S_CTX_ALLOCATOR)
		return 0;
	use_record();
	rc = check_options(argc, argv);
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (pass_on(spank, i))
			rc = -1;
	order_ranks();
	return rc;
}

/* The order of tasks where the user has not given one: free() it. NULL: none. */
static char *implied_order(int ntasks)
{
	char *value = NULL;

	if (is_heterogeneous())
		return NULL;
	if (shape_given)
		value = spank_implied_by_shape(shape_given, ntasks);
	return value || !site_orders ? value : spank_implied_by_pattern(pattern_given, ntasks);
}

/* Order the tasks as asked for, or as implied. 0; 1 or -1 with text as ranks_relabel() has it. */
static int order_tasks(int argc, char *argv[], struct spank_layout *layout, struct mesh_err *err)
{
	const struct spank_user *user = spank_user_load(err);
	struct spank_map map = {
		.list = layout->nodes, .told = getenv(PLACES_VARIABLE), .read = spank_map_read};
	struct spank_step step = {.map = &map,
		.per_node = tasks_per_node,
		.layout = layout,
		.learnt = learnt_ranks};
	char *path = user ? conf_path(argc, argv) : NULL, *value = awaited_ranks;
	int rc = user ? 0 : -1;

	if (user && !value)
		value = implied_order(layout->ntasks);
	map.topology = path;
	if (value && path)
		rc = user->ranks_relabel(value, &step, err);
	else if (value && user)
		rc = err_printf(err, "out of memory");
	spank_map_release(&map);
	if (value != awaited_ranks)
		free(value);
	free(path);
	return rc;
}

/*
 * srun has a step and has not launched it. Order its tasks: as the user says, else along a folded
 * shape or a walk, else (order=auto) by what is known of the job. A step that cannot be ordered so
 * runs as it would without us.
 */
int slurm_spank_local_user_init(spank_t spank, int argc, char *argv[])
{
	struct spank_layout layout = {0};
	struct mesh_err err = {{0}};
	int rc;

	spank_mpirun_take();
	if (!awaited_ranks && !shape_given && !site_orders)
		return 0;
	rc = spank_layout_find(spank, &layout, &err);
	if (!rc)
		rc = order_tasks(argc, argv, &layout, &err);
	if (rc < 0 && awaited_ranks && !learnt_ranks && !of_mpiexec())
		spank_layout_cancel(&layout, in_job);
	if (rc < 0 && awaited_ranks)
		refuse_order(&err);
	else if (rc && awaited_ranks)
		slurm_info("--" SPANK_RANKS_OPTION ": %s; tasks go by the order of nodes",
			err.text);
	else if (rc)
		slurm_verbose("spank_mesh: %s", err.text);
	replace(&awaited_ranks, NULL);
	return 0;
}

/* Is this a script whose options ask for an order of ranks, or may imply one? */
static bool has_order(spank_t spank)
{
	return spank_learn_is_script(spank) && (given_ranks || shape_given || pattern_given);
}

/*
 * On a compute node, before the tasks. Nothing here fails a job: it rather runs without variables.
 */
int slurm_spank_user_init(spank_t spank, int argc, char *argv[])
{
	if (!spank_remote(spank))
		return 0;
	if (has_order(spank))
		spank_mpirun_make();
	spank_place_tell(spank, argc, argv);
	return 0;
}

/* Runs in the user's own process, which then becomes the task. */
int slurm_spank_task_init(spank_t spank, int argc, char *argv[])
{
	char *path = has_order(spank) ? conf_path(argc, argv) : NULL;
	struct spank_mpirun ask = {given_ranks, implied_order, path};

	spank_mpirun_number(spank);
	spank_mpirun_order(spank, has_order(spank) ? &ask : NULL);
	spank_place_forget();
	free(path);
	spank_learn_task(spank, given_learn);
	return 0;
}

/*
 * In slurmstepd, when a task has ended. If a script had an order of ranks, and neither srun nor
 * mpirun read it (ssh has started the program, say), tell the user in the job's output. A script
 * that failed may have come to neither of them. The text has nothing of the user's: slurmd logs it,
 * too.
 */
int slurm_spank_task_exit(spank_t spank, int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	if (!spank_mpirun_unread(spank))
		return 0;
	slurm_spank_log("slurm-mesh: nothing took the order of ranks that %s: srun and mpirun take"
		" it, and for others SLURM_MESH_HOSTFILE names a file of the nodes in that order",
		given_ranks ? "--mesh-ranks asks for" : "the job's shape or pattern implies");
	return 0;
}

/* In srun: the step is over. */
int slurm_spank_exit(spank_t spank, int argc, char *argv[])
{
	(void)spank;
	(void)argc;
	(void)argv;
	if (spank_context() == S_CTX_LOCAL && learns)
		learns->learn_collect();
	return 0;
}
