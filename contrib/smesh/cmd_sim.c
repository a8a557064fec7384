/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: a workload under several strategies.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "map/snapshot.h"
#include "report_html.h"
#include "sim/report.h"
#include "sim/runner.h"
#include "sim/workload.h"
#include "smesh.h"

enum { MESH = 256, SCHEDULER, DEPTH, ENDS, MATRIX, WARMUP, COOLDOWN, REPEAT, THREADS, DOWN, FREE_BOX, HOPS_ONLY, CSV,
	PLACEMENTS, HTML, CONTENTION, COMM_SHARE };

static const struct option_row options[] = {
	{'t', "topology", "FILE", "the topology.conf with the mesh lines"},
	{MESH, "mesh", "NAME", "which mesh, if the file has several"},
	{'s', "strategy", "A,B,...", "strategies, or all (see smesh strategies)"},
	{SCHEDULER, "scheduler", "fcfs|easy", "first come first served, or with backfilling (fcfs)"},
	{DEPTH, "backfill-depth", "N", "easy: jobs looked at behind the first (all)"},
	{ENDS, "ends", "exact|learnt|unknown", "of jobs without estimate, for strategies (exact)"},
	WORKLOAD_OPTIONS,
	{DOWN, "down", "HOSTLIST", "nodes that are out of service"},
	{WARMUP, "warmup", "PERCENT", "the first jobs, not counted (0)"},
	{COOLDOWN, "cooldown", "PERCENT", "the last jobs, not counted (0)"},
	{REPEAT, "repeat", "N", "runs with other seeds; means and 95% confidence (1)"},
	{MATRIX, "matrix", NULL, "also ask every strategy in the situations of every other"},
	{CONTENTION, "contention", "PATTERN", "jobs share links: all-to-all, ring, neighbour or random"},
	{COMM_SHARE, "comm-share", "PERCENT", "with --contention: communication's part of run times (50)"},
	{FREE_BOX, "free-box", NULL, "measure the largest free box over time: slower"},
	{HOPS_ONLY, "hops-only", NULL, "leave out diameter, box, components and spans: faster"},
	{THREADS, "threads", "N", "simulations side by side (the cores there are)"},
	{PLACEMENTS, "placements", "FILE", "every job: id, start, end, nodes (one strategy)"},
	{'j', "json", NULL, "print JSON"},
	{CSV, "csv", NULL, "print comma-separated values"},
	{HTML, "html", "FILE", "write a page with charts and maps"},
	{0},
};

struct session {
	const char *topology, *mesh_name, *strategies, *down_hosts, *placements, *html;
	bool json, csv, matrix;
	int repeat;
	double warmup, cooldown;
	struct workload_options workload;
	struct topoconf *conf;
	const struct mesh *mesh;
	struct nodeset down;
	const struct strategy_ops **ops;
	int nops;
	struct trace *trace; /* [repeat] */
	struct runner runner;
	FILE *placements_file, *html_file;
	/* For the page, of each strategy's first run: */
	struct profile *profile;   /* [nops] */
	struct snapshot *snapshot; /* [ntasks] */
};

static int take_percent(double *out, const char *name, const char *value)
{
	if (options_double(value, 0, 100, out))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a number from 0 to 100", name, value);
	*out /= 100;
	return SMESH_OK;
}

static int take_scheduler(struct session *s, const char *value)
{
	if (strcmp(value, "fcfs") && strcmp(value, "easy"))
		return smesh_fail(SMESH_USAGE, "--scheduler=%s: fcfs or easy", value);
	s->runner.engine.scheduler = *value == 'e' ? ENGINE_EASY : ENGINE_FCFS;
	return SMESH_OK;
}

static int take_ends(struct session *s, const char *value)
{
	static const char *const name[] = {
		[ENGINE_EXACT] = "exact", [ENGINE_LEARNT] = "learnt", [ENGINE_UNKNOWN] = "unknown"};

	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (!strcmp(value, name[i])) {
			s->runner.engine.ends = (enum engine_ends)i;
			return SMESH_OK;
		}
	return smesh_fail(SMESH_USAGE, "--ends=%s: exact, learnt or unknown", value);
}

static int take_pattern(struct session *s, const char *value)
{
	const char *name;

	for (int i = 0; (name = contention_name(i)); i++)
		if (!strcmp(name, value)) {
			s->runner.engine.pattern = (enum contention_pattern)i;
			return SMESH_OK;
		}
	return smesh_fail(SMESH_USAGE, "--contention=%s: all-to-all, ring, neighbour, random or none",
		value);
}

static int take_option(struct session *s, int key, const char *value)
{
	struct engine_options *engine = &s->runner.engine;

	switch (key) {
	case 't': s->topology = value; break;
	case MESH: s->mesh_name = value; break;
	case 's': s->strategies = value; break;
	case SCHEDULER: return take_scheduler(s, value);
	case DEPTH: return options_take_int("backfill-depth", value, 1, INT32_MAX, &engine->backfill_depth);
	case ENDS: return take_ends(s, value);
	case DOWN: s->down_hosts = value; break;
	case WARMUP: return take_percent(&s->warmup, "warmup", value);
	case COOLDOWN: return take_percent(&s->cooldown, "cooldown", value);
	case REPEAT: return options_take_int("repeat", value, 1, 10000, &s->repeat);
	case MATRIX: s->matrix = true; break;
	case CONTENTION: return take_pattern(s, value);
	case COMM_SHARE: return take_percent(&engine->share, "comm-share", value);
	case FREE_BOX: engine->free_box = true; break;
	case HOPS_ONLY: engine->hops_only = true; break;
	case THREADS: return options_take_int("threads", value, 1, 256, &s->runner.threads);
	case PLACEMENTS: s->placements = value; break;
	case 'j': s->json = true; break;
	case CSV: s->csv = true; break;
	case HTML: s->html = value; break;
	default: return workload_take(&s->workload, key, value) ? SMESH_USAGE : SMESH_OK;
	}
	return SMESH_OK;
}

/* --- preparation ------------------------------------------------------------------ */

static int add_strategy(struct session *s, const char *name)
{
	const struct strategy_ops *ops = strategy_find(name);
	void *bigger = realloc(s->ops, ((size_t)s->nops + 1) * sizeof(struct strategy_ops *));

	if (!ops)
		return smesh_fail(SMESH_USAGE, "unknown strategy '%s' (see smesh strategies)", name);
	if (!bigger)
		return smesh_fail(SMESH_FAILED, "out of memory");
	s->ops = bigger;
	for (int i = 0; i < s->nops; i++)
		if (s->ops[i] == ops)
			return SMESH_OK;
	s->ops[s->nops++] = ops;
	return SMESH_OK;
}

static int list_strategies(struct session *s)
{
	char *list = strdup(s->strategies ? s->strategies : strategy_default()), *save;
	const struct strategy_ops *ops;
	int code = list ? SMESH_OK : smesh_fail(SMESH_FAILED, "out of memory");

	if (list && !strcmp(list, "all"))
		for (int i = 0; code == SMESH_OK && (ops = strategy_at(i)); i++)
			code = add_strategy(s, ops->name);
	else if (list)
		for (char *name = strtok_r(list, ",", &save); name && code == SMESH_OK;
			name = strtok_r(NULL, ",", &save))
			code = add_strategy(s, name);
	free(list);
	if (code == SMESH_OK && !s->nops)
		code = smesh_fail(SMESH_USAGE, "--strategy names none");
	return code;
}

static int open_machine(struct session *s)
{
	struct mesh_err err = {{0}};
	struct runner *runner = &s->runner;

	if (!(s->conf = smesh_read_topology(s->topology)))
		return SMESH_USAGE;
	if (!(s->mesh = topoconf_find(s->conf, s->mesh_name, &err)))
		return smesh_fail(SMESH_USAGE, "%s: %s", s->topology, err.text);
	if (nodeset_init(&s->down, s->mesh->nnodes))
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (s->down_hosts && smesh_hosts_to_set(s->mesh, s->down_hosts, &s->down, &err))
		return smesh_fail(SMESH_USAGE, "--down: %s", err.text);
	runner->mesh = s->mesh;
	runner->engine.down = s->down_hosts ? &s->down : NULL;
	runner->engine.stop_at = -1;
	runner->summary.nodes = s->mesh->nnodes - nodeset_count(&s->down);
	runner->summary.warmup = s->warmup;
	runner->summary.cooldown = s->cooldown;
	return SMESH_OK;
}

/* One workload a run: another seed, and for a log another perturbation. */
static int load_workloads(struct session *s)
{
	s->trace = calloc((size_t)s->repeat, sizeof(*s->trace));
	if (!s->trace)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < s->repeat; i++) {
		struct workload_options workload = s->workload;
		int code;

		workload.seed += (uint64_t)i;
		if ((code = workload_load(&s->trace[i], &workload, s->mesh)))
			return code;
	}
	workload_report(&s->trace[0], &s->workload);
	return SMESH_OK;
}

static void write_placement(void *data, int job, const int *node, int count, int64_t now)
{
	struct session *s = data;
	const struct trace_job *j = &s->trace[0].job[job];
	char *hosts = smesh_nodes_to_hosts(s->mesh, node, count);

	fprintf(s->placements_file, "%lld %.6f %.6f %s\n", (long long)j->id,
		(double)now / SIM_SECOND, (double)(now + j->run) / SIM_SECOND, hosts ? hosts : "");
	free(hosts);
}

static int open_placements(struct session *s)
{
	if (!s->placements)
		return SMESH_OK;
	if (s->nops > 1 || s->repeat > 1)
		return smesh_fail(SMESH_USAGE, "--placements goes with one strategy and one run");
	s->placements_file = fopen(s->placements, "we");
	if (!s->placements_file)
		return smesh_fail(SMESH_USAGE, "%s: cannot be written", s->placements);
	s->runner.engine.placed = write_placement;
	s->runner.engine.data = s;
	return SMESH_OK;
}

/* --- the page ----------------------------------------------------------------------- */

static void make_profile(void *data, struct runner_task *task)
{
	struct session *s = data;
	int at = (int)(task - s->runner.task);

	if (at % s->repeat == 0)
		profile_make(&s->profile[at / s->repeat], task->trace, task->result.record,
			s->runner.summary.nodes);
}

/* The page shows the machine when this share of the submissions has passed. */
static const double moment = 0.6;

static int prepare_page(struct session *s)
{
	struct runner *runner = &s->runner;

	if (!s->html)
		return SMESH_OK;
	if (s->placements)
		return smesh_fail(SMESH_USAGE, "--html and --placements exclude each other");
	if (!(s->html_file = fopen(s->html, "we")))
		return smesh_fail(SMESH_USAGE, "%s: cannot be written", s->html);
	s->profile = calloc((size_t)s->nops, sizeof(*s->profile));
	s->snapshot = calloc((size_t)runner->ntasks, sizeof(*s->snapshot));
	if (!s->profile || !s->snapshot)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < runner->ntasks; i++) {
		const struct trace *trace = runner->task[i].trace;

		snapshot_init(&s->snapshot[i], s->mesh, trace,
			(int64_t)((double)trace->job[trace->njobs - 1].submit * moment));
		s->snapshot[i].down = runner->engine.down;
		s->snapshot[i].taken = i % s->repeat;
		runner->task[i].data = &s->snapshot[i];
	}
	runner->engine.placed = snapshot_placed;
	runner->engine.ended = snapshot_ended;
	runner->finished = make_profile;
	runner->data = s;
	return SMESH_OK;
}

static int write_page(const struct session *s, const struct report *report)
{
	struct picture **picture = calloc((size_t)s->nops, sizeof(*picture));
	struct report_page page = {.report = report, .profile = s->profile, .picture = picture};
	char title[160];

	if (!picture)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < s->nops; i++) {
		struct snapshot *snapshot = &s->snapshot[i * s->repeat];

		snprintf(title, sizeof(title), "%s at %.2f days", s->ops[i]->name,
			(double)snapshot->at / SIM_SECOND / 86400);
		if (!snapshot_finish(snapshot, title))
			picture[i] = &snapshot->picture;
	}
	report_html(&page, s->html_file);
	free(picture);
	return SMESH_OK;
}

/* --- the run ---------------------------------------------------------------------- */

static int make_tasks(struct session *s)
{
	struct runner *runner = &s->runner;

	runner->ntasks = s->nops * s->repeat;
	runner->task = calloc((size_t)runner->ntasks, sizeof(*runner->task));
	if (!runner->task)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < runner->ntasks; i++) {
		struct runner_task *task = &runner->task[i];

		task->ops = s->ops[i / s->repeat];
		task->trace = &s->trace[i % s->repeat];
		task->seed = s->workload.seed + (uint64_t)(i % s->repeat);
	}
	if (s->matrix) {
		runner->engine.decide = s->ops;
		runner->engine.ndecide = s->nops;
	}
	if (!runner->threads) {
		long cores = sysconf(_SC_NPROCESSORS_ONLN);

		runner->threads = cores > 0 ? (int)cores : 1;
	}
	runner->bar = isatty(STDERR_FILENO);
	return SMESH_OK;
}

/* matrix[situation][decision], the mean over all runs. */
static double *make_matrix(const struct session *s)
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
			matrix[i * s->nops + j] = jobs > 0 ? hops / jobs : 0;
		}
	return matrix;
}

static int print_report(const struct session *s, const struct report *report)
{
	json_t *json;

	if (s->csv) {
		report_csv(report, stdout);
	} else if (s->json) {
		if (!(json = report_json(report)))
			return smesh_fail(SMESH_FAILED, "out of memory");
		json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
		json_decref(json);
	} else {
		report_table(report, stdout);
	}
	return SMESH_OK;
}

static int make_report(const struct session *s)
{
	struct report_strategy *strategy = calloc((size_t)s->nops, sizeof(*strategy));
	struct summary *runs = calloc((size_t)s->repeat, sizeof(*runs));
	double *matrix = s->matrix ? make_matrix(s) : NULL;
	struct report report = {.mesh = s->mesh, .trace = &s->trace[0], .seed = s->workload.seed,
		.scheduler = s->runner.engine.scheduler == ENGINE_EASY ? "easy" : "fcfs",
		.runs = s->repeat, .nodes = s->runner.summary.nodes, .strategy = strategy,
		.nstrategies = s->nops, .matrix = matrix};
	int code = strategy && runs && (matrix || !s->matrix)
		? SMESH_OK : smesh_fail(SMESH_FAILED, "out of memory");

	for (int i = 0; code == SMESH_OK && i < s->nops; i++) {
		for (int r = 0; r < s->repeat; r++)
			runs[r] = s->runner.task[i * s->repeat + r].summary;
		strategy[i].name = s->ops[i]->name;
		summary_average(&strategy[i].mean, &strategy[i].plusminus, runs, s->repeat);
	}
	if (code == SMESH_OK && s->html)
		code = write_page(s, &report);
	if (code == SMESH_OK)
		code = print_report(s, &report);
	free(matrix);
	free(strategy);
	free(runs);
	return code;
}

static int simulate(struct session *s)
{
	struct mesh_err err = {{0}};
	int code;

	if (s->json && s->csv)
		return smesh_fail(SMESH_USAGE, "--json and --csv exclude each other");
	if (s->warmup + s->cooldown >= 1)
		return smesh_fail(SMESH_USAGE, "--warmup and --cooldown leave no jobs");
	if ((code = list_strategies(s)) || (code = open_machine(s)) || (code = load_workloads(s)) ||
		(code = open_placements(s)) || (code = make_tasks(s)) ||
		(code = prepare_page(s)))
		return code;
	if (runner_run(&s->runner, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	return make_report(s);
}

static int run(int argc, char **argv)
{
	struct session s = {.repeat = 1, .runner.engine.share = 0.5};
	const char *value;
	int code = SMESH_OK;

	workload_defaults(&s.workload);
	for (int key; (key = options_next(&cmd_sim, argc, argv, &value)) != -1;)
		if ((code = take_option(&s, key, value)))
			return code;
	if (optind < argc)
		return smesh_fail(SMESH_USAGE, "sim: what is '%s'?", argv[optind]);
	code = simulate(&s);
	if (s.placements_file && fclose(s.placements_file) && code == SMESH_OK)
		code = smesh_fail(SMESH_FAILED, "%s: cannot be written", s.placements);
	if (s.html_file && fclose(s.html_file) && code == SMESH_OK)
		code = smesh_fail(SMESH_FAILED, "%s: cannot be written", s.html);
	for (int i = 0; s.snapshot && i < s.runner.ntasks; i++)
		snapshot_release(&s.snapshot[i]);
	free(s.snapshot);
	free(s.profile);
	runner_release(&s.runner);
	free(s.runner.task);
	for (int i = 0; s.trace && i < s.repeat; i++)
		trace_release(&s.trace[i]);
	free(s.trace);
	free(s.ops);
	nodeset_release(&s.down);
	topoconf_free(s.conf);
	return code;
}

const struct command cmd_sim = {
	.name = "sim",
	.summary = "simulate a workload under several strategies",
	.usage = "-t FILE -s A,B,... --trace LOG | --generate MODEL [OPTION]...",
	.options = options,
	.run = run,
};
