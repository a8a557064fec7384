/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of slurmctld's node table up to Slurm 23.11: along the curve of each mesh, one mesh
 * after the other, then nodes of no mesh by name. Stock select plugins prefer nodes that are
 * consecutive there (best fit over the gaps), and --contiguous means it.
 *
 *   V. Leung et al., "Processor allocation on Cplant: achieving general processor locality
 *   using one-dimensional allocation strategies".
 *
 * What a running job has on each node slurmctld counts along this order, in memory and in
 * job_state. It aborts jobs for which that no longer fits their nodes, so an order stays until
 * no job runs: over reconfigurations, and over restarts by a file in StateSaveLocation. On 23.11,
 * where every reconfiguration is a start and no jobs are known yet, it stays for good.
 *
 * O(n log n) for n nodes, at each start and reconfiguration.
 */
#include "topology/topology_mesh.h"

#if MESH_SLURM_RANKS

#include <stdlib.h>
#include <unistd.h>

#include "src/common/strnatcmp.h"

#include "geometry/curve.h"
#include "shared/mesh_read.h"
#include "topology/topology_order.h"

static struct topology_order *in_use;

/* --- making one --------------------------------------------------------------------- */

/* The nodes of a mesh along its curve. */
static int append_mesh(struct topology_order *order, const struct mesh *mesh, enum curve curve)
{
	int *vertex = xcalloc((size_t)mesh->nvertices, sizeof(*vertex));
	int *node = xcalloc((size_t)mesh->nnodes, sizeof(*node));
	int rc = curve_fill(mesh, curve, vertex);

	if (!rc)
		curve_nodes(mesh, vertex, node, NULL);
	for (int i = 0; !rc && i < mesh->nnodes; i++)
		topology_order_append(order, mesh->node_name[node[i]]);
	xfree(vertex);
	xfree(node);
	return rc;
}

static int natural(const void *a, const void *b)
{
	return strnatcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The rest of the node table by name, as Slurm has it without us. */
static void append_others(struct topology_order *order, const struct topology_order *placed)
{
	const char **name = xcalloc((size_t)node_record_count + 1, sizeof(*name));
	int n = 0;

	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = compat_node(i);

		if (node && (!placed || !topology_order_find(placed, node->name)))
			name[n++] = node->name;
	}
	qsort(name, (size_t)n, sizeof(*name), natural);
	for (int i = 0; i < n; i++)
		topology_order_append(order, name[i]);
	xfree(name);
}

static struct topology_order *stock_order(void)
{
	struct topology_order *order = topology_order_new(node_record_count);

	append_others(order, NULL);
	topology_order_sort(order);
	return order;
}

static int nodes_of(const struct topoconf *conf)
{
	int n = 0;

	for (int m = 0; m < conf->nmeshes; m++)
		n += conf->mesh[m]->nnodes;
	return n;
}

static struct topology_order *make_order(const struct topoconf *conf, enum curve curve,
	struct mesh_err *err)
{
	struct topology_order *order = topology_order_new(nodes_of(conf) + node_record_count);
	struct topology_order *meshes = topology_order_new(nodes_of(conf));
	int rc = 0;

	for (int m = 0; m < conf->nmeshes && !rc; m++)
		if (append_mesh(order, conf->mesh[m], curve) ||
			append_mesh(meshes, conf->mesh[m], curve))
			rc = err_printf(err, "out of memory");
	topology_order_sort(meshes);
	append_others(order, meshes);
	topology_order_sort(order);
	topology_order_free(meshes);
	if (!rc)
		return order;
	topology_order_free(order);
	return NULL;
}

static struct topology_order *wanted_order(struct mesh_err *err)
{
	struct mesh_settings settings;
	struct topoconf *conf = mesh_read(&settings, err);
	struct topology_order *order;

	if (!conf)
		return NULL;
	order = make_order(conf, settings.curve, err);
	topoconf_free(conf);
	mesh_settings_release(&settings);
	return order;
}

/* --- taking one --------------------------------------------------------------------- */

static void take(struct topology_order *order)
{
	topology_order_free(in_use);
	in_use = order;
	if (!compat_only_tests())
		topology_order_save(in_use);
}

static void put_off(struct topology_order *order, const char *why)
{
	topology_order_free(order);
	error("%s: another order of nodes waits for a scontrol reconfigure when no job has nodes%s",
		plugin_type, why);
}

/* slurmctld has no file of jobs: it never ran here. */
static bool no_state(void)
{
	char *path = xstrdup_printf("%s/job_state", slurm_conf.state_save_location);
	bool none = access(path, F_OK) != 0;

	xfree(path);
	return none;
}

/* Jobs are not known yet: what they were started under is. */
static void at_start(struct topology_order *wanted)
{
	struct topology_order *before = no_state() ? NULL : topology_order_restore();

	if (!before && !no_state())
		before = stock_order();
	if (before && !topology_order_fits(before, wanted)) {
		in_use = before;
		put_off(wanted, "");
		return;
	}
	topology_order_free(before);
	take(wanted);
	info("%s: %d nodes ranked along the curve", plugin_type, in_use->count);
}

/*
 * 23.11 starts anew for `scontrol reconfigure`, and a backup takes over: what is broken then must
 * not end what ran.
 */
static void without_map(const struct mesh_err *err)
{
	if ((MESH_SLURM_23_11 || !compat_may_give_up()) && !no_state())
		in_use = topology_order_restore();
	if (!in_use && compat_may_give_up())
		fatal("%s: %s", plugin_type, err->text);
	error("%s: %s; the order of nodes %s", plugin_type, err->text,
		in_use ? "in use is kept" : "is by name until it is mended");
	if (!in_use)
		in_use = stock_order();
}

static int has_nodes(void *job, void *unused)
{
	job_record_t *job_ptr = job;

	(void)unused;
	return IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr) || IS_JOB_COMPLETING(job_ptr);
}

static void at_reconfigure(struct topology_order *wanted, const struct mesh_err *err)
{
	job_record_t *job = job_list ? list_find_first(job_list, has_nodes, NULL) : NULL;
	char *why = job ? xstrdup_printf(", as JobId=%u does", job->job_id) : NULL;

	if (!wanted) {
		error("%s: %s; the order of nodes in use is kept", plugin_type, err->text);
	} else if (topology_order_fits(in_use, wanted)) {
		take(wanted);
	} else if (job) {
		put_off(wanted, why);
	} else {
		take(wanted);
		info("%s: %d nodes ranked anew", plugin_type, in_use->count);
	}
	xfree(why);
}

/* Nodes that came later (dynamic ones) follow all others. */
static void number_nodes(void)
{
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = compat_node(i);
		const struct topology_place *place =
			node ? topology_order_find(in_use, node->name) : NULL;

		if (node)
			node->node_rank = place ? place->rank : (uint32_t)(in_use->count + i);
	}
}

void topology_rank_forget(void)
{
	topology_order_free(in_use);
	in_use = NULL;
}

/*
 * A backup slurmctld takes over, perhaps not for the first time: its jobs are not known yet, and
 * what order they have another slurmctld has settled. It has ended what it was until then.
 */
static bool takes_over(void)
{
	return slurmctld_config.shutdown_time != 0;
}

void topology_rank(void)
{
	struct mesh_err err = {{0}};
	struct topology_order *wanted;

	if (!topology_in_slurmctld())
		return;
	if (takes_over())
		topology_rank_forget();
	wanted = wanted_order(&err);
	if (in_use)
		at_reconfigure(wanted, &err);
	else if (wanted)
		at_start(wanted);
	else
		without_map(&err);
	number_nodes();
}

#endif
