/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh verdict: what a strategy is worth for a site's log, in one paragraph and a page. It is
 * smesh sim twice: jobs that share links, with little and with much communication, several runs of
 * each.
 */
#include <getopt.h>
#include <math.h>

#include "cmd/commands.h"
#include "cmd/sim_session.h"

#define AT(member) offsetof(struct sim_session, member)

/* smesh sim's; -s is the one strategy that is judged. */
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
	{0, "html", "FILE", "write the page there (verdict.html)", OPTION_TEXT, AT(html)},
	{0},
};

/* In percent, over pairs of runs of the same jobs: the mean and its 95% interval. */
struct change {
	double mean, margin;
};

struct outcome {
	int share; /* of run times that is communication, percent */
	bool quiet; /* what there is to say of the log has been said */
	bool page;
	struct change run, turnaround, hops;
};

static struct change compare(const struct sim_session *s, const char *key)
{
	const struct summary_row *row = summary_find(key);
	const struct runner_task *task = s->runner.task;
	double sum = 0, squares = 0;
	int n = s->repeat;

	for (int i = 0; i < n; i++) {
		double percent = 100 * (summary_value(&task[n + i].summary, row) /
			summary_value(&task[i].summary, row) - 1);

		sum += percent;
		squares += percent * percent;
	}
	return (struct change){sum / n, n < 2 ? 0 : summary_margin(sum, squares, n)};
}

/* The runs with one share, and of the last one the page; what was asked stays. */
static int judge(const struct sim_session *asked, struct outcome *out, char *setting, size_t size)
{
	struct sim_session s = *asked;
	struct sim_report made = {0};
	char both[512];
	int code;

	snprintf(both, sizeof(both), "%s,%s", asked->against, asked->strategies);
	s.strategies = both;
	s.calibrate = asked->against;
	s.command = smesh_command_text(s.argc, s.argv);
	s.comm.share = out->share / 100.0;
	s.quiet = out->quiet;
	s.html = out->page ? asked->html : NULL;
	(void)((code = sim_run(&s)) || (code = sim_report_make(&s, &made)));
	if (!code && made.strategy[1].mean.refused > made.strategy[0].mean.refused)
		code = smesh_fail(SMESH_FAILED,
			"%s refuses jobs that %s runs: their times cannot be compared",
			asked->strategies, asked->against);
	if (!code) {
		out->run = compare(&s, "mean_run");
		out->turnaround = compare(&s, "mean_turnaround");
		out->hops = compare(&s, "mean_hops");
		report_setting(&made.report, setting, size);
		code = sim_write_files(&s, &made.report);
	}
	arena_release(&made.arena);
	sim_release(&s);
	return code;
}

/* "run times are 9.9% (+-0.3) shorter" */
static void say_change(FILE *to, const char *what, const struct change *c, const char *less,
	const char *more)
{
	if (fabs(c->mean) <= c->margin || fabs(c->mean) < 0.05)
		fprintf(to, "%s as before, as far as these runs show (%+.1f%% +-%.1f)", what,
			c->mean, c->margin);
	else
		fprintf(to, "%s %.1f%% (+-%.1f) %s", what, fabs(c->mean), c->margin,
			c->mean < 0 ? less : more);
}

static void say(const struct sim_session *asked, const struct outcome *out, int n,
	const char *setting)
{
	/* As smesh sim has it: the page may be on standard output. */
	FILE *to = output_is_standard(asked->html) ? stderr : stdout;

	fprintf(to, "%s.\n\nUnder %s instead of %s:", setting, asked->strategies, asked->against);
	for (int i = 0; i < n; i++) {
		fprintf(to, " if %d%% of run times is communication, ", out[i].share);
		say_change(to, "run times are", &out[i].run, "shorter", "longer");
		say_change(to, " and jobs are done", &out[i].turnaround, "sooner", "later");
		fputc(i + 1 < n ? ';' : '.', to);
	}
	fputc(' ', to);
	say_change(to, "The hops between two nodes of a job are", &out[n - 1].hops, "fewer",
		"more");
	fprintf(to,
		".\n\nThis is a simulation. It takes the log's run times for those under %s. A "
		"quarter of the jobs each send all-to-all, to random partners, in a ring and on a "
		"grid. Jobs disturb each other on links only. +- is the 95%% interval of %d "
		"runs.\n\nThe page: %s\n",
		asked->against, asked->repeat, asked->html);
}

static int run(int argc, char **argv)
{
	struct sim_session asked = {.argc = argc, .argv = argv, .contention = true};
	struct outcome out[] = {{.share = 10}, {.share = 50, .quiet = true, .page = true}};
	enum { OUTCOMES = sizeof(out) / sizeof(*out) };
	char setting[512];
	struct mesh_err err;
	int code;

	sim_defaults(&asked);
	asked.strategies = "snug";
	asked.against = "linear";
	asked.html = "verdict.html";
	asked.repeat = 5;
	comm_parse("mix", &asked.comm.mix, &err);
	asked.workload.shake = 300;
	asked.runner.engine.hops_only = true;
	code = options_read(&cmd_verdict, argc, argv, &asked);
	if (!code && optind + 1 != argc)
		code = smesh_fail(
			SMESH_USAGE, "verdict: one LOG is needed, of sacct -aP or in SWF");
	asked.workload.trace = argv[optind];
	for (int i = 0; !code && i < OUTCOMES; i++)
		code = judge(&asked, &out[i], setting, sizeof(setting));
	if (!code)
		say(&asked, out, OUTCOMES, setting);
	return code;
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
