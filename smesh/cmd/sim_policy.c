/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sim_policy.h"

#include <stdio.h>
#include <string.h>

#include "cli/smesh.h"

void policy_defaults(struct policy_options *o, struct engine_options *engine)
{
	o->relax = -1;
	engine->scheduler = ENGINE_EASY;
	order_weights_default(&engine->policy.weights);
}

int policy_check(struct policy_options *o, struct engine_options *engine)
{
	struct engine_policy *policy = &engine->policy;
	struct mesh_err err = {{0}};

	engine->relax = (struct engine_relax){o->relax >= 0, o->relax};
	if (o->priority && order_weights_parse(&policy->weights, o->priority, &err))
		return smesh_fail(SMESH_USAGE, "--priority: %s", err.text);
	if (engine->scheduler != ENGINE_EASY && (policy->reserve > 1 || policy->backfill_order))
		return smesh_fail(SMESH_USAGE, "--%s goes with --scheduler=easy",
			policy->reserve > 1 ? "reserve" : "backfill-order");
	if (!o->queues_file)
		return SMESH_OK;
	if (queues_read(&o->queues, o->queues_file, &err))
		return smesh_fail(SMESH_USAGE, "--queues: %s", err.text);
	policy->queues = &o->queues;
	return SMESH_OK;
}

void policy_release(struct policy_options *o)
{
	queues_release(&o->queues);
}

/* --- names ------------------------------------------------------------------------------- */

const char *policy_scheduler(const struct engine_options *engine)
{
	static const char *const names[] = {[ENGINE_FCFS] = "fcfs",
		[ENGINE_EASY] = "easy",
		[ENGINE_CONSERVATIVE] = "conservative"};

	return names[engine->scheduler];
}

const char *policy_order(const struct engine_options *engine)
{
	static const char *const names[ORDERS] = {
		NULL, NULL, "sjf", "lxf", "wfp3", "unicef", "saf", "laf", "multifactor"};

	return names[engine->policy.order];
}
