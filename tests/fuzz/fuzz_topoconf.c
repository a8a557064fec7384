/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: topology.conf from memory. Whatever the bytes, the answer is a mesh that keeps
 * its own promises or one line of text.
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "base/hostlist.h"
#include "graph/linkgraph.h"
#include "conf/jobenv.h"
#include "conf/topoconf.h"

/*
 * Cables=FILE reads this descriptor: what is behind the first NUL byte of the input. The other one
 * has what is before it.
 */
enum { FILE_FD = 100, CONF_FD = 101 };

static void put(int fd, const uint8_t *data, size_t size)
{
	if (fcntl(fd, F_GETFD) < 0)
		fuzz_require(dup2(memfd_create("file", 0), fd) == fd);
	fuzz_require(!ftruncate(fd, 0));
	fuzz_require(pwrite(fd, data, size, 0) == (ssize_t)size);
}

static size_t write_files(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\0', size) : NULL;
	size_t length = end ? (size_t)(end - data) : size;

	put(FILE_FD, end ? end + 1 : data, end ? size - length - 1 : 0);
	put(CONF_FD, data, length);
	return length;
}

static int told;

static void tell(const char *text)
{
	fuzz_require(*text && strlen(text) < MESH_ERR_SIZE);
	told++;
}

/* Who asks for all errors gets one or more where the other reader finds one, and else the map. */
static void check_all(const struct topoconf *conf)
{
	struct topoconf *other;

	told = 0;
	other = topoconf_check("/proc/self/fd/101", &hostlist_libslurm, tell);
	fuzz_require(!other == !conf && !other == (told > 0) && told <= 20);
	fuzz_require(!conf || topoconf_hash(conf) == topoconf_hash(other));
	topoconf_free(other);
}

/* Ways are as long from both ends, and a cable is one. */
static void check_graph(const struct mesh *mesh)
{
	struct linkgraph *graph = mesh->graph;

	for (int i = 0; graph && i < graph->ncables && i < 64; i++) {
		const struct linkgraph_cable *cable = &graph->cable[i];
		int a = graph->mesh[cable->mesh[0]]->graph_first + cable->vertex[0];
		int b = graph->mesh[cable->mesh[1]]->graph_first + cable->vertex[1];

		fuzz_require(linkgraph_lanes(graph, a, b) >= 1);
		fuzz_require(linkgraph_hops(graph, a, b) <= cable->weight);
		fuzz_require(linkgraph_hops(graph, a, b) == linkgraph_hops(graph, b, a));
	}
}

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
	check_graph(mesh);
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
	size_t length = write_files(data, size);
	/* A directory of this process's files: Cables=100 is the only one to be found. */
	struct topoconf *conf = topoconf_parse((const char *)data, length,
		"/proc/self/fd/fuzz.conf", &hostlist_libslurm, &err);

	fuzz_require(conf || *err.text);
	fuzz_require(memchr(err.text, '\0', sizeof(err.text)));
	for (const char *c = err.text; *c; c++)
		fuzz_require((unsigned char)*c >= ' ');
	check_all(conf);
	for (int i = 0; conf && i < conf->nmeshes; i++)
		check_mesh(conf->mesh[i]);
	topoconf_free(conf);
	return 0;
}
