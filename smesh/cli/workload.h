/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options by which smesh sim, workload and map name their jobs, and how these jobs are loaded.
 */
#ifndef SMESH_WORKLOAD_H
#define SMESH_WORKLOAD_H

#include "sim/generate.h"
#include "cli/options.h"
#include "sim/trace.h"

#define WORKLOAD_MODELS "lublin|uniform|exponential|normal"

/* Rows for the option table of a command whose struct has a member `workload`. */
#define WORKLOAD_OPTIONS \
	{0, "trace", "FILE", "a job log, also .gz; - = input: SWF, sacct -P or --json, ...", \
		OPTION_TEXT, AT(workload.trace)}, \
	{0, "generate", WORKLOAD_MODELS, "a synthetic workload instead", OPTION_WORD, \
		AT(workload.generate.model)}, \
	{0, "jobs", "N", "the first N jobs of the log, or how many to generate (10000)", \
		OPTION_INT, AT(workload.read.max_jobs), 1, 100000000}, \
	{0, "procs-per-node", "N", "the log counts processors: N make a node (1)", OPTION_INT, \
		AT(workload.fit.procs_per_node), 1, 1000000}, \
	{0, "too-large", "drop|cap", \
		"leave out jobs larger than the machine, or cut them (drop)", \
		OPTION_CHOICE, AT(workload.fit.too_large), TRACE_DROP}, \
	{0, "skip-bad", NULL, "count malformed lines instead of stopping", OPTION_FLAG, \
		AT(workload.read.skip_bad)}, \
	{0, "host-speed", "FLOPS", "of Batsim's profiles that compute: operations a second", \
		OPTION_DOUBLE, AT(workload.read.host_speed), 1, 1e18}, \
	{0, "load", "F", "move submissions so that the offered load is F, 1 = all nodes busy", \
		OPTION_DOUBLE, AT(workload.load), 1e-6, 1000}, \
	{0, "shape-file", "FILE", "jobs that want boxes: lines JOB AxBxC[:torus]", \
		OPTION_TEXT, AT(workload.shapes)}, \
	{0, "shake", "SECONDS", "move every submission by a random time up to this", \
		OPTION_DOUBLE, AT(workload.shake), 0, 1e9}, \
	{0, "seed", "N", "of all random numbers: the same seed, the same result (1)", \
		OPTION_SEED, AT(workload.seed)}, \
	{0, "arrival-rate", "F", "models but lublin: jobs that arrive in a mean run time (1)", \
		OPTION_DOUBLE, AT(workload.generate.arrival_rate), 1e-6, 1e6}, \
	{0, "mean-run", "SECONDS", "models but lublin: mean run time (3600)", OPTION_DOUBLE, \
		AT(workload.generate.mean_run), 1e-3, 1e9}, \
	{0, "redraw", NULL, "models but lublin: draw sides that are too long again", \
		OPTION_FLAG, AT(workload.generate.redraw)}, \
	{0, "no-shape", NULL, "jobs with a shape ask for its number of nodes only", OPTION_FLAG, \
		AT(workload.no_shape)}, \
	{0, "norotate", NULL, "shapes must not be turned", OPTION_FLAG, AT(workload.norotate)}, \
	{0, "fold", NULL, "shapes may be folded into any box", OPTION_FLAG, AT(workload.fold)}, \
	{0, "overestimate", "F", "jobs without limit get one: run time times a random 1..F (1)", \
		OPTION_DOUBLE, AT(workload.overestimate), 1, 1e6}

struct workload_options {
	const char *trace, *shapes;
	struct trace_read_options read;
	struct trace_fit_options fit;
	struct generate_options generate;
	bool no_shape, norotate, fold; /* for shapes of the log or model */
	double load, shake, overestimate;
	int down; /* nodes of the mesh that are out of service; jobs are fit to the others */
	uint64_t seed;
};

/* What the options are if they are not given. */
#define WORKLOAD_USUAL \
	{.fit.procs_per_node = 1, .generate = {.mean_run = 3600, .arrival_rate = 1}, \
		.overestimate = 1, .seed = 1}

/* Load the jobs, fit to a mesh. SMESH_OK, or another code after a message. */
int workload_load(struct trace *trace, const struct workload_options *options,
	const struct mesh *mesh);
/* Print what was left out or changed, and what can never run, on standard error, a line each. */
void workload_report(const struct trace *trace, const struct workload_options *options,
	const struct mesh *mesh);
/* The same for lines of a file about single jobs. */
void workload_report_byjob(const char *file, const struct trace_byjob *lines);

#endif
