/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * topology/mesh, for Slurm 24.11 and later: a decorator over the stock topology plugin
 * (default, called flat from 25.05), for sites that keep SelectType=select/cons_tres. Its
 * eval_nodes gets exactly the nodes that have what the job needs, now or in a future that
 * backfill imagines; they are narrowed to those that the strategy proposes.
 *
 * Under select/mesh it leaves the choice to that one, and only says where nodes are: in
 * SLURM_TOPOLOGY_ADDR and `scontrol show topology`.
 */
#include "slurm_compat.h"

#if !MESH_SLURM_22_05 /* that one has no such call */

#include "src/common/core_array.h"

#include "hostlist_libslurm.h"
#include "mesh_attempt.h"
#include "mesh_conf.h"
#include "mesh_runs.h"
#include "slurm_ops.h"
#include "topology_api.h"

#define EXPORT __attribute__((visibility("default")))

#if MESH_SLURM_24_11
#define BASE "topology/default"
#define BASE_ID TOPOLOGY_PLUGIN_DEFAULT
#else
#define BASE "topology/flat"
#define BASE_ID TOPOLOGY_PLUGIN_FLAT
EXPORT extern const bool supports_exclusive_topo;
const bool supports_exclusive_topo = false;
#endif

EXPORT extern const char plugin_name[];
EXPORT extern const uint32_t plugin_id;
EXPORT extern const uint32_t plugin_version;
EXPORT extern const char plugin_type[];
EXPORT int init(void);
EXPORT void fini(void);

const char plugin_name[] = "Mesh and torus placement over the stock topology plugin";
const char plugin_type[] = "topology/mesh";
const uint32_t plugin_id = BASE_ID; /* other parts of Slurm go by it */
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* The stock plugin's functions, and the names to look them up by. */
#define DATA(type, name) const type *name;
#define DATA_NAME(type, name) #name,
#define DATA_NULL(type, name) NULL,
#define MEMBER(type, name, parameters, ...) type(*name) parameters;
#define NAME(type, name, ...) "topology_p_" #name,
static struct base_ops {
	const uint32_t *plugin_id;
	TOPOLOGY_DATA(DATA)
	TOPOLOGY_API(MEMBER, MEMBER)
} base;
static const char *symbols[] = {"plugin_id", TOPOLOGY_DATA(DATA_NAME) TOPOLOGY_API(NAME, NAME)};

#define PROTOTYPE(type, name, parameters, ...) EXPORT type topology_p_##name parameters;
TOPOLOGY_API(PROTOTYPE, PROTOTYPE)

/* A changed prototype or a new function in Slurm fails to compile here, not in the controller. */
#define SAME(type, name, ...) topology_p_##name,
#define DECLARED(symbol) &symbol,
__attribute__((unused)) static const slurm_own_topology_ops_t held_against_slurm = {
	NULL, TOPOLOGY_DATA(DATA_NULL) TOPOLOGY_API(SAME, SAME)};
__attribute__((unused)) static const void *const asked_for_by_slurm[] = {
	SLURM_OWN_TOPOLOGY_SYMBOLS(DECLARED)};
_Static_assert(sizeof(base) == sizeof(slurm_own_topology_ops_t) &&
		       sizeof(symbols) == sizeof(asked_for_by_slurm),
	"no symbol is missing");

static plugin_context_t *base_context;

/* The mesh lines as clients and slurmd read them: for names and coordinates only. */
static struct topoconf *map;
static bool map_tried;
static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;

const char *base_name(void)
{
	return "select/cons_tres";
}

int base_job_test(const struct job_test *test)
{
	(void)test;
	return SLURM_ERROR; /* there is no such question here */
}

int init(void)
{
	base_context = plugin_context_create("topology", BASE, (void **)&base, symbols,
		sizeof(symbols));
	if (!base_context) {
		error("%s: cannot load %s", plugin_type, BASE);
		return SLURM_ERROR;
	}
	verbose("%s loaded over %s", plugin_type, BASE);
	return SLURM_SUCCESS;
}

static void forget_map(void)
{
	slurm_mutex_lock(&map_lock);
	topoconf_free(map);
	map = NULL;
	map_tried = false;
	slurm_mutex_unlock(&map_lock);
}

void fini(void)
{
	forget_map();
	mesh_conf_fini();
	if (base_context)
		plugin_context_destroy(base_context);
	base_context = NULL;
}

#define FORWARD(type, name, parameters, arguments)                                              \
	type topology_p_##name parameters                                                       \
	{                                                                                       \
		return base.name arguments;                                                     \
	}
#define BY_HAND(...)
TOPOLOGY_API(FORWARD, BY_HAND)

/* --- choosing --------------------------------------------------------------------- */

static bool in_slurmctld(void)
{
	return &idle_node_bitmap != NULL;
}

/* select/mesh has narrowed already. */
static bool chosen_by_select(void)
{
	return xstrcasestr(slurm_conf.select_type, "mesh");
}

/* The table of nodes may be sorted after build_config. */
static bool remapped;

int topology_p_build_config TOPOLOGY_ONLY_CTX
{
	forget_map();
	if (in_slurmctld() && !chosen_by_select()) {
		mesh_runs_changed();
		mesh_conf_load();
		remapped = false;
	}
	return base.build_config TOPOLOGY_ONLY_CTX_ARGUMENT;
}

/* Offer the stock plugin these nodes; on failure everything is as it was. */
static int try_nodes(topology_eval_t *eval, bitstr_t *nodes, bool contiguous_seen_to)
{
	job_details_t *details = eval->job_ptr->details;
	uint16_t contiguous = details->contiguous;
	topology_eval_t saved = *eval;
	bitstr_t *map_before = bit_copy(eval->node_map);
	bitstr_t **cores_before = copy_core_array(eval->avail_core);
	int rc;

	bit_and(eval->node_map, nodes);
	if (contiguous_seen_to)
		details->contiguous = 0;
	rc = base.eval_nodes(eval);
	details->contiguous = contiguous;
	if (rc != SLURM_SUCCESS) {
		*eval = saved;
		bit_copybits(eval->node_map, map_before);
		if (cores_before)
			core_array_or(eval->avail_core, cores_before);
	}
	FREE_NULL_BITMAP(map_before);
	free_core_array(&cores_before);
	return rc;
}

/* Propose, and more nodes where too few were guessed; *found: was there anything to propose? */
static int place_on(struct attempt *a, topology_eval_t *eval, bool *found)
{
	struct proposal best = {.nodes = bit_alloc(bit_size(eval->node_map))};
	int count = a->want.request.count, rc = SLURM_ERROR;

	*found = false;
	for (int tries = 0; tries < 8; tries++) {
		propose(a, a->given, count, &best);
		if (!best.part)
			break;
		*found = true;
		rc = try_nodes(eval, best.nodes, a->want.no_contiguous);
		if (rc == SLURM_SUCCESS || !a->want.count_open || best.count < count ||
			count >= a->want.max)
			break;
		count = MIN(count + MAX(1, count / 4), a->want.max);
	}
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}

static int evaluate(topology_eval_t *eval)
{
	struct job_test test = {
		.job = eval->job_ptr,
		.bitmap = eval->node_map,
		.min_nodes = eval->min_nodes,
		.max_nodes = eval->max_nodes,
		.req_nodes = eval->req_nodes,
		.mode = SELECT_MODE_RUN_NOW,
	};
	struct attempt a = {.test = &test};
	bool found;
	int rc;

	mesh_request_from_job(&test, &a.want);
	if (a.want.stock)
		return base.eval_nodes(eval);
	a.given = bit_copy(eval->node_map);
	rc = place_on(&a, eval, &found);
	if (rc != SLURM_SUCCESS && a.want.box && a.want.fallback) {
		mesh_request_relax(&a.want, a.want.fallback);
		rc = place_on(&a, eval, &found);
	}
	FREE_NULL_BITMAP(a.given);
	/* No box among these nodes: wait; a later future has more of them. */
	if (rc != SLURM_SUCCESS && !a.want.box)
		rc = base.eval_nodes(eval);
	if (mesh_conf_logs())
		info("%s: JobId=%u strategy=%s wanted=%d %s", plugin_type, eval->job_ptr->job_id,
			a.want.ops->name, a.want.request.count,
			rc == SLURM_SUCCESS ? "chosen" : "nothing");
	return rc;
}

int topology_p_eval_nodes(topology_eval_t *eval)
{
	if (chosen_by_select() || !mesh_conf())
		return base.eval_nodes(eval);
	if (!remapped || mesh_conf()->nnodes != bit_size(eval->node_map)) {
		mesh_conf_remap();
		mesh_runs_changed();
		remapped = true;
	}
	if (mesh_conf()->nnodes != bit_size(eval->node_map))
		return base.eval_nodes(eval);
	mesh_runs_changed(); /* nobody tells us of jobs' beginnings and ends */
	return evaluate(eval);
}

#if MESH_SLURM_26_05
/* Where a job of one node goes matters to the others. */
bool topology_p_allow_one_node(void *tctx)
{
	return chosen_by_select() ? base.allow_one_node(tctx) : false;
}
#endif

/* --- telling ---------------------------------------------------------------------- */

/* Read once, under the lock. */
static const struct topoconf *the_map(void)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};
	char name[] = "topology.conf";
	char *path;

	if (map_tried)
		return map;
	map_tried = true;
	if (mesh_settings_parse(slurm_conf.sched_params, &settings, &err))
		return NULL;
	path = settings.conf ? xstrdup(settings.conf) : get_extra_conf_path(name);
	map = topoconf_read(path, &hostlist_libslurm, &err);
	if (!map)
		debug("%s: %s", plugin_type, err.text);
	xfree(path);
	mesh_settings_release(&settings);
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

int topology_p_get_node_addr(char *name, char **addr, char **pattern TOPOLOGY_CTX)
{
	char *found = NULL;

	slurm_mutex_lock(&map_lock);
	for (int m = 0; the_map() && m < map->nmeshes && !found; m++)
		for (int i = 0; i < map->mesh[m]->nnodes && !found; i++)
			if (!xstrcmp(map->mesh[m]->node_name[i], name))
				found = address(map->mesh[m], i, pattern);
	slurm_mutex_unlock(&map_lock);
	if (!found)
		return base.get_node_addr(name, addr, pattern TOPOLOGY_CTX_ARGUMENT);
	*addr = found;
	return SLURM_SUCCESS;
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

/* scontrol show topology [node=LIST]: the meshes, and the coordinates of the nodes asked for */
int topology_p_print_by_hand(void *data, char *nodes, TOPOLOGY_UNIT char **out)
{
	hostlist_t *hosts = nodes && nodes[0] ? hostlist_create(nodes) : NULL;
	char *name, *addr, *pattern;

	(void)data;
#if !MESH_SLURM_24_11
	(void)unit;
#endif
	*out = NULL;
	slurm_mutex_lock(&map_lock);
	for (int m = 0; the_map() && m < map->nmeshes; m++) {
		if (!hosts)
			describe(map->mesh[m], out);
		for (int i = 0; hosts && i < map->mesh[m]->nnodes; i++) {
			name = map->mesh[m]->node_name[i];
			if (hostlist_find(hosts, name) < 0)
				continue;
			addr = address(map->mesh[m], i, &pattern);
			xstrfmtcat(*out, "NodeName=%s Address=%s\n", name, addr);
			xfree(addr);
			xfree(pattern);
		}
	}
	slurm_mutex_unlock(&map_lock);
	FREE_NULL_HOSTLIST(hosts);
	return SLURM_SUCCESS;
}

#endif
