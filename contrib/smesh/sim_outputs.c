/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: what is written: the page, and the report as table, JSON or CSV. Jobs: sim_jobs.c.
 */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/report_page.h"
#include "sim/report.h"
#include "sim_session.h"

/* --- the page ----------------------------------------------------------------------- */

static void placed(void *data, int job, const int *node, int count, int64_t now)
{
	if (data)
		record_placed(data, job, node, count, now);
}

static void ended(void *data, int job, int64_t now)
{
	if (data)
		record_ended(data, job, now);
}

static void keep_for_page(void *data, struct runner_task *task)
{
	struct sim_session *s = data;
	int at = (int)(task - s->runner.task);

	if (at % s->repeat)
		return;
	profile_make(&s->profile[at / s->repeat], task->trace, task->result.record,
		s->runner.summary.nodes);
	record_finish(&s->record[at / s->repeat], task->result.record);
}

/* Of each strategy's first run. */
static int prepare_page(struct sim_session *s)
{
	struct runner *runner = &s->runner;

	if (!s->html)
		return SMESH_OK;
	if (output_open(&s->html_out, s->html))
		return SMESH_USAGE;
	s->profile = calloc((size_t)s->nops, sizeof(*s->profile));
	s->record = calloc((size_t)s->nops, sizeof(*s->record));
	s->cell_of = record_cells(s->mesh);
	if (!s->profile || !s->record || !s->cell_of)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < s->nops; i++) {
		if (record_init(&s->record[i], s->mesh, &s->trace[0], s->cell_of))
			return smesh_fail(SMESH_FAILED, "out of memory");
		runner->task[i * s->repeat].data = &s->record[i];
	}
	runner->engine.placed = placed;
	runner->engine.ended = ended;
	runner->engine.messages = s->contention;
	runner->finished = keep_for_page;
	runner->data = s;
	return SMESH_OK;
}

static int write_page(const struct sim_session *s, const struct report *report)
{
	struct report_page page = {.report = report, .profile = s->profile, .record = s->record,
		.down = s->runner.engine.down, .at = record_moment(&s->record[s->nops - 1])};

	int code;

	if (s->contention && !(page.messages = calloc((size_t)s->nops, sizeof(*page.messages))))
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; page.messages && i < s->nops; i++)
		page.messages[i] = s->runner.task[i * s->repeat].result.messages;
	code = report_page(&page, s->html_out.file);
	free(page.messages);
	return code ? smesh_fail(SMESH_FAILED, "out of memory") : SMESH_OK;
}

/* --- the report --------------------------------------------------------------------- */

/* matrix[situation][decision], the mean over all runs. */
static double *make_matrix(const struct sim_session *s)
{
	double *matrix = calloc((size_t)(s->nops * s->nops), sizeof(*matrix));

	for (int i = 0; matrix && i < s->nops; i++)
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

/* The report goes to standard error when standard output has one of the files. */
static int print_report(const struct sim_session *s, const struct report *report)
{
	bool taken = sim_jobs_standard(&s->jobs) || output_is_standard(s->html);
	FILE *file = taken ? stderr : stdout;
	json_t *json;

	if (s->csv) {
		report_csv(report, file);
	} else if (s->json) {
		if (!(json = report_json(report)))
			return smesh_fail(SMESH_FAILED, "out of memory");
		json_dumpf(json, file, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putc('\n', file);
		json_decref(json);
	} else {
		report_table(report, file);
	}
	return SMESH_OK;
}

/* Files first: nothing is on standard output when one fails. */
int sim_write_outputs(struct sim_session *s)
{
	struct report_strategy *strategy = calloc((size_t)s->nops, sizeof(*strategy));
	struct summary *runs = calloc((size_t)s->repeat, sizeof(*runs));
	double *matrix = s->matrix ? make_matrix(s) : NULL;
	struct report report = {.mesh = s->mesh, .trace = &s->trace[0], .seed = s->workload.seed,
		.scheduler = policy_scheduler(&s->runner.engine), .order = policy_order(&s->runner.engine),
		.runs = s->repeat, .nodes = s->runner.summary.nodes, .strategy = strategy,
		.nstrategies = s->nops, .against = s->against_at, .matrix = matrix,
		.share = s->contention ? s->comm.share : 0,
		.origin = {.version = PACKAGE_VERSION, .command = s->command ? s->command : "smesh sim"}};
	int code = strategy && runs && (matrix || !s->matrix)
		? SMESH_OK : smesh_fail(SMESH_FAILED, "out of memory");

	human_date(report.origin.date, sizeof(report.origin.date));
	for (int i = 0; code == SMESH_OK && i < s->nops; i++) {
		for (int r = 0; r < s->repeat; r++)
			runs[r] = s->runner.task[i * s->repeat + r].summary;
		strategy[i].name = s->ops[i]->name;
		summary_average(&strategy[i].mean, &strategy[i].plusminus, runs, s->repeat);
	}
	if (code == SMESH_OK && s->html && !(code = write_page(s, &report)))
		code = output_close(&s->html_out);
	if (code == SMESH_OK)
		code = sim_jobs_write(s);
	if (code == SMESH_OK)
		code = print_report(s, &report);
	free(matrix);
	free(strategy);
	free(runs);
	return code;
}

int sim_open_outputs(struct sim_session *s)
{
	int code = sim_jobs_open(s);

	return code ? code : prepare_page(s);
}
