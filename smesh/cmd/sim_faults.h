/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: the options of failures and maintenance.
 */
#ifndef SMESH_SIM_FAULTS_H
#define SMESH_SIM_FAULTS_H

#include "sim/engine.h"

/* Rows for a command's option table, whose struct has members `faults` and `runner`. */
#define FAULTS_OPTIONS \
	{0, "mtbf", "SECONDS", "nodes fail, each after this time on the average", OPTION_DOUBLE, \
		AT(runner.engine.faults.mtbf), 1, 1e15}, \
	{0, "weibull", "SHAPE", "with --mtbf: not exponential (1)", OPTION_DOUBLE, \
		AT(runner.engine.faults.shape), 0.1, 100}, \
	{0, "repair", "SECONDS", "with --mtbf: how long a node is away (3600)", OPTION_SECONDS, \
		AT(runner.engine.faults.repair), 0, 1e9}, \
	{0, "fault-file", "FILE", "lines fail|maintenance TIME SECONDS HOSTLIST", OPTION_TEXT, \
		AT(faults.file)}, \
	{0, "checkpoint", "SECONDS", \
		"jobs that are hit go on from where they were so often (never)", \
		OPTION_SECONDS, AT(runner.engine.faults.checkpoint), 0, 1e9}, \
	{0, "checkpoint-cost", "SECONDS", "what each checkpoint takes (0)", OPTION_SECONDS, \
		AT(runner.engine.faults.cost), 0, 1e9}, \
	{0, "no-requeue", NULL, "jobs that are hit are lost", OPTION_FLAG, \
		AT(runner.engine.faults.lose)}

struct fault_options {
	const char *file;
	struct faults_window *window; /* [nwindows] of the file */
	int nwindows;
};

void faults_defaults(struct engine_options *engine);
/* Once the machine is known: the file. */
int faults_setup(
	struct fault_options *options, struct engine_options *engine, const struct mesh *mesh);
void faults_release(struct fault_options *options);

#endif
