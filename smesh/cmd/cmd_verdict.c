/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh verdict: what a strategy is worth for a site's log, in one paragraph and a page. It is
 * smesh sim twice: jobs that share links, with little and with much communication, several runs of
 * each.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/sim_session.h"

enum { WORDS = 64 };

struct asked {
	const char *strategy, *against, *log, *html;
	char *word[WORDS]; /* smesh sim's command line; ours */
	int nwords;
};

#define AT(member) offsetof(struct asked, member)

/* Each is one of smesh sim's, and given to it. */
static const struct option_row options[] = {
	{'t', "topology", "FILE", "the topology.conf (default: beside slurm.conf)"},
	{0, "mesh", "NAME", "which mesh, if the file has several"},
	{'s', "strategy", "NAME", "the strategy that is judged (snug)", OPTION_TEXT, AT(strategy)},
	{0, "against", "NAME", "the one that it is compared with (linear: by node number)",
		OPTION_TEXT, AT(against)},
	{0, "jobs", "N", "the first N jobs of the log (all)"},
	{0, "procs-per-node", "N", "the log counts processors: N make a node (1)"},
	{0, "skip-bad", NULL, "count malformed lines instead of stopping"},
	{0, "repeat", "N",
		"runs with submissions moved by up to 5 minutes, and other patterns (5)"},
	{0, "threads", "N", "simulations side by side (the cores there are)"},
	{0, "html", "FILE", "the page, with half of run times communication (verdict.html)",
		OPTION_TEXT, AT(html)},
	{0},
};

/* In percent, over pairs of runs of the same jobs: the mean and its 95% interval. */
struct change {
	double mean, margin;
};

struct outcome {
	int share; /* of run times that is communication, percent */
	bool quiet; /* what there is to say of the log has been said */
	struct change run, turnaround, hops;
};

static int add_word(struct asked *asked, const char *name, const char *value)
{
	char text[4096];

	snprintf(text, sizeof(text), "--%s%s%s", name, value ? "=" : "", value ? value : "");
	if (asked->nwords == WORDS || !(asked->word[asked->nwords] = strdup(text)))
		return smesh_fail(SMESH_USAGE, "verdict: too many options");
	asked->nwords++;
	return SMESH_OK;
}

static int pass_on(void *asked, const struct option_row *row, const char *value)
{
	return add_word(asked, row->name, value);
}

/* smesh sim's command line, but for the share. */
static int write_command(struct asked *asked)
{
	char both[512];
	int code;

	snprintf(both, sizeof(both), "%s,%s", asked->against, asked->strategy);
	(void)((code = add_word(asked, "strategy", both)) ||
		(code = add_word(asked, "against", asked->against)) ||
		(code = add_word(asked, "calibrate", asked->against)) ||
		(code = add_word(asked, "contention", "mix")) ||
		(code = add_word(asked, "shake", "300")) ||
		(code = add_word(asked, "hops-only", NULL)) ||
		(code = add_word(asked, "trace", asked->log)));
	return code;
}

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

/* The runs with one share; the setting and the page of the last one. */
static int judge(struct asked *asked, struct outcome *out, char *setting, size_t size)
{
	struct sim_session s = {.quiet = out->quiet};
	struct sim_report made = {0};
	int code;

	(void)((code = sim_parse(&s, asked->nwords, asked->word)) || (code = sim_run(&s)) ||
		(code = sim_report_make(&s, &made)));
	if (!code && made.strategy[1].mean.refused > made.strategy[0].mean.refused)
		code = smesh_fail(SMESH_FAILED,
			"%s refuses jobs that %s runs: their times cannot be compared",
			asked->strategy, asked->against);
	if (!code) {
		out->run = compare(&s, "mean_run");
		out->turnaround = compare(&s, "mean_turnaround");
		out->hops = compare(&s, "mean_hops");
		report_setting(&made.report, setting, size);
		code = sim_write_files(&s, &made.report);
	}
	sim_report_release(&made);
	sim_release(&s);
	return code;
}

/* "run times are 9.9% (+-0.3) shorter" */
static void say_change(const char *what, const struct change *c, const char *less, const char *more)
{
	if (fabs(c->mean) <= c->margin || fabs(c->mean) < 0.05)
		printf("%s as before, as far as these runs show (%+.1f%% +-%.1f)", what, c->mean,
			c->margin);
	else
		printf("%s %.1f%% (+-%.1f) %s", what, fabs(c->mean), c->margin,
			c->mean < 0 ? less : more);
}

static void say(const struct asked *asked, const struct outcome *out, int n, const char *setting)
{
	printf("%s.\n\nUnder %s instead of %s:", setting, asked->strategy, asked->against);
	for (int i = 0; i < n; i++) {
		printf(" if %d%% of run times is communication, ", out[i].share);
		say_change("run times are", &out[i].run, "shorter", "longer");
		say_change(" and jobs are done", &out[i].turnaround, "sooner", "later");
		putchar(i + 1 < n ? ';' : '.');
	}
	putchar(' ');
	say_change("The hops between two nodes of a job are", &out[n - 1].hops, "fewer", "more");
	printf(". This is simulated: the log's run times are taken for those under %s, a quarter "
	       "of the jobs "
	       "each sends all-to-all, to random partners, in a ring and on a grid, and only links "
	       "make them "
	       "wait for each other; the +- is the 95%% interval of the runs.\n\nThe page: %s\n",
		asked->against, asked->html);
}

static int run(int argc, char **argv)
{
	struct asked asked = {.strategy = "snug", .against = "linear", .html = "verdict.html"};
	struct outcome out[] = {{.share = 10}, {.share = 50, .quiet = true}};
	enum { OUTCOMES = sizeof(out) / sizeof(*out) };
	char setting[512], share[16];
	int code;

	asked.word[asked.nwords++] = strdup("sim");
	code = add_word(&asked, "repeat", "5");
	if (!code)
		code = options_read(&cmd_verdict, argc, argv, &asked);
	if (!code && optind + 1 != argc)
		code = smesh_fail(
			SMESH_USAGE, "verdict: one log is needed (sacct -aP ..., or SWF)");
	asked.log = argv[optind];
	if (!code)
		code = write_command(&asked);
	for (int i = 0; !code && i < OUTCOMES; i++) {
		snprintf(share, sizeof(share), "%d", out[i].share);
		(void)((code = add_word(&asked, "comm-share", share)) ||
			(i + 1 == OUTCOMES && (code = add_word(&asked, "html", asked.html))) ||
			(code = judge(&asked, &out[i], setting, sizeof(setting))));
	}
	if (!code)
		say(&asked, out, OUTCOMES, setting);
	while (asked.nwords)
		free(asked.word[--asked.nwords]);
	return code;
}

const struct command cmd_verdict = {
	.name = "verdict",
	.summary = "what a strategy is worth for a log, in one paragraph",
	.usage = "[OPTION]... LOG",
	.options = options,
	.operands = 1,
	.take = pass_on,
	.run = run,
};
