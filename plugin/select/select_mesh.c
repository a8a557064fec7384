/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * select/mesh: a decorator over Slurm's own select plugin. It forwards every call. job_test first
 * narrows the nodes to those that a placement strategy proposes. Cores, memory, GRES, preemption
 * and accounting stay Slurm's own code.
 *
 * Built twice, as select/mesh and as select/cons_tres_mesh: Slurm switches features on where
 * SelectType contains the text cons_tres.
 */
#include "compat/slurm_compat.h"

#include "shared/mesh_conf.h"
#include "shared/mesh_files.h"
#include "shared/mesh_strategies.h"
#include "shared/mesh_counters.h"
#include "select/select_mesh.h"
#include "shared/mesh_runs.h"
#include "shared/mesh_tell.h"
#include "shared/mesh_weights.h"
#include "compat/select_api.h"
#include "shared/job_test.h"
#include "slurm_ops.h"
#include "shared/slurm_plugin.h"

const char plugin_name[] = "Mesh and torus placement over a stock select plugin";
const char plugin_type[] = MESH_SELECT_TYPE;
/*
 * Old clients load all select plugins and tell them apart by id. Newer ones expect cons_tres' id.
 */
#if MESH_SLURM_TO_23_11 || MESH_SLURM_24_11
const uint32_t plugin_id = MESH_SELECT_ID;
#else
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
#endif

/* The stock plugin's functions, and the names by which they are looked up. */
static struct base_ops {
	const uint32_t *plugin_id;
	SELECT_API(OPS_MEMBER, OPS_MEMBER, OPS_MEMBER)
} *base;
static const char *symbols[] = {"plugin_id", SELECT_API(OPS_NAME, OPS_NAME, OPS_NAME)};
_Static_assert(sizeof(struct base_ops) == sizeof(symbols), "one pointer a symbol");

SELECT_API(OPS_PROTOTYPE, OPS_PROTOTYPE, OPS_PROTOTYPE)

/* A changed prototype or a new function in Slurm fails to compile here, not in the controller. */
__attribute__((unused)) static const slurm_own_select_ops_t held_against_slurm = {
	NULL, SELECT_API(OPS_OURS, OPS_OURS, OPS_OURS)};
__attribute__((unused)) static const void *const asked_for_by_slurm[] = {
	SLURM_OWN_SELECT_SYMBOLS(OPS_DECLARED)};
_Static_assert(sizeof(struct base_ops) == sizeof(slurm_own_select_ops_t) &&
		       sizeof(symbols) == sizeof(asked_for_by_slurm),
	"no symbol is missing");

/*
 * Without a stock plugin every function returns an error, or nothing. Only clients can come here:
 * slurmctld and slurmd end by themselves when init() fails.
 */
#define REFUSAL(type)                                                                           \
	(type)__builtin_choose_expr(__builtin_types_compatible_p(type, int), SLURM_ERROR, 0)
#define REFUSE(type, name, parameters, ...)                                                     \
	static type refuse_##name parameters                                                    \
	{                                                                                       \
		return REFUSAL(type);                                                           \
	}
#define REFUSING(type, name, ...) refuse_##name,
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
SELECT_API(REFUSE, REFUSE, REFUSE)
#pragma GCC diagnostic pop
static const struct base_ops refusing = {&plugin_id, SELECT_API(REFUSING, REFUSING, REFUSING)};

static plugin_handle_t base_handle = PLUGIN_INVALID_HANDLE;
static bool base_linear;

static const char *base_name(void)
{
	return base_linear ? "select/linear" : "select/cons_tres";
}

static int base_load(void)
{
	struct base_ops *ops = xcalloc(1, sizeof(*ops));

	/* Not plugin_context_create(): from 24.11 on only libslurmfull has it, not libslurm. */
	base_handle = plugin_load_and_link(base_name(), sizeof(symbols) / sizeof(*symbols), symbols,
		(void **)ops);
	if (base_handle == PLUGIN_INVALID_HANDLE) {
		error("%s: cannot load %s", plugin_type, base_name());
		xfree(ops);
		return SLURM_ERROR;
	}
	base = ops;
	return SLURM_SUCCESS;
}

int init(void)
{
	/* Slurm loads all select plugins; only the one in use loads its stock plugin. */
	if (xstrcmp(slurm_conf.select_type, plugin_type))
		return SLURM_SUCCESS;
	/* Errors of the line are reported later, in one place. */
	base_linear = xstrcasestr(slurm_conf.sched_params, "mesh_base=linear");
	if (base_load())
		return SLURM_ERROR;
	if (&idle_node_bitmap) { /* in slurmctld */
		mesh_strategies_init();
		mesh_conf_check();
	}
	verbose("%s loaded over %s", plugin_type, base_name());
	return SLURM_SUCCESS;
}

void fini(void)
{
	mesh_conf_fini();
	mesh_runs_fini();
	mesh_weights_fini();
	mesh_queue_fini();
	mesh_files_fini();
	if (base_handle != PLUGIN_INVALID_HANDLE)
		plugin_unload(base_handle);
	base_handle = PLUGIN_INVALID_HANDLE;
	xfree(base);
}

/*
 * The stock plugin's functions. Clients of several clusters may meet data of a plugin that is not
 * their own SelectType. The stock plugin is then loaded here, once.
 */
static const struct base_ops *stock(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static bool failed;

	if (!base) {
		pthread_mutex_lock(&lock);
		if (!base && !failed)
			failed = base_load();
		pthread_mutex_unlock(&lock);
	}
	return base ? base : &refusing;
}

#define FORWARD(type, name, parameters, arguments)                                              \
	type select_p_##name parameters                                                         \
	{                                                                                       \
		return stock()->name arguments;                                                 \
	}
#define CHANGING(type, name, parameters, arguments)                                             \
	type select_p_##name parameters                                                         \
	{                                                                                       \
		mesh_runs_changed();                                                            \
		return stock()->name arguments;                                                 \
	}
#define BY_HAND(...)
SELECT_API(FORWARD, CHANGING, BY_HAND)

/* Slurm calls this at start and at each reconfiguration, when the node table is new. */
int select_p_node_init(void)
{
	mesh_conf_load(base_linear);
	return stock()->node_init();
}

/* slurmctld launches the job next. */
int select_p_job_begin(job_record_t *job_ptr)
{
	mesh_runs_changed();
	mesh_tell(job_ptr, job_ptr->node_bitmap);
	return stock()->job_begin(job_ptr);
}

#ifdef SELECT_HAS_RESV_TEST
/* Choose nodes for a reservation. Slurm first passes the nodes that are free during all of it. */
bitstr_t *select_p_resv_test(
	resv_desc_msg_t *resv, uint32_t count, bitstr_t *avail, bitstr_t **cores)
{
	bitstr_t *near = count && !resv->core_cnt ? mesh_reserve(avail, count) : NULL;
	bitstr_t *picked = near ? stock()->resv_test(resv, count, near, cores) : NULL;

	FREE_NULL_BITMAP(near);
	return picked ? picked : stock()->resv_test(resv, count, avail, cores);
}
#endif

/*
 * Slurm calls this when a client asks for the nodes: smesh metrics does before it reads counters.
 */
int select_p_select_nodeinfo_set_all(void)
{
	mesh_counters_save(1);
	return stock()->select_nodeinfo_set_all();
}

/* Slurm calls this also after changes of partitions and of dynamic nodes. */
int select_p_reconfigure(void)
{
	mesh_conf_remap();
	return stock()->reconfigure();
}

#ifdef SELECT_HAS_SINGLE_JOB_TEST
static bool same_weights(void)
{
	node_record_t *first = NULL;

	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = compat_node(i);

		if (node && first && node->config_ptr->weight != first->config_ptr->weight)
			return false;
		first = first ? first : node;
	}
	return true;
}

/*
 * May Slurm test a job on all nodes at once? Otherwise it offers the nodes of one NodeName line
 * after the other. select/linear says no, as it does not know Weight. Where all weights are the
 * same, a test of all nodes is right, and shows us the whole machine.
 */
int select_p_get_info_from_plugin(enum select_plugindata_info type, job_record_t *job_ptr,
	void *data)
{
	int rc = stock()->get_info_from_plugin(type, job_ptr, data);

	if (type == SELECT_SINGLE_JOB_TEST && base_linear && &node_record_count && same_weights())
		*(uint32_t *)data = 1;
	return rc;
}
#endif

/*
 * Does the job ask for GRES in a way that select/linear cannot count? It counts GRES of nodes
 * only. Slurm refuses such jobs at submission, but not under a plugin with the id of cons_tres.
 */
static bool beyond_linear(const job_record_t *job)
{
	return base_linear && (job->cpus_per_tres || job->mem_per_tres || job->tres_per_job ||
				      job->tres_per_socket || xstrstr(job->tres_per_task, "gres"));
}

static int ask_stock(const struct job_test *test)
{
	return stock()->job_test(test->job, test->bitmap, test->min_nodes, test->max_nodes,
		test->req_nodes, test->mode, test->preemptees, test->preempted,
		SELECT_JOB_TEST_ARGUMENTS(test));
}

int select_p_job_test(job_record_t *job_ptr, bitstr_t *bitmap, uint32_t min_nodes,
	uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, list_t *preemptees,
	list_t **preempted, SELECT_JOB_TEST_REST)
{
	struct job_test test = {
		.job = job_ptr,
		.bitmap = bitmap,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.req_nodes = req_nodes,
		.mode = mode,
		.preemptees = preemptees,
		.preempted = preempted,
		.excluded = excluded,
		.will_run = SELECT_JOB_TEST_WILL_RUN,
		.stock = ask_stock,
	};

	return beyond_linear(job_ptr) ? SLURM_ERROR : mesh_place(&test);
}
