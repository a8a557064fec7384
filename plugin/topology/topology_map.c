/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh lines as clients and slurmd read them: for names and coordinates only.
 */
#include "topology/topology_mesh.h"

#include "ranks/rankorder.h"
#include "shared/mesh_read.h"

static struct topoconf *map;
static bool map_tried;
static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;

void topology_map_forget(void)
{
	slurm_mutex_lock(&map_lock);
	topoconf_free(map);
	map = NULL;
	map_tried = false;
	slurm_mutex_unlock(&map_lock);
}

/* Read once, under the lock. What is wrong with it slurmctld says at another place. */
static const struct topoconf *the_map(void)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};

	if (map_tried)
		return map;
	map_tried = true;
	map = mesh_read(&settings, &err);
	if (map)
		mesh_settings_release(&settings);
	else if (topology_in_slurmctld())
		debug("%s: %s", plugin_type, err.text);
	else
		error("%s: %s; nodes have no coordinates", plugin_type, err.text);
	return map;
}

/* torus0.3.1.0 */
static char *address(const struct mesh *mesh, int node, char **pattern)
{
	char *addr = xstrdup(mesh->name);
	int v = mesh->vertex_of[node];

	*pattern = xstrdup("mesh");
	for (int d = 0; d < mesh->ndims; d++) {
		xstrfmtcat(addr, ".%d", mesh->coord[v][d]);
		xstrcat(*pattern, ".coord");
	}
	return addr;
}

char *topology_map_address(const char *name, char **pattern)
{
	char *found = NULL;

	slurm_mutex_lock(&map_lock);
	for (int m = 0; the_map() && m < map->nmeshes && !found; m++)
		for (int i = 0; i < map->mesh[m]->nnodes && !found; i++)
			if (!xstrcmp(map->mesh[m]->node_name[i], name))
				found = address(map->mesh[m], i, pattern);
	slurm_mutex_unlock(&map_lock);
	return found;
}

#if !MESH_SLURM_TO_23_02
static void describe(const struct mesh *mesh, char **out)
{
	xstrfmtcat(*out, "MeshName=%s Dims=", mesh->name);
	for (int d = 0; d < mesh->ndims; d++)
		xstrfmtcat(*out, "%s%d", d ? "x" : "", mesh->side[d]);
	xstrcat(*out, " Wrap=");
	for (int d = 0; d < mesh->ndims; d++)
		xstrfmtcat(*out, "%s%s", d ? "," : "", mesh->wrap[d] ? "yes" : "no");
	xstrfmtcat(*out, " NodesPerVertex=%d Nodes=%d\n", mesh->nodes_per_vertex, mesh->nnodes);
}

static void describe_nodes(const struct mesh *mesh, hostlist_t *hosts, char **out)
{
	char *addr, *pattern;

	for (int i = 0; i < mesh->nnodes; i++) {
		if (hostlist_find(hosts, mesh->node_name[i]) < 0)
			continue;
		addr = address(mesh, i, &pattern);
		xstrfmtcat(*out, "NodeName=%s Address=%s\n", mesh->node_name[i], addr);
		xfree(addr);
		xfree(pattern);
	}
}

char *topology_map_print(const char *nodes, const char *unit)
{
	hostlist_t *hosts = nodes && nodes[0] ? hostlist_create(nodes) : NULL;
	char *out = NULL;

	slurm_mutex_lock(&map_lock);
	for (int m = 0; the_map() && m < map->nmeshes; m++) {
		if (unit && unit[0] && xstrcmp(unit, map->mesh[m]->name))
			continue;
		if (hosts)
			describe_nodes(map->mesh[m], hosts, &out);
		else
			describe(map->mesh[m], &out);
	}
	slurm_mutex_unlock(&map_lock);
	FREE_NULL_HOSTLIST(hosts);
	return out;
}
#endif

#if MESH_SLURM_26_05
/* More nodes than this keep Slurm's order: slurmctld waits for the answer under its locks. */
enum { MOST_RANKED = 16384 };

/* The nodes of a bitmap, in its order, as nodes of one mesh; false when one is not of it. */
static bool nodes_of_mesh(const struct mesh *mesh, bitstr_t *nodes, int *node)
{
	node_record_t *record;
	int n = 0, at = 0;

	for (int i = 0; (record = next_node_bitmap(nodes, &i)); i++) {
		int left = mesh->nnodes;

		/* The next one, as a rule: both lists are in the order of their files. */
		while (left && xstrcmp(mesh->node_name[at], record->name)) {
			at = (at + 1) % mesh->nnodes;
			left--;
		}
		if (!left)
			return false;
		node[n++] = at;
	}
	return true;
}

/* No search: slurmctld asks for every job that it starts. */
static uint32_t *rank_nodes(const struct mesh *mesh, const int *node, int n)
{
	uint32_t *rank = xcalloc(n, sizeof(*rank));
	int *order = xcalloc(n, sizeof(*order));
	struct mesh_err err;

	if (rankorder(mesh, node, n, order, &err)) {
		debug("%s: %s", plugin_type, err.text);
		xfree(rank);
	}
	for (int i = 0; rank && i < n; i++)
		rank[order[i]] = (uint32_t)i;
	xfree(order);
	return rank;
}

uint32_t *topology_map_ranks(bitstr_t *nodes)
{
	int n = (int)bit_set_count(nodes);
	int *node;
	uint32_t *rank = NULL;

	if (n < 2 || n > MOST_RANKED)
		return NULL;
	node = xcalloc(n, sizeof(*node));
	slurm_mutex_lock(&map_lock);
	for (int m = 0; the_map() && m < map->nmeshes && !rank; m++)
		if (nodes_of_mesh(map->mesh[m], nodes, node))
			rank = rank_nodes(map->mesh[m], node, n);
	slurm_mutex_unlock(&map_lock);
	xfree(node);
	return rank;
}
#endif
