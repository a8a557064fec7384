/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select/select_mesh.h"

bitstr_t *mesh_reserve(bitstr_t *avail, uint32_t count)
{
	job_details_t details = {.min_nodes = count};
	job_record_t job = {.details = &details};
	const struct job_test test = {
		.job = &job, .bitmap = avail, .mode = SELECT_MODE_TEST_ONLY};
	struct mesh_attempt a = {.test = &test,
		.want = {.min = (int)count, .max = (int)count, .request = {.count = (int)count}}};
	struct mesh_proposal best = {.nodes = NULL};
	const struct mesh_settings *settings;

	if (!mesh_conf_fits(avail))
		return NULL;
	settings = &mesh_conf()->settings;
	mesh_pattern_apply(&settings->pattern, &a.want.request);
	a.want.request.budget_ns = settings->max_time * 1000;
	best.nodes = bit_alloc(bit_size(avail));
	mesh_propose(&a, settings->ops, avail, (int)count, &best);
	if (!best.part)
		FREE_NULL_BITMAP(best.nodes);
	return best.nodes;
}
