/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh gather: makes one report from the runs that smesh sim --resume has written to several
 * files, on other machines, with other runs or other strategies.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/commands.h"
#include "cmd/sim_runs.h"
#include "cmd/sim_session.h"
#include "sim/need.h"
#include "view/report_page.h"

struct gathered {
	const char *name;
	struct summary *run; /* [runs] */
	const char **from;   /* [runs] the file of each run; NULL: it is missing */
	int missing;	     /* how many */
};

struct gather {
	struct command_base base;
	/* Set by the options. */
	struct report_form form;
	const char *against, *html, *per_run;
	/* Set by the files. */
	const char *path; /* the current file */
	const char *first; /* the first file */
	json_t *head;	   /* the head of the first file */
	struct gathered *strategy;
	int nstrategies, runs;
	struct mesh *mesh;
	struct trace trace;
};

#undef AT
#define AT(member) offsetof(struct gather, member)

static const struct option_row options[] = {
	{0, "against", "NAME", "compare with this strategy (linear, or the first)", OPTION_TEXT,
		AT(against)},
	{'j', "json", NULL, "print JSON", OPTION_FLAG, AT(form.json)},
	{0, "csv", NULL, "print comma-separated values", OPTION_FLAG, AT(form.csv)},
	{0, "latex", NULL, "print a table for LaTeX (booktabs)", OPTION_FLAG, AT(form.latex)},
	{0, "html", "FILE", "write a page, without maps; - = output", OPTION_TEXT, AT(html)},
	{0, "per-run", "FILE", "all figures of each run as CSV; - = output", OPTION_TEXT,
		AT(per_run)},
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--json, --csv and --latex exclude each other"},
	{0},
};

/* --- the files ------------------------------------------------------------------------ */

/* The strategy with this name, made with all runs missing. */
static struct gathered *find(struct gather *g, const char *name)
{
	struct gathered *s = g->strategy;

	for (int i = 0; i < g->nstrategies; i++, s++)
		if (!strcmp(s->name, name))
			return s;
	s = need_next(&g->base.arena, &g->strategy, &g->nstrategies, sizeof(*s));
	s->name = need_text(&g->base.arena, name);
	need_array(&g->base.arena, s->run, g->runs);
	need_array(&g->base.arena, s->from, g->runs);
	for (int r = 0; r < g->runs; r++)
		summary_nothing(&s->run[r]);
	return s;
}

static int take_head(void *data, json_t *head)
{
	struct gather *g = data;
	const json_t *report = json_object_get(head, "report");
	json_t *name;
	size_t i;
	int code;

	if (g->head && (code = runs_belong(head, g->path, g->head, g->first)))
		return code;
	if (!g->head) {
		g->head = json_incref(head);
		g->first = g->path;
		g->runs = (int)json_integer_value(json_object_get(report, "runs"));
	}
	if (g->runs < 1)
		return smesh_fail(SMESH_USAGE, "%s: no number of runs", g->path);
	if (!g->against && (name = json_object_get(report, "against")))
		g->against = need_text(&g->base.arena, json_string_value(name));
	json_array_foreach(json_object_get(head, "strategies"), i, name)
		if (json_is_string(name))
			find(g, json_string_value(name));
	return SMESH_OK;
}

static int take_line(void *data, const struct runs_line *line)
{
	struct gather *g = data;
	struct gathered *s = find(g, line->strategy);
	int r = line->run - 1;

	if (r < 0 || r >= g->runs)
		return smesh_fail(SMESH_USAGE, "%s: %s has a run %d, of %d", g->path,
			line->strategy, line->run, g->runs);
	if (s->from[r] && !summary_alike(&s->run[r], &line->figures))
		return smesh_fail(SMESH_USAGE, "%s: run %d of %s is not the one in %s", g->path,
			line->run, line->strategy, s->from[r]);
	if (s->from[r])
		return smesh_fail(SMESH_OK, "%s: run %d of %s is in %s, too: it counts once",
			g->path, line->run, line->strategy, s->from[r]);
	s->run[r] = line->figures;
	s->from[r] = g->path;
	return SMESH_OK;
}

static int read_file(struct gather *g, const char *path)
{
	struct runs_reader reader = {path, take_head, take_line, g, false};
	FILE *file = fopen(path, "re");
	const json_t *before = g->head;
	int code;

	if (!file)
		return smesh_fail(SMESH_USAGE, "%s: %s", path, strerror(errno));
	g->path = path;
	code = runs_read(&reader, file);
	fclose(file);
	if (!code && !reader.whole)
		smesh_fail(0, "%s: the last line was cut off", path);
	if (!code && !before && !g->head)
		smesh_fail(0, "%s: nothing is in it", path);
	return code;
}

/* Count the missing runs, and print "mm: of 30 runs these are missing: 3,7-9". */
static void say_missing(const struct gather *g, struct gathered *s)
{
	char text[512] = "";

	for (int r = 0, last; r < g->runs; r = last + 1) {
		last = r;
		if (s->from[r])
			continue;
		while (last + 1 < g->runs && !s->from[last + 1])
			last++;
		s->missing += last - r + 1;
		human_add(text, sizeof(text), last > r ? "%s%d-%d" : "%s%d", *text ? "," : "",
			r + 1, last + 1);
	}
	if (s->missing)
		smesh_fail(0, "%s: of %d runs these are missing: %s", s->name, g->runs, text);
}

/*
 * Means of different runs cannot be compared: leave of run[strategy][run] those that all strategies
 * have of which there is any run. How many.
 */
static int keep_common(const struct gather *g, struct summary *run)
{
	int common = 0;

	for (int r = 0; r < g->runs; r++) {
		bool all = true, any = false;

		for (int i = 0; i < g->nstrategies; i++) {
			any |= g->strategy[i].from[r] != NULL;
			all &= g->strategy[i].from[r] || g->strategy[i].missing == g->runs;
		}
		all &= any;
		common += all;
		for (int i = 0; i < g->nstrategies && !all; i++)
			summary_nothing(&run[i * g->runs + r]);
	}
	return common;
}

/* --- the report ----------------------------------------------------------------------- */

static int whole(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static bool is(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

/* Make the machine, of which only size and sides are known. NULL with text. */
static struct mesh *read_mesh(const json_t *mesh, struct mesh_err *err)
{
	const json_t *dims = json_object_get(mesh, "dims"), *wrap = json_object_get(mesh, "wrap");
	struct mesh_spec spec = {.name = text(mesh, "name"), .ndims = (int)json_array_size(dims),
		.nnodes = whole(mesh, "nodes")};
	int64_t vertices = 1;

	for (int d = 0; d < spec.ndims && d < MESH_MAX_DIMS; d++) {
		spec.side[d] = (int)json_integer_value(json_array_get(dims, (size_t)d));
		spec.wrap[d] = json_is_true(json_array_get(wrap, (size_t)d));
		vertices *= spec.side[d] > 0 && vertices < INT32_MAX ? spec.side[d] : 1;
	}
	spec.nodes_per_vertex = (int)((spec.nnodes - 1) / vertices) + 1;
	return spec.name && spec.nnodes > 0 ? mesh_new(&spec, err) : NULL;
}

/* Read the words of a report from JSON. */
static int read_report(struct gather *g, struct report *report)
{
	const json_t *from = json_object_get(g->head, "report"),
		     *mesh = json_object_get(from, "mesh"),
		     *work = json_object_get(from, "workload");
	struct mesh_err err = {"it does not say what machine, jobs and scheduler there were"};

	g->trace = (struct trace){.name = need_text(&g->base.arena, text(work, "name")),
		.read = whole(work, "read"), .njobs = whole(work, "jobs"),
		.busiest = whole(g->head, "busiest"), .processors = is(g->head, "processors")};
	report->scheduler = text(from, "scheduler");
	if (!g->trace.name || !report->scheduler || !(g->mesh = read_mesh(mesh, &err)))
		return smesh_fail(SMESH_USAGE, "%s: %s", g->first, err.text);
	report_left_out(work, &g->trace);
	report->mesh = g->mesh;
	report->trace = &g->trace;
	report->nodes = whole(mesh, "nodes_up");
	report->seed = (uint64_t)json_integer_value(json_object_get(from, "seed"));
	report->offered_load = json_is_number(json_object_get(work, "offered_load"))
		? number(work, "offered_load") : (double)NAN;
	report->load = number(from, "load");
	report->shake = number(from, "shake");
	report->contention = text(from, "contention");
	report->share = number(from, "comm_share");
	report->alike = is(g->head, "alike");
	report->log = json_object_get(json_object_get(g->head, "files"), "trace");
	return SMESH_OK;
}

/* Choose the strategy that --against names, of gather or of a file; or linear, or the first. */
static int choose_against(const struct gather *g)
{
	const char *name = g->against ? g->against : "linear";

	for (int i = 0; i < g->nstrategies; i++)
		if (!strcasecmp(g->strategy[i].name, name))
			return i;
	return g->against ? smesh_fail(-1, "--against=%s: no file has it", name) : 0;
}

static int write_file(const struct report *report, const char *path, bool page)
{
	struct report_page out = {.report = report};
	struct output file = {0};
	int code;

	if (!path)
		return SMESH_OK;
	if ((code = output_open(&file, path)))
		return code;
	if (page)
		report_page(&out, file.file);
	else
		report_csv_runs(report, file.file);
	return output_close(&file);
}

static int write_report(struct gather *g)
{
	struct report report = {.runs = g->runs, .first_run = 1, .nstrategies = g->nstrategies,
		.origin = {.version = text(g->head, "version"), .command = g->base.command}};
	struct arena *arena = &g->base.arena;
	struct report_strategy *strategy = need_get(arena, g->nstrategies, sizeof(*strategy));
	struct summary *run = need_get(arena, (int64_t)g->nstrategies * g->runs, sizeof(*run));
	bool taken = output_is_standard(g->html) || output_is_standard(g->per_run);
	int code;

	report.strategy = strategy;
	if ((code = read_report(g, &report)))
		return code;
	if ((report.against = choose_against(g)) < 0)
		return SMESH_USAGE;
	human_date(report.origin.date, sizeof(report.origin.date));
	for (int i = 0; i < g->nstrategies; i++) {
		strategy[i].name = g->strategy[i].name;
		memcpy(&run[i * g->runs], g->strategy[i].run, (size_t)g->runs * sizeof(*run));
		say_missing(g, &g->strategy[i]);
		report.missing += g->strategy[i].missing;
	}
	report_compare(&report, strategy, run);
	if ((code = write_file(&report, g->per_run, false)))
		return code;
	if (report.missing && !(report.compared = keep_common(g, run)))
		return smesh_fail(SMESH_USAGE, "gather: no run is there of all strategies: nothing "
			"can be compared (--per-run=FILE has what is there)");
	if (report.missing)
		report_compare(&report, strategy, run);
	if ((code = write_file(&report, g->html, true)))
		return code;
	return sim_print_report(&report, &g->form, taken ? stderr : stdout);
}

static int run(void *session)
{
	struct gather *g = session;
	int code = SMESH_OK;

	if (output_is_standard(g->html) && output_is_standard(g->per_run))
		return smesh_fail(SMESH_USAGE, "two files on standard output (-): expected one");
	if (!g->base.noperands)
		return smesh_fail(SMESH_USAGE, "gather: files of smesh sim --resume are needed");
	for (char **path = g->base.operand; !code && *path; path++)
		code = read_file(g, *path);
	if (code)
		return code;
	if (!g->nstrategies)
		return smesh_fail(SMESH_USAGE, "gather: no run is in these files");
	return write_report(g);
}

static void end(void *session)
{
	struct gather *g = session;

	json_decref(g->head);
	mesh_free(g->mesh);
}

const struct command cmd_gather = {
	.name = "gather",
	.summary = "one report from the files of many smesh sim --runs=A-B --resume=FILE",
	.usage = "[OPTION]... FILE...",
	.example = "sweep/0.7/*.jsonl",
	.options = options,
	.rules = rules,
	.operands = 1 << 20,
	.size = sizeof(struct gather),
	.run = run,
	.end = end,
};
