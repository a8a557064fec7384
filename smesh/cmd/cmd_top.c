/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh top: the machine, its jobs and who waits, drawn again and again.
 */
#include <getopt.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "view/state.h"
#include "cmd/outlook.h"
#include "cmd/commands.h"

enum { MESH = 256, STATE };

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH(MESH),
	{STATE, "state", "FILE", "from a file of jobs and nodes instead of Slurm (see smesh(1))"},
	{'d', "delay", "SECONDS", "from one picture to the next (2)"},
	{'n', "iterations", "N", "stop after so many pictures (never)"},
	{0},
};

/* The map is read each time: its nodes may come and go. */
static int show(const char *topology, const char *name, const char *state)
{
	struct winsize size = {0};
	struct picture picture = {0};
	struct topoconf *conf = NULL;
	int code = state_open(&picture, &conf, topology, name, state);

	if (code == SMESH_OK) {
		if (smesh_is_terminal(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
		draw_text(&picture, stdout, size.ws_col ? size.ws_col : 120,
			smesh_has_colour(STDOUT_FILENO));
		code = outlook_say(&picture, stdout);
	}
	picture_release(&picture);
	topoconf_free(conf);
	return code;
}

static int run(int argc, char **argv)
{
	const char *value, *topology = NULL, *name = NULL, *state = NULL;
	int delay = 2, iterations = 0, code = SMESH_USAGE;

	for (int key; (key = options_next(&cmd_top, argc, argv, &value)) != -1;)
		switch (key) {
		case 't': topology = value; break;
		case MESH: name = value; break;
		case STATE: state = value; break;
		case 'd':
			if (options_take_int("delay", value, 1, 86400, &delay))
				return SMESH_USAGE;
			break;
		case 'n':
			if (options_take_int("iterations", value, 1, INT32_MAX, &iterations))
				return SMESH_USAGE;
			break;
		default: return SMESH_USAGE;
		}
	if (optind < argc)
		return smesh_fail(SMESH_USAGE, "top: what is '%s'?", argv[optind]);
	while (!(code = show(topology, name, state)) && !fflush(stdout) && iterations != 1) {
		iterations -= iterations > 0;
		sleep((unsigned)delay);
	}
	return code;
}

const struct command cmd_top = {
	.name = "top",
	.summary = "watch the machine: who runs where and how long, who waits and why",
	.usage = "[-t FILE] [-d SECONDS] [-n N]",
	.options = options,
	.run = run,
};
