/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * topology/mesh: a decorator over the stock topology plugin (default up to 24.11, flat from
 * 25.05), for sites that keep a stock SelectType. Slurm passes eval_nodes exactly the nodes that
 * have what the job needs, now or in a future that backfill imagines. The strategy narrows them.
 * Versions before 24.05 let no topology plugin choose.
 *
 * Under select/mesh this plugin leaves the choice to select/mesh, and only says where nodes are:
 * in SLURM_TOPOLOGY_ADDR and `scontrol show topology`.
 */
#include "topology/topology_mesh.h"

#include "shared/mesh_files.h"
#include "shared/mesh_strategies.h"

#include "slurm_ops.h"
#include "compat/topology_api.h"
#include "shared/mesh_conf.h"
#include "shared/mesh_runs.h"
#include "shared/mesh_weights.h"
#include "shared/slurm_plugin.h"

#if MESH_SLURM_24_11
#define BASE "topology/default"
const uint32_t plugin_id = TOPOLOGY_PLUGIN_DEFAULT; /* other parts of Slurm check it */
#else
#define BASE "topology/flat"
const uint32_t plugin_id = TOPOLOGY_PLUGIN_FLAT; /* as above */
EXPORT extern const bool supports_exclusive_topo;
const bool supports_exclusive_topo = true;
#endif

const char plugin_name[] = "Mesh and torus placement over the stock topology plugin";
const char plugin_type[] = "topology/mesh";

/* The stock plugin's functions, and the names by which they are looked up. */
#define DATA(type, name) const type *name;
#define DATA_NAME(type, name) #name,
#define DATA_NULL(type, name) NULL,
static struct base_ops {
	TOPOLOGY_DATA(DATA)
	TOPOLOGY_API(OPS_MEMBER, OPS_MEMBER)
} base;
static const char *symbols[] = {TOPOLOGY_DATA(DATA_NAME) TOPOLOGY_API(OPS_NAME, OPS_NAME)};

TOPOLOGY_API(OPS_PROTOTYPE, OPS_PROTOTYPE)

/* A changed prototype or a new function in Slurm fails to compile here, not in the controller. */
__attribute__((unused)) static const slurm_own_topology_ops_t held_against_slurm = {
	TOPOLOGY_DATA(DATA_NULL) TOPOLOGY_API(OPS_OURS, OPS_OURS)};
__attribute__((unused)) static const void *const asked_for_by_slurm[] = {
	SLURM_OWN_TOPOLOGY_SYMBOLS(OPS_DECLARED)};
_Static_assert(sizeof(base) == sizeof(slurm_own_topology_ops_t) &&
		       sizeof(symbols) == sizeof(asked_for_by_slurm),
	"no symbol is missing");

static plugin_context_t *base_context;

int init(void)
{
	if (topology_in_slurmctld())
		mesh_strategies_init();
	base_context = plugin_context_create(
		"topology", BASE, (void **)&base, symbols, sizeof(symbols));
	if (!base_context) {
		error("%s: cannot load %s", plugin_type, BASE);
		return SLURM_ERROR;
	}
	verbose("%s loaded over %s", plugin_type, BASE);
	return SLURM_SUCCESS;
}

#define FORWARD(type, name, parameters, arguments)                                              \
	type topology_p_##name parameters                                                            \
	{                                                                                       \
		return base.name arguments;                                                     \
	}
#define BY_HAND(...)
TOPOLOGY_API(FORWARD, BY_HAND)

int topology_p_get_node_addr(char *name, char **addr, char **pattern TOPOLOGY_CTX)
{
	char *found = topology_map_address(name, pattern);

	if (!found)
		return base.get_node_addr(name, addr, pattern TOPOLOGY_CTX_ARGUMENT);
	*addr = found;
	return SLURM_SUCCESS;
}

void fini(void)
{
	topology_map_forget();
	mesh_conf_fini();
	mesh_runs_fini();
	mesh_weights_fini();
	mesh_files_fini();
	if (base_context)
		plugin_context_destroy(base_context);
	base_context = NULL;
}

/* The thread that starts slurmctld, or takes over. Users' requests come in other threads. */
static pthread_t starter;
#if MESH_SLURM_TOPOLOGIES
static bool compared; /* the node table with the map, since slurmctld began to start */
#endif

int topology_p_build_config TOPOLOGY_ONLY_CTX
{
	starter = pthread_self();
#if MESH_SLURM_TOPOLOGIES
	compared = false;
#endif
	topology_map_forget();
	if (topology_in_slurmctld() && topology_chosen_by_select())
		mesh_conf_follow();
	else if (topology_in_slurmctld())
		mesh_conf_load(false);
	return base.build_config TOPOLOGY_ONLY_CTX_ARGUMENT;
}

int TOPOLOGY_PRINT(void *data, char *nodes, TOPOLOGY_UNIT char **out)
{
	(void)data;
#if MESH_SLURM_TOPOLOGIES
	*out = topology_map_print(nodes, unit);
#else
	*out = topology_map_print(nodes, NULL);
#endif
	return SLURM_SUCCESS;
}

int topology_p_eval_nodes(topology_eval_t *eval)
{
	return topology_choose(eval, base.eval_nodes);
}

#if MESH_SLURM_26_05
/* No: the place of a one-node job matters to other jobs, so eval_nodes must be asked. */
bool topology_p_allow_one_node(void *tctx)
{
	return topology_chosen_by_select() ? base.allow_one_node(tctx) : false;
}

/* Order tasks by the job's vertices or its walk. Nothing starts in an imagined future. */
int topology_p_get_rank(bitstr_t *nodes, uint32_t **rank, uint32_t *size, void *tctx)
{
	*rank = nodes && !topology_imagined ? topology_map_ranks(nodes, topology_walk) : NULL;
	*size = *rank ? (uint32_t)bit_set_count(nodes) : 0;
	return *rank ? SLURM_SUCCESS : base.get_rank(nodes, rank, size, tctx);
}
#endif

#if !MESH_SLURM_24_05
/* Jobs may have a mesh to themselves: see topology_p_whole_topo(). */
int topology_p_get(topology_data_t type, void *data TOPOLOGY_CTX)
{
	if (type != TOPO_DATA_EXCLUSIVE_TOPO)
		return base.get(type, data TOPOLOGY_CTX_ARGUMENT);
	*(int *)data = 1;
	return SLURM_SUCCESS;
}
#endif

int topology_p_whole_topo(bitstr_t *nodes TOPOLOGY_CTX)
{
	TOPOLOGY_CTX_UNUSED;
	topology_member_whole(nodes);
	return SLURM_SUCCESS;
}

#if !MESH_SLURM_24_05
bitstr_t *topology_p_get_bitmap(char *name TOPOLOGY_CTX)
{
	TOPOLOGY_CTX_UNUSED;
	return topology_member_nodes(name);
}

uint32_t topology_p_get_fragmentation(bitstr_t *nodes TOPOLOGY_CTX)
{
	TOPOLOGY_CTX_UNUSED;
	return topology_member_fragmentation(nodes);
}
#endif

#if MESH_SLURM_TOPOLOGIES
int topology_p_add_rm_node(node_record_t *node, char *unit, topology_ctx_t *tctx)
{
	bool starting = pthread_equal(starter, pthread_self());

	(void)tctx;
	/* slurmctld has written Topology= into the node's record. At its start it asks for each
	 * node, and all have theirs: one look at 100,000 nodes (6 ms) is enough then. */
	if (!starting || !compared)
		mesh_conf_remap();
	compared |= starting;
	/* An error at its start would end slurmctld, for an old node that the map has no place for.
	 */
	return topology_member_check(node, unit) && !starting ? SLURM_ERROR : SLURM_SUCCESS;
}
#endif

#if MESH_SLURM_HAS_TOPOLOGY_STR
void topology_p_get_topology_str(node_record_t *node, char **text, topology_ctx_t *tctx)
{
	topology_member_text(node, tctx->name, text);
}
#endif
