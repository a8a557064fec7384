/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh top: draws the machine, its jobs and the queue again and again.
 */
#include <stdio.h>
#include <unistd.h>

#include "view/picture_json.h"
#include "cmd/outlook.h"
#include "cmd/commands.h"
#include "cmd/screen.h"

struct session {
	struct command_base base;
	int delay, iterations; /* iterations 0: without end */
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	{'d', "delay", "SECONDS", "from one picture to the next (2)", OPTION_INT, AT(delay), 1,
		86400},
	{'n', "iterations", "N", "stop after so many pictures (never)", OPTION_INT, AT(iterations),
		1, INT32_MAX},
	TABLE_OPTIONS,
	{0},
};

/* Draw. The map is read each time, as its nodes may come and go. */
static int draw(const void *session, FILE *to, const struct text_style *style)
{
	struct command_base base = ((const struct session *)session)->base;
	int code = command_open_state(&base);

	if (code == SMESH_OK && table_wanted(&base.form))
		code = picture_json_print(&base.picture, &base.form);
	else if (code == SMESH_OK)
		outlook_draw(&base.picture, to, style);
	picture_release(&base.picture);
	return code;
}

static int run(void *session)
{
	const struct text_style style = {.colour = smesh_has_colour(STDOUT_FILENO)};
	struct session *s = session;
	int code;

	if (table_wanted(&s->base.form) && !s->iterations)
		s->iterations = 1;
	if (!s->iterations && screen_may())
		return screen_run(&(struct screen){draw, s, s->delay});
	while (!(code = draw(s, stdout, &style)) && !fflush(stdout) && s->iterations != 1) {
		s->iterations -= s->iterations > 0;
		sleep((unsigned)s->delay);
	}
	return code;
}

const struct command cmd_top = {
	.name = "top",
	.summary = "watch the machine: who runs where, who waits and why",
	.usage = "[-t FILE] [-d SECONDS] [-n N]",
	.example = "-d 10",
	.options = options,
	.table = &picture_table,
	.size = sizeof(struct session),
	.usual = &(const struct session){.delay = 2},
	.run = run,
};
