/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: writes the page, and the report as table, JSON or CSV. sim_jobs.c writes jobs.
 */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/report_page.h"
#include "cmd/sim_session.h"
#include "sim/need.h"

/* --- the files ----------------------------------------------------------------------- */

static void keep_for_page(void *data, struct runner_task *task)
{
	struct sim_session *s = data;
	int at = (int)(task - s->runner.task);
	struct timeline *timeline = &s->timeline[at / s->repeat];

	if (at % s->repeat)
		return;
	profile_make(&s->profile[at / s->repeat], task->trace, task->result.record);
	timeline_finish(timeline, &task->result);
}

/* Record each strategy's first run for the page. */
static void prepare_page(struct sim_session *s)
{
	struct runner *runner = &s->runner;

	need_array(&s->arena, s->profile, s->nops);
	need_array(&s->arena, s->timeline, s->nops);
	for (int i = 0; i < s->nops; i++) {
		timeline_init(&s->timeline[i], s->mesh, &s->trace[0]);
		s->timeline[i].down = runner->engine.down;
		runner->task[i * s->repeat].data = &s->timeline[i];
	}
	runner->engine.placed = timeline_placed;
	runner->engine.ended = timeline_ended;
	runner->engine.messages = s->contention;
	runner->finished = keep_for_page;
	runner->data = s;
}

static int write_page(struct sim_session *s, const struct report *report, FILE *file)
{
	struct machine_view *view = need(calloc((size_t)s->nops, sizeof(*view)));
	struct report_page page = {.report = report, .view = view, .down = s->runner.engine.down,
		.at = timeline_moment(&s->timeline[s->nops - 1])};

	for (int i = 0; i < s->nops; i++)
		view[i] = (struct machine_view){report->strategy[i].name, &s->timeline[i],
			&s->profile[i], s->runner.task[i * s->repeat].result.messages};
	report_page(&page, file);
	free(view);
	return SMESH_OK;
}

static int write_per_run(struct sim_session *s, const struct report *report, FILE *file)
{
	(void)s;
	report_csv_runs(report, file);
	return SMESH_OK;
}

static const struct {
	const char *option;
	bool jobs;    /* has lines of jobs */
	bool one;     /* is of one strategy and one run */
	bool no_page; /* takes the hooks that the page needs */
	/* Called when all is over. NULL: lines come during the run. */
	int (*write)(struct sim_session *s, const struct report *report, FILE *file);
} files[SIM_FILES] = {
	[SIM_PAGE] = {"html", false, false, false, write_page},
	[SIM_PLACED] = {"placements", true, true, true, NULL},
	[SIM_RAN] = {"per-job", true, false, false, sim_write_ran},
	[SIM_BATSIM] = {"batsim", true, true, true, sim_write_batsim},
	[SIM_SWF] = {"swf", true, true, false, sim_write_swf},
	[SIM_PER_RUN] = {"per-run", false, false, false, write_per_run},
	[SIM_SAVE] = {"save", false, false, false, sim_write_save},
};

/* How many files go to standard output? */
static int count_standard(const struct sim_session *s)
{
	int n = 0;

	for (int k = 0; k < SIM_FILES; k++)
		n += output_is_standard(s->file[k].path);
	return n;
}

int sim_open_outputs(struct sim_session *s)
{
	if (count_standard(s) > 1)
		return smesh_fail(SMESH_USAGE, "two files on standard output (-): expected one");
	for (int k = 0; k < SIM_FILES; k++) {
		struct sim_file *f = &s->file[k];

		if (!f->path)
			continue;
		if (files[k].one && (s->nops > 1 || s->repeat > 1))
			return smesh_fail(SMESH_USAGE, "--%s goes with one strategy and one run",
				files[k].option);
		if (files[k].no_page && s->file[SIM_PAGE].path)
			return smesh_fail(SMESH_USAGE, "--html and --%s exclude each other",
				files[k].option);
		s->runner.keep |= files[k].jobs;
		if (!f->out.file && output_open(&f->out, f->path))
			return SMESH_USAGE;
	}
	if (s->file[SIM_BATSIM].path)
		need_array(&s->arena, s->nodes, s->trace[0].njobs);
	if (s->file[SIM_PLACED].path || s->file[SIM_BATSIM].path) {
		s->runner.engine.placed = sim_job_placed;
		s->runner.engine.data = s;
	}
	if (s->file[SIM_PAGE].path)
		prepare_page(s);
	return SMESH_OK;
}

int sim_write_files(struct sim_session *s, const struct report *report)
{
	int code = SMESH_OK;

	for (int k = 0; k < SIM_FILES && !code; k++) {
		struct sim_file *f = &s->file[k];

		if (f->path && files[k].write)
			code = files[k].write(s, report, f->out.file);
		if (!code)
			code = output_close(&f->out);
	}
	return code;
}

/* --- the report --------------------------------------------------------------------- */

/* matrix[situation][decision]: means over all runs. */
static double *make_matrix(const struct sim_session *s, struct arena *arena)
{
	double *matrix = need_get(arena, s->nops * s->nops, sizeof(*matrix));

	for (int i = 0; i < s->nops; i++)
		for (int j = 0; j < s->nops; j++) {
			double hops = 0, jobs = 0;

			for (int r = 0; r < s->repeat; r++) {
				const struct engine_decide *sum =
					&s->runner.task[i * s->repeat + r].result.decide[j];

				hops += sum->pairwise_hops;
				jobs += (double)sum->jobs;
			}
			matrix[i * s->nops + j] = jobs > 0 ? hops / jobs : (double)NAN;
		}
	return matrix;
}

void sim_report_make(const struct sim_session *s, struct sim_report *out)
{
	struct arena *arena = &out->arena;
	struct summary *runs;
	double *matrix;

	*out = (struct sim_report){.report.nstrategies = 0};
	runs = need_get(arena, s->runner.ntasks, sizeof(*runs));
	matrix = s->matrix ? make_matrix(s, arena) : NULL;
	need_array(arena, out->strategy, s->nops);
	out->report = (struct report){.mesh = s->mesh,
		.trace = &s->trace[s->run_1],
		.log = s->workload.trace,
		.seed = s->workload.seed,
		.scheduler = s->runner.engine.scheduler == ENGINE_EASY ? "easy" : "fcfs",
		.runs = s->repeat,
		.first_run = s->first_run,
		.nodes = s->runner.summary.nodes,
		.strategy = out->strategy,
		.nstrategies = s->nops,
		.against = s->against_at,
		.matrix = matrix,
		.offered_load = s->trace[s->run_1].offered,
		.share = s->contention ? s->comm.share : 0,
		.contention = s->contention ? s->sends : NULL,
		.load = s->workload.load,
		.shake = s->workload.shake,
		.alike = s->alike,
		.origin = {.version = PACKAGE_VERSION,
			.command = s->base.command}};
	human_date(out->report.origin.date, sizeof(out->report.origin.date));
	for (int i = 0; i < s->nops; i++)
		out->strategy[i].name = s->ops[i]->name;
	for (int i = 0; i < s->runner.ntasks; i++)
		runs[i] = s->runner.task[i].summary;
	report_compare(&out->report, out->strategy, runs);
}

int sim_print_report(const struct report *report, const struct report_form *form, FILE *file)
{
	if (form->json)
		return output_json(
			file, report_json(report), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	(form->csv ? report_csv : form->latex ? report_latex : report_table)(report, file);
	return SMESH_OK;
}

/*
 * Files first, so that nothing is on standard output if one fails. The report goes to standard
 * error when standard output has one of the files.
 */
int sim_write_outputs(struct sim_session *s)
{
	struct sim_report made;
	int code;

	sim_report_make(s, &made);
	if (!(code = sim_write_files(s, &made.report)))
		code = sim_print_report(&made.report, &s->form,
			count_standard(s) ? stderr : stdout);
	arena_release(&made.arena);
	return code;
}
