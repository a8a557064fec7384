/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh lines as clients and slurmd read them, for names and coordinates only.
 */
#include "topology/topology_mesh.h"

#include "ask/extras.h"
#include "shared/mesh_conf.h"
#include "shared/places_libslurm.h"

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

/*
 * The map, read once; NULL: it cannot be read. Under the lock. slurmctld reports errors elsewhere.
 */
static const struct topoconf *the_map(void)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};

	if (map_tried)
		return map;
	map_tried = true;
	/* Without strategies: they, and libraries of them, are on slurmctld's host alone. */
	if (!mesh_settings_read(slurm_conf.sched_params, &settings, &err)) {
		map = mesh_conf_read(&settings, &err);
		mesh_settings_release(&settings);
	}
	if (map)
		return map;
	if (topology_in_slurmctld())
		debug("%s: %s", plugin_type, err.text);
	else
		error("%s: %s; nodes have no coordinates", plugin_type, err.text);
	return map;
}

/* The address of a node, as torus0.3.1.0. */
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
		const char *name = mesh->node_name[i];

		if (hostlist_find(hosts, name) < 0)
			continue;
		addr = address(mesh, i, &pattern);
		xstrfmtcat(*out, "NodeName=%s Address=%s\n", name, addr);
		xfree(addr);
		xfree(pattern);
	}
}

/* This runs in scontrol, which loads the plugin to print what it knows. */
char *topology_map_print(const char *nodes, const char *unit)
{
	hostlist_t *hosts = nodes && nodes[0] ? hostlist_create(nodes) : NULL;
	struct mesh_err err = {{0}};
	char *out = NULL;

	slurm_mutex_lock(&map_lock);
	if (hosts && the_map() && places_libslurm_ask(map, &err))
		error("%s: %s; dynamic nodes are left out", plugin_type, err.text);
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

#if MESH_SLURM_26_05
struct place {
	int vertex; /* in its mesh; of a node of no mesh: its number in slurmctld's table */
	int node;   /* the node's number in its mesh */
	int at;	    /* its place in the bitmap */
};

struct ranking {
	uint32_t *rank;	 /* [n] by the node's place in the bitmap */
	uint32_t next;
	enum walk_kind walk;
	struct place *place; /* [n] the nodes of one mesh */
	int *node, *order;   /* [n] the same for a walk, and the order along it */
};

static int by_vertex(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	return p->vertex != q->vertex ? (p->vertex > q->vertex) - (p->vertex < q->vertex)
				      : (p->node > q->node) - (p->node < q->node);
}

/* Put the nodes of the bitmap that are in mesh m (-1: in none) into place[], sorted by vertex. */
static int nodes_in(bitstr_t *nodes, int m, struct ranking *r)
{
	const struct mesh_conf *conf = mesh_conf();
	node_record_t *record;
	int n = 0, at = 0;

	for (int i = 0; (record = next_node_bitmap(nodes, &i)); i++, at++) {
		struct place p = {.vertex = i, .node = i, .at = at};

		if ((i < conf->nnodes ? conf->part_of[i] : -1) != m)
			continue;
		if (m >= 0) {
			p.node = conf->position[i];
			p.vertex = conf->topo->mesh[m]->vertex_of[p.node];
		}
		r->place[n++] = p;
	}
	qsort(r->place, (size_t)n, sizeof(*r->place), by_vertex);
	return n;
}

/* Give the next ranks to the n nodes: along the job's walk, if its nodes are one. */
static void rank_in(const struct mesh *mesh, struct ranking *r, int n)
{
	const struct extras *more = mesh && n > 1 && r->walk ? extras(NULL) : NULL;
	bool along;

	for (int i = 0; i < n; i++)
		r->node[i] = r->place[i].node;
	along = more && !more->walks_order(mesh, r->node, n, r->walk, r->order);
	for (int i = 0; i < n; i++)
		r->rank[r->place[along ? r->order[i] : i].at] = r->next++;
}

/*
 * One mesh after the other, then the nodes of no mesh; in each by vertex, the first dimension
 * fastest. Not along a curve: programs then run as long or longer (doc/lab/smpi.md, "The order of
 * ranks").
 */
uint32_t *topology_map_ranks(bitstr_t *nodes, enum walk_kind walk)
{
	int n = (int)bit_set_count(nodes), meshes = mesh_conf() ? mesh_conf()->topo->nmeshes : 0;
	struct ranking r = {.walk = walk};

	if (n < 2 || !meshes)
		return NULL;
	r.rank = xcalloc(n, sizeof(*r.rank));
	r.place = xcalloc(n, sizeof(*r.place));
	r.node = xcalloc(n, sizeof(*r.node));
	r.order = xcalloc(n, sizeof(*r.order));
	for (int m = 0; m < meshes; m++)
		rank_in(mesh_conf()->topo->mesh[m], &r, nodes_in(nodes, m, &r));
	if (r.next)
		rank_in(NULL, &r, nodes_in(nodes, -1, &r));
	else
		xfree(r.rank); /* xfree() sets it to NULL */
	xfree(r.place);
	xfree(r.node);
	xfree(r.order);
	return r.rank;
}
#endif
