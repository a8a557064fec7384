/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: the options of failures and maintenance.
 */
#ifndef SMESH_SIM_FAULTS_H
#define SMESH_SIM_FAULTS_H

#include "sim/engine.h"

enum {
	FAULTS_MTBF = 832,
	FAULTS_WEIBULL,
	FAULTS_REPAIR,
	FAULTS_FILE,
	FAULTS_CHECKPOINT,
	FAULTS_COST,
	FAULTS_NO_REQUEUE,
};

/* Rows for a command's option table. */
#define FAULTS_OPTIONS \
	{FAULTS_MTBF, "mtbf", "SECONDS", "nodes fail, each after this time on the average"}, \
	{FAULTS_WEIBULL, "weibull", "SHAPE", "with --mtbf: not exponential (1)"}, \
	{FAULTS_REPAIR, "repair", "SECONDS", "with --mtbf: how long a node is away (3600)"}, \
	{FAULTS_FILE, "fault-file", "FILE", "lines fail|maintenance TIME SECONDS HOSTLIST"}, \
	{FAULTS_CHECKPOINT, "checkpoint", "SECONDS", "jobs that are hit go on from where they were so often (never)"}, \
	{FAULTS_COST, "checkpoint-cost", "SECONDS", "what each checkpoint takes (0)"}, \
	{FAULTS_NO_REQUEUE, "no-requeue", NULL, "jobs that are hit are lost"}

struct fault_options {
	const char *file;
	struct faults_window *window; /* [nwindows] of the file */
	int nwindows;
};

/* As policy_take() of sim_policy.h, and the rest likewise. */
int faults_option(
	struct engine_options *engine, struct fault_options *options, int key, const char *value);
/* Once the machine is known: the file. */
int faults_setup(
	struct fault_options *options, struct engine_options *engine, const struct mesh *mesh);
void faults_release(struct fault_options *options);

#endif
