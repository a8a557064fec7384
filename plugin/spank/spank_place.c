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
#include "shared/places_libslurm.h"
#include "spank/spank_learn.h"
#include "spank/spank_opt.h"

/* execve() takes no longer variable (MAX_ARG_STRLEN). */
enum { LIST_SIZE = 128 * 1024 };

/* The task whose variables are set. */
struct place {
	spank_t spank;
	const char *prefix; /* of the variables' names */
	int *node; /* room for the job's nodes */
};

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
static void tell_place(
	struct place *p, const struct mesh *mesh, const char *own, char *const *host, int n)
{
	struct jobenv job = {.mesh = mesh, .node = p->node, .total = n, .set = set, .data = p};

	job.here = mesh_node(mesh, own);
	for (int i = 0; job.here >= 0 && i < n; i++)
		if ((p->node[job.nnodes] = mesh_node(mesh, host[i])) >= 0)
			job.nnodes++;
	if (job.here >= 0)
		jobenv_tell(&job);
	if (job.here >= 0 && spank_opt_topology_mesh())
		tell_address(p->spank, mesh, job.here);
}

static const char *prefix_of(int argc, char *argv[])
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	const char *value;

	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_PREFIX && *value &&
			strlen(argv[i]) < 64 && !value[strspn(value, letters)])
			return value;
	return "SLURM_MESH_";
}

/* In slurmstepd: the map and the job's hosts, until its tasks are told. */
static struct topoconf *job_map;
static char **job_host;
static struct arena job_arena; /* of the hosts */
static int job_nodes;

char *spank_place_variable(spank_t spank, const char *name)
{
	char *value = malloc(LIST_SIZE), *copy = NULL;

	if (value && spank_getenv(spank, name, value, LIST_SIZE) == ESPANK_SUCCESS)
		copy = arena_text(&job_arena, value);
	free(value);
	return copy;
}

/* Expand the hosts of the job. Returns how many, or -1 with text. */
static int job_hosts(spank_t spank, char ***host, struct mesh_err *err)
{
	const char *list = spank_place_variable(spank, "SLURM_JOB_NODELIST");

	if (!list)
		return err_printf(err, "the job's list of nodes cannot be read");
	return hostlist_check(list, err) < 0
		? -1
		: hostlist_libslurm.expand(list, &job_arena, host, err);
}

void spank_place_forget(void)
{
	topoconf_free(job_map);
	arena_release(&job_arena);
	job_map = NULL;
	job_host = NULL;
	job_nodes = 0;
}

void spank_place_read(spank_t spank, const char *topology)
{
	struct mesh_err err = {{0}};
	int n = -1, rc = -1;

	spank_place_forget();
	job_map = topology ? topoconf_read(topology, &hostlist_libslurm, &err) : NULL;
	if (job_map)
		n = job_hosts(spank, &job_host, &err);
	job_nodes = n < 0 ? 0 : n;
	if (n >= 0)
		rc = places_libslurm_complete(
			job_map, spank_place_variable(spank, PLACES_VARIABLE), job_host, n, &err);
	if (rc)
		slurm_verbose("spank_mesh: %s%s", err.text,
			rc < 0 ? "; the job is not told where its nodes are" : "");
	if (rc < 0)
		spank_place_forget();
}

/* Remove what Env= of any mesh has set in the job in which this one was submitted. */
static void forget_place(struct place *p)
{
	for (int i = 0; job_map && i < job_map->nmeshes; i++) {
		struct jobenv job = {.mesh = job_map->mesh[i], .here = -1, .set = set, .data = p};

		jobenv_tell(&job);
	}
}

void spank_place_tell(spank_t spank, int argc, char *argv[])
{
	/* slurmstepd's own environment. In heterogeneous steps ranks and lists of nodes differ. */
	const char *own = getenv("SLURMD_NODENAME");
	struct place place = {.spank = spank, .prefix = prefix_of(argc, argv)};

	/* A step inside a script keeps what the script was told, or has set itself. */
	if (clear_environment(spank, place.prefix) && spank_learn_is_script(spank))
		forget_place(&place);
	place.node = malloc(((size_t)job_nodes + 1) * sizeof(int));
	for (int i = 0; own && place.node && job_map && i < job_map->nmeshes; i++)
		tell_place(&place, job_map->mesh[i], own, job_host, job_nodes);
	free(place.node);
	spank_place_forget();
}
