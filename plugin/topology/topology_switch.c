/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of switches of Slurm up to 23.11: what `scontrol show topology` prints on 22.05
 * and 23.02, as it is all that slurmctld sends. Each mesh is a leaf switch there, with a switch
 * above them if there are several.
 *
 * With such a table the stock select plugins choose as for topology/tree, and not along our
 * ranks, unless TopologyParam=TopoOptional leaves that to jobs that ask with --switches. So
 * there is a table only where that is said: --switches=1 then means nodes of one mesh.
 */
#include "topology/topology_mesh.h"

#if MESH_SLURM_RANKS

#include "shared/mesh_read.h"

/* The select plugins read TopologyParam once, at start. */
static bool decided, wanted;

static void decide(void)
{
	const char *param = slurm_conf.topology_param;

	if (!decided)
		wanted = xstrcasestr(param, "TopoOptional") && !xstrcasestr(param, "dragonfly");
	decided = true;
}

static void release_table(void)
{
	for (int i = 0; i < switch_record_cnt; i++) {
		xfree(switch_record_table[i].name);
		xfree(switch_record_table[i].nodes);
		xfree(switch_record_table[i].switches);
		xfree(switch_record_table[i].switches_dist);
		xfree(switch_record_table[i].switch_index);
		xfree(switch_record_table[i].switch_desc_index);
		FREE_NULL_BITMAP(switch_record_table[i].node_bitmap);
	}
	xfree(switch_record_table);
	switch_record_cnt = 0;
}

static void fill_leaf(switch_record_t *leaf, const struct mesh *mesh, int parent)
{
	leaf->name = xstrdup(mesh->name);
	leaf->link_speed = 1;
	leaf->parent = (uint16_t)parent;
	leaf->node_bitmap = bit_alloc(node_record_count);
	for (int i = 0; i < mesh->nnodes; i++) {
		node_record_t *node = find_node_record2(mesh->node_name[i]);

		if (node)
			bit_set(leaf->node_bitmap, (int)node->index);
	}
	leaf->nodes = bitmap2node_name(leaf->node_bitmap);
}

static void fill_top(switch_record_t *top, const switch_record_t *leaf, int nleaves)
{
	*top = (switch_record_t){
		.level = 1,
		.link_speed = 1,
		.name = xstrdup("meshes"),
		.node_bitmap = bit_alloc(node_record_count),
		.num_switches = (uint16_t)nleaves,
		.num_desc_switches = (uint16_t)nleaves,
		.parent = (uint16_t)nleaves,
		.switch_index = xcalloc((size_t)nleaves, sizeof(uint16_t)),
		.switch_desc_index = xcalloc((size_t)nleaves, sizeof(uint16_t)),
	};
	for (int i = 0; i < nleaves; i++) {
		bit_or(top->node_bitmap, leaf[i].node_bitmap);
		top->switch_index[i] = top->switch_desc_index[i] = (uint16_t)i;
		xstrfmtcat(top->switches, "%s%s", i ? "," : "", leaf[i].name);
	}
	top->nodes = bitmap2node_name(top->node_bitmap);
}

/* From each to each: two links between leaves, one between a leaf and the top. */
static void fill_distances(int count)
{
	for (int i = 0; i < count; i++) {
		switch_record_t *record = &switch_record_table[i];

		record->switches_dist = xcalloc((size_t)count, sizeof(uint32_t));
		for (int j = 0; j < count; j++)
			if (j != i)
				record->switches_dist[j] =
					record->level == switch_record_table[j].level ? 2 : 1;
	}
}

/* Complete before it is counted: the select plugins follow every pointer in it. */
static void fill_table(const struct topoconf *conf)
{
	int count = conf->nmeshes + (conf->nmeshes > 1);

	if (count >= UINT16_MAX)
		return;
	switch_record_table = xcalloc((size_t)count, sizeof(*switch_record_table));
	for (int m = 0; m < conf->nmeshes; m++)
		fill_leaf(&switch_record_table[m], conf->mesh[m], count - 1);
	if (count > conf->nmeshes)
		fill_top(&switch_record_table[count - 1], switch_record_table, conf->nmeshes);
	fill_distances(count);
	switch_record_cnt = count;
}

void topology_load(void)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};
	struct topoconf *conf;

	decide();
	/* topology_rank() has said what is wrong; the old table is still right then. */
	if (!wanted || !(conf = mesh_read(&settings, &err)))
		return;
	release_table();
	fill_table(conf);
	topoconf_free(conf);
	mesh_settings_release(&settings);
}

void topology_unload(void)
{
	if (wanted)
		release_table();
	topology_rank_forget();
}

#endif
