/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: what is written: placements, the page, and the report as table, JSON or CSV.
 */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/report_page.h"
#include "sim/report.h"
#include "sim_session.h"

/* --- placements --------------------------------------------------------------------- */

static void write_placement(void *data, int job, const int *node, int count, int64_t now)
{
	struct sim_session *s = data;
	const struct trace_job *j = &s->trace[0].job[job];
	char *hosts = smesh_nodes_to_hosts(s->mesh, node, count);

	fprintf(s->placements_out.file, "%lld %.6f %.6f %s\n", (long long)j->id,
		(double)now / SIM_SECOND, (double)(now + j->run) / SIM_SECOND, hosts ? hosts : "");
	free(hosts);
}

static int open_placements(struct sim_session *s)
{
	if (!s->placements)
		return SMESH_OK;
	if (s->nops > 1 || s->repeat > 1)
		return smesh_fail(SMESH_USAGE, "--placements goes with one strategy and one run");
	if (output_open(&s->placements_out, s->placements))
		return SMESH_USAGE;
	s->runner.engine.placed = write_placement;
	s->runner.engine.data = s;
	return SMESH_OK;
}

/* --- what became of each job ---------------------------------------------------------- */

static int open_per_job(struct sim_session *s)
{
	if (!s->per_job)
		return SMESH_OK;
	if (s->nops > 1 || s->repeat > 1)
		return smesh_fail(SMESH_USAGE, "--per-job goes with one strategy and one run");
	s->runner.keep = true;
	return output_open(&s->per_job_out, s->per_job) ? SMESH_USAGE : SMESH_OK;
}

static const char *fate(const struct engine_record *r)
{
	if (r->refused)
		return "refused";
	return r->start < 0 ? "waiting" : r->killed ? "killed" : "done";
}

static int write_per_job(struct sim_session *s)
{
	const struct runner_task *task = &s->runner.task[0];
	FILE *out = s->per_job_out.file;

	if (!s->per_job)
		return SMESH_OK;
	fputs("# id submit start end nodes pattern hops stretch fate\n", out);
	for (int i = 0; i < task->trace->njobs; i++) {
		const struct trace_job *j = &task->trace->job[i];
		const struct engine_record *r = &task->result.record[i];
		bool ran = r->start >= 0;

		fprintf(out, "%lld %.6f %.6f %.6f %d %s %.6f %.6f %s\n", (long long)j->id,
			(double)j->submit / SIM_SECOND, ran ? (double)r->start / SIM_SECOND : -1,
			ran ? (double)r->end / SIM_SECOND : -1, j->count,
			task->comm ? comm_pattern_name((int)task->comm[i].pattern) : "none", r->mean_hops,
			ran ? (double)(r->end - r->start) / (double)j->run : 0, fate(r));
	}
	return output_close(&s->per_job_out);
}

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
	if (s->placements)
		return smesh_fail(SMESH_USAGE, "--html and --placements exclude each other");
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
	bool taken = output_is_standard(s->per_job) || output_is_standard(s->placements) || output_is_standard(s->html);
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
		.scheduler = s->runner.engine.scheduler == ENGINE_EASY ? "easy" : "fcfs",
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
	if (code == SMESH_OK && s->placements)
		code = output_close(&s->placements_out);
	if (code == SMESH_OK)
		code = write_per_job(s);
	if (code == SMESH_OK)
		code = print_report(s, &report);
	free(matrix);
	free(strategy);
	free(runs);
	return code;
}

int sim_open_outputs(struct sim_session *s)
{
	int code;

	(void)((code = open_placements(s)) || (code = open_per_job(s)) || (code = prepare_page(s)));
	return code;
}
