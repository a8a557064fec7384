/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

#if !MESH_SLURM_TO_23_02 /* older topology plugins have no rules of their own */

#include "shared/job_test.h"

/*
 * The name of a topology plugin that allows only some sets of nodes; NULL: tree and flat allow
 * any.
 */
static const char *rules_of(int plugin_id)
{
	if (plugin_id == TOPOLOGY_PLUGIN_BLOCK)
		return "block";
	if (plugin_id == TOPOLOGY_PLUGIN_3DTORUS)
		return "torus3d";
	return plugin_id > TOPOLOGY_PLUGIN_BLOCK ? "ring" : NULL;
}

#if MESH_SLURM_TOPOLOGIES

enum { MOST = 64 };

static int plugin_of(const part_record_t *part)
{
	dynamic_plugin_data_t *info = NULL;
	int id = TOPOLOGY_PLUGIN_FLAT;

	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, part->topology_name, &info) == SLURM_SUCCESS &&
		info)
		id = (int)info->plugin_id;
	compat_topology_free(info);
	return id;
}

bool mesh_other_topology(const part_record_t *part)
{
	/* Indexed by topology_idx of the partition, which does not change while slurmctld runs. */
	static enum { UNKNOWN, OURS, FOREIGN } known[MOST];
	int index = part ? part->topology_idx : -1;
	const char *rules;

	if (index < 0 || index >= MOST)
		return false;
	if (known[index] == UNKNOWN) {
		rules = rules_of(plugin_of(part));
		known[index] = rules ? FOREIGN : OURS;
		if (rules)
			info("%s: jobs of partitions with topology %s are placed by topology/%s, "
			     "not by the mesh",
				plugin_type,
				part->topology_name ? part->topology_name : "(default)", rules);
	}
	return known[index] == FOREIGN;
}

#else

bool mesh_other_topology(const part_record_t *part)
{
	static bool told;
	const char *rules = rules_of(compat_topology_id());

	(void)part;
	if (rules && !told)
		info("%s: jobs are placed by topology/%s, not by the mesh", plugin_type, rules);
	told = true;
	return rules;
}

#endif
#else

bool mesh_other_topology(const part_record_t *part)
{
	(void)part;
	return false;
}

#endif
