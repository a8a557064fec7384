/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sim_policy.h"

#include <stdio.h>
#include <string.h>

#include "cli/smesh.h"
#include "cli/suggest.h"

static int take_scheduler(struct engine_options *engine, const char *value)
{
	int at = suggest_choice("scheduler", value, ENGINE_SCHEDULERS);

	engine->scheduler = at < 0 ? ENGINE_FCFS : (enum engine_scheduler)at;
	return at < 0 ? SMESH_USAGE : SMESH_OK;
}

static int take_order(enum order *order, const char *name, const char *value)
{
	int at = suggest_choice(name, value, ORDER_NAMES);

	*order = at < 0 ? ORDER_DEFAULT : (enum order)(ORDER_FCFS + at);
	return at < 0 ? SMESH_USAGE : SMESH_OK;
}

static int take_priority(struct order_weights *weights, const char *value)
{
	struct mesh_err err = {{0}};

	return order_weights_parse(weights, value, &err)
		? smesh_fail(SMESH_USAGE, "--priority: %s", err.text) : SMESH_OK;
}

static int take_relax(struct engine_relax *relax, const char *value)
{
	double seconds = 0;
	int code = options_take_double("relax", value, 0, 1e9, &seconds);

	*relax = (struct engine_relax){
		.on = !code, .after = (int64_t)(seconds * (double)SIM_SECOND + 0.5)};
	return code;
}

int policy_take(struct policy_options *o, struct engine_options *engine, int key, const char *value)
{
	struct engine_policy *policy = &engine->policy;

	/* What slurm.conf has when nothing is said. */
	if (policy->weights.max_age <= 0)
		order_weights_default(&policy->weights);
	switch (key) {
	case POLICY_SCHEDULER: return take_scheduler(engine, value);
	case POLICY_DEPTH:
		return options_take_int(
			"backfill-depth", value, 1, INT32_MAX, &engine->backfill_depth);
	case POLICY_ORDER: return take_order(&policy->order, "order", value);
	case POLICY_BACKFILL_ORDER:
		return take_order(&policy->backfill_order, "backfill-order", value);
	case POLICY_RESERVE:
		return options_take_int("reserve", value, 1, INT32_MAX, &policy->reserve);
	case POLICY_PRIORITY: return take_priority(&policy->weights, value);
	case POLICY_QUEUES: o->queues_file = value; break;
	case POLICY_KILL: engine->kill_at_limit = true; break;
	case POLICY_RELAX: return take_relax(&engine->relax, value);
	default: return -1;
	}
	return SMESH_OK;
}

int policy_check(struct policy_options *o, struct engine_options *engine)
{
	const struct engine_policy *policy = &engine->policy;
	struct mesh_err err = {{0}};

	if (engine->scheduler != ENGINE_EASY && (policy->reserve > 1 || policy->backfill_order))
		return smesh_fail(SMESH_USAGE, "--%s goes with --scheduler=easy",
			policy->reserve > 1 ? "reserve" : "backfill-order");
	if (!o->queues_file)
		return SMESH_OK;
	if (queues_read(&o->queues, o->queues_file, &err))
		return smesh_fail(SMESH_USAGE, "--queues: %s", err.text);
	engine->policy.queues = &o->queues;
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
