/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh map: the machine as a picture, from Slurm, a simulation or a file.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "view/picture.h"
#include "view/snapshot.h"
#include "view/state.h"
#include "cmd/outlook.h"
#include "sim/human.h"
#include "cli/workload.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cli/suggest.h"
#include "strategies/strategies.h"

enum { MESH = 256, STATE, AT, SCHEDULER, DOWN, SVG, HTML, WATCH, WIDTH, COLOUR };

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH(MESH),
	{STATE, "state", "FILE",
		"from a file of jobs and nodes instead of Slurm (see smesh(1)); - = input"},
	{AT, "at", "SECONDS",
		"from a simulation, this long after the first submission; N% = of the log"},
	{'s', "strategy", "NAME", "of the simulation"},
	{SCHEDULER, "scheduler", "fcfs|easy", "of the simulation (fcfs)"},
	WORKLOAD_OPTIONS,
	{DOWN, "down", "HOSTLIST", "nodes to show as down"},
	{SVG, "svg", "FILE", "write a picture; - = standard output"},
	{HTML, "html", "FILE", "write a page; - = standard output"},
	{WATCH, "watch", "SECONDS", "draw again and again"},
	{WIDTH, "width", "N", "columns of the terminal, or pixels of a picture"},
	{COLOUR, "color", "auto|always|never",
		"colours: on a terminal, unless NO_COLOR is set; or in any case (auto)"},
	{0},
};

struct session {
	const char *topology, *mesh_name, *state, *strategy, *down, *svg, *html;
	double at; /* seconds, or negative; a share of the log with at_share */
	bool at_share, easy;
	int watch, width, colour; /* colour: -1 auto */
	bool workload_named;
	struct workload_options workload;
	struct topoconf *conf;
	const struct mesh *mesh;
	struct picture picture;
};

static int take_colour(struct session *s, const char *value)
{
	int at = suggest_choice("color", value, "never|always|auto");

	s->colour = at == 2 ? -1 : at;
	return at < 0 ? SMESH_USAGE : SMESH_OK;
}

static int take_at(struct session *s, const char *value)
{
	size_t length = strlen(value);
	char number[64];

	s->at_share = length && value[length - 1] == '%';
	snprintf(number, sizeof(number), "%.*s", (int)length - s->at_share, value);
	if (length >= sizeof(number) || options_double(number, 0, s->at_share ? 100 : 1e12, &s->at))
		return smesh_fail(
			SMESH_USAGE, "--at=%s: not a number of seconds or percent", value);
	return SMESH_OK;
}

static int take_option(struct session *s, int key, const char *value)
{
	int code;

	switch (key) {
	case 't': s->topology = value; break;
	case MESH: s->mesh_name = value; break;
	case STATE: s->state = value; break;
	case 's': s->strategy = value; break;
	case DOWN: s->down = value; break;
	case SVG: s->svg = value; break;
	case HTML: s->html = value; break;
	case COLOUR: return take_colour(s, value);
	case WATCH: return options_take_int("watch", value, 1, 86400, &s->watch);
	case WIDTH: return options_take_int("width", value, 1, 100000, &s->width);
	case AT: return take_at(s, value);
	case SCHEDULER:
		code = suggest_choice("scheduler", value, "fcfs|easy");
		s->easy = code == 1;
		return code < 0 ? SMESH_USAGE : SMESH_OK;
	default:
		code = workload_take(&s->workload, key, value);
		s->workload_named = true;
		return code ? SMESH_USAGE : SMESH_OK;
	}
	return SMESH_OK;
}

/* --- where the picture comes from -------------------------------------------------- */

static void mark_nodes(struct picture *p, const struct nodeset *set, enum node_state state)
{
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (nodeset_has(set, i))
			p->state[i] = (unsigned char)state;
}

static int run_until(struct session *s, const struct trace *trace, const struct strategy_ops *ops,
	const struct nodeset *down)
{
	struct snapshot snapshot;
	struct engine_result result;
	struct engine_options engine = {.scheduler = s->easy ? ENGINE_EASY : ENGINE_FCFS,
		.seed = s->workload.seed,
		.hops_only = true,
		.down = down,
		.placed = snapshot_placed,
		.ended = snapshot_ended,
		.data = &snapshot,
		.stop_at = (int64_t)(s->at * (double)SIM_SECOND)};
	struct mesh_err err = {{0}};
	char title[224], when[32];
	int code = SMESH_OK;

	if (s->at_share)
		engine.stop_at =
			(int64_t)((double)trace->job[trace->njobs - 1].submit * s->at / 100);
	human_text(HUMAN_SECONDS, sim_seconds(engine.stop_at), when, sizeof(when));
	snprintf(title, sizeof(title), "%s under %s, %.60s after %s", s->mesh->name, ops->name,
		human_file(trace->name), when);
	snapshot_init(&snapshot, s->mesh, trace, engine.stop_at);
	snapshot.down = down;
	if (engine_run(&result, &(struct engine_input){s->mesh, trace, ops}, &engine, &err))
		code = smesh_fail(SMESH_FAILED, "%s", err.text);
	else if (snapshot_finish(&snapshot, title))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	if (code == SMESH_OK) {
		picture_release(&s->picture);
		s->picture = snapshot.picture;
		memset(&snapshot.picture, 0, sizeof(snapshot.picture));
	}
	snapshot_release(&snapshot);
	engine_release(&result);
	return code;
}

static int from_simulation(struct session *s, const struct nodeset *down)
{
	const char *name = s->strategy ? s->strategy : strategy_for(STRATEGY_DEFAULT)->name;
	const struct strategy_ops *ops = suggest_strategy(name);
	struct trace trace;
	int code;

	if (!ops)
		return SMESH_USAGE;
	code = workload_load(&trace, &s->workload, s->mesh);
	if (code == SMESH_OK) {
		workload_report(&trace, &s->workload);
		code = run_until(s, &trace, ops, down);
	}
	trace_release(&trace);
	return code;
}

static int fill_picture(struct session *s)
{
	struct nodeset down = {0};
	struct mesh_err err = {{0}};
	int code;

	if (picture_init(&s->picture, s->mesh) || nodeset_init(&down, s->mesh->nnodes))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	else if (s->down && smesh_hosts_to_set(s->mesh, s->down, &down, &err))
		code = smesh_fail(SMESH_USAGE, "--down: %s", err.text);
	else
		code = s->at >= 0 ? from_simulation(s, &down)
				  : state_take(&s->picture, s->conf, s->state);
	if (code == SMESH_OK)
		mark_nodes(&s->picture, &down, NODE_DOWN);
	nodeset_release(&down);
	return code;
}

/* --- where it goes ----------------------------------------------------------------- */

static int write_file(const struct session *s, const char *path, bool page)
{
	struct output out;
	struct svg_options svg = {.width = s->width, .standalone = true};

	if (output_open(&out, path))
		return SMESH_USAGE;
	if (page)
		draw_html(&s->picture, out.file, s->width);
	else
		draw_svg(&s->picture, out.file, &svg);
	return output_close(&out);
}

static int terminal_width(const struct session *s)
{
	struct winsize size;

	if (s->width)
		return s->width;
	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col
		? size.ws_col : 120;
}

static int show(struct session *s)
{
	bool colour = s->colour < 0 ? smesh_has_colour(STDOUT_FILENO) : s->colour;
	int code = fill_picture(s);

	if (code == SMESH_OK && s->svg)
		code = write_file(s, s->svg, false);
	if (code == SMESH_OK && s->html)
		code = write_file(s, s->html, true);
	if (code == SMESH_OK && !s->svg && !s->html) {
		if (s->watch && smesh_is_terminal(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		draw_text(&s->picture, stdout, terminal_width(s), colour);
		code = outlook_say(&s->picture, stdout);
	}
	picture_release(&s->picture);
	return code;
}

static int check_options(struct session *s)
{
	if (s->workload_named && s->at < 0)
		return smesh_fail(SMESH_USAGE, "a simulation needs --at=SECONDS");
	if (s->state && s->at >= 0)
		return smesh_fail(SMESH_USAGE, "--state and --at exclude each other");
	if (s->watch && (s->at >= 0 || (s->state && !strcmp(s->state, "-"))))
		return smesh_fail(SMESH_USAGE, "--watch is for what changes: Slurm or a file");
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	struct session s = {.at = -1, .colour = -1};
	const char *value;
	int code = SMESH_OK;

	workload_defaults(&s.workload);
	for (int key; (key = options_next(&cmd_map, argc, argv, &value)) != -1;)
		if ((code = take_option(&s, key, value)))
			return code;
	if (optind < argc)
		return smesh_fail(SMESH_USAGE, "map: what is '%s'?", argv[optind]);
	if ((code = check_options(&s)))
		return code;
	if (!(s.mesh = smesh_open_mesh(&s.conf, s.topology, s.mesh_name)))
		code = SMESH_USAGE;
	else
		while (!(code = show(&s)) && s.watch && !fflush(stdout))
			sleep((unsigned)s.watch);
	topoconf_free(s.conf);
	return code;
}

const struct command cmd_map = {
	.name = "map",
	.summary = "draw the machine and its jobs: live, from a simulation or from a file",
	.usage = "[-t FILE] [--state FILE | --at SECONDS --trace LOG] [OPTION]...",
	.options = options,
	.run = run,
};
