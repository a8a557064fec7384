/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/allowed.h"

#include <string.h>
#include <time.h>

#include "cli/smesh.h"
#include "sim/need.h"

static bool names(const char *list, const char *name)
{
	return name && smesh_is_listed(list, name, strlen(name));
}

/* Make a set of the nodes of a list. NULL: none. ALL, as reservations have it: all. */
static int take_list(struct allowed *a, const char *list, struct nodeset *set, struct mesh_err *err)
{
	bool all = list && !strcmp(list, "ALL");
	int rc = smesh_hosts_here(a->mesh, all ? NULL : list, set, a->arena, err);

	if (all)
		nodeset_set_all(set);
	return rc < 0 ? -1 : 0;
}

int allowed_load(struct allowed *a, const node_info_msg_t *nodes, struct mesh_err *err)
{
	int rc = 0;

	if (slurm_load_partitions((time_t)0, &a->parts, SHOW_ALL))
		return allowed_not_told(err, "the partitions");
	if (slurm_load_reservations((time_t)0, &a->resvs))
		return allowed_not_told(err, "the reservations");
	need_array(a->arena, a->of_part, (int)a->parts->record_count);
	need_array(a->arena, a->of_resv, (int)a->resvs->record_count);
	need_array(a->arena, a->node, a->mesh->nnodes);
	for (uint32_t i = 0; !rc && i < a->parts->record_count; i++)
		rc = take_list(a, a->parts->partition_array[i].nodes, &a->of_part[i], err);
	for (uint32_t i = 0; !rc && i < a->resvs->record_count; i++)
		rc = take_list(a, a->resvs->reservation_array[i].node_list, &a->of_resv[i], err);
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];
		int at = node->name ? mesh_node(a->mesh, node->name) : -1;

		if (at >= 0)
			a->node[at] = node;
	}
	return rc;
}

void allowed_release(struct allowed *a)
{
	if (a->parts)
		slurm_free_partition_info_msg(a->parts);
	if (a->resvs)
		slurm_free_reservation_info_msg(a->resvs);
}

/* Has the node each feature of gpu&fast? With | and counts that is unknown. */
static bool has_features(const node_info_t *node, const char *wanted)
{
	const char *has = node->features_act ? node->features_act : node->features;

	if (!wanted || strpbrk(wanted, "|[]()*"))
		return true;
	while (*wanted) {
		size_t length = strcspn(wanted, "&,");

		if (length && !smesh_is_listed(has, wanted, length))
			return false;
		wanted += length + (wanted[length] != '\0');
	}
	return true;
}

static bool suits(const node_info_t *node, const slurm_job_info_t *job)
{
	uint64_t cpus = job->pn_min_cpus ? job->pn_min_cpus : 1;
	uint64_t memory = job->pn_min_memory & ~MEM_PER_CPU;

	if (job->pn_min_memory & MEM_PER_CPU)
		memory *= cpus;
	return node && node->cpus >= cpus && node->real_memory >= memory &&
		has_features(node, job->features);
}

/*
 * Does the reservation of others begin before the job would end? One of cores leaves room for
 * others.
 */
static bool keeps(const reserve_info_t *resv, const slurm_job_info_t *job, time_t now)
{
	bool limited = job->time_limit != INFINITE && job->time_limit != NO_VAL;
	time_t end = now + (time_t)job->time_limit * 60;

	return !names(job->resv_name, resv->name) && !resv->core_spec_cnt &&
		!(resv->flags & RESERVE_FLAG_MAGNETIC) && resv->end_time > now &&
		(!limited || resv->start_time < end);
}

/* Keep only the nodes of its own reservation, and none that others keep. */
static void mind_reservations(
	const struct allowed *a, const slurm_job_info_t *job, struct nodeset *may)
{
	struct nodeset own;
	bool inside = false;
	time_t now = time(NULL);

	need_done(nodeset_get(&own, a->mesh->nnodes, a->arena));
	for (uint32_t i = 0; i < a->resvs->record_count; i++) {
		const reserve_info_t *resv = &a->resvs->reservation_array[i];

		if (keeps(resv, job, now))
			nodeset_remove(may, &a->of_resv[i]);
		if (!names(job->resv_name, resv->name) || resv->flags & RESERVE_FLAG_FLEX)
			continue;
		inside = true;
		nodeset_or(&own, &a->of_resv[i]);
	}
	if (inside)
		nodeset_and(may, &own);
}

int allowed_job(const struct allowed *a, const slurm_job_info_t *job, struct nodeset *may,
	struct nodeset *must, struct mesh_err *err)
{
	struct nodeset not_these;

	need_done(nodeset_get(may, a->mesh->nnodes, a->arena));
	for (uint32_t i = 0; i < a->parts->record_count; i++)
		if (names(job->partition, a->parts->partition_array[i].name))
			nodeset_or(may, &a->of_part[i]);
	for (int i = 0; i < a->mesh->nnodes; i++)
		if (!suits(a->node[i], job))
			nodeset_del(may, i);
	if (smesh_hosts_here(a->mesh, job->exc_nodes, &not_these, a->arena, err) < 0 ||
		smesh_hosts_here(a->mesh, job->req_nodes, must, a->arena, err) < 0)
		return -1;
	if (!nodeset_count(must))
		must->word = NULL;
	nodeset_remove(may, &not_these);
	mind_reservations(a, job, may);
	return 0;
}
