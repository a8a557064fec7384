/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SPANK plugin for select/mesh: --mesh-strategy, --mesh-shape, --mesh-max-wait, --mesh-hint
 * and --mesh-pattern for srun, sbatch and salloc, and in the job an environment that says where it is:
 *
 *   MESH_NAME=torus0 MESH_DIMS=8x8x4 MESH_WRAP=yes,yes,no	the mesh
 *   MESH_COORD=3,1,0					this node
 *   MESH_BOX=4x4x2 MESH_MEAN_HOPS=2.07			the job's nodes
 *   MESH_JOB_BOUNDS=4,4,2 MESH_JOB_WRAP=true,true,false	the same as launchers read it
 *   MESH_JOB_COORD=1,0,0 MESH_JOB_RANK=1			this node among them
 *   MESH_NODE_CHIPS=2,2,1 MESH_JOB_CHIPS=8,8,2		with NodeShape=: in chips
 *
 * plugstack.conf: `optional /usr/lib/slurm-mesh/spank_mesh.so [conf=/etc/slurm/topology.conf]`
 */
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/hostlist_libslurm.h"
#include "base/names.h"
#include "boxes/boxplan.h"
#include "geometry/box.h"
#include "geometry/metrics.h"
#include "config/settings.h"
#include "spank/spank_conf.h"
#include "spank/spank_opt.h"
#include "config/topoconf.h"
#include "config/useroptions.h"
#include "spank/spank_layout.h"
#include "spank/spank_ranks.h"

#pragma GCC visibility push(default)
SPANK_PLUGIN(mesh, 1)
int slurm_spank_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_init_post_opt(spank_t spank, int argc, char *argv[]);
int slurm_spank_local_user_init(spank_t spank, int argc, char *argv[]);
int slurm_spank_user_init(spank_t spank, int argc, char *argv[]);
#pragma GCC visibility pop

enum { MAX_OPTIONS = 8, LIST_SIZE = 65536 };

/* What was given for the job, or this component of one, by row of useroptions_table[]. */
static char *given[MAX_OPTIONS];
/* What the user's environment says of the same, see note_environment(). */
static char *preset[MAX_OPTIONS];

/* --mesh-ranks, which slurmctld need not know of. */
static char *given_ranks;
/* The same, of srun that gets its own nodes, until it has them; and the components of such a job. */
static char *awaited_ranks;
static int components;
/* The shape of the job that this srun is in. */
static char *shape_of_job;
/* That of the nodes that this srun gets itself. */
static char *shape_awaited;

/* --- options ---------------------------------------------------------------------- */

/* 0 if the administrator lets users say this. */
static int allowed(const struct useroption *option)
{
	struct mesh_settings settings;
	struct mesh_err err;
	unsigned bits;

	if (mesh_settings_parse(spank_conf_params(), &settings, &err))
		return 0; /* slurmctld's to complain about */
	bits = settings.user_options;
	mesh_settings_release(&settings);
	if (bits & option->bit)
		return 0;
	slurm_error("--%s is not allowed on this cluster (mesh_user_options)", option->option);
	return -1;
}

/* The variable in which Slurm looks for an option, and leaves it to the job. */
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
 * Slurm takes the option from there again for the next component of a heterogeneous job, and for
 * jobs that are submitted inside this one, for which nobody said it. Only what the user had put
 * there himself counts.
 */
static void note_environment(void)
{
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (in_environment(i) && !getenv("SLURM_JOB_ID") && !preset[i])
			preset[i] = strdup(in_environment(i));
}

static int take_option(int row, const char *value, int remote)
{
	struct mesh_err err = {{0}};
	struct useroptions asked;

	if (remote || row < 0 || row >= MAX_OPTIONS)
		return 0;
	if (value && value == in_environment(row) && !preset[row]) {
		if (useroptions_table[row].bit == MESH_USER_SHAPE && !shape_of_job)
			shape_of_job = strdup(value);
		return 0;
	}
	if (value && value == in_environment(row))
		value = preset[row];
	useroptions_init(&asked);
	if (useroptions_take(&asked, &useroptions_table[row], value ? value : "", &err)) {
		slurm_error("%s", err.text);
		return -1;
	}
	if (allowed(&useroptions_table[row]))
		return -1;
	if (useroptions_table[row].bit == MESH_USER_SHAPE) {
		free(shape_awaited);
		shape_awaited = strdup(value);
	}
	free(given[row]);
	given[row] = strdup(value);
	return given[row] ? 0 : -1;
}

/* What sbatch was told counts for every srun in the job: Slurm hands it on in the environment. */
static int take_ranks(int row, const char *value, int remote)
{
	struct mesh_err err = {{0}};

	(void)row;
	if (remote || !value)
		return 0;
	if (spank_ranks_parse(value, &err)) {
		slurm_error("%s", err.text);
		return -1;
	}
	free(given_ranks);
	given_ranks = strdup(value);
	return given_ranks ? 0 : -1;
}

static spank_err_t register_ranks(spank_t spank)
{
	char name[] = SPANK_RANKS_OPTION, argument[] = SPANK_RANKS_ARGUMENT;
	char usage[] = SPANK_RANKS_USAGE;
	struct spank_option option = {name, argument, usage, 1, MAX_OPTIONS, take_ranks};

	return spank_option_register(spank, &option);
}

int slurm_spank_init(spank_t spank, int argc, char *argv[])
{
	spank_context_t context = spank_context();

	(void)argc;
	(void)argv;
	if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE)
		return 0;
	note_environment();
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++) {
		const struct useroption *o = &useroptions_table[i];
		/* It copies them, but its members are not const. */
		struct spank_option option = {strdup(o->option), strdup(o->argument),
			strdup(o->usage), 1, i, take_option};
		spank_err_t rc = spank_option_register(spank, &option);

		free(option.name);
		free(option.arginfo);
		free(option.usage);
		if (rc != ESPANK_SUCCESS) {
			slurm_error("spank_mesh: --%s: %s", o->option, spank_strerror(rc));
			return -1;
		}
	}
	return register_ranks(spank) == ESPANK_SUCCESS ? 0 : -1;
}

/* One option into the job's spank environment, or out of it: a component before had it. */
static int pass_on(spank_t spank, int row)
{
	const struct useroption *option = &useroptions_table[row];
	spank_err_t rc = ESPANK_SUCCESS;

	if (given[row])
		rc = spank_job_control_setenv(spank, option->variable, given[row], 1);
	else
		spank_job_control_unsetenv(spank, option->variable);
	free(given[row]);
	given[row] = NULL;
	if (rc == ESPANK_SUCCESS)
		return 0;
	slurm_error("spank_mesh: --%s cannot be passed on", option->option);
	return -1;
}

static char *conf_path(int argc, char *argv[])
{
	struct mesh_settings settings;
	struct mesh_err err;
	char *path = NULL;

	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "conf=", 5))
			return strdup(argv[i] + 5);
	if (!mesh_settings_parse(spank_conf_params(), &settings, &err)) {
		path = settings.conf ? strdup(settings.conf) : NULL;
		mesh_settings_release(&settings);
	}
	return path ? path : spank_conf_topology();
}

/*
 * How many nodes the shape is on the meshes that, idle, have a box of it. 0: not for us to say, as
 * they differ or memory is out. -1 with the last one's reason: none has.
 */
static int nodes_of_shape(const struct topoconf *conf, const struct mesh_shape *shape,
	struct mesh_err *err)
{
	int nodes = conf->nmeshes ? -1 : 0;

	for (int i = 0; i < conf->nmeshes; i++) {
		struct mesh_err why = {{0}};
		int here = boxplan_shape_nodes(conf->mesh[i], shape, &why);

		if (!here)
			err_printf(err, "%.100s (mesh %.64s)", why.text, conf->mesh[i]->name);
		else if (nodes < 0)
			nodes = here > 0 ? here : 0;
		else if (nodes != here)
			nodes = 0;
	}
	return nodes;
}

/*
 * A shape that no mesh can ever hold is refused where it is typed, with the reason: slurmctld has
 * only a code for it. Of others the number of nodes is asked for as by -N, so that all there is to say
 * of that is said at submission. Where topology.conf cannot be read here, slurmctld decides.
 */
static int check_shape(int argc, char *argv[])
{
	struct mesh_err err = {{0}};
	struct useroptions asked;
	int rc = 0;

	useroptions_init(&asked);
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (given[i])
			useroptions_take(&asked, &useroptions_table[i], given[i], &err);
	if (asked.shape.ndims) {
		char *path = conf_path(argc, argv);
		struct topoconf *conf = path ? topoconf_read(path, &hostlist_libslurm, &err) : NULL;

		int nodes = conf ? nodes_of_shape(conf, &asked.shape, &err) : 0;

		if (nodes < 0)
			slurm_error("--mesh-shape: it can never fit: %s", err.text);
		else if (nodes)
			spank_opt_ask_nodes(nodes);
		rc = nodes < 0 ? -1 : 0;
		topoconf_free(conf);
		free(path);
	}
	return rc;
}

/* The tasks of a job that has a folded shape run along it, where nothing else is said; a step for
 * which that cannot be runs as it would without us. */
static void follow_shape(const char *topology)
{
	char *value = shape_of_job ? spank_ranks_of_shape(shape_of_job) : NULL;
	struct mesh_err err = {{0}};

	if (value && getenv("SLURM_JOB_ID") && spank_ranks_apply(value, topology, &err))
		slurm_verbose("spank_mesh: %s", err.text);
	free(value);
}

/*
 * The end of a client, with its own exit code, where tasks would start in another order than the
 * user believes. What a callback of an option returns, Slurm heeds; that of the hooks below it drops
 * for a plugin that plugstack.conf calls optional (src/common/spank.c, _do_call_stack(): `if (rc &&
 * sp->required)`), and for a required one does just this in the next line (src/srun/opt.c: `if
 * (spank_init_post_opt()) { error(...); exit(error_exit); }`).
 */
static void refuse(const struct mesh_err *err)
{
	slurm_error("%s", err->text);
	exit(spank_opt_exit_code());
}

/* To be done when the nodes are known. 0, or -1 with text. */
static int await_nodes(struct mesh_err *err)
{
	if (given_ranks) {
		free(awaited_ranks);
		awaited_ranks = strdup(given_ranks);
	}
	if (given_ranks && !awaited_ranks)
		return err_printf(err, "out of memory");
	return awaited_ranks && components > 1 ? err_printf(err, "--" SPANK_RANKS_OPTION
		": not in a heterogeneous job") : 0;
}

/* What --mesh-ranks asks for: checked where a job is submitted, done where srun starts a step. */
static void order_ranks(int argc, char *argv[])
{
	char *path = spank_context() == S_CTX_LOCAL && (given_ranks || shape_of_job)
		? conf_path(argc, argv) : NULL;
	bool waits = spank_ranks_waits();
	struct mesh_err err = {{0}};
	int rc = given_ranks ? spank_ranks_check(given_ranks, &err) : 0;

	components++;
	if (!waits || components > 1) {
		free(shape_awaited);
		shape_awaited = NULL;
	}
	if (!rc && waits)
		rc = await_nodes(&err);
	else if (!rc && path && given_ranks)
		rc = spank_ranks_apply(given_ranks, path, &err);
	else if (path && !given_ranks)
		follow_shape(path);
	free(path);
	free(given_ranks);
	given_ranks = NULL;
	if (rc)
		refuse(&err);
}

/* To slurmctld they go; once for each component of a heterogeneous job. */
int slurm_spank_init_post_opt(spank_t spank, int argc, char *argv[])
{
	int rc;

	if (spank_context() != S_CTX_LOCAL && spank_context() != S_CTX_ALLOCATOR)
		return 0;
	rc = check_shape(argc, argv);
	for (int i = 0; i < MAX_OPTIONS && useroptions_table[i].option; i++)
		if (pass_on(spank, i))
			rc = -1;
	order_ranks(argc, argv);
	return rc;
}

/* srun has its own nodes, and a step on them that it has not launched. */
int slurm_spank_local_user_init(spank_t spank, int argc, char *argv[])
{
	char *value = awaited_ranks, *path;
	struct spank_layout layout = {0};
	struct mesh_err err = {{0}};
	int rc;

	if (!value && shape_awaited)
		value = spank_ranks_of_shape(shape_awaited);
	if (!value)
		return 0;
	path = conf_path(argc, argv);
	rc = path ? spank_layout_find(spank, &layout, &err) : err_printf(&err, "out of memory");
	if (!rc)
		rc = spank_ranks_relabel(value, path, &layout, &err);
	if (rc && awaited_ranks) {
		spank_layout_cancel(&layout);
		refuse(&err);
	}
	if (rc) /* as in follow_shape() */
		slurm_verbose("spank_mesh: %s", err.text);
	free(path);
	free(value);
	awaited_ranks = NULL;
	return 0;
}

/* --- the job's environment -------------------------------------------------------- */

/* The job's nodes that are in the mesh, into node[] of room mesh->nnodes. */
static int find_nodes(const struct mesh_names *names, const char *list, int *node)
{
	struct mesh_err err;
	char **name;
	int n = hostlist_check(list, &err) < 0 ? -1 : hostlist_libslurm.expand(list, &name, &err);
	int count = 0;

	for (int i = 0; i < n; i++)
		if (count < names->mesh->nnodes && (node[count] = mesh_names_find(names, name[i])) >= 0)
			count++;
	if (n >= 0)
		hostlist_free(name, n);
	return count;
}

/* `8x8x4`, or `yes,yes,no` */
static void set_per_dimension(spank_t spank, const char *variable, const struct mesh *mesh,
	const char *between, const char *(*text)(const struct mesh *, int d, char *room))
{
	char value[MESH_MAX_DIMS * 16] = "", room[16];
	size_t length = 0;

	for (int d = 0; d < mesh->ndims; d++)
		length += (size_t)snprintf(value + length, sizeof(value) - length, "%s%s",
			d ? between : "", text(mesh, d, room));
	spank_setenv(spank, variable, value, 1);
}

static const char *side_text(const struct mesh *mesh, int d, char *room)
{
	snprintf(room, 16, "%d", mesh->side[d]);
	return room;
}

static const char *wrap_text(const struct mesh *mesh, int d, char *room)
{
	(void)room;
	return mesh->wrap[d] ? "yes" : "no";
}

static void set_numbers(spank_t spank, const char *variable, const int *number, int n, char between)
{
	char value[MESH_MAX_DIMS * 16] = "";
	size_t length = 0;

	for (int d = 0; d < n; d++)
		length += (size_t)snprintf(value + length, sizeof(value) - length, "%.*s%d", !!d,
			&between, number[d]);
	spank_setenv(spank, variable, value, 1);
}

/* What a job has from the environment that it was submitted in, perhaps another job's. */
static void clear_environment(spank_t spank)
{
	static const char *const ours[] = {"MESH_NAME", "MESH_DIMS", "MESH_WRAP", "MESH_COORD",
		"MESH_BOX", "MESH_MEAN_HOPS", "MESH_JOB_BOUNDS", "MESH_JOB_WRAP", "MESH_JOB_COORD",
		"MESH_JOB_RANK", "MESH_NODE_CHIPS", "MESH_JOB_CHIPS"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		spank_unsetenv(spank, ours[i]);
}

/* A ring round the machine, so that messages may go either way. */
static void set_wrap(spank_t spank, const struct mesh *mesh, const int *side)
{
	char value[MESH_MAX_DIMS * 8] = "";

	for (int d = 0; d < mesh->ndims; d++)
		snprintf(value + strlen(value), sizeof(value) - strlen(value), "%s%s", d ? "," : "",
			mesh->wrap[d] && side[d] == mesh->side[d] ? "true" : "false");
	spank_setenv(spank, "MESH_JOB_WRAP", value, 1);
}

/*
 * What launchers of accelerators want to know: the box around the job's nodes, where in it this node
 * is, and its number there, the first dimension fastest; and all that in chips.
 */
static void set_job(spank_t spank, const struct mesh *mesh, int here, const struct mesh_box *box)
{
	int at[MESH_MAX_DIMS], chips[MESH_MAX_DIMS], rank = 0, stride = 1;
	char text[16];

	for (int d = 0; d < mesh->ndims; d++) {
		at[d] = mesh->coord[mesh->vertex_of[here]][d] - box->base[d];
		at[d] += at[d] < 0 ? mesh->side[d] : 0;
		chips[d] = box->side[d] * mesh->node_side[d];
		rank += at[d] * stride;
		stride *= box->side[d];
	}
	snprintf(text, sizeof(text), "%d", rank);
	set_numbers(spank, "MESH_JOB_BOUNDS", box->side, mesh->ndims, ',');
	set_numbers(spank, "MESH_JOB_COORD", at, mesh->ndims, ',');
	spank_setenv(spank, "MESH_JOB_RANK", text, 1);
	set_wrap(spank, mesh, box->side);
	if (!mesh->node_side[0])
		return;
	set_numbers(spank, "MESH_NODE_CHIPS", mesh->node_side, mesh->ndims, ',');
	set_numbers(spank, "MESH_JOB_CHIPS", chips, mesh->ndims, ',');
}

static void set_environment(spank_t spank, const struct mesh_names *names, int here, const char *list)
{
	const struct mesh *mesh = names->mesh;
	int coord[MESH_MAX_DIMS], *node = calloc((size_t)mesh->nnodes, sizeof(*node));
	struct mesh_metrics metrics;
	char hops[32];
	int n = node ? find_nodes(names, list, node) : 0;

	spank_setenv(spank, "MESH_NAME", mesh->name, 1);
	set_per_dimension(spank, "MESH_DIMS", mesh, "x", side_text);
	set_per_dimension(spank, "MESH_WRAP", mesh, ",", wrap_text);
	for (int d = 0; d < mesh->ndims; d++)
		coord[d] = mesh->coord[mesh->vertex_of[here]][d];
	set_numbers(spank, "MESH_COORD", coord, mesh->ndims, ',');
	if (n > 0 && !mesh_measure(mesh, node, n, &metrics)) {
		set_numbers(spank, "MESH_BOX", metrics.box, mesh->ndims, 'x');
		snprintf(hops, sizeof(hops), "%.4g", metrics.mean_hops);
		spank_setenv(spank, "MESH_MEAN_HOPS", hops, 1);
	}
	if (n > 0) {
		struct mesh_box box = box_around(mesh, node, n);

		set_job(spank, mesh, here, &box);
	}
	free(node);
}

/*
 * On a compute node, before the tasks. A job runs without these variables rather than not
 * at all: nothing here is an error for it.
 */
int slurm_spank_user_init(spank_t spank, int argc, char *argv[])
{
	/* Of slurmstepd itself: ranks and lists of nodes are other ones in heterogeneous steps. */
	const char *own = getenv("SLURMD_NODENAME");
	char list[LIST_SIZE], *path;
	struct mesh_err err = {{0}};
	struct topoconf *conf;

	if (!spank_remote(spank))
		return 0;
	clear_environment(spank);
	if (spank_getenv(spank, "SLURM_JOB_NODELIST", list, sizeof(list)) != ESPANK_SUCCESS)
		return 0;
	path = conf_path(argc, argv);
	conf = own && path ? topoconf_read(path, &hostlist_libslurm, &err) : NULL;
	if (own && path && !conf)
		slurm_verbose("spank_mesh: %s", err.text);
	for (int i = 0; conf && i < conf->nmeshes; i++) {
		struct mesh_names names;
		int here = mesh_names_init(&names, conf->mesh[i]) ? -1 : mesh_names_find(&names, own);

		if (here >= 0)
			set_environment(spank, &names, here, list);
		mesh_names_release(&names);
	}
	topoconf_free(conf);
	free(path);
	return 0;
}
