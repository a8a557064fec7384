/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options by which smesh sim, workload and map name their jobs, and the jobs they mean.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim/generate.h"
#include "cli/options.h"
#include "sim/trace.h"

enum {
	WORKLOAD_TRACE = 512,
	WORKLOAD_GENERATE,
	WORKLOAD_JOBS,
	WORKLOAD_PROCS,
	WORKLOAD_LARGE,
	WORKLOAD_SKIP_BAD,
	WORKLOAD_LOAD,
	WORKLOAD_WORK,
	WORKLOAD_REPLICATE,
	WORKLOAD_SPREAD,
	WORKLOAD_SHAKE,
	WORKLOAD_SEED,
	WORKLOAD_RATE,
	WORKLOAD_MEAN_RUN,
	WORKLOAD_REDRAW,
	WORKLOAD_NO_SHAPE,
	WORKLOAD_NOROTATE,
	WORKLOAD_FOLD,
	WORKLOAD_OVERESTIMATE,
	WORKLOAD_SHAPES,
};

#define WORKLOAD_MODELS "lublin|lublin-batch|lublin-mixed|uniform|exponential|normal"

/* Rows for a command's option table. */
#define WORKLOAD_OPTIONS \
	{WORKLOAD_TRACE, "trace", "FILE", "a job log: SWF, sacct --parsable2 or RFold's CSV, may be .gz; - = input"}, \
	{WORKLOAD_GENERATE, "generate", WORKLOAD_MODELS, "a synthetic workload instead"}, \
	{WORKLOAD_JOBS, "jobs", "N", "the first N jobs of the log, or how many to generate (10000)"}, \
	{WORKLOAD_PROCS, "procs-per-node", "N", "the log counts processors: N make a node (1)"}, \
	{WORKLOAD_LARGE, "too-large", "drop|cap", "jobs larger than the machine (drop)"}, \
	{WORKLOAD_SKIP_BAD, "skip-bad", NULL, "count malformed lines instead of stopping"}, \
	{WORKLOAD_LOAD, "load", "F", "scale the times of submission to this offered load"}, \
	{WORKLOAD_SHAPES, "shape-file", "FILE", "lines ID AxBxC[:torus] of single jobs that want boxes"}, \
	{WORKLOAD_WORK, "work-multiple", "F", "multiply the run times"}, \
	{WORKLOAD_REPLICATE, "replicate", "N", "every job N times, the copies moved by --spread"}, \
	{WORKLOAD_SPREAD, "spread", "SECONDS", "how far copies are moved at most (3600)"}, \
	{WORKLOAD_SHAKE, "shake", "SECONDS", "move every submission by at most so much"}, \
	{WORKLOAD_SEED, "seed", "N", "of all random numbers (1)"}, \
	{WORKLOAD_RATE, "arrival-rate", "F", "side length models: jobs per mean run time (1)"}, \
	{WORKLOAD_MEAN_RUN, "mean-run", "SECONDS", "side length models: mean run time (3600)"}, \
	{WORKLOAD_REDRAW, "redraw", NULL, "side length models: draw sides off the range again, not cap"}, \
	{WORKLOAD_NO_SHAPE, "no-shape", NULL, "jobs with sides: only the number of nodes"}, \
	{WORKLOAD_NOROTATE, "norotate", NULL, "jobs with sides: shapes must not be turned"}, \
	{WORKLOAD_FOLD, "fold", NULL, "jobs with sides: shapes may be folded into any box"}, \
	{WORKLOAD_OVERESTIMATE, "overestimate", "F", \
		"jobs without estimate get run time x uniform(1..F) (1: exact)"}

struct workload_options {
	const char *trace, *shapes;
	struct trace_read_options read;
	struct trace_fit_options fit;
	struct generate_options generate;
	bool no_shape, norotate, fold; /* for shapes of the log or model */
	double load, work, shake, spread, overestimate;
	int replicate;
	int down; /* nodes of the mesh that are out of service: jobs fit the others */
	uint64_t seed;
};

void workload_defaults(struct workload_options *options);
/* An option of ours: SMESH_OK or SMESH_USAGE after a message; -1: not ours. */
int workload_take(struct workload_options *options, int key, const char *value);
/* The jobs, fit to a mesh. SMESH_OK, or another code after a message. */
int workload_load(struct trace *trace, const struct workload_options *options,
	const struct mesh *mesh);
/* What was left out or changed, on standard error, a line each. */
void workload_report(const struct trace *trace, const struct workload_options *options);

#endif
