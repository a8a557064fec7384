/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh map: the machine as a picture, from Slurm, a simulation or a file.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/textfile.h"
#include "view/picture_json.h"
#include "view/timeline.h"
#include "cmd/outlook.h"
#include "sim/human.h"
#include "cli/workload.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cli/suggest.h"
#include "conf/strategies.h"

struct session {
	struct command_base base;
	const char *strategy, *svg;
	double at; /* seconds, or negative; a share of the log if at_share */
	bool at_share;
	enum engine_scheduler scheduler;
	int width;
	enum { AUTO, ALWAYS, NEVER } colour;
	struct workload_options workload;
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	{0, "at", "SECONDS", "of a simulation, at this time, or N% of the log"},
	{'s', "strategy", "NAME", "of the simulation (snug)", OPTION_TEXT, AT(strategy)},
	{0, "scheduler", "fcfs|easy", "of the simulation (easy)", OPTION_CHOICE, AT(scheduler),
		ENGINE_FCFS},
	WORKLOAD_OPTIONS,
	TABLE_OPTIONS,
	{0, "svg", "FILE", "write a picture; - = standard output", OPTION_TEXT, AT(svg)},
	{0, "width", "N", "columns of the terminal, or pixels of a picture", OPTION_INT, AT(width),
		1, 100000},
	{0, "color", "auto|always|never",
		"colours; auto: on a terminal unless NO_COLOR is set (auto)",
		OPTION_CHOICE, AT(colour), AUTO},
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--state and --at exclude each other"},
	{0},
};

/* --at */
static int take_at(void *session, const struct option_row *row, const char *value)
{
	struct session *s = session;

	if (options_share(value, 1e12, &s->at_share, &s->at))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a number of seconds or percent",
			row->name, value);
	return SMESH_OK;
}

/* --- where the picture comes from -------------------------------------------------- */

static int run_until(struct session *s, const struct trace *trace, const struct strategy_ops *ops)
{
	struct timeline timeline;
	struct engine_result result = {0};
	struct engine_options engine = {.scheduler = s->scheduler,
		.seed = s->workload.seed,
		.hops_only = true,
		.placed = timeline_placed,
		.ended = timeline_ended,
		.data = &timeline,
		.stop_at = (int64_t)(s->at * (double)SIM_SECOND)};
	struct picture *p = &s->base.picture;
	struct mesh_err err = {{0}};
	char when[32];
	int code = SMESH_OK;

	if (s->at_share)
		engine.stop_at =
			(int64_t)((double)trace->job[trace->njobs - 1].submit * s->at / 100);
	human_text(HUMAN_SECONDS, sim_seconds(engine.stop_at), when, sizeof(when));
	snprintf(p->title, sizeof(p->title), "%s under %s, %.60s after %.20s", p->mesh->name,
		ops->name, textfile_name(trace->name), when);
	timeline_init(&timeline, p->mesh, trace);
	if (engine_run(&result, &(struct engine_input){p->mesh, trace, ops}, &engine, &err))
		code = smesh_fail(SMESH_FAILED, "%s", err.text);
	else
		timeline_picture(&timeline, &result, engine.stop_at, p);
	timeline_release(&timeline);
	engine_release(&result);
	return code;
}

static int from_simulation(struct session *s)
{
	const char *name = s->strategy ? s->strategy : strategy_for(STRATEGY_DEFAULT)->name;
	const struct strategy_ops *ops = suggest_strategy(name);
	struct trace trace;
	int code;

	if (!ops)
		return SMESH_USAGE;
	code = workload_load(&trace, &s->workload, s->base.mesh);
	if (code == SMESH_OK) {
		workload_report(&trace, &s->workload, s->base.mesh);
		code = run_until(s, &trace, ops);
	}
	trace_release(&trace);
	return code;
}

static int fill_picture(struct session *s)
{
	int code;

	picture_init(&s->base.picture, s->base.mesh);
	if (s->at >= 0)
		return from_simulation(s);
	code = state_take(&s->base.picture, s->base.conf, s->base.state);
	if (code == SMESH_USAGE && !s->base.state)
		smesh_fail(code, "map also draws a simulation: smesh map --help");
	return code;
}

/* --- where it goes ----------------------------------------------------------------- */

static int write_svg(const struct session *s)
{
	struct layout_room room = {s->width ? s->width : 1120, 720, 4, 40};
	struct output out;

	if (output_open(&out, s->svg))
		return SMESH_USAGE;
	draw_svg(&s->base.picture, out.file, &room);
	return output_close(&out);
}

/* Tell of options that only a simulation heeds. */
static void tell_unused(void)
{
	static const char *const simulated[] = {"--strategy", "--scheduler", "--jobs",
		"--procs-per-node", "--too-large", "--skip-bad", "--host-speed", "--load",
		"--shape-file", "--shake", "--seed", "--arrival-rate", "--mean-run", "--redraw",
		"--no-shape", "--norotate", "--fold", "--overestimate"};

	for (unsigned i = 0; i < sizeof(simulated) / sizeof(*simulated); i++)
		if (options_given(&cmd_map, simulated[i]))
			smesh_fail(0, "%s has no effect without --at", simulated[i]);
}

static int run(void *session)
{
	struct session *s = session;
	const struct table_form *form = &s->base.form;
	const struct text_style style = {.width = s->width,
		.colour = s->colour == AUTO ? smesh_has_colour(STDOUT_FILENO)
					    : s->colour == ALWAYS};
	int code;

	if ((s->workload.trace || s->workload.generate.model) && s->at < 0)
		return smesh_fail(SMESH_USAGE, "a simulation needs --at=SECONDS");
	if (table_wanted(form) && s->svg)
		return smesh_fail(SMESH_USAGE, "--svg and %s exclude each other",
			form->json ? "--json" : "a table");
	if (s->at < 0)
		tell_unused();
	if ((code = command_open_mesh(&s->base)) || (code = fill_picture(s)))
		return code;
	if (table_wanted(form))
		return picture_json_print(&s->base.picture, form);
	if (s->svg)
		return write_svg(s);
	outlook_draw(&s->base.picture, stdout, &style);
	return SMESH_OK;
}

static const struct session usual = {
	.at = -1, .scheduler = ENGINE_EASY, .workload = WORKLOAD_USUAL};

const struct command cmd_map = {
	.name = "map",
	.summary = "draw the machine and its jobs: as Slurm has them, from a file or a simulation",
	.usage = "[-t FILE] [--state FILE | --at SECONDS --trace LOG] [OPTION]...",
	.example = "-t topology.conf --generate lublin --load 0.8 --at 50%",
	.options = options,
	.rules = rules,
	.table = &picture_table,
	.size = sizeof(struct session),
	.usual = &usual,
	.take = take_at,
	.run = run,
};
