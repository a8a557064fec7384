/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh tune: which settings of slurm.conf suit a site's own jobs, and what they gain.
 *
 * A log is cut into eight stretches, and each simulated by itself with jobs that share links (smesh
 * sim --contention), once with each setting. Every other stretch chooses; what the choice gains in
 * the rest, which has had no part in it, is what a site may hope for. Where that is nothing, the
 * default stays.
 */
#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/jobpattern.h"
#include "cmd/commands.h"
#include "cmd/sim_session.h"
#include "cli/suggest.h"
#include "strategies/strategies.h"

enum { PARTS = 8, HALVES = 2, MOST = 64 }; /* part p belongs to half p % HALVES */

/* Turnarounds that are shorter by less are not worth a setting. */
static const double worthwhile = 1; /* percent */

struct setting {
	const struct strategy_ops *ops;
	struct mesh_request told;
	char text[64]; /* as in SchedulerParameters */
	struct summary part[PARTS];
};

struct tune {
	struct sim_session sim;
	struct trace part[PARTS]; /* borrowed from the session's */
	struct setting setting[MOST]; /* the first is the default */
	int nsettings, best;
};

#define AT(member) offsetof(struct tune, sim.member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'s', "strategy", "A,B,...",
		"strategies that are tried (snug,gmbs,hilbert-bf,snake-bf,mm+inc)", OPTION_TEXT,
		AT(strategies)},
	{0, "scheduler", "fcfs|easy", "first come first served, or with backfilling (easy)",
		OPTION_CHOICE, AT(runner.engine.scheduler), ENGINE_FCFS},
	WORKLOAD_OPTIONS,
	{0, "contention", "PATTERN",
		"what jobs send: all-to-all, ring, grid, random or mix[:NAME=SHARE,...] (mix)"},
	{0, "comm-share", "PERCENT", "communication's part of run times (50)", OPTION_PERCENT,
		AT(comm.share)},
	{0, "calibrate", "NAME", "the strategy whose mean run times are the log's (linear)",
		OPTION_TEXT, AT(calibrate)},
	{0, "threads", "N", "simulations side by side (the cores there are)", OPTION_INT,
		AT(runner.threads), 1, 256},
	OPTION_JSON,
	{0},
};

/* --contention */
static int take_contention(void *tune, const struct option_row *row, const char *value)
{
	struct mesh_err err = {{0}};

	return comm_parse(value, &((struct tune *)tune)->sim.comm.mix, &err)
		? smesh_fail(SMESH_USAGE, "--%s=%s: %s", row->name, value, err.text) : SMESH_OK;
}

/* --- what is tried ----------------------------------------------------------------------- */

static int add_setting(struct tune *t, const struct strategy_ops *ops, int pattern)
{
	struct setting *setting = &t->setting[t->nsettings];

	if (t->nsettings == MOST)
		return smesh_fail(SMESH_USAGE, "-s: more than can be tried");
	t->nsettings++;
	setting->ops = ops;
	if (pattern == COMM_NONE) {
		snprintf(setting->text, sizeof(setting->text), "mesh_strategy=%s", ops->name);
		return SMESH_OK;
	}
	setting->told.pattern = (enum comm_pattern)pattern;
	snprintf(setting->text, sizeof(setting->text), "mesh_strategy=%s,mesh_pattern=%s",
		ops->name, comm_pattern_name(pattern));
	return SMESH_OK;
}

/* The default, also told each pattern that there is, and the other strategies. */
static int list_settings(struct tune *t)
{
	const struct strategy_ops *now = strategy_for(STRATEGY_DEFAULT);
	int code = add_setting(t, now, COMM_NONE);

	for (int p = COMM_NONE + 1; p < COMM_PATTERNS && code == SMESH_OK; p++)
		if (t->sim.comm.mix.share[p] > 0)
			code = add_setting(t, now, p);
	for (int i = 0; i < t->sim.nops && code == SMESH_OK; i++)
		if (t->sim.ops[i] != now)
			code = add_setting(t, t->sim.ops[i], COMM_NONE);
	return code;
}

/* A task for each part with each setting. */
static int make_tasks(struct tune *t)
{
	struct sim_session *s = &t->sim;
	const struct trace *whole = &s->trace[0];
	struct runner *runner = &s->runner;

	free(runner->task);
	runner->ntasks = 0;
	if (!(runner->task = calloc((size_t)t->nsettings * PARTS, sizeof(*runner->task))))
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < t->nsettings * PARTS; i++) {
		struct trace *part = &t->part[i % PARTS];
		int from = (int)((int64_t)whole->njobs * (i % PARTS) / PARTS);
		int to = (int)((int64_t)whole->njobs * (i % PARTS + 1) / PARTS);

		*part = *whole;
		part->job += from;
		part->njobs = to - from;
		runner->task[i] = (struct runner_task){.ops = t->setting[i / PARTS].ops,
			.trace = part,
			.comm = s->comm_job[0] + from,
			.told = &t->setting[i / PARTS].told,
			.seed = s->workload.seed};
	}
	runner->ntasks = t->nsettings * PARTS;
	return SMESH_OK;
}

/* --- what is said ------------------------------------------------------------------------ */

/* Over the parts of a half. */
struct gain {
	double mean, plusminus; /* by how many percent jobs are done sooner than by default */
	double stretch;
};

static struct gain gain_of(const struct tune *t, int setting, int half)
{
	double sum = 0, squares = 0, n = PARTS / HALVES;
	struct gain gain = {0};

	for (int p = half; p < PARTS; p += HALVES) {
		double now = t->setting[0].part[p].mean_turnaround;
		double with = t->setting[setting].part[p].mean_turnaround;
		double percent = now > 0 ? 100 * (1 - with / now) : 0;

		sum += percent;
		squares += percent * percent;
		gain.stretch += t->setting[setting].part[p].mean_stretch / n;
	}
	gain.mean = sum / n;
	gain.plusminus = summary_margin(sum, squares, PARTS / HALVES);
	return gain;
}

static void choose(struct tune *t)
{
	for (int i = 0; i < t->nsettings; i++) {
		for (int p = 0; p < PARTS; p++)
			t->setting[i].part[p] = t->sim.runner.task[i * PARTS + p].summary;
		if (gain_of(t, i, 0).mean > gain_of(t, t->best, 0).mean)
			t->best = i;
	}
	if (gain_of(t, t->best, 0).mean < worthwhile)
		t->best = 0;
}

static bool holds(const struct tune *t)
{
	return !t->best || gain_of(t, t->best, 1).mean > 0;
}

/* Is that more than chance would make, at 95%? */
static bool sure(const struct tune *t)
{
	struct gain rest = gain_of(t, t->best, 1);

	return rest.mean > rest.plusminus;
}

static void print_table(const struct tune *t)
{
	printf("Mean turnaround against the default's, and stretch, in the stretches of the log "
	       "that\n"
	       "choose and in the others:\n\n");
	for (int i = 0; i < t->nsettings; i++) {
		printf("%-42s", t->setting[i].text);
		for (int h = 0; h < HALVES; h++) {
			struct gain gain = gain_of(t, i, h);
			char change[32] = "-";

			if (i)
				snprintf(change, sizeof(change), "%+.1f +-%5.1f%%", -gain.mean,
					gain.plusminus);
			printf(" %17s %6.3f", change, gain.stretch);
		}
		putchar('\n');
	}
	putchar('\n');
}

static void print_verdict(const struct tune *t)
{
	const char *text = t->setting[t->best].text;
	struct gain chose = gain_of(t, t->best, 0), rest = gain_of(t, t->best, 1);

	if (!t->best)
		printf("Keep the default: with nothing else jobs are done %.0f%% sooner.\n",
			worthwhile);
	else if (holds(t))
		printf("SchedulerParameters=%s\n"
		       "Jobs are done %.1f%% sooner than by default in what chose it, and %.1f "
		       "+-%.1f%% in the\n"
		       "rest of the log, which had no part in that.%s\n",
			text, chose.mean, rest.mean, rest.plusminus,
			sure(t) ? "" : " It may be chance: a longer log would tell.");
	else
		printf("Keep the default: with %s jobs are\n"
		       "done %.1f%% sooner in what chose it, but %.1f%% later in the rest of the "
		       "log.\n",
			text, chose.mean, -rest.mean);
}

static json_t *json_setting(const struct tune *t, int i)
{
	struct gain chose = gain_of(t, i, 0), rest = gain_of(t, i, 1);

	return json_pack("{s:s, s:[f,f], s:[f,f], s:[f,f]}", "setting", t->setting[i].text,
		"sooner_percent", chose.mean, rest.mean, "plusminus", chose.plusminus,
		rest.plusminus, "mean_stretch", chose.stretch, rest.stretch);
}

static int print_json(const struct tune *t)
{
	json_t *all = json_object(), *list = json_array();
	int failed = !all || !list || json_object_set_new(all, "settings", list);

	for (int i = 0; i < t->nsettings && !failed; i++)
		failed = json_array_append_new(list, json_setting(t, i));
	failed = failed ||
		json_object_set_new(all, "best", json_string(t->setting[t->best].text)) ||
		json_object_set_new(all, "holds", json_boolean(holds(t))) ||
		json_object_set_new(all, "sure", json_boolean(t->best && sure(t))) ||
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	if (!failed)
		putchar('\n');
	json_decref(all);
	return failed ? smesh_fail(SMESH_FAILED, "cannot write the output") : SMESH_OK;
}

static int tune(struct tune *t)
{
	struct sim_session *s = &t->sim;
	struct mesh_err err = {{0}};
	int code;

	if (s->comm.mix.share[COMM_NONE] >= 1)
		return smesh_fail(SMESH_USAGE, "--contention=none: then nothing depends on places");
	if ((code = sim_setup(s)) || (code = sim_calibrate(s)))
		return code;
	if (s->trace[0].njobs < PARTS)
		return smesh_fail(
			SMESH_USAGE, "%d jobs are too few to learn from", s->trace[0].njobs);
	if ((code = list_settings(t)) || (code = make_tasks(t)))
		return code;
	output_progress_line(s->runner.bar);
	code = runner_run(&s->runner, &err);
	output_progress_line(false);
	if (code)
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	choose(t);
	if (s->json)
		return print_json(t);
	print_table(t);
	print_verdict(t);
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	struct tune *t = calloc(1, sizeof(*t));
	int code;

	if (!t)
		return smesh_fail(SMESH_FAILED, "out of memory");
	sim_defaults(&t->sim);
	t->sim.contention = true;
	t->sim.calibrate = "linear";
	t->sim.comm.mix = comm_mix_default;
	t->sim.strategies = "snug,gmbs,hilbert-bf,snake-bf,mm+inc";
	t->sim.runner.engine.hops_only = true;
	code = options_read(&cmd_tune, argc, argv, t);
	if (!code && optind < argc && !t->sim.workload.trace)
		t->sim.workload.trace = argv[optind++];
	if (!code)
		code = tune(t);
	sim_release(&t->sim);
	free(t);
	return code;
}

const struct command cmd_tune = {
	.name = "tune",
	.summary = "find the settings that suit a log best, and what they gain",
	.usage = "-t FILE LOG [OPTION]...",
	.options = options,
	.operands = 1,
	.take = take_contention,
	.run = run,
};
