/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: simulates a workload under several strategies. This file has the options;
 * sim_session.h lists the rest.
 */
#include <getopt.h>
#include <math.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/sim_session.h"
#include "sim/need.h"

enum { AGAIN = 256, THREADS, PATTERN, CONTENTION };

#undef AT
#define AT(member) offsetof(struct sim_session, member)

static const struct option_row options[] = {
	OPTION_GROUP("Machine and strategies"),
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'s', "strategy", "A,B,...", "strategies to compare, or all (snug; see smesh strategies)",
		OPTION_TEXT, AT(strategies)},
	{0, "against", "NAME", "compare with this one of them (linear, or the first)",
		OPTION_TEXT, AT(against)},
	{0, "down", "HOSTLIST", "nodes that are out of service", OPTION_TEXT, AT(down_hosts)},
	{0, "availability", "F", "each node is in service with this chance, for the whole run (1)",
		OPTION_DOUBLE, AT(availability), 0, 1},
	{0, "down-links", "N|P%", "break so many links at random, beside those of DownLinks=",
		OPTION_TEXT, AT(down_links)},
	{0, "cubes", "AxBxC[:chips]",
		"add a line: the machine as cubes joined by optical switches",
		OPTION_TEXT, AT(cubes_text)},
	OPTION_GROUP("Jobs"),
	WORKLOAD_OPTIONS,
	OPTION_GROUP("Queue"),
	{0, "scheduler", ENGINE_SCHEDULERS, "first come first served, or with backfilling (easy)",
		OPTION_CHOICE, AT(runner.engine.scheduler), ENGINE_FCFS},
	{0, "kill-at-limit", NULL, "end jobs at their time limit, done or not", OPTION_FLAG,
		AT(runner.engine.kill_at_limit)},
	{PATTERN, "pattern", MESH_PATTERN_FORMS "|own",
		"what strategies are told of messages (mix); own: job by job"},
	OPTION_GROUP("Messages between nodes, which make jobs slower"),
	{CONTENTION, "contention", "KIND",
		"simulate them: mix, programs, or one of either (smesh(1) lists them)"},
	{0, "comm-share", "PERCENT", "with --contention: communication's share of run times (50)",
		OPTION_PERCENT, AT(comm.share)},
	{0, "comm-file", "FILE", "what single jobs send: lines JOB PATTERN [PERCENT]", OPTION_TEXT,
		AT(comm.file)},
	{0, "calibrate", "NAME", "with --contention: the log's run times are those under this one",
		OPTION_TEXT, AT(calibrate)},
	OPTION_GROUP("Runs and measurements"),
	{0, "repeat", "N", "N runs with other seeds: means and 95% intervals (1)", OPTION_INT,
		AT(repeat), 1, 10000},
	{0, "runs", "A-B", "make only these of the runs of --repeat (all)",
		OPTION_TEXT, AT(runs)},
	{0, "resume", "FILE", "note finished runs there; the same command goes on from it",
		OPTION_TEXT, AT(resume)},
	{THREADS, "threads", "N", "simulations side by side (one a core)", OPTION_INT,
		AT(runner.threads), 1, 256},
	{0, "matrix", NULL, "ask every strategy in the situations of every other, too",
		OPTION_FLAG, AT(matrix)},
	{0, "free-box", NULL, "measure the largest free box all the time: slower", OPTION_FLAG,
		AT(runner.engine.free_box)},
	{0, "hops-only", NULL, "measure no diameters, boxes and pieces: faster", OPTION_FLAG,
		AT(runner.engine.hops_only)},
	OPTION_GROUP("Output"),
	{'j', "json", NULL, "print JSON", OPTION_FLAG, AT(form.json)},
	{0, "csv", NULL, "print comma-separated values", OPTION_FLAG, AT(form.csv)},
	{0, "latex", NULL, "print a table for LaTeX (booktabs)", OPTION_FLAG, AT(form.latex)},
	{0, "html", "FILE", "write a page with charts and maps; - = standard output", OPTION_TEXT,
		AT(html)},
	{0, "per-run", "FILE", "all figures of each run as CSV; - = output", OPTION_TEXT,
		AT(per_run)},
	{0, "per-job", "FILE", "all jobs under all strategies as CSV: times, hops; - = output",
		OPTION_TEXT, AT(jobs.path[SIM_JOBS_RAN])},
	{0, "placements", "FILE", "one strategy: lines JOB START END NODES; - = output",
		OPTION_TEXT, AT(jobs.path[SIM_JOBS_PLACED])},
	{0, "batsim", "FILE", "one strategy: the columns of Batsim's jobs.csv; - = output",
		OPTION_TEXT, AT(jobs.path[SIM_JOBS_BATSIM])},
	{0, "swf", "FILE", "one strategy: the log as it ran, as SWF; - = output", OPTION_TEXT,
		AT(jobs.path[SIM_JOBS_SWF])},
	{0, "save", "FILE", "keep command, hashes of its files, all figures; - = output",
		OPTION_TEXT, AT(save)},
	{AGAIN, "again", "FILE",
		"run what --save kept and compare all digits; takes only --threads",
		OPTION_TEXT, AT(again)},
	{0},
};

static int take_contention(struct sim_session *s, const char *value)
{
	struct mesh_err err = {{0}};

	if (jobcomm_parse(value, &s->comm.mix, &err))
		return smesh_fail(SMESH_USAGE, "--contention=%s: %s", value, err.text);
	s->contention = s->comm.mix.share[COMM_NONE] < 1;
	s->sends = value;
	return SMESH_OK;
}

static int take_pattern(struct sim_session *s, const char *value)
{
	struct mesh_err err;
	struct mesh_pattern pattern;

	s->runner.engine.comm.told = !strcmp(value, "own");
	if (s->runner.engine.comm.told)
		return SMESH_OK;
	if (mesh_pattern_parse(value, &pattern, &err))
		return smesh_fail(SMESH_USAGE, "--pattern: %s", err.text);
	s->runner.engine.told = (struct mesh_request){0};
	mesh_pattern_apply(&pattern, &s->runner.engine.told);
	return SMESH_OK;
}

static int take(void *session, const struct option_row *row, const char *value)
{
	struct sim_session *s = session;

	return row->key == PATTERN ? take_pattern(s, value) : take_contention(s, value);
}

/* Refuse options that contradict each other. */
static int check(const struct sim_session *s)
{
	if (s->form.json + s->form.csv + s->form.latex > 1)
		return smesh_fail(SMESH_USAGE, "--json, --csv and --latex exclude each other");
	if (s->comm.file && !s->contention && !s->runner.engine.comm.told)
		return smesh_fail(
			SMESH_USAGE, "--comm-file goes with --contention or --pattern=own");
	if (s->runner.engine.comm.told && !s->comm.file && !s->contention)
		return smesh_fail(
			SMESH_USAGE, "--pattern=own goes with --comm-file or --contention");
	if (!s->contention && s->comm.mix.share[COMM_NONE] < 1 && fabs(s->comm.share - 0.5) > 0)
		return smesh_fail(SMESH_USAGE, "--comm-share goes with --contention");
	if (s->cubes_text && (s->contention || s->html || s->matrix))
		return smesh_fail(SMESH_USAGE,
			"--cubes and --contention, --html or --matrix exclude each other");
	return SMESH_OK;
}

/* The message for runs that are stopped: how not to lose what is done. NULL: none. */
static const char *stopped(struct sim_session *s)
{
	char text[512] = "smesh: stopped; with --resume=FILE the same command would go on\n";

	if (!s->options || s->runner.ntasks < 2)
		return NULL;
	if (s->resume)
		snprintf(text, sizeof(text),
			"smesh: stopped; the same command goes on from %.400s\n", s->resume);
	return need_text(&s->arena, text);
}

int sim_run(struct sim_session *s)
{
	struct mesh_err err = {{0}};
	int code;

	(void)((code = check(s)) || (code = sim_setup(s)) || (code = sim_calibrate(s)) ||
		(code = sim_open_outputs(s)));
	if (code)
		return code;
	if (s->replaced)
		smesh_fail(0, "%s: the page will take this file's place (--html names another)",
			s->replaced);
	output_progress_line(s->runner.progress.bar, stopped(s));
	code = runner_run(&s->runner, &err);
	output_progress_line(false, NULL);
	return code ? smesh_fail(SMESH_FAILED, "%s", err.text) : SMESH_OK;
}

void sim_defaults(struct sim_session *s)
{
	s->repeat = 1;
	s->comm.share = 0.5;
	s->availability = 1;
	workload_defaults(&s->workload);
	s->runner.engine.scheduler = ENGINE_EASY;
}

/* For --resume: files are identified by hashes; parts may have other runs and strategies. */
static void note_option(struct sim_session *s, const char *name, const char *value)
{
	static const char *const others[] = {"topology", "trace", "comm-file", "shape-file", "runs",
		"strategy", "against"};

	for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return;
	if (!sim_is_output(name))
		json_object_set_new(s->options, name, json_string(value ? value : ""));
}

/* Parse all arguments into a zeroed session. */
static int parse(struct sim_session *s, int argc, char **argv)
{
	const struct option_row *row;
	const char *value;
	int code;

	optind = 0; /* getopt begins anew */
	s->argc = argc;
	s->argv = argv;
	s->command = smesh_command_text(argc, argv);
	s->options = json_object();
	sim_defaults(s);
	while (!(code = options_next_row(&cmd_sim, argc, argv, &row, &value)) && row &&
		!(code = options_set(&cmd_sim, row, value, s))) {
		s->others += row->key != AGAIN && row->key != THREADS;
		note_option(s, row->name, value);
	}
	if (!code && s->again && s->others)
		code = smesh_fail(SMESH_USAGE,
			"--again runs with the options that were saved: leave out all but "
			"--threads");
	return code;
}

/* All figures as a new object; NULL after a message. */
static json_t *result_of(struct sim_session *s)
{
	struct sim_report made = {0};
	json_t *out;

	sim_report_make(s, &made);
	if (!(out = report_json(&made.report)))
		smesh_fail(SMESH_FAILED, "no JSON: a name is not UTF-8");
	arena_release(&made.arena);
	return out;
}

/* Simulate what was saved once more, without its outputs, and compare. */
static int compare_saved(struct sim_session *s, const json_t *then)
{
	json_t *now;
	int code = sim_run(s);

	if (code)
		return code;
	now = result_of(s);
	code = now ? sim_compare(then, now) : SMESH_FAILED;
	json_decref(now);
	return code;
}

static int run_again(const struct sim_session *asked)
{
	struct sim_session s = {0};
	json_t *then;
	char **argv;
	struct arena arena = {0};
	int argc, code = sim_saved(asked->again, &argv, &argc, &then, &arena);

	if (!code)
		code = parse(&s, argc, argv);
	s.runner.threads = asked->runner.threads;
	if (!code)
		code = compare_saved(&s, then);
	sim_release(&s);
	arena_release(&arena);
	json_decref(then);
	return code;
}

static int run(int argc, char **argv)
{
	struct sim_session s = {0};
	int code = parse(&s, argc, argv);

	if (!code && s.again)
		code = run_again(&s);
	else if (!code && !(code = sim_run(&s)))
		code = sim_write_outputs(&s);
	if (!code && s.journal && ferror(s.journal))
		code = smesh_fail(SMESH_FAILED, "--resume: %s: cannot be written: it lacks runs",
			s.resume);
	sim_release(&s);
	return code;
}

const struct command cmd_sim = {
	.name = "sim",
	.summary = "simulate a job log under several strategies: times, waits, hops",
	.usage = "[-t FILE] [-s A,B,...] --trace LOG | --generate MODEL [OPTION]...",
	.example = "-t topology.conf -s linear,mm,snug --trace jobs",
	.options = options,
	.take = take,
	.run = run,
};
