/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: a workload under several strategies. The options; the rest is in sim_setup.c and
 * sim_outputs.c.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "config/settings.h"
#include "cmd/commands.h"
#include "cmd/sim_save.h"
#include "cmd/sim_session.h"
#include "cli/suggest.h"

enum { MESH = 256, ENDS, MATRIX, WARMUP, COOLDOWN, REPEAT, THREADS, DOWN, FREE_BOX, HOPS_ONLY, CSV,
	PLACEMENTS, HTML, AGAINST, CONTENTION, COMM_SHARE, COMM_FILE, RANK_ORDER, CALIBRATE,
	PER_JOB, BATSIM, SWF, TOLD, SAVE, AGAIN, SWEEP, RESUME, FEEDBACK, CLOSED,
	CUBES, TWIST, AVAILABILITY, DOWN_LINKS };

static const struct option_row options[] = {
	OPTION_GROUP("Machine and strategies"),
	OPTION_TOPOLOGY,
	OPTION_MESH(MESH),
	{'s', "strategy", "A,B,...", "strategies, or all (see smesh strategies)"},
	{AGAINST, "against", "NAME",
		"the strategy that others are compared with (linear, or the first)"},
	{DOWN, "down", "HOSTLIST", "nodes that are out of service"},
	{AVAILABILITY, "availability", "F",
		"each node is in service with this chance, all the time (1)"},
	{DOWN_LINKS, "down-links", "N|P%",
		"so many links are broken, drawn by --seed, beside those of DownLinks="},
	{CUBES, "cubes", "AxBxC[:chips]",
		"also as a machine of such cubes joined by optical switches: strategy cubes"},
	{TWIST, "twist", NULL, "with --cubes: slices k x k x 2k and k x 2k x 2k are twisted tori"},
	OPTION_GROUP("Jobs"),
	WORKLOAD_OPTIONS,
	{FEEDBACK, "feedback", NULL,
		"jobs follow the preceding jobs that the log names, after its think times"},
	{CLOSED, "closed", NULL,
		"jobs follow the same user's jobs before, after the log's think times"},
	OPTION_GROUP("Queue"),
	POLICY_OPTIONS,
	{ENDS, "ends", "exact|learnt|unknown", "of jobs without estimate, for strategies (exact)"},
	{TOLD, "pattern", MESH_PATTERN_FORMS "|own",
		"what strategies are told that jobs send (mix); own: by --comm-file or "
		"--contention"},
	OPTION_GROUP("Messages between nodes, which make jobs slower"),
	{CONTENTION, "contention", "PATTERN",
		"jobs share links: all-to-all, ring, grid, random or mix[:NAME=SHARE,...]"},
	{COMM_SHARE, "comm-share", "PERCENT",
		"with --contention: communication's part of run times (50)"},
	{COMM_FILE, "comm-file", "FILE",
		"with --contention or --pattern=own: lines ID PATTERN [PERCENT] of single jobs"},
	{RANK_ORDER, "rank-order", "slurm|near|mapped",
		"with --contention: ranks in order of nodes, as by topology/mesh, or smesh ranks "
		"(slurm)"},
	{CALIBRATE, "calibrate", "NAME",
		"with --contention: the strategy whose mean run times are the nominal ones"},
	OPTION_GROUP("Failures"),
	FAULTS_OPTIONS,
	OPTION_GROUP("Runs, and what is measured"),
	{REPEAT, "repeat", "N", "runs with other seeds; means and 95% confidence (1)"},
	{SWEEP, "sweep", "NAME=LOW:HIGH:STEP",
		"with each value of an option, or NAME=A,B,...; several: all combinations"},
	{RESUME, "resume", "FILE", "note there what is done, and do not do it twice"},
	{THREADS, "threads", "N", "simulations side by side (the cores there are)"},
	{WARMUP, "warmup", "PERCENT", "the first jobs, not counted (0)"},
	{COOLDOWN, "cooldown", "PERCENT", "the last jobs, not counted (0)"},
	{MATRIX, "matrix", NULL, "also ask every strategy in the situations of every other"},
	{FREE_BOX, "free-box", NULL, "measure the largest free box over time: slower"},
	{HOPS_ONLY, "hops-only", NULL, "leave out diameter, box, components and spans: faster"},
	OPTION_GROUP("Output"),
	OPTION_JSON,
	{CSV, "csv", NULL, "print comma-separated values"},
	{HTML, "html", "FILE", "write a page with charts and maps; - = standard output"},
	{PER_JOB, "per-job", "FILE",
		"every job under every strategy: times, hops, stretch, as CSV; - = output"},
	{PLACEMENTS, "placements", "FILE",
		"every job: id, start, end, nodes (one strategy); - = output"},
	{BATSIM, "batsim", "FILE",
		"every job in the columns of Batsim's jobs.csv (one strategy); - = output"},
	{SWF, "swf", "FILE",
		"every job as it ran, in the Standard Workload Format (one strategy); - = output"},
	{SAVE, "save", "FILE", "keep command, hashes of the files read and figures; - = output"},
	{AGAIN, "again", "FILE",
		"run what --save kept, and compare digit by digit; beside it goes --threads alone"},
	{0},
};

static int take_percent(double *out, const char *name, const char *value)
{
	if (options_double(value, 0, 100, out))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a number from 0 to 100", name, value);
	*out /= 100;
	return SMESH_OK;
}

static int take_ends(struct sim_session *s, const char *value)
{
	static const enum engine_ends ends[] = {ENGINE_EXACT, ENGINE_LEARNT, ENGINE_UNKNOWN};
	int at = suggest_choice("ends", value, "exact|learnt|unknown");

	if (at >= 0)
		s->runner.engine.ends = ends[at];
	return at < 0 ? SMESH_USAGE : SMESH_OK;
}

static int take_pattern(struct sim_session *s, const char *value)
{
	struct mesh_err err = {{0}};

	if (comm_parse(value, &s->comm.mix, &err))
		return smesh_fail(SMESH_USAGE, "--contention=%s: %s", value, err.text);
	s->contention = s->comm.mix.share[COMM_NONE] < 1;
	return SMESH_OK;
}

static int take_told(struct sim_session *s, const char *value)
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

static int take_rank_order(struct sim_session *s, const char *value)
{
	int at = suggest_choice("rank-order", value, "slurm|near|mapped");

	s->runner.engine.comm.near = at == 1;
	s->runner.engine.comm.mapped = at == 2;
	return at < 0 ? SMESH_USAGE : SMESH_OK;
}

/* Those that are written down with what they mean. */
static int take_shared(struct sim_session *s, int key, const char *value)
{
	int code = policy_take(&s->policy, &s->runner.engine, key, value);

	if (code < 0)
		code = faults_option(&s->runner.engine, &s->faults, key, value);
	if (code < 0)
		code = workload_take(&s->workload, key, value);
	return code < 0 ? SMESH_USAGE : code;
}

int sim_take(struct sim_session *s, int key, const char *value)
{
	struct engine_options *engine = &s->runner.engine;

	switch (key) {
	case 't': s->topology = value; break;
	case MESH: s->mesh_name = value; break;
	case 's': s->strategies = value; break;
	case AGAINST: s->against = value; break;
	case ENDS: return take_ends(s, value);
	case DOWN: s->down_hosts = value; break;
	case DOWN_LINKS: s->down_links = value; break;
	case CUBES: s->cubes_text = value; break;
	case TWIST: s->cubes.twist = true; break;
	case AVAILABILITY:
		s->some_fail = true;
		return options_take_double("availability", value, 0, 1, &s->availability);
	case WARMUP: return take_percent(&s->warmup, "warmup", value);
	case COOLDOWN: return take_percent(&s->cooldown, "cooldown", value);
	case REPEAT: return options_take_int("repeat", value, 1, 10000, &s->repeat);
	case MATRIX: s->matrix = true; break;
	case TOLD: return take_told(s, value);
	case CONTENTION: return take_pattern(s, value);
	case COMM_SHARE: return take_percent(&s->comm.share, "comm-share", value);
	case COMM_FILE: s->comm.file = value; break;
	case RANK_ORDER: return take_rank_order(s, value);
	case CALIBRATE: s->calibrate = value; break;
	case PER_JOB: s->jobs.path[SIM_JOBS_RAN] = value; break;
	case BATSIM: s->jobs.path[SIM_JOBS_BATSIM] = value; break;
	case SWF: s->jobs.path[SIM_JOBS_SWF] = value; break;
	case FEEDBACK: s->feedback = FEEDBACK_LOG; break;
	case CLOSED: s->feedback = FEEDBACK_CLOSED; break;
	case FREE_BOX: engine->free_box = true; break;
	case HOPS_ONLY: engine->hops_only = true; break;
	case THREADS: return options_take_int("threads", value, 1, 256, &s->runner.threads);
	case PLACEMENTS: s->jobs.path[SIM_JOBS_PLACED] = value; break;
	case 'j': s->json = true; break;
	case CSV: s->csv = true; break;
	case HTML: s->html = value; break;
	case SAVE: s->save = value; break;
	case AGAIN: s->again = value; break;
	case SWEEP: return sweep_take(&s->sweep, value);
	case RESUME: s->resume = value; break;
	default: return take_shared(s, key, value);
	}
	return SMESH_OK;
}

int sim_check(struct sim_session *s)
{
	if (s->json && s->csv)
		return smesh_fail(SMESH_USAGE, "--json and --csv exclude each other");
	if (s->warmup + s->cooldown >= 1)
		return smesh_fail(SMESH_USAGE, "--warmup and --cooldown leave no jobs");
	if (s->comm.file && !s->contention && !s->runner.engine.comm.told)
		return smesh_fail(
			SMESH_USAGE, "--comm-file goes with --contention or --pattern=own");
	if (s->runner.engine.comm.told && !s->comm.file && !s->contention)
		return smesh_fail(
			SMESH_USAGE, "--pattern=own goes with --comm-file or --contention");
	if (s->cubes_text && (s->contention || s->html || s->matrix))
		return smesh_fail(SMESH_USAGE,
			"--cubes and --contention, --html or --matrix exclude each other");
	if (s->cubes.twist && !s->cubes_text)
		return smesh_fail(SMESH_USAGE, "--twist goes with --cubes");
	return policy_check(&s->policy, &s->runner.engine);
}

int sim_run(struct sim_session *s)
{
	struct mesh_err err = {{0}};
	int code;

	(void)((code = s->sweep.naxes ? SMESH_OK : sim_check(s)) || (code = sim_setup(s)) ||
		(code = sim_calibrate(s)) || (code = sim_open_outputs(s)));
	if (code)
		return code;
	output_progress_line(s->runner.bar);
	code = runner_run(&s->runner, &err);
	output_progress_line(false);
	return code ? smesh_fail(SMESH_FAILED, "%s", err.text) : SMESH_OK;
}

/* Into a zeroed session. */
int sim_parse(struct sim_session *s, int argc, char **argv)
{
	const char *value;
	int code = SMESH_OK;

	optind = 0; /* getopt begins anew */
	s->repeat = 1;
	s->comm.share = 0.5;
	s->runner.engine.scheduler = ENGINE_EASY;
	s->argc = argc;
	s->argv = argv;
	s->command = smesh_command_text(argc, argv);
	workload_defaults(&s->workload);
	for (int key; !code && (key = options_next(&cmd_sim, argc, argv, &value)) != -1;) {
		code = sim_take(s, key, value);
		s->others += key != AGAIN && key != THREADS;
	}
	if (!code && s->again && s->others)
		code = smesh_fail(SMESH_USAGE,
			"--again runs with the options that were saved; beside it goes --threads "
			"alone");
	if (!code && optind < argc)
		code = smesh_fail(SMESH_USAGE, "sim: what is '%s'?", argv[optind]);
	return code;
}

/* All figures, as a new object; NULL after a message. */
static json_t *result_of(struct sim_session *s)
{
	struct sim_report made = {0};
	json_t *out = NULL;

	if (s->sweep.naxes)
		return sweep_json(s);
	if (!sim_report_make(s, &made) && !(out = report_json(&made.report)))
		smesh_fail(SMESH_FAILED, "out of memory");
	sim_report_release(&made);
	return out;
}

/* What was saved, simulated once more without its outputs. */
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
	int argc, code = sim_saved(asked->again, &argv, &argc, &then);

	if (!code)
		code = sim_parse(&s, argc, argv);
	s.runner.threads = asked->runner.threads;
	if (!code)
		code = compare_saved(&s, then);
	sim_release(&s);
	for (int i = 0; argv && i < argc; i++)
		free(argv[i]);
	free(argv);
	json_decref(then);
	return code;
}

static int run(int argc, char **argv)
{
	struct sim_session s = {0};
	int code = sim_parse(&s, argc, argv);

	if (!code && s.again)
		code = run_again(&s);
	else if (!code && !(code = sim_run(&s)))
		code = s.sweep.naxes ? sweep_write(&s) : sim_write_outputs(&s);
	sim_release(&s);
	return code;
}

const struct command cmd_sim = {
	.name = "sim",
	.summary = "simulate a workload under several strategies",
	.usage = "[-t FILE] [-s A,B,...] --trace LOG | --generate MODEL [OPTION]...",
	.options = options,
	.run = run,
};
