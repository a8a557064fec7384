/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_place.h"

#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "conf/address.h"
#include "conf/jobenv.h"
#include "conf/places.h"
#include "conf/spankword.h"
#include "conf/topoconf.h"
#include "spank/spank_map.h"
#include "spank/spank_opt.h"

/* execve() takes no longer variable (MAX_ARG_STRLEN). */
enum { LIST_SIZE = 128 * 1024 };

/* In slurmstepd: the map and the job's hosts, until its tasks are told. */
static struct spank_map job;

/* The task whose variables are set. */
struct place {
	spank_t spank;
	const char *prefix; /* of the variables' names */
	int *node; /* room for the job's nodes */
};

bool spank_place_is_script(spank_t spank)
{
	uint32_t step = 0;

	return spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
	       (step == SLURM_BATCH_SCRIPT || step == SLURM_INTERACTIVE_STEP);
}

bool spank_place_has(spank_t spank, const char *name, const char *value)
{
	char found[4096];
	spank_err_t rc = spank_getenv(spank, name, found, sizeof(found));

	return rc == ESPANK_NOSPACE ? !value
				    : rc == ESPANK_SUCCESS && (!value || !strcmp(found, value));
}

/*
 * Remove variables that come from the environment in which the job was submitted, perhaps another
 * job's. A short name with another value than ours is the user's: solvers have a MESH_NAME of
 * their own. True if any was removed.
 */
static bool clear_environment(spank_t spank, const char *prefix)
{
	char ours[128], plain[64], value[4096];
	bool any = false;

	for (int i = 0; i < JOBENV_VARIABLES; i++) {
		snprintf(ours, sizeof(ours), "%s%s", prefix, jobenv_names[i]);
		snprintf(plain, sizeof(plain), "MESH_%s", jobenv_names[i]);
		if (spank_getenv(spank, ours, value, sizeof(value)) != ESPANK_SUCCESS)
			continue;
		any = true;
		if (spank_place_has(spank, plain, value))
			spank_unsetenv(spank, plain);
		spank_unsetenv(spank, ours);
	}
	return any;
}

/*
 * Set a variable. own: it is of Env=, and the administrator's value counts. Otherwise set the long
 * name, and the short one if the user has no such variable.
 */
static void set(void *data, bool own, const char *name, const char *value)
{
	const struct place *p = data;
	char ours[128], plain[64];

	if (own && !value)
		spank_unsetenv(p->spank, name);
	else if (own)
		spank_setenv(p->spank, name, value, 1);
	if (own)
		return;
	snprintf(ours, sizeof(ours), "%s%s", p->prefix, name);
	snprintf(plain, sizeof(plain), "MESH_%s", name);
	spank_setenv(p->spank, ours, value, 1);
	spank_setenv(p->spank, plain, value, 0);
}

/* SLURM_TOPOLOGY_ADDR in topology/mesh's form; slurmd has set it from its own file. */
static void tell_address(spank_t spank, const struct mesh *mesh, int node)
{
	char address[512], pattern[] = "mesh.coord.coord.coord.coord.coord.coord";

	address_text(mesh, mesh->vertex_of[node], address, sizeof(address));
	for (char *c = strchr(address, ':'); c; c = strchr(c, ':'))
		*c = '.';
	pattern[strlen("mesh") + (size_t)mesh->ndims * strlen(".coord")] = '\0';
	spank_setenv(spank, "SLURM_TOPOLOGY_ADDR", address, 1);
	spank_setenv(spank, "SLURM_TOPOLOGY_ADDR_PATTERN", pattern, 1);
}

/* Tell the task about this node's mesh and the job's other nodes there. */
static void tell_place(struct place *p, const struct mesh *mesh, const char *own)
{
	struct jobenv env = {
		.mesh = mesh, .node = p->node, .total = job.nhosts, .set = set, .data = p};

	if ((env.here = mesh_node(mesh, own)) < 0)
		return;
	for (int i = 0; i < job.nhosts; i++)
		if ((p->node[env.nnodes] = mesh_node(mesh, job.host[i])) >= 0)
			env.nnodes++;
	jobenv_tell(&env);
	if (spank_opt_topology_mesh())
		tell_address(p->spank, mesh, env.here);
}

static const char *prefix_of(int argc, char *argv[])
{
	const char *value;

	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_PREFIX && spankword_is_prefix(value))
			return value;
	return "SLURM_MESH_";
}

char *spank_place_variable(spank_t spank, const char *name)
{
	char *value = malloc(LIST_SIZE), *copy = NULL;

	if (value && spank_getenv(spank, name, value, LIST_SIZE) == ESPANK_SUCCESS)
		copy = arena_text(&job.arena, value);
	free(value);
	return copy;
}

void spank_place_forget(void)
{
	spank_map_release(&job);
}

/* Read the map and the hosts of the job. Returns what spank_map_read() does. */
static int read_job(spank_t spank, struct mesh_err *err)
{
	job.list = spank_place_variable(spank, "SLURM_JOB_NODELIST");
	job.told = spank_place_variable(spank, PLACES_VARIABLE);
	if (!job.list)
		return err_printf(err, "the job's list of nodes cannot be read");
	return hostlist_check(job.list, err) < 0 ? -1 : spank_map_read(&job, err);
}

void spank_place_read(spank_t spank, const char *topology)
{
	struct mesh_err err = {{0}};
	int rc;

	spank_place_forget();
	job.topology = topology;
	rc = topology ? read_job(spank, &err) : -1;
	if (rc)
		slurm_verbose(
			"spank_mesh: %s; the job is not told where its nodes are", err.text);
	else if (*job.remark.text)
		slurm_verbose("spank_mesh: %s", job.remark.text);
	if (rc)
		spank_place_forget();
}

/* Remove what Env= of any mesh has set in the job in which this one was submitted. */
static void forget_place(struct place *p)
{
	for (int i = 0; job.conf && i < job.conf->nmeshes; i++) {
		struct jobenv env = {.mesh = job.conf->mesh[i], .here = -1, .set = set, .data = p};

		jobenv_tell(&env);
	}
}

void spank_place_tell(spank_t spank, int argc, char *argv[])
{
	/* slurmstepd's own environment. In heterogeneous steps ranks and lists of nodes differ. */
	const char *own = getenv("SLURMD_NODENAME");
	struct place place = {.spank = spank, .prefix = prefix_of(argc, argv)};

	/* A step inside a script keeps what the script was told, or has set itself. */
	if (clear_environment(spank, place.prefix) && spank_place_is_script(spank))
		forget_place(&place);
	place.node = malloc(((size_t)job.nhosts + 1) * sizeof(int));
	for (int i = 0; own && place.node && job.conf && i < job.conf->nmeshes; i++)
		tell_place(&place, job.conf->mesh[i], own);
	free(place.node);
	spank_place_forget();
}
