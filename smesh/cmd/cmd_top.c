/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh top: draws the machine, its jobs and the queue again and again.
 */
#include <stdio.h>
#include <unistd.h>

#include "view/picture_json.h"
#include "view/state.h"
#include "cmd/outlook.h"
#include "cmd/commands.h"
#include "cmd/screen.h"

struct session {
	const char *topology, *mesh_name, *state;
	int delay, iterations; /* iterations 0: without end */
	struct table_form form;
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	{'d', "delay", "SECONDS", "from one picture to the next (2)", OPTION_INT, AT(delay), 1,
		86400},
	{'n', "iterations", "N", "stop after so many pictures (never)", OPTION_INT, AT(iterations),
		1, INT32_MAX},
	TABLE_OPTIONS(form),
	{0},
};

/* Draw. The map is read each time, as its nodes may come and go. */
static int draw(const void *session, FILE *to, const struct text_style *style)
{
	const struct session *s = session;
	struct picture picture = {0};
	int code = state_open(&picture, s->topology, s->mesh_name, s->state);

	if (code == SMESH_OK && table_wanted(&s->form))
		code = picture_json_print(&picture, &s->form);
	else if (code == SMESH_OK)
		outlook_draw(&picture, to, style);
	picture_release(&picture);
	return code;
}

static int run(int argc, char **argv)
{
	const struct text_style style = {.colour = smesh_has_colour(STDOUT_FILENO)};
	struct session s = {.delay = 2};
	int code = options_read(&cmd_top, argc, argv, &s);

	if (!code)
		code = table_check(&picture_table, &s.form);
	if (table_wanted(&s.form) && !s.iterations)
		s.iterations = 1;
	if (!code && !s.iterations && screen_may())
		return screen_run(&(struct screen){draw, &s, s.delay});
	while (!code && !(code = draw(&s, stdout, &style)) && !fflush(stdout) &&
		s.iterations != 1) {
		s.iterations -= s.iterations > 0;
		sleep((unsigned)s.delay);
	}
	return code;
}

const struct command cmd_top = {
	.name = "top",
	.summary = "watch the machine: who runs where, who waits and why",
	.usage = "[-t FILE] [-d SECONDS] [-n N]",
	.example = "-d 10",
	.options = options,
	.run = run,
};
