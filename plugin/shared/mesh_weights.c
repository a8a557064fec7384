/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_weights.h"

#include "base/sort.h"
#include "shared/mesh_bits.h"
#include "shared/mesh_conf.h"

/* The bits of _set_sched_weight() in Slurm's node_scheduler.c, the same in all versions. */
#define CLASS_BOOT ((uint64_t)1 << 41)
#define CLASS_OUTSIDE ((uint64_t)1 << 40)

/* --- uses ----------------------------------------------------------------------------- */

/* For each node: how many partitions that are up, and features, have it; at most 255. */
static struct {
	time_t parts, nodes; /* last_part_update and last_node_update when counted */
	time_t when;
	int n;
	uint8_t *count;
} uses;

static int count_nodes(bitstr_t *nodes)
{
	if (!nodes || bit_size(nodes) != uses.n)
		return 0;
	mesh_bits_each(i, nodes)
		uses.count[i] += uses.count[i] < UINT8_MAX;
	return 0;
}

static int count_partition(void *x, void *unused)
{
	const part_record_t *part = x;

	(void)unused;
	return part->state_up & PARTITION_SCHED ? count_nodes(part->node_bitmap) : 0;
}

static int count_feature(void *x, void *unused)
{
	const node_feature_t *feature = x;

	(void)unused;
	return count_nodes(feature->node_bitmap);
}

/*
 * Count again when a partition or node has changed. Slurm tells changes to the second: once more
 * in the next one, as another change may have followed.
 */
static const uint8_t *uses_of_nodes(int nnodes)
{
	time_t now = time(NULL);
	bool same = uses.parts == last_part_update && uses.nodes == last_node_update;

	if (uses.count && uses.n == nnodes && same &&
		(uses.when == now || uses.when > MAX(uses.parts, uses.nodes)))
		return uses.count;
	mesh_weights_fini();
	uses.count = xcalloc((size_t)nnodes, sizeof(*uses.count));
	uses.n = nnodes;
	uses.parts = last_part_update;
	uses.nodes = last_node_update;
	uses.when = now;
	list_for_each(part_list, count_partition, NULL);
	if (active_feature_list)
		list_for_each(active_feature_list, count_feature, NULL);
	return uses.count;
}

void mesh_weights_fini(void)
{
	xfree(uses.count);
}

/* --- classes ---------------------------------------------------------------------------- */

/*
 * Slurm's weight of the node for this job, without the lowest byte, which is of GPUs. When a job
 * is about to start, slurmctld has just written it into the node's record. For WILL_RUN the record
 * has the weight for another job, or for none, so the weight is computed.
 */
static uint64_t weight_of(const struct job_test *test, int i)
{
	const node_record_t *node = compat_node(i);
	const slurmctld_resv_t *resv = test->job->resv_ptr;
	uint64_t all;

	if (test->mode != SELECT_MODE_WILL_RUN)
		return node->sched_weight >> 8;
	all = (uint64_t)node->config_ptr->weight << 8;
	if (IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) || IS_NODE_POWERING_UP(node))
		all |= CLASS_BOOT;
	if (resv && resv->flags & RESERVE_FLAG_FLEX && resv->node_bitmap &&
		!bit_test(resv->node_bitmap, i))
		all |= CLASS_OUTSIDE;
	return all >> 8;
}

static uint64_t class_of(const struct mesh_weights *classes, int i)
{
	bitstr_t *required = classes->test->job->details->req_node_bitmap;

	if (!compat_node(i) || (required && bit_test(required, i)))
		return 0;
	return weight_of(classes->test, i) << 8 |
		(classes->uses ? classes->uses[i] : 0);
}

void mesh_weights_init(struct mesh_weights *classes, const struct job_test *test, bitstr_t *nodes)
{
	uint64_t first = 0;
	bool same = true;

	*classes = (struct mesh_weights){.test = test, .all = nodes, .last = -1};
	/* Among nodes of several meshes the strategy chooses the mesh, so uses do not count. */
	if (mesh_conf_holds(nodes))
		classes->uses = uses_of_nodes((int)bit_size(nodes));
	mesh_bits_each(i, nodes) {
		uint64_t this = class_of(classes, i);

		first = classes->n++ ? first : this;
		same &= this == first;
	}
	if (same)
		return;
	classes->sorted = xcalloc((size_t)classes->n, sizeof(*classes->sorted));
	classes->n = 0;
	mesh_bits_each(i, nodes)
		classes->sorted[classes->n++] = class_of(classes, i);
	sort_u64(classes->sorted, classes->n);
}

void mesh_weights_release(struct mesh_weights *classes)
{
	xfree(classes->sorted);
}

/* Set `some` to the nodes of classes below `highest`; `with`: and of `highest` too. */
static void copy(const struct mesh_weights *classes, uint64_t highest, bool with, bitstr_t *some)
{
	bit_clear_all(some);
	mesh_bits_each(i, classes->all) {
		uint64_t this = class_of(classes, i);

		if (this < highest || (with && this == highest))
			bit_set(some, i);
	}
}

bool mesh_weights_next(struct mesh_weights *classes, int count, bitstr_t *some)
{
	int at = classes->last < 0 ? MAX(count, 1) - 1 : classes->last + 1;

	if (at >= classes->n || classes->sorted[at] == classes->sorted[classes->n - 1])
		return false;
	while (classes->sorted[at + 1] == classes->sorted[at])
		at++;
	classes->last = at;
	copy(classes, classes->sorted[at], true, some);
	return true;
}

void mesh_weights_below(const struct mesh_weights *classes, int count, bitstr_t *lower)
{
	copy(classes, classes->sorted[MIN(MAX(count, 1), classes->n) - 1], false, lower);
}

bool mesh_weights_by_load(const struct job_test *test, bool whole_nodes)
{
	const part_record_t *part = test->job->part_ptr;

	/* Whole nodes are idle, so all have the same load. */
	if (!whole_nodes &&
		(slurm_conf.select_type_param & CR_LLN || (part && part->flags & PART_FLAG_LLN)))
		return true;
	return test->job->details->min_cpus == 1 && test->req_nodes == 1 &&
	       xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end");
}
