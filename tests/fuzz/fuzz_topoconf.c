/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: topology.conf from memory. Whatever the bytes, the answer is a mesh that keeps
 * its own promises or one line of text.
 */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "base/hostlist.h"
#include "conf/jobenv.h"
#include "conf/topoconf.h"

/* A value has an end within its bounds, and each name is one. */
static void check_variable(void *data, bool own, const char *name, const char *value)
{
	(void)data;
	(void)own;
	fuzz_require(*name && strlen(name) < JOBENV_NAME);
	fuzz_require(!value || strlen(value) < JOBENV_VALUE);
}

/* A job on all nodes of the mesh. */
static void check_env(const struct mesh *mesh)
{
	int *all = malloc((size_t)mesh->nnodes * sizeof(*all));
	struct jobenv job = {.mesh = mesh, .node = all, .nnodes = mesh->nnodes,
		.total = mesh->nnodes, .here = mesh->nnodes - 1, .set = check_variable};

	for (int i = 0; all && i < mesh->nnodes; i++)
		all[i] = i;
	if (all)
		jobenv_tell(&job);
	free(all);
}

static void check_mesh(const struct mesh *mesh)
{
	if (mesh->env && mesh->nnodes <= 4096)
		check_env(mesh);
	fuzz_require(mesh->nnodes >= 1);
	for (int i = 0; i < mesh->nnodes; i++) {
		int vertex = mesh->vertex_of[i];

		fuzz_require(vertex >= 0 && vertex < mesh->nvertices);
		fuzz_require(mesh->node_name[i] && *mesh->node_name[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mesh_err err = {{0}};
	/* A path without a directory: Order= files are looked for here, and not found. */
	struct topoconf *conf = topoconf_parse((const char *)data, size, "fuzz.conf",
		&hostlist_libslurm, &err);

	fuzz_require(conf || *err.text);
	fuzz_require(memchr(err.text, '\0', sizeof(err.text)));
	for (const char *c = err.text; *c; c++)
		fuzz_require((unsigned char)*c >= ' ');
	for (int i = 0; conf && i < conf->nmeshes; i++)
		check_mesh(conf->mesh[i]);
	topoconf_free(conf);
	return 0;
}
