/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boxes/boxplan.h"
#include "sim/byjob.h"
#include "cli/smesh.h"

static void transform(struct trace *trace, const struct workload_options *o,
	const struct mesh *mesh)
{
	int nodes = mesh->nnodes - o->down;

	if (o->overestimate > 1)
		trace->got_limits = generate_estimates(trace, o->overestimate, o->seed);
	trace->offered = trace_load(trace, nodes);
	if (o->shake > 0)
		trace_shake(trace, (int64_t)(o->shake * SIM_SECOND), o->seed);
	if (!(o->load > 0))
		return;
	trace_set_load(trace, nodes, o->load);
	trace->offered = trace_load(trace, nodes);
}

static void change_shape(struct trace *trace, struct mesh_shape *shape,
	const struct workload_options *o)
{
	trace->had_shapes |= shape->ndims > 0;
	shape->fold |= o->fold;
	shape->norotate = (shape->norotate || o->norotate) && !shape->fold;
	if (o->no_shape)
		shape->ndims = 0;
}

/* Change shapes of the log or model as the options say; a job has the size of its box. */
static void take_shapes(struct trace *trace, const struct workload_options *o,
	const struct mesh *mesh)
{
	for (int i = 0; i < trace->njobs; i++) {
		struct mesh_shape *shape = &trace->job[i].shape;

		if (!shape->ndims)
			continue;
		trace->job[i].count = mesh_shape_nodes(mesh, shape);
		change_shape(trace, shape, o);
	}
}

int workload_load(struct trace *trace, const struct workload_options *o, const struct mesh *mesh)
{
	struct generate_options generate_options = o->generate;
	struct trace_fit_options fit = o->fit;
	struct mesh_err err = {{0}};

	memset(trace, 0, sizeof(*trace));
	if (o->trace && o->generate.model)
		return smesh_fail(SMESH_USAGE, "--trace and --generate exclude each other");
	if (!o->trace && !o->generate.model)
		return smesh_fail(
			SMESH_USAGE, "one of --trace=FILE and --generate=MODEL is needed");
	generate_options.jobs = o->read.max_jobs ? o->read.max_jobs : 10000;
	generate_options.seed = o->seed;
	if (o->trace ? trace_read(trace, o->trace, &o->read, &err)
		     : generate(trace, mesh, &generate_options, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	take_shapes(trace, o, mesh);
	fit.nnodes = mesh->nnodes - o->down;
	trace_fit(trace, &fit);
	if (!trace->njobs) {
		workload_report(trace, o, mesh);
		return smesh_fail(SMESH_USAGE, "%s: no job that can be run is left", trace->name);
	}
	if (o->shapes && byjob_shapes(trace, o->shapes, mesh, &err))
		return smesh_fail(SMESH_USAGE, "--shape-file: %s", err.text);
	for (int i = 0; o->shapes && i < trace->njobs; i++)
		change_shape(trace, &trace->job[i].shape, o);
	transform(trace, o, mesh);
	return SMESH_OK;
}

/* Tell of shapes of --shape-file that the idle mesh could not hold: the first, and how many. */
static void report_shapes(const struct trace *trace, const struct mesh *mesh)
{
	struct mesh_shape last = {.ndims = 0};
	struct mesh_err err = {{0}}, first = {{0}};
	char name[TRACE_NAME], more[48] = "";
	const struct trace_job *job = NULL;
	int never = 0, nodes = 0;

	for (int i = 0; i < trace->njobs; i++) {
		const struct mesh_shape *shape = &trace->job[i].shape;

		if (!shape->ndims)
			continue;
		if (memcmp(shape, &last, sizeof(last))) {
			last = *shape;
			nodes = boxplan_shape_nodes(mesh, shape, &err);
		}
		if (nodes || never++)
			continue;
		job = &trace->job[i];
		first = err;
	}
	if (never > 1)
		snprintf(more, sizeof(more), " (and %d more)", never - 1);
	if (never)
		smesh_fail(0, "--shape-file: the mesh can never hold the shape of job %s: %s%s",
			trace_job_name(job, name), first.text, more);
}

static void report_lines(const char *file, const struct trace_count *count, const char *what)
{
	if (count->jobs && count->line)
		smesh_fail(0, "%s:%d: %s (%d in all)", file, count->line, what, count->jobs);
	else if (count->jobs)
		smesh_fail(0, "%s: %s (%d)", file, what, count->jobs);
}

void workload_report_byjob(const char *file, const struct trace_byjob *lines)
{
	report_lines(file, &lines->unknown, "passed over: the workload has no job of that number");
	report_lines(file, &lines->again,
		"a line above is about the same job: of several the last one counts");
}

static void report(const struct trace *trace, const struct trace_count *count, const char *what)
{
	report_lines(trace->name, count, what);
}

/* Options that have no effect on these jobs. */
static void report_unused(const struct trace *trace, const struct workload_options *o)
{
	static const char plain[] = "jobs without a shape", limited[] = "jobs that have a limit";
	const struct generate_options *model = &o->generate;
	const char *others = !model->model ? "the jobs of a log"
		: !strcmp(model->model, "lublin") ? "Lublin's model" : NULL;
	static const struct workload_options usual = WORKLOAD_USUAL;
	const struct generate_options *as = &usual.generate;
	const struct {
		const char *name;
		bool unused;
		const char *on;
	} row[] = {
		{"arrival-rate", others && fabs(model->arrival_rate - as->arrival_rate) > 0,
			others},
		{"mean-run", others && fabs(model->mean_run - as->mean_run) > 0, others},
		{"redraw", others && model->redraw, others},
		{"no-shape", o->no_shape && !trace->had_shapes, plain},
		{"norotate", o->norotate && !trace->had_shapes, plain},
		{"norotate", o->norotate && o->fold && trace->had_shapes, "shapes that are folded"},
		{"fold", o->fold && !trace->had_shapes, plain},
		{"overestimate", o->overestimate > 1 && !trace->got_limits, limited},
		{"load", o->load > 0 && isnan(trace->offered), "jobs that come at once"},
		{"host-speed", o->read.host_speed > 0 && !trace->used_speed,
			"jobs whose run times are known"},
	};

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++)
		if (row[i].unused && trace->njobs)
			smesh_fail(0, "--%s has no effect on %s", row[i].name, row[i].on);
}

/* How many processors make a node is not in every log. */
static void report_processors(const struct trace *trace, const struct workload_options *o)
{
	long most = trace->most_processors, machine = trace->machine;
	long per_node = trace->most_nodes > 0 ? most / trace->most_nodes : 0;

	if (trace->said_nodes && o->fit.procs_per_node > 1)
		smesh_fail(0, "%s: sizes are nodes: --procs-per-node has no effect", trace->name);
	if (trace->said_nodes || o->fit.procs_per_node > 1)
		return;
	if (trace->only_processors)
		smesh_fail(0, "%s: sizes are processors, and each is taken for a node: "
			"--procs-per-node says how many make one", trace->name);
	else if (per_node > 1)
		smesh_fail(0, "%s: %ld processors on %ld nodes, and each is taken for a node: "
			"--procs-per-node=%ld?", trace->name, most, trace->most_nodes, per_node);
	else if (machine > 0 && most > machine && most % machine == 0)
		smesh_fail(0, "%s: MaxProcs is %ld, the machine has %ld nodes, and each processor "
			"is taken for a node: --procs-per-node=%ld?", trace->name, most, machine,
			most / machine);
}

void workload_report(const struct trace *trace, const struct workload_options *o,
	const struct mesh *mesh)
{
	report(trace, &trace->bad, "left out: malformed line");
	report(trace, &trace->not_ended, "left out: had not ended when the log was written");
	report(trace, &trace->partial,
		"left out: partial executions, the whole has a line of its own");
	report(trace, &trace->no_whole, "left out: partial executions of jobs that have no line "
		"for the whole");
	report(trace, &trace->arrays, "left out: a whole array, whose jobs have records of their "
		"own");
	report(trace, &trace->same_number, "a job number that is there already: both jobs count");
	report(trace, &trace->again, "left out: the same job again");
	report(trace, &trace->parts, "a further part of a job that was cut or resized: joined to "
		"one job of the mean size");
	report(trace, &trace->het, "components of heterogeneous jobs do not start together: each "
		"is a job by itself");
	report(trace, &trace->silent, "messages of the profile are not in the run time");
	report(trace, &trace->elsewhere,
		"of another cluster than the first job: taken for jobs of the same machine");
	report_processors(trace, o);
	report_unused(trace, o);
	if (trace->no_end)
		smesh_fail(0, "%s: no column End or State: jobs that had not ended are as long as "
			"they had run (ask sacct for End too: -o ...,End)", trace->name);
	report(trace, &trace->early, "starts before its submission: the start does not count");
	report(trace, &trace->longer,
		"runs longer than from Start or Submit to End: the run time counts");
	report(trace, &trace->out_of_order, "submitted before the job above it: sorted");
	report(trace, &trace->no_time, "left out: no run time above 0");
	report(trace, &trace->no_size, "left out: no size above 0");
	report(trace, &trace->too_large, o->fit.too_large == TRACE_CAP
			? "larger than the machine: cut to its size"
			: "left out: larger than the machine");
	if (!o->shapes)
		return;
	workload_report_byjob(o->shapes, &trace->shape_lines);
	report_shapes(trace, mesh);
}
