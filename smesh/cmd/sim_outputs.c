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

/* --- the page ----------------------------------------------------------------------- */

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
static int prepare_page(struct sim_session *s)
{
	struct runner *runner = &s->runner;

	if (!s->html)
		return SMESH_OK;
	if (!s->html_out.file && output_open(&s->html_out, s->html))
		return SMESH_USAGE;
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
	return SMESH_OK;
}

static void write_page(const struct sim_session *s, const struct report *report)
{
	struct machine_view *view = need(calloc((size_t)s->nops, sizeof(*view)));
	struct report_page page = {.report = report, .view = view, .down = s->runner.engine.down,
		.at = timeline_moment(&s->timeline[s->nops - 1])};

	for (int i = 0; i < s->nops; i++)
		view[i] = (struct machine_view){report->strategy[i].name, &s->timeline[i],
			&s->profile[i], s->runner.task[i * s->repeat].result.messages};
	report_page(&page, s->html_out.file);
	free(view);
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

static const char *const schedulers[] = {"fcfs", "easy"};

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
		.trace = &s->trace[s->base],
		.seed = s->workload.seed,
		.scheduler = schedulers[s->runner.engine.scheduler],
		.runs = s->repeat,
		.first_run = s->first_run,
		.nodes = s->runner.summary.nodes,
		.strategy = out->strategy,
		.nstrategies = s->nops,
		.against = s->against_at,
		.matrix = matrix,
		.offered_load = s->trace[s->base].offered,
		.share = s->contention ? s->comm.share : 0,
		.contention = s->contention ? s->sends : NULL,
		.load = s->workload.load,
		.shake = s->workload.shake,
		.alike = s->alike,
		.origin = {.version = PACKAGE_VERSION,
			.command = s->command}};
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

/* The report goes to standard error when standard output has one of the files. */
static int print_report(const struct sim_session *s, const struct report *report)
{
	bool taken = sim_jobs_any(&s->jobs, true) || output_is_standard(s->html) ||
		output_is_standard(s->save) || output_is_standard(s->per_run);

	return sim_print_report(report, &s->form, taken ? stderr : stdout);
}

int sim_write_files(struct sim_session *s, const struct report *report)
{
	int code = SMESH_OK;

	if (s->html) {
		write_page(s, report);
		code = output_close(&s->html_out);
	}
	if (code == SMESH_OK)
		code = sim_jobs_write(s);
	if (code == SMESH_OK && s->per_run) {
		report_csv_runs(report, s->per_run_out.file);
		code = output_close(&s->per_run_out);
	}
	return code || !s->save ? code : sim_save(s, report_json(report));
}

/* Files first, so that nothing is on standard output if one fails. */
int sim_write_outputs(struct sim_session *s)
{
	struct sim_report made;
	int code;

	sim_report_make(s, &made);
	if (!(code = sim_write_files(s, &made.report)))
		code = print_report(s, &made.report);
	arena_release(&made.arena);
	return code;
}

/* How many files go to standard output? */
static int count_standard(const struct sim_session *s)
{
	int n = output_is_standard(s->html) + output_is_standard(s->save) +
		output_is_standard(s->per_run);

	for (int k = 0; k < SIM_JOBS_KINDS; k++)
		n += output_is_standard(s->jobs.path[k]);
	return n;
}

int sim_open_outputs(struct sim_session *s)
{
	int code;

	if (count_standard(s) > 1)
		return smesh_fail(SMESH_USAGE, "two files on standard output (-): expected one");
	code = sim_jobs_open(s);
	if (!code && s->save && output_open(&s->save_out, s->save))
		code = SMESH_USAGE;
	if (!code && s->per_run && output_open(&s->per_run_out, s->per_run))
		code = SMESH_USAGE;
	return code ? code : prepare_page(s);
}
