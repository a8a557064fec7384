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
		AT(file[SIM_PAGE].path)},
	{0, "per-run", "FILE", "all figures of each run as CSV; - = output", OPTION_TEXT,
		AT(file[SIM_PER_RUN].path)},
	{0, "per-job", "FILE", "all jobs under all strategies as CSV: times, hops; - = output",
		OPTION_TEXT, AT(file[SIM_RAN].path)},
	{0, "placements", "FILE", "one strategy: lines JOB START END NODES; - = output",
		OPTION_TEXT, AT(file[SIM_PLACED].path)},
	{0, "batsim", "FILE", "one strategy: the columns of Batsim's jobs.csv; - = output",
		OPTION_TEXT, AT(file[SIM_BATSIM].path)},
	{0, "swf", "FILE", "one strategy: the log as it ran, as SWF; - = output", OPTION_TEXT,
		AT(file[SIM_SWF].path)},
	{0, "save", "FILE", "keep command, hashes of its files, all figures; - = output",
		OPTION_TEXT, AT(file[SIM_SAVE].path)},
	{AGAIN, "again", "FILE",
		"run what --save kept and compare all digits; takes only --threads",
		OPTION_TEXT, AT(again)},
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--json, --csv and --latex exclude each other"},
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
	if (s->comm.file && !s->contention && !s->runner.engine.comm.told)
		return smesh_fail(
			SMESH_USAGE, "--comm-file goes with --contention or --pattern=own");
	if (s->runner.engine.comm.told && !s->comm.file && !s->contention)
		return smesh_fail(
			SMESH_USAGE, "--pattern=own goes with --comm-file or --contention");
	if (!s->contention && s->comm.mix.share[COMM_NONE] < 1 && fabs(s->comm.share - 0.5) > 0)
		return smesh_fail(SMESH_USAGE, "--comm-share goes with --contention");
	if (s->cubes_text && (s->contention || s->file[SIM_PAGE].path || s->matrix))
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

/* Tell for each strategy, of its first run, which job it refused first, and why. */
static void report_refused(const struct sim_session *s)
{
	char name[TRACE_NAME];

	for (int i = 0; i < s->nops && !s->quiet; i++) {
		const struct runner_task *task = &s->runner.task[i * s->repeat];
		const struct engine_result *r = &task->result;

		if (*r->reason.text)
			smesh_fail(0, "%s refuses job %s: %s (%.0f in %s)", task->ops->name,
				trace_job_name(&task->trace->job[r->refused], name), r->reason.text,
				task->summary.refused, s->repeat > 1 ? "the first run" : "all");
	}
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
	if (!code)
		report_refused(s);
	return code ? smesh_fail(SMESH_FAILED, "%s", err.text) : SMESH_OK;
}

static const struct sim_session usual = {SIM_USUAL, .repeat = 1};

/* For --resume: files are identified by hashes; parts may have other runs and strategies. */
static void note(void *session, const struct option_row *row, const char *value)
{
	static const char others[] = "topology,trace,comm-file,shape-file,runs,strategy,against";
	struct sim_session *s = session;

	s->others += row->key != AGAIN && row->key != THREADS;
	if (!s->options)
		s->options = json_object();
	if (!smesh_is_listed(others, row->name, strlen(row->name)) && !sim_is_output(row->name))
		json_object_set_new(s->options, row->name, json_string(value ? value : ""));
}

/* Simulate what was saved once more, without its outputs, and compare. */
static int compare_saved(struct sim_session *s, const json_t *then)
{
	struct sim_report made;
	json_t *now;
	int code = options_read(&cmd_sim, s->base.argc, s->base.argv, s);

	if (code || (code = sim_run(s)))
		return code;
	sim_report_make(s, &made);
	now = report_json(&made.report);
	code = now ? sim_compare(then, now)
		: smesh_fail(SMESH_FAILED, "no JSON: a name is not UTF-8");
	arena_release(&made.arena);
	json_decref(now);
	return code;
}

static int run_again(struct sim_session *asked)
{
	struct sim_session s = usual;
	json_t *then;
	int code = sim_saved(asked->again, &s.base, &then, &asked->arena);

	optind = 0; /* getopt begins anew */
	if (!code) {
		s.runner.threads = asked->runner.threads;
		s.base.command = asked->base.command;
		code = compare_saved(&s, then);
	}
	sim_release(&s);
	json_decref(then);
	return code;
}

static int run(void *session)
{
	struct sim_session *s = session;
	int code;

	if (s->again && s->others)
		return smesh_fail(SMESH_USAGE,
			"--again runs with the options that were saved: leave out all but "
			"--threads");
	if (s->again)
		return run_again(s);
	if (!(code = sim_run(s)))
		code = sim_write_outputs(s);
	if (!code && s->journal && ferror(s->journal))
		code = smesh_fail(SMESH_FAILED, "--resume: %s: cannot be written: it lacks runs",
			s->resume);
	return code;
}

static void end(void *session)
{
	sim_release(session);
}

const struct command cmd_sim = {
	.name = "sim",
	.summary = "simulate a job log under several strategies: times, waits, hops",
	.usage = "[-t FILE] [-s A,B,...] --trace LOG | --generate MODEL [OPTION]...",
	.example = "-t topology.conf -s linear,mm,snug --trace jobs",
	.options = options,
	.rules = rules,
	.size = sizeof(struct sim_session),
	.usual = &usual,
	.take = take,
	.note = note,
	.run = run,
	.end = end,
};
