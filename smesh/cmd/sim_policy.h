/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: the options of schedulers.
 */
#ifndef SMESH_SIM_POLICY_H
#define SMESH_SIM_POLICY_H

#include "sim/engine.h"

/* Rows for a command's option table, whose struct has members `policy` and `runner`. */
#define POLICY_OPTIONS \
	{0, "scheduler", ENGINE_SCHEDULERS, "first come first served, or with backfilling (easy)", \
		OPTION_CHOICE, AT(runner.engine.scheduler), ENGINE_FCFS}, \
	{0, "backfill-depth", "N", "easy: jobs looked at behind the first (all)", OPTION_INT, \
		AT(runner.engine.backfill_depth), 1, INT32_MAX}, \
	{0, "order", ORDER_NAMES, "who is first in the queue (fcfs)", OPTION_CHOICE, \
		AT(runner.engine.policy.order), ORDER_FCFS}, \
	{0, "backfill-order", ORDER_NAMES, \
		"easy: of those without a reservation (that of --order)", OPTION_CHOICE, \
		AT(runner.engine.policy.backfill_order), ORDER_FCFS}, \
	{0, "reserve", "N", "easy: so many get reservations (1)", OPTION_INT, \
		AT(runner.engine.policy.reserve), 1, INT32_MAX}, \
	{0, "priority", "NAME=VALUE,...", "multifactor: the Priority... lines of slurm.conf", \
		OPTION_TEXT, AT(policy.priority)}, \
	{0, "queues", "FILE", "queues with limits: lines PartitionName=...", OPTION_TEXT, \
		AT(policy.queues_file)}, \
	{0, "kill-at-limit", NULL, "jobs end when their estimate is over", OPTION_FLAG, \
		AT(runner.engine.kill_at_limit)}, \
	{0, "relax", "SECONDS", \
		"jobs that want a torus take a mesh box after such a wait (never)", \
		OPTION_SECONDS, AT(policy.relax), 0, 1e9}

struct policy_options {
	const char *queues_file, *priority;
	int64_t relax; /* microseconds; negative: never */
	struct queues queues;
};

/* Nothing is said: as in slurm.conf then. */
void policy_defaults(struct policy_options *options, struct engine_options *engine);
/* Once all options are read: those that do not go together, and the file. SMESH_OK, or SMESH_USAGE
 * after a message; policy_release() in all cases. */
int policy_check(struct policy_options *options, struct engine_options *engine);
void policy_release(struct policy_options *options);

/* "easy", and "sjf" or NULL where it is that of submission. */
const char *policy_scheduler(const struct engine_options *engine);
const char *policy_order(const struct engine_options *engine);

#endif
