/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh verdict: what a strategy is worth for a site's log, in one paragraph and a page. It runs
 * smesh sim twice, with jobs that share links, for little and for much communication, several runs
 * of each.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/sim_session.h"
#include "conf/strategies.h"
#include "sim/need.h"

#undef AT
#define AT(member) offsetof(struct sim_session, member)

/* Options of smesh sim; -s is the one strategy to judge. */
static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'s', "strategy", "NAME", "the strategy that is judged (snug)", OPTION_TEXT,
		AT(strategies)},
	{0, "against", "NAME", "the one that it is compared with (linear: by node number)",
		OPTION_TEXT, AT(against)},
	{0, "jobs", "N", "only the first N jobs of the log (all)", OPTION_INT,
		AT(workload.read.max_jobs), 1, 100000000},
	{0, "procs-per-node", "N", "the log counts processors: N make a node (1)", OPTION_INT,
		AT(workload.fit.procs_per_node), 1, 1000000},
	{0, "skip-bad", NULL, "count malformed lines instead of stopping", OPTION_FLAG,
		AT(workload.read.skip_bad)},
	{0, "repeat", "N", "runs, each with submissions moved by up to 5 minutes (5)", OPTION_INT,
		AT(repeat), 1, 10000},
	{0, "threads", "N", "simulations side by side (the cores there are)", OPTION_INT,
		AT(runner.threads), 1, 256},
	{0, "load", "F", "move submissions so that the offered load is F (the log's own)",
		OPTION_DOUBLE, AT(workload.load), 1e-6, 1000},
	{0, "seed", "N", "of all random numbers: the same seed, the same result (1)", OPTION_SEED,
		AT(workload.seed)},
	{0, "html", "FILE", "write the page there (verdict.html)", OPTION_TEXT,
		AT(file[SIM_PAGE].path)},
	TABLE_OPTIONS,
	{0},
};

/* The result for one share of communication. */
struct outcome {
	int share; /* percent of run times */
	struct report_change run, turnaround, wait, hops;
	bool waits; /* the wait changes by more than the run time */
	json_t *report; /* with --json, or for a table */
};

enum { OUTCOMES = 2, FEW = 300 };

struct verdict {
	struct sim_session asked;
	const char *replaced; /* a file whose place the page will take; NULL: none */
	struct outcome out[OUTCOMES];
	char setting[512], notes[1024], title[128], advice[512];
	char *paragraph, *caveat;
	time_t begun;
	int jobs;
	int page;	/* exit code of writing the page */
};

/* "run times are 9.9% (+-0.3) shorter" */
static void say_change(FILE *to, const char *what, const struct report_change *c, const char *less,
	const char *more)
{
	char interval[64] = "";

	if (!isnan(c->margin))
		snprintf(interval, sizeof(interval), " (+-%.1f)", c->margin);
	if (isnan(c->percent)) /* all jobs have one node, or all nodes are on one vertex */
		fprintf(to, "%s 0 or unknown", what);
	else if (c->chance)
		fprintf(to, "%s as before (no difference is shown: %+.1f%% +-%.1f)", what,
			c->percent, c->margin);
	else if (fabs(c->percent) < 0.05)
		fprintf(to, "%s as before", what);
	else
		fprintf(to, "%s %.1f%%%s %s", what, fabs(c->percent), interval,
			c->percent < 0 ? less : more);
}

static void say_paragraph(const struct verdict *v, FILE *to)
{
	fprintf(to, "Under %s instead of %s%s:", v->asked.strategies, v->asked.against,
		strcasecmp(v->asked.against, "linear") ? "" : " (by node number)");
	for (int i = 0; i < OUTCOMES; i++) {
		fprintf(to, " if %d%% of run times is communication, ", v->out[i].share);
		say_change(to, "run times are", &v->out[i].run, "shorter", "longer");
		if (v->out[i].waits)
			say_change(to, ", waits are", &v->out[i].wait, "shorter", "longer");
		say_change(to, " and jobs are done", &v->out[i].turnaround, "sooner", "later");
		fputc(i + 1 < OUTCOMES ? ';' : '.', to);
	}
	fprintf(to, " At %d%%, ", v->out[OUTCOMES - 1].share);
	say_change(to, "the hops between two nodes of a job are", &v->out[OUTCOMES - 1].hops,
		"fewer", "more");
	fputc('.', to);
}

static void say_caveat(const struct verdict *v, FILE *to)
{
	fprintf(to,
		"This is a simulation. It takes the log's run times for those under %s. A quarter "
		"of the jobs sends all-to-all, a quarter to random partners, a quarter in a ring, "
		"a quarter on a grid. Jobs disturb each other on links only. The table, the maps "
		"and the links of the page are the case of %d%%.",
		v->asked.against, v->out[OUTCOMES - 1].share);
	if (v->jobs < FEW)
		fprintf(to, " %d job%s: that is too few for a verdict on a machine.", v->jobs,
			human_s(v->jobs));
	if (*v->notes)
		fprintf(to, " %s", v->notes);
}

/* The text that write() writes. */
static char *text_of(const struct verdict *v, void (*write)(const struct verdict *v, FILE *to))
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	write(v, to);
	need_done(fclose(to));
	return text;
}

/* How to try the strategy; NULL: it gains nothing, or slurm.conf may not name it. */
static const char *advise(struct verdict *v)
{
	const struct strategy_ops *ops = strategy_find(v->asked.strategies);
	const char *file = smesh_strategy_files[0];
	const struct outcome *out = &v->out[OUTCOMES - 1];

	if (!(out->run.percent < 0) || !ops || ops->flags & STRATEGY_STUDY ||
		(out->turnaround.percent > 0 && !out->turnaround.chance))
		return NULL;
	snprintf(v->advice, sizeof(v->advice),
		"To try it: install select/mesh (doc/getting-started.md), and put "
		"%s%.300s%smesh_strategy=%.100s into SchedulerParameters of slurm.conf%s.",
		file ? "mesh_strategies=" : "", file ? file : "", file ? "," : "", ops->name,
		file ? " (doc/add-a-strategy.md)" : "");
	return v->advice;
}

/* Write the page, with the text that is printed. */
static void write_page(struct verdict *v, struct sim_session *s, struct report *report)
{
	snprintf(v->title, sizeof(v->title), "What %.100s is worth for ", v->asked.strategies);
	report->title = v->title;
	report->advice = advise(v);
	report_notes(report, v->notes, sizeof(v->notes));
	v->paragraph = text_of(v, say_paragraph);
	v->caveat = text_of(v, say_caveat);
	report->headline = v->paragraph;
	report->caveat = v->caveat;
	if (s->file[SIM_PAGE].path)
		v->page = sim_write_files(s, report);
}

/* Does the wait change by more than the run time? Not if it is hardly any: 95% of 5 s. */
static bool waits_lead(const struct outcome *out, const struct report *r)
{
	const struct summary *ours = &r->strategy[1].mean, *theirs = &r->strategy[0].mean;

	return !out->wait.chance && fabs(out->wait.percent) > fabs(out->run.percent) &&
	       fabs(ours->mean_wait - theirs->mean_wait) >
		       fabs(ours->mean_run - theirs->mean_run) / 10;
}

static int look(struct verdict *v, struct outcome *out, struct sim_session *s, struct report *r)
{
	double more = r->strategy[1].mean.refused - r->strategy[0].mean.refused;

	if (more < 0 || more > 0)
		return smesh_fail(SMESH_FAILED,
			"%s refuses jobs that %s runs: their times cannot be compared",
			r->strategy[more > 0].name, r->strategy[more < 0].name);
	out->run = report_change(r, "mean_run", 1);
	out->turnaround = report_change(r, "mean_turnaround", 1);
	out->wait = report_change(r, "mean_wait", 1);
	out->waits = waits_lead(out, r);
	out->hops = report_change(r, "mean_hops", 1);
	if (table_wanted(&s->base.form) && !(out->report = report_json(r)))
		return smesh_fail(SMESH_FAILED, "no JSON: a name is not UTF-8");
	report_setting(r, v->setting, sizeof(v->setting));
	v->jobs = r->trace->njobs;
	if (out == &v->out[OUTCOMES - 1])
		write_page(v, s, r);
	return SMESH_OK;
}

/* Make the runs with one share, and for the last one the page. The options stay as given. */
static int judge(struct verdict *v, struct outcome *out)
{
	struct sim_session s = v->asked;
	struct sim_report made = {0};
	bool last = out == &v->out[OUTCOMES - 1];
	char both[512];
	int code;

	snprintf(both, sizeof(both), "%s,%s", v->asked.against, v->asked.strategies);
	s.strategies = both;
	s.calibrate = v->asked.against;
	s.comm.share = out->share / 100.0;
	s.quiet = out != v->out;
	s.replaced = s.quiet ? NULL : v->replaced;
	s.runner.progress = (struct runner_progress){.label = "verdict",
		.from = (double)(out - v->out) / OUTCOMES, .span = 1.0 / OUTCOMES,
		.begun = v->begun};
	/* The last session owns the page. */
	if (last)
		v->asked.file[SIM_PAGE].out = (struct output){0};
	else
		s.file[SIM_PAGE] = (struct sim_file){0};
	if (!(code = sim_run(&s))) {
		sim_report_make(&s, &made);
		code = look(v, out, &s, &made.report);
	}
	arena_release(&made.arena);
	sim_release(&s);
	return code;
}

/* Open the page before hours of work. A page that fails does not stop the verdict. */
static void open_page(struct verdict *v)
{
	struct sim_file *page = &v->asked.file[SIM_PAGE];
	bool there = !output_is_standard(page->path) && !access(page->path, F_OK);

	v->page = output_open(&page->out, page->path);
	if (v->page)
		page->path = NULL;
	else if (there)
		v->replaced = page->path;
}

static const struct table table = {
	.columns = "communication_percent|mean_run_change_percent|"
		"mean_run_change_percent_plusminus|mean_turnaround_change_percent|"
		"mean_turnaround_change_percent_plusminus|mean_hops_change_percent|"
		"mean_hops_change_percent_plusminus",
	.usual = "communication_percent,mean_run_change_percent,mean_turnaround_change_percent,"
		"mean_hops_change_percent"};

/* A row for each share of communication: the report, or for a table its changes. */
static json_t *rows_of(const struct verdict *v)
{
	json_t *rows = json_array();

	for (const struct outcome *o = v->out; o < v->out + OUTCOMES; o++) {
		json_t *changes = json_object_get(o->report, "changes");
		json_t *row = json_pack("{s:i}", "communication_percent", o->share);

		if (v->asked.base.form.json)
			json_object_set(row, "report", o->report);
		else
			json_object_update(row, json_object_iter_value(json_object_iter(changes)));
		json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *json_of(const struct verdict *v, const char *page)
{
	const struct sim_session *s = &v->asked;

	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s?, s:o}", "version",
		PACKAGE_VERSION, "command", s->base.command, "strategy", s->strategies, "against",
		s->against, "runs", s->repeat, "setting", v->setting, "verdict", v->paragraph,
		"caveat", v->caveat, "page", page, "cases", rows_of(v));
}

static int print(struct verdict *v)
{
	const struct table_form *form = &v->asked.base.form;
	const char *page = v->page ? NULL : v->asked.file[SIM_PAGE].path;
	/* As in smesh sim, the page may be on standard output. */
	FILE *to = output_is_standard(v->asked.file[SIM_PAGE].path) ? stderr : stdout;

	if (table_wanted(form))
		return table_print(&table, form, form->json ? json_of(v, page) : rows_of(v));
	fprintf(to, "%s.\n\n%s\n\n%s\n", v->setting, v->paragraph, v->caveat);
	if (page)
		fprintf(to, "\nThe page: %s\n", page);
	return SMESH_OK;
}

static int check(const struct sim_session *s)
{
	const char *log = *s->base.operand;

	if (s->base.noperands != 1)
		return smesh_fail(SMESH_USAGE, "verdict: one LOG is needed, as sacct -aP writes it "
			"(man smesh: WORKLOAD OPTIONS has other formats)");
	if (strchr(s->strategies, ','))
		return smesh_fail(SMESH_USAGE, "--strategy=%s: one strategy is judged (smesh sim "
			"compares several)", s->strategies);
	if (!strcasecmp(s->strategies, s->against))
		return smesh_fail(SMESH_USAGE, "%s is compared with itself: --against=NAME names "
			"another strategy", s->strategies);
	if (table_wanted(&s->base.form) && output_is_standard(s->file[SIM_PAGE].path))
		return smesh_fail(SMESH_USAGE, "--html=- and %s exclude each other",
			s->base.form.json ? "--json" : "a table");
	if (!output_is_standard(log) && access(log, R_OK))
		return smesh_fail(SMESH_USAGE, "%s: %s", log, strerror(errno));
	return SMESH_OK;
}

static int run(void *session)
{
	struct verdict *v = session;
	struct sim_session *s = &v->asked;
	struct mesh_err err;
	int code = check(s);

	if (code)
		return code;
	jobcomm_parse(s->sends, &s->comm.mix, &err);
	s->workload.trace = *s->base.operand;
	v->begun = time(NULL);
	open_page(v);
	for (int i = 0; !code && i < OUTCOMES; i++)
		code = judge(v, &v->out[i]);
	if (!code)
		code = print(v);
	return code ? code : v->page;
}

static void end(void *session)
{
	struct verdict *v = session;

	for (int i = 0; i < OUTCOMES; i++)
		json_decref(v->out[i].report);
	free(v->paragraph);
	free(v->caveat);
	sim_release(&v->asked);
}

static const struct verdict usual = {
	.asked = {SIM_USUAL, .strategies = "snug", .against = "linear", .repeat = 5,
		.file[SIM_PAGE].path = "verdict.html", .sends = "mix", .contention = true,
		.workload.shake = 300, .runner.engine.hops_only = true},
	.out = {{.share = 10}, {.share = 50}}};

const struct command cmd_verdict = {
	.name = "verdict",
	.summary = "say what a strategy is worth for a job log, in one paragraph",
	.usage = "[-t FILE] [OPTION]... LOG",
	.example = "-t topology.conf jobs",
	.options = options,
	.table = &table,
	.operands = 1,
	.size = sizeof(struct verdict),
	.usual = &usual,
	.run = run,
	.end = end,
};
