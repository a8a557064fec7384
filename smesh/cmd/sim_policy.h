/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: the options of schedulers.
 */
#ifndef SMESH_SIM_POLICY_H
#define SMESH_SIM_POLICY_H

#include "sim/engine.h"

enum {
	POLICY_SCHEDULER = 768,
	POLICY_DEPTH,
	POLICY_ORDER,
	POLICY_BACKFILL_ORDER,
	POLICY_RESERVE,
	POLICY_PRIORITY,
	POLICY_QUEUES,
	POLICY_KILL,
	POLICY_RELAX,
};

/* Rows for a command's option table. */
#define POLICY_OPTIONS                                                                             \
	{POLICY_SCHEDULER, "scheduler", ENGINE_SCHEDULERS,                                         \
		"first come first served, or with backfilling (easy)"},                            \
		{POLICY_DEPTH, "backfill-depth", "N",                                              \
			"easy: jobs looked at behind the first (all)"},                            \
		{POLICY_ORDER, "order", ORDER_NAMES, "who is first in the queue (fcfs)"},          \
		{POLICY_BACKFILL_ORDER, "backfill-order", ORDER_NAMES,                             \
			"easy: of those without a reservation (that of --order)"},                 \
		{POLICY_RESERVE, "reserve", "N", "easy: so many get reservations (1)"},            \
		{POLICY_PRIORITY, "priority", "NAME=VALUE,...",                                    \
			"multifactor: the Priority... lines of slurm.conf"},                       \
		{POLICY_QUEUES, "queues", "FILE", "queues with limits: lines PartitionName=..."},  \
		{POLICY_KILL, "kill-at-limit", NULL, "jobs end when their estimate is over"},      \
		{POLICY_RELAX, "relax", "SECONDS",                                                 \
			"jobs that want a torus take a mesh box after such a wait (never)"}

struct policy_options {
	const char *queues_file;
	struct queues queues;
};

/* An option of ours, into engine: SMESH_OK or SMESH_USAGE after a message; -1: not ours. */
int policy_take(
	struct policy_options *options, struct engine_options *engine, int key, const char *value);
/* Once all are taken: those that do not go together, and the file. policy_release() in all
 * cases. */
int policy_check(struct policy_options *options, struct engine_options *engine);
void policy_release(struct policy_options *options);

/* "easy", and "sjf" or NULL where it is that of submission. */
const char *policy_scheduler(const struct engine_options *engine);
const char *policy_order(const struct engine_options *engine);

#endif
