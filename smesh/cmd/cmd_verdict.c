/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh verdict: what a strategy is worth for a site's log, in one paragraph and a page. It runs
 * smesh sim twice, with jobs that share links, for little and for much communication, several runs
 * of each.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
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
	{0, "html", "FILE", "write the page there (verdict.html)", OPTION_TEXT, AT(html)},
	TABLE_OPTIONS(table),
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
			v->jobs == 1 ? "" : "s");
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
	if (s->html)
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
	if (table_wanted(&s->table) && !(out->report = report_json(r)))
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
	s.command = smesh_command_text(s.argc, s.argv);
	s.comm.share = out->share / 100.0;
	s.quiet = out != v->out;
	s.replaced = s.quiet ? NULL : v->replaced;
	s.runner.progress = (struct runner_progress){.label = "verdict",
		.from = (double)(out - v->out) / OUTCOMES, .span = 1.0 / OUTCOMES,
		.begun = v->begun};
	if (last)
		v->asked.html_out = (struct output){0}; /* the session owns it now */
	else
		s.html_out = (struct output){0}, s.html = NULL;
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
	struct sim_session *s = &v->asked;
	bool there = !output_is_standard(s->html) && !access(s->html, F_OK);

	v->page = output_open(&s->html_out, s->html);
	if (v->page)
		s->html = NULL;
	else if (there)
		v->replaced = s->html;
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

		if (v->asked.table.json)
			json_object_set(row, "report", o->report);
		else
			json_object_update(row, json_object_iter_value(json_object_iter(changes)));
		json_array_append_new(rows, row);
	}
	return rows;
}

static int print_json(struct verdict *v)
{
	const struct sim_session *s = &v->asked;
	char *command = smesh_command_text(s->argc, s->argv);
	json_t *out;

	out = json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s?, s:o}", "version",
		PACKAGE_VERSION, "command", command, "strategy", s->strategies,
		"against", s->against, "runs", s->repeat, "setting", v->setting, "verdict",
		v->paragraph, "caveat", v->caveat, "page", v->page ? NULL : s->html, "cases",
		rows_of(v));
	free(command);
	return table_print(&table, &s->table, out);
}

static int print(struct verdict *v)
{
	const struct sim_session *s = &v->asked;
	/* As in smesh sim, the page may be on standard output. */
	FILE *to = output_is_standard(s->html) ? stderr : stdout;

	if (s->table.json)
		return print_json(v);
	if (table_wanted(&s->table))
		return table_print(&table, &s->table, rows_of(v));
	fprintf(to, "%s.\n\n%s\n\n%s\n", v->setting, v->paragraph, v->caveat);
	if (s->html && !v->page)
		fprintf(to, "\nThe page: %s\n", s->html);
	return SMESH_OK;
}

static int parse(struct verdict *v, int argc, char **argv)
{
	struct sim_session *s = &v->asked;
	struct mesh_err err;
	int code;

	sim_defaults(s);
	s->strategies = "snug";
	s->against = "linear";
	s->html = "verdict.html";
	s->repeat = 5;
	s->sends = "mix";
	jobcomm_parse(s->sends, &s->comm.mix, &err);
	s->workload.shake = 300;
	s->runner.engine.hops_only = true;
	code = options_read(&cmd_verdict, argc, argv, s);
	if (!code && optind + 1 != argc)
		code = smesh_fail(SMESH_USAGE, "verdict: one LOG is needed, as sacct -aP writes "
			"it (man smesh: WORKLOAD OPTIONS has other formats)");
	if (!code && strchr(s->strategies, ','))
		code = smesh_fail(SMESH_USAGE, "--strategy=%s: one strategy is judged (smesh sim "
			"compares several)", s->strategies);
	if (!code && !strcasecmp(s->strategies, s->against))
		code = smesh_fail(SMESH_USAGE, "%s is compared with itself: --against=NAME names "
			"another strategy", s->strategies);
	if (!code && table_wanted(&s->table) && output_is_standard(s->html))
		code = smesh_fail(SMESH_USAGE, "--html=- and %s exclude each other",
			s->table.json ? "--json" : "a table");
	if (!code)
		code = table_check(&table, &s->table);
	s->workload.trace = argv[optind];
	if (!code && !output_is_standard(argv[optind]) && access(argv[optind], R_OK))
		code = smesh_fail(SMESH_USAGE, "%s: %s", argv[optind], strerror(errno));
	return code;
}

static int run(int argc, char **argv)
{
	struct verdict v = {.asked = {.argc = argc, .argv = argv, .contention = true},
		.out = {{.share = 10}, {.share = 50}}};
	int code = parse(&v, argc, argv);

	v.begun = time(NULL);
	if (!code)
		open_page(&v);
	for (int i = 0; !code && i < OUTCOMES; i++)
		code = judge(&v, &v.out[i]);
	if (!code)
		code = print(&v);
	for (int i = 0; i < OUTCOMES; i++)
		json_decref(v.out[i].report);
	output_drop(&v.asked.html_out);
	free(v.paragraph);
	free(v.caveat);
	return code ? code : v.page;
}

const struct command cmd_verdict = {
	.name = "verdict",
	.summary = "say what a strategy is worth for a job log, in one paragraph",
	.usage = "[-t FILE] [OPTION]... LOG",
	.example = "-t topology.conf jobs",
	.options = options,
	.operands = 1,
	.run = run,
};
