/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurmctld asks about the nodes of meshes: Topology= of a node in and out, the functions of
 * host lists (torus{torus0}, toruswith{n3}), reservations and jobs of whole topologies, and how
 * fragmented a set of free nodes is (bf_topopt_enable).
 *
 * slurmctld keeps Topology= in the node's record and nowhere else. mesh_conf.c makes the map from
 * it.
 */
#include "topology/topology_mesh.h"

#include "boxes/fragments.h"
#include "conf/address.h"
#include "shared/mesh_conf.h"

static bool ready(void)
{
	return topology_in_slurmctld() && mesh_conf();
}

/* For a node without Topology=: has the node a place, if the map has its name? */
static bool is_home(const node_record_t *node)
{
	const struct mesh *mesh;
	bool known = false;

	for (int i = 0; i < mesh_conf()->topo->nmeshes; i++)
		known |= mesh_node(mesh_conf()->topo->mesh[i], node->name) >= 0;
	return !known || mesh_conf_place(node, &mesh) >= 0;
}

/*
 * Is the node where its Topology= says? Not if another node is there, or if the map has no node
 * there. The log has a line about that by now.
 */
static bool is_on(const node_record_t *node, const struct address *where)
{
	const struct mesh *mesh;
	int vertex = mesh_conf_place(node, &mesh);

	return vertex == where->vertex && mesh == mesh_conf()->topo->mesh[where->mesh];
}

int topology_member_check(const node_record_t *node, const char *unit)
{
	struct mesh_err err = {{0}};
	struct address where;

	if (!ready())
		return 0;
	if (!unit)
		return is_home(node) ? 0 : -1;
	if (address_parse(mesh_conf()->topo, unit, &where, &err)) {
		error("%s: node %s: Topology=: %s", plugin_type, node->name, err.text);
		return -1;
	}
	return is_on(node, &where) ? 0 : -1;
}

void topology_member_text(const node_record_t *node, const char *topology, char **text)
{
	const struct mesh *mesh;
	char where[512];
	int vertex;

	if (!ready() || (vertex = mesh_conf_place(node, &mesh)) < 0)
		return;
	address_text(mesh, vertex, where, sizeof(where));
	xstrfmtcat(*text, "%s%s:%s", *text ? "," : "", topology, where);
}

void topology_member_whole(bitstr_t *nodes)
{
	if (!ready())
		return;
	for (int i = 0; i < mesh_conf()->topo->nmeshes; i++) {
		bitstr_t *all = mesh_conf()->part[i].nodes;

		if (bit_size(all) == bit_size(nodes) && bit_overlap_any(all, nodes))
			bit_or(nodes, all);
	}
}

bitstr_t *topology_member_nodes(const char *name)
{
	struct mesh_part *part = ready() ? mesh_conf_part(name) : NULL;

	return part ? part->nodes : NULL;
}

uint32_t topology_member_fragmentation(bitstr_t *free)
{
	uint64_t sum = 0;

	if (!ready())
		return 0;
	mesh_conf_fits(free); /* ties the meshes anew, if need be */
	for (int p = 0; p < mesh_conf()->topo->nmeshes; p++) {
		struct mesh_part *part = &mesh_conf()->part[p];

		mesh_conf_members(part, free, &part->free);
		sum += fragments(part->mesh, &part->free);
	}
	return (uint32_t)MIN(sum, UINT32_MAX);
}
