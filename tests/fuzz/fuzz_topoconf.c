/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: topology.conf from memory. Whatever the bytes, the answer is a mesh that keeps
 * its own promises or one line of text.
 */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "base/hostlist.h"
#include "config/topoconf.h"

static void check_mesh(const struct mesh *mesh)
{
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
