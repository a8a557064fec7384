/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_tiers.h"

#include <stdlib.h>

#include "base/sort.h"
#include "shared/mesh_bits.h"

/* What the sets of nodes of _set_sched_weight() in node_scheduler.c have in common in all versions. */
#define TIER_BOOT ((uint64_t)1 << 41)
#define TIER_OUTSIDE ((uint64_t)1 << 40)

/*
 * When a job is about to start, what slurmctld has just written there for it; the lowest byte is of
 * GPUs. When it is asked how it would start, that is of another job, or of no one.
 */
static uint64_t tier(const struct job_test *test, int i)
{
	const node_record_t *node = compat_node(i);
	const slurmctld_resv_t *resv = test->job->resv_ptr;
	bitstr_t *required = test->job->details->req_node_bitmap;
	uint64_t all;

	if (!node || (required && bit_test(required, i)))
		return 0;
	if (test->mode != SELECT_MODE_WILL_RUN)
		return node->sched_weight >> 8;
	all = (uint64_t)node->config_ptr->weight << 8;
	if (IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) || IS_NODE_POWERING_UP(node))
		all |= TIER_BOOT;
	if (resv && resv->flags & RESERVE_FLAG_FLEX && resv->node_bitmap && !bit_test(resv->node_bitmap, i))
		all |= TIER_OUTSIDE;
	return all >> 8;
}

void mesh_tiers_init(struct mesh_tiers *tiers, const struct job_test *test, bitstr_t *nodes)
{
	uint64_t first = 0;
	bool same = true;

	*tiers = (struct mesh_tiers){.test = test, .all = nodes, .last = -1};
	mesh_bits_each(i, nodes) {
		uint64_t this = tier(test, i);

		first = tiers->n++ ? first : this;
		same &= this == first;
	}
	if (same)
		return;
	tiers->sorted = xcalloc((size_t)tiers->n, sizeof(*tiers->sorted));
	tiers->n = 0;
	mesh_bits_each(i, nodes)
		tiers->sorted[tiers->n++] = tier(test, i);
	sort_u64(tiers->sorted, tiers->n);
}

void mesh_tiers_release(struct mesh_tiers *tiers)
{
	xfree(tiers->sorted);
}

/* The nodes of these tiers, of which `highest` is the last, or the first that is not. */
static void copy(const struct mesh_tiers *tiers, uint64_t highest, bool with, bitstr_t *some)
{
	bit_clear_all(some);
	mesh_bits_each(i, tiers->all) {
		uint64_t this = tier(tiers->test, i);

		if (this < highest || (with && this == highest))
			bit_set(some, i);
	}
}

bool mesh_tiers_next(struct mesh_tiers *tiers, int count, bitstr_t *some)
{
	int at = tiers->last < 0 ? MAX(count, 1) - 1 : tiers->last + 1;

	if (!tiers->sorted || at >= tiers->n || tiers->sorted[at] == tiers->sorted[tiers->n - 1])
		return false;
	while (tiers->sorted[at + 1] == tiers->sorted[at])
		at++;
	tiers->last = at;
	copy(tiers, tiers->sorted[at], true, some);
	return true;
}

void mesh_tiers_below(const struct mesh_tiers *tiers, int count, bitstr_t *lower)
{
	if (tiers->sorted)
		copy(tiers, tiers->sorted[MIN(MAX(count, 1), tiers->n) - 1], false, lower);
	else
		bit_clear_all(lower);
}

bool mesh_tiers_by_load(const struct job_test *test, bool whole_nodes)
{
	const part_record_t *part = test->job->part_ptr;

	/* Whole nodes are idle, all alike. */
	if (!whole_nodes &&
		(slurm_conf.select_type_param & CR_LLN || (part && part->flags & PART_FLAG_LLN)))
		return true;
	return test->job->details->min_cpus == 1 && test->req_nodes == 1 &&
	       xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end");
}
