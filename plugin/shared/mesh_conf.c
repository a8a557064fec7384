/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_conf.h"

#include <stdlib.h>

#include "base/hash.h"
#include "conf/address.h"
#include "conf/places.h"
#include "shared/mesh_bits.h"
#include "base/hostlist.h"
#include "shared/mesh_files.h"
#include "shared/job_test.h"
#include "conf/strategies.h"

static struct mesh_conf *current;
static unsigned ties;

struct mesh_conf *mesh_conf(void)
{
	return current;
}

unsigned mesh_conf_ties(void)
{
	return ties;
}

bool mesh_conf_logs(void)
{
	return (current && current->settings.log) ||
	       (slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE);
}

/* --- the node table --------------------------------------------------------------- */

static void unmap(struct mesh_conf *conf)
{
	for (int i = 0; conf->part && i < conf->topo->nmeshes; i++)
		FREE_NULL_BITMAP(conf->part[i].nodes);
	FREE_NULL_BITMAP(conf->mapped);
	xfree(conf->part_of);
	xfree(conf->position);
	conf->nnodes = 0;
}

/* Log one line: which nodes of the mesh slurmctld does not know, or that it now knows all. */
static void tell_holes(const struct mesh_part *part)
{
	const struct mesh *mesh = part->mesh;
	char **name, *hosts;
	int n = 0;

	if (!part->holes) {
		info("%s: mesh %s: every node is known", plugin_type, mesh->name);
		return;
	}
	name = xcalloc((size_t)part->holes, sizeof(*name));
	for (int i = 0; i < mesh->nnodes; i++)
		if (part->slurm_node[i] < 0)
			name[n++] = mesh->node_name[i];
	hosts = hostlist_libslurm.compress(name, n);
	info("%s: mesh %s: %d node%s not known to slurmctld, holes until they are: %s", plugin_type,
		mesh->name, n, n == 1 ? "" : "s", hosts ? hosts : "");
	free(hosts);
	xfree(name);
}

/*
 * Set fresh[] from the node table. A node that had a place keeps it. False: out of
 * memory, and all nodes are holes.
 */
static bool assign(struct mesh_conf *conf)
{
	struct places_node *node = xcalloc((size_t)node_record_count + 1, sizeof(*node));
	bool done;

	for (int n = 0; n < node_record_count; n++) {
		const node_record_t *record = compat_node(n);

		if (record)
			node[n] = (struct places_node){record->name, compat_topology(record)};
	}
	for (int p = 0; p < conf->topo->nmeshes; p++) {
		const struct mesh_part *part = &conf->part[p];
		size_t size = (size_t)part->mesh->nnodes * sizeof(**conf->fresh);

		if (conf->table)
			memcpy(conf->fresh[p], part->slurm_node, size);
		else
			memset(conf->fresh[p], -1, size);
	}
	done = !places_assign(conf->topo, node, node_record_count, conf->fresh);
	if (!done)
		error("%s: out of memory: all nodes are holes", plugin_type);
	for (int p = 0; p < conf->topo->nmeshes && !done; p++)
		memset(conf->fresh[p], -1,
			(size_t)conf->part[p].mesh->nnodes * sizeof(**conf->fresh));
	xfree(node);
	return done;
}

/*
 * Tie one mesh to the node table by its fresh[]. Nodes that are not in the table are holes: dynamic
 * nodes may come at any time, and any node may be deleted.
 */
static void map_part(struct mesh_conf *conf, int which)
{
	struct mesh_part *part = &conf->part[which];
	bool changed = false;

	part->nodes = bit_alloc(conf->nnodes);
	part->holes = 0;
	for (int i = 0; i < part->mesh->nnodes; i++) {
		int node = conf->fresh[which][i];

		changed |= (node < 0) != (part->slurm_node[i] < 0);
		part->slurm_node[i] = node;
		part->holes += node < 0;
		if (node < 0)
			continue;
		bit_set(part->nodes, node);
		bit_set(conf->mapped, node);
		conf->part_of[node] = which;
		conf->position[node] = i;
	}
	if (changed)
		tell_holes(part);
}

/* Hash of all that assign() depends on: the nodes of the table, in order, and their Topology=. */
static uint64_t hash_table(void)
{
	uint64_t hash = HASH_BEGIN;

	for (int n = 0; n < node_record_count; n++) {
		const node_record_t *node = compat_node(n);
		const char *text[] = {
			node ? node->name : NULL, node ? compat_topology(node) : NULL};

		for (int i = 0; i < 2; i++)
			hash = text[i] ? hash_bytes(hash, text[i], strlen(text[i]) + 1)
				       : hash_add(hash, 1);
	}
	return hash;
}

/* Tie all meshes to the node table. False: out of memory. */
static bool tie(struct mesh_conf *conf)
{
	bool done;

	unmap(conf);
	conf->nnodes = node_record_count;
	conf->part_of = xcalloc((size_t)conf->nnodes + 1, sizeof(*conf->part_of));
	conf->position = xcalloc((size_t)conf->nnodes + 1, sizeof(*conf->position));
	conf->mapped = bit_alloc(conf->nnodes);
	for (int i = 0; i < conf->nnodes; i++)
		conf->part_of[i] = -1;
	done = assign(conf);
	for (int i = 0; i < conf->topo->nmeshes; i++)
		map_part(conf, i);
	conf->table = hash_table();
	ties++;
	return done;
}

/* The name of a node on the vertex, for messages. */
static const char *holder(const struct mesh_part *part, int vertex)
{
	const struct mesh *mesh = part->mesh;

	for (int j = mesh->first[vertex]; j < mesh->first[vertex + 1]; j++) {
		int node = part->slurm_node[mesh->node_at[j]];

		if (node >= 0)
			return compat_node(node)->name;
	}
	return "no node of the map";
}

/*
 * Remove the Topology= of nodes that name a place where another node is. slurmctld does the same
 * with nodes that a topology plugin refuses. Clients read Topology=, and must find each node where
 * it is. Returns how many nodes are changed.
 */
static int refuse_taken(struct mesh_conf *conf)
{
	struct address where;
	int refused = 0;

	for (int i = 0; i < conf->nnodes; i++) {
		node_record_t *node = compat_node(i);
		const char *topology = node ? compat_topology(node) : NULL;

		if (!topology || conf->part_of[i] >= 0 ||
			!address_find(conf->topo, topology, &where))
			continue;
		error("%s: node %s: Topology=%s is not heeded: %s is there", plugin_type,
			node->name, topology, holder(&conf->part[where.mesh], where.vertex));
		compat_forget_topology(node);
		refused++;
	}
	return refused;
}

/* Log one line: nodes of the map that are in no mesh, as others have their places. */
static void tell_displaced(struct mesh_conf *conf)
{
	char *names = NULL;
	uint64_t hash = HASH_BEGIN;

	for (int i = 0; i < conf->nnodes; i++) {
		const node_record_t *node = conf->part_of[i] < 0 ? compat_node(i) : NULL;

		for (int m = 0; node && m < conf->topo->nmeshes; m++)
			if (mesh_node(conf->topo->mesh[m], node->name) >= 0)
				xstrfmtcat(names, "%s%s", names ? "," : "", node->name);
	}
	if (names)
		hash = hash_bytes(hash, names, strlen(names));
	if (names && hash != conf->displaced)
		error("%s: in no mesh, as others have their places by Topology=: %s", plugin_type,
			names);
	conf->displaced = hash;
	xfree(names);
}

static void map(struct mesh_conf *conf)
{
	if (tie(conf) && refuse_taken(conf))
		tie(conf);
	tell_displaced(conf);
}

/* --- making and dropping ---------------------------------------------------------- */

static void conf_free(struct mesh_conf *conf)
{
	if (!conf)
		return;
	unmap(conf);
	for (int i = 0; conf->part && i < conf->topo->nmeshes; i++)
		for (int s = 0; conf->part[i].strategy && s < STRATEGIES_MOST; s++)
			strategy_free(conf->part[i].strategy[s]);
	arena_release(&conf->arena);
	topoconf_free(conf->topo);
	mesh_settings_release(&conf->settings);
	xfree(conf);
}

static int make_parts(struct mesh_conf *conf, struct mesh_err *err)
{
	struct arena *arena = &conf->arena;

	arena_array(arena, conf->part, conf->topo->nmeshes);
	arena_array(arena, conf->fresh, conf->topo->nmeshes);
	arena_array(arena, conf->span, conf->topo->nmeshes);
	for (int i = 0; conf->span && i < conf->topo->nmeshes; i++) {
		struct mesh_part *part = &conf->part[i];
		int n = conf->topo->mesh[i]->nnodes;

		part->mesh = conf->topo->mesh[i];
		arena_array(arena, part->slurm_node, n);
		arena_array(arena, conf->fresh[i], n);
		arena_array(arena, part->answer, n);
		arena_array(arena, part->best, n + 1);
		arena_array(arena, part->last.node, n);
		arena_array(arena, part->strategy, STRATEGIES_MOST);
		nodeset_get(&part->free, n, arena);
		nodeset_get(&part->required, n, arena);
		nodeset_get(&part->last.free, n, arena);
		conf->span[i] = (struct span_mesh){part->mesh, &part->free, part->answer, 0};
	}
	return arena->out ? err_printf(err, "out of memory") : 0;
}

/* Does this Slurm lay out its bitmaps as mesh_bits_next() reads them? */
static bool bits_work(void)
{
	static const int member[] = {0, 5, 63, 64, 130, 191, 199};
	bitstr_t *set = bit_alloc(200), *empty = bit_alloc(128);
	bool works = mesh_bits_next(empty, 0) < 0;
	size_t n = 0;

	bit_not(set);
	works = works && mesh_bits_next(set, 199) == 199 && mesh_bits_next(set, 200) < 0;
	bit_clear(set, 199);
	works = works && mesh_bits_next(set, 199) < 0;
	bit_clear_all(set);
	for (size_t i = 0; i < sizeof(member) / sizeof(*member); i++)
		bit_set(set, member[i]);
	mesh_bits_each(i, set)
		works = works && n < sizeof(member) / sizeof(*member) && member[n++] == i;
	FREE_NULL_BITMAP(set);
	FREE_NULL_BITMAP(empty);
	return works && n == sizeof(member) / sizeof(*member);
}

struct topoconf *mesh_conf_read(const struct mesh_settings *settings, struct mesh_err *err)
{
	char name[] = "topology.conf";
	char *path = settings->conf ? xstrdup(settings->conf) : get_extra_conf_path(name);
	struct topoconf *conf = topoconf_read(path, &hostlist_libslurm, err);

	xfree(path);
	return conf;
}

static struct topoconf *read_map(struct mesh_settings *settings, struct mesh_err *err)
{
	struct topoconf *topo;

	if (!bits_work()) {
		err_printf(err, "this slurmctld has other bitmaps than Slurm " SLURM_VERSION_STRING
			", for which this plugin was built");
		return NULL;
	}
	if (mesh_settings_parse(slurm_conf.sched_params, settings, err))
		return NULL;
	topo = mesh_conf_read(settings, err);
	/* Load what cables and boxes need now, and not when a job waits. */
	if (topo && (!mesh_settings_need_extras(settings, topo) || extras(err)))
		return topo;
	topoconf_free(topo);
	mesh_settings_release(settings);
	return NULL;
}

static struct mesh_conf *conf_new(struct mesh_err *err)
{
	struct mesh_conf *conf = xcalloc(1, sizeof(*conf));

	conf->topo = read_map(&conf->settings, err);
	if (conf->topo && !make_parts(conf, err)) {
		conf->hash = topoconf_hash(conf->topo);
		map(conf);
		return conf;
	}
	conf_free(conf);
	return NULL;
}

struct strategy *mesh_conf_strategy(struct mesh_part *part, const struct strategy_ops *ops,
	struct mesh_err *err)
{
	int row = 0;

	while (strategy_at(row) != ops)
		row++;
	if (!part->strategy[row])
		part->strategy[row] = strategy_new(ops, part->mesh, err);
	return part->strategy[row];
}

/*
 * Make the strategies that jobs will ask, so that no job waits for them: tables for 4,096 nodes
 * take 10 ms. mesh_conf_strategy() tries a strategy again that cannot be made now.
 */
static void make_strategies(struct mesh_conf *conf)
{
	const struct mesh_settings *settings = &conf->settings;
	struct mesh_err err;

	for (int i = 0; i < conf->topo->nmeshes; i++) {
		mesh_conf_strategy(&conf->part[i], settings->ops, &err);
		for (int j = 0; j < settings->npartitions; j++)
			if (settings->by_partition[j].ops)
				mesh_conf_strategy(
					&conf->part[i], settings->by_partition[j].ops, &err);
	}
}

/* Log which settings are for partitions that do not exist. */
static void tell_partitions(const struct mesh_settings *settings)
{
	for (int i = 0; i < settings->npartitions; i++) {
		char *name = settings->by_partition[i].partition;

		if (!find_part_record(name))
			error("%s: SchedulerParameters: mesh_%s_%s: there is no partition %s: "
			      "ignored",
				plugin_type, settings->by_partition[i].ops ? "strategy" : "pattern",
				name, name);
	}
}

static void tell_base(const struct mesh_conf *conf)
{
	if (conf->settings.base_linear != conf->over_linear)
		error("%s: mesh_base= is read at start only: still over select/%s", plugin_type,
			conf->over_linear ? "linear" : "cons_tres");
}

/*
 * There is no map. This is the one place where we end slurmctld, and only before it has begun.
 * After an error code from here Slurm would ask for a clean start, which throws all jobs away.
 */
static void no_map(const struct mesh_err *err)
{
	if (compat_may_give_up())
		fatal("%s: %s", plugin_type, err->text);
	error("%s: %s; the stock choice is used until it is mended", plugin_type, err->text);
}

void mesh_conf_check(void)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};
	struct topoconf *topo;

	if (compat_restarted()) /* mesh_conf_load() follows at once and reports */
		return;
	topo = read_map(&settings, &err);
	if (!topo) {
		no_map(&err);
		return;
	}
	if (backup_inx)
		mesh_files_compare_map(topo);
	topoconf_free(topo);
	mesh_settings_release(&settings);
}

void mesh_conf_load(bool over_linear)
{
	struct mesh_err err = {{0}};
	struct mesh_conf *fresh = conf_new(&err);

	if (!fresh && !current) {
		no_map(&err);
		return;
	}
	if (!fresh) {
		error("%s: %s; the map and settings in use are kept", plugin_type, err.text);
		map(current);
		return;
	}
	conf_free(current);
	current = fresh;
	current->over_linear = over_linear;
	make_strategies(current);
	tell_base(current);
	tell_partitions(&current->settings);
	mesh_files_take_map(current->topo);
	for (int i = 0; i < current->topo->nmeshes; i++)
		info("%s: mesh %s: %d nodes, strategy %s", plugin_type,
			current->part[i].mesh->name, current->part[i].mesh->nnodes,
			current->settings.ops->name);
}

void mesh_conf_follow(void)
{
	struct mesh_err err = {{0}};
	struct mesh_conf *fresh = conf_new(&err);

	if (fresh) {
		conf_free(current);
		current = fresh;
	} else {
		debug("%s: %s", plugin_type, err.text);
		mesh_conf_remap();
	}
}

/* Has the node table changed? A hash tells faster than looking up 4,096 names (1 ms). */
static bool is_stale(void)
{
	return current->nnodes != node_record_count || current->table != hash_table();
}

void mesh_conf_remap(void)
{
	/* Dynamic nodes may have come or gone. Partitions do not matter here. */
	if (current && is_stale())
		map(current);
}

bool mesh_conf_fits(bitstr_t *nodes)
{
	static time_t seen;
	time_t now = time(NULL);

	if (current && (now != seen || current->nnodes != node_record_count)) {
		seen = now;
		mesh_conf_remap();
	}
	return current && current->nnodes == bit_size(nodes);
}

int mesh_conf_place(const node_record_t *node, const struct mesh **mesh)
{
	int part;

	if (!current || node->index >= (uint32_t)current->nnodes ||
		(part = current->part_of[node->index]) < 0)
		return -1;
	*mesh = current->part[part].mesh;
	return (*mesh)->vertex_of[current->position[node->index]];
}

struct mesh_part *mesh_conf_part(const char *name)
{
	for (int i = 0; current && name && i < current->topo->nmeshes; i++)
		if (!xstrcmp(current->part[i].mesh->name, name))
			return &current->part[i];
	return NULL;
}

void mesh_conf_keep_type(bitstr_t *nodes, const char *type)
{
	bitstr_t *good;

	if (!*type)
		return;
	good = bit_alloc(bit_size(nodes));
	for (int i = 0; i < current->topo->nmeshes; i++)
		if (!xstrcmp(current->part[i].mesh->type, type))
			bit_or(good, current->part[i].nodes);
	bit_and(nodes, good);
	FREE_NULL_BITMAP(good);
}

void mesh_conf_members(const struct mesh_part *part, bitstr_t *nodes, struct nodeset *set)
{
	int which = (int)(part - current->part);

	nodeset_clear_all(set);
	mesh_bits_each(i, nodes)
		if (i < current->nnodes && current->part_of[i] == which)
			nodeset_add(set, current->position[i]);
}

bool mesh_conf_holds(bitstr_t *nodes)
{
	for (int i = 0; i < current->topo->nmeshes; i++)
		if (bit_super_set(nodes, current->part[i].nodes))
			return true;
	return false;
}

void mesh_conf_fini(void)
{
	conf_free(current);
	current = NULL;
}
