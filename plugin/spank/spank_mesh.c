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

#include "conf/places.h"
#include "conf/spankword.h"
#include "spank/spank_implied.h"
#include "spank/spank_learn.h"
#include "spank/spank_map.h"
#include "spank/spank_mpirun.h"
#include "spank/spank_more.h"
#include "spank/spank_opt.h"
#include "spank/spank_options.h"
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

static char *awaited_ranks; /* --mesh-ranks in srun, until srun has its step */
static int components;	    /* how many srun's job has */
static int learnt_ranks;    /* the order comes from a record of so many ranks; 0: it does not */
static const struct spank_more *learns; /* the step may be measured */
static bool in_job;	    /* this srun makes a step of a job that is there */
static char tasks_per_node[32]; /* the job's, before srun sets the variable to its step's */

int slurm_spank_init(spank_t spank, int argc, char *argv[])
{
	spank_context_t context = spank_context();
	const char *each = getenv("SLURM_TASKS_PER_NODE"), *value;

	if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE)
		return 0;
	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_ORDER)
			spank_implied_auto = !strcmp(value, "auto");
	snprintf(tasks_per_node, sizeof(tasks_per_node), "%s", each ? each : "");
	return spank_options_register(spank, spank_learn_configure(argc, argv));
}

/*
 * End the client with its own exit code, where tasks would start in another order than the user
 * believes. Slurm does the same when a hook of a required plugin fails (src/srun/opt.c), and
 * ignores what hooks of an optional one return (src/common/spank.c, _do_call_stack()).
 */
static void refuse(const char *option, const struct mesh_err *err)
{
	slurm_error("%s%s", option, err->text);
	exit(spank_opt_exit_code());
}

/* Who has not asked for an option hears with -v at most that it is in vain, not at every srun. */
static void say(bool asked, const char *option, const struct mesh_err *err, const char *so)
{
	(asked ? slurm_info : slurm_verbose)("--%s: %s%s", option, err->text, so);
}

/* srun ends with its step (NULL: none yet), but not for a record, nor for mpiexec's proxies. */
static void refuse_order(const struct spank_layout *step, const struct mesh_err *err)
{
	struct spank_opt said;

	if (!learnt_ranks && !(spank_opt_read(&said) && said.proxies)) {
		if (step)
			spank_layout_cancel(step, in_job);
		refuse(step ? "--" SPANK_RANKS_OPTION ": " : "", err);
	}
	if (!learnt_ranks)
		say(true, SPANK_RANKS_OPTION, err, "; mpiexec's ranks are in node order");
	else
		say(spank_options_ours.learn, SPANK_LEARN_OPTION, err,
			"; what was learnt is not used");
}

static bool is_heterogeneous(void)
{
	return components > 1 || getenv("SLURM_HET_SIZE");
}

/* --mesh-ranks: check its value now, and keep it. */
static void order_ranks(void)
{
	char *ranks = spank_options_ours.ranks;
	struct mesh_err err = {{0}};
	struct spank_opt said;
	const struct spank_user *user = ranks ? spank_user_load(&err) : NULL;
	int rc = ranks ? -1 : 0;

	if (user)
		rc = user->ranks_check(ranks, &err);
	if (components++ && ranks)
		learnt_ranks = 0;
	in_job = spank_opt_read(&said) && said.in_job;
	spank_options_ours.ranks = NULL;
	if (ranks && !rc && spank_context() == S_CTX_LOCAL) {
		free(awaited_ranks);
		awaited_ranks = ranks;
	} else {
		free(ranks);
	}
	if (!rc && awaited_ranks && strcmp(awaited_ranks, "node") != 0 && is_heterogeneous())
		rc = err_printf(&err, "--" SPANK_RANKS_OPTION ": not in a heterogeneous job");
	if (rc) {
		refuse_order(NULL, &err);
		free(awaited_ranks);
		awaited_ranks = NULL;
	}
}

/*
 * What is known of the job replaces options that the user did not give. Learning must never keep a
 * job from running.
 */
static void use_record(void)
{
	struct mesh_err err = {{0}};
	struct spank_more_learnt learnt;
	struct spank_opt said;
	const char *name;
	int rc;

	if (!spank_opt_read(&said))
		return;
	name = spank_learn_wanted(spank_options_ours.learn,
		said.partitions ? said.partitions : getenv("SLURM_JOB_PARTITION"));
	if (!name)
		return;
	learns = spank_more_load(&err);
	if (learns && learns->learn_find(&spank_learn_site, name, &learnt)) {
		spank_options_use_pattern(learnt.pattern);
		/* Where nothing else orders the tasks. */
		if (*learnt.ranks && !components && !spank_options_ours.ranks && said.srun &&
			!said.nodelist && !said.arbitrary) {
			spank_options_ours.ranks = strdup(learnt.ranks);
			learnt_ranks = learnt.nranks;
		}
		slurm_verbose("spank_mesh: learnt: %s", learnt.text);
	}
	rc = learns ? 0 : -1;
	/* A batch script measures what mpirun starts, not the steps of srun. */
	if (learns && said.srun) {
		spank_learn_forget(NULL);
		/* Components may be worlds of their own, which would write the same files. */
		if (!components)
			rc = learns->learn_measure(&spank_learn_site, name, &err);
	}
	if (rc)
		say(spank_options_ours.learn, SPANK_LEARN_OPTION, &err, "; nothing is learnt");
}

/* Send the options to slurmctld. Called once for each component of a heterogeneous job. */
int slurm_spank_init_post_opt(spank_t spank, int argc, char *argv[])
{
	char *path = spank_context() == S_CTX_REMOTE ? spank_map_path(argc, argv) : NULL;
	struct mesh_err err = {{0}};
	int rc;

	if (spank_context() == S_CTX_REMOTE)
		spank_place_read(spank, path);
	free(path);
	if (spank_context() != S_CTX_LOCAL && spank_context() != S_CTX_ALLOCATOR)
		return 0;
	use_record();
	rc = spank_options_check(argc, argv, &err);
	if (rc > 0)
		refuse("", &err);
	if (spank_options_pass_on(spank))
		rc = -1;
	order_ranks();
	return rc;
}

/* Order the tasks as asked for, or as implied. 0; 1 or -1 with text as ranks_relabel() has it. */
static int order_tasks(int argc, char *argv[], struct spank_layout *layout, struct mesh_err *err)
{
	const struct spank_user *user = spank_user_load(err);
	struct spank_map map = {
		.list = layout->nodes, .told = getenv(PLACES_VARIABLE), .read = spank_map_read};
	struct spank_user_step step = {.map = &map,
		.per_node = tasks_per_node,
		.layout = layout,
		.learnt = learnt_ranks};
	char *path = user ? spank_map_path(argc, argv) : NULL, *value = awaited_ranks;
	int rc = user ? 0 : -1;

	if (user && !value && !is_heterogeneous())
		value = spank_implied_order(layout->ntasks);
	map.topology = path;
	if (value && path)
		rc = user->ranks_relabel(value, &step, err);
	else if (value && user)
		rc = err_printf(err, "out of memory");
	if (*map.remark.text && strcmp(map.remark.text, err->text) != 0)
		say(awaited_ranks && !learnt_ranks, SPANK_RANKS_OPTION, &map.remark, "");
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
	if (!awaited_ranks && !spank_options_value(MESH_USER_SHAPE) && !spank_implied_auto)
		return 0;
	rc = spank_layout_find(spank, &layout, &err);
	if (!rc)
		rc = order_tasks(argc, argv, &layout, &err);
	if (rc < 0 && awaited_ranks)
		refuse_order(&layout, &err);
	else if (rc)
		say(awaited_ranks && !learnt_ranks, SPANK_RANKS_OPTION, &err,
			"; tasks go by the order of nodes");
	free(awaited_ranks);
	awaited_ranks = NULL;
	return 0;
}

/* Is this a script whose options ask for an order of ranks, or may imply one? */
static bool has_order(spank_t spank)
{
	return spank_place_is_script(spank) &&
	       (spank_options_ours.ranks || spank_options_value(MESH_USER_SHAPE) ||
		       spank_options_value(MESH_USER_PATTERN));
}

/* On a compute node, before the tasks. It fails no job: one rather runs without variables. */
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
	char *path = has_order(spank) ? spank_map_path(argc, argv) : NULL;

	spank_mpirun_number(spank);
	spank_mpirun_order(spank, spank_options_ours.ranks, path);
	spank_place_forget();
	free(path);
	spank_learn_task(spank, spank_options_ours.learn);
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
		spank_options_ours.ranks ? "--mesh-ranks asks for"
				    : "the job's shape or pattern implies");
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
