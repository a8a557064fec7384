/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh top: draws the machine, its jobs and the queue again and again.
 */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/picture_json.h"
#include "cmd/outlook.h"
#include "cmd/commands.h"
#include "sim/need.h"

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
static int draw(const struct session *s, FILE *to, const struct text_style *style)
{
	struct command_base base = s->base;
	int code = command_open_state(&base);

	if (code == SMESH_OK && table_wanted(&base.form))
		code = picture_json_print(&base.picture, &base.form);
	else if (code == SMESH_OK)
		outlook_draw(&base.picture, to, style);
	picture_release(&base.picture);
	return code;
}

/* --- on the whole terminal (ncurses) -------------------------------------------------- */

/* Keys scroll the text, and choose rows of its tables and their order. */
struct shown {
	const struct session *session;
	char *text; /* malloc'd */
	int nlines, top; /* top: the first visible line */
	char only[64];
	enum text_order order;
	bool ended;
};

/* May this process use the terminal: are input and output a terminal of a known kind? */
static bool may_use_terminal(void)
{
	const char *kind = getenv("TERM");

	return smesh_is_terminal(STDIN_FILENO) && smesh_is_terminal(STDOUT_FILENO) && kind &&
		*kind && strcmp(kind, "dumb") != 0;
}

/* --- the text --------------------------------------------------------------------- */

static int draw_again(struct shown *s)
{
	const struct text_style style = {.width = COLS, .colour = has_colors() && COLORS >= 256,
		.only = *s->only ? s->only : NULL, .order = s->order};
	size_t size;
	FILE *to;
	int code;

	free(s->text);
	s->text = NULL;
	to = need(open_memstream(&s->text, &size));
	code = draw(s->session, to, &style);
	need_done(fclose(to));
	s->nlines = 0;
	for (const char *c = s->text; c && *c; c++)
		s->nlines += *c == '\n';
	return code;
}

/* Translate an escape sequence of draw_text(): a background of the palette, dim, or red. */
static const char *take_colour(const char *c)
{
	int background = 0, done = 0;

	if (sscanf(c, "\033[0;30;48;5;%dm%n", &background, &done) == 1 && done &&
		background < COLORS) {
		init_pair((short)background, COLOR_BLACK, (short)background);
		attrset(COLOR_PAIR(background));
	} else {
		attr_t bold = strncmp(c, "\033[0;1;31m", 9) ? 0 : A_BOLD;

		attrset((int)(strncmp(c, "\033[0;2m", 6) ? bold : A_DIM));
	}
	return c + strcspn(c, "m");
}

static void put_lines(const struct shown *s)
{
	const char *c = s->text;
	int line = -s->top;

	for (move(0, 0); c && *c && line < LINES - 1; c++) {
		if (*c == '\033')
			c = take_colour(c);
		else if (*c == '\n')
			move(++line > 0 ? line : 0, 0);
		else if (line >= 0 && getcurx(stdscr) < COLS - 1)
			addch((unsigned char)*c);
	}
	attrset(0);
}

static void put_all(struct shown *s)
{
	static const char *const orders[] = TEXT_ORDERS;
	int last = s->nlines - (LINES - 1);

	s->top = s->top > last ? last : s->top;
	s->top = s->top < 0 ? 0 : s->top;
	erase();
	put_lines(s);
	attrset(A_REVERSE);
	mvprintw(LINES - 1, 0, "q quit  arrows, PgUp, PgDn  / rows with%s%s  s order: %s ",
		*s->only ? " " : "", s->only, orders[s->order]);
	attrset(0);
	refresh();
}

/* --- keys ------------------------------------------------------------------------- */

static void ask_only(struct shown *s)
{
	move(LINES - 1, 0);
	clrtoeol();
	addstr("rows with (job, user or partition; empty: all): ");
	echo();
	timeout(-1);
	if (getnstr(s->only, sizeof(s->only) - 1) == ERR)
		*s->only = 0;
	noecho();
}

/* Obey a key. Does it need a new drawing? */
static bool obey(struct shown *s, int key)
{
	switch (key) {
	case 'q': s->ended = true; return false;
	case KEY_UP: s->top--; return false;
	case KEY_DOWN: s->top++; return false;
	case KEY_PPAGE: s->top -= LINES - 2; return false;
	case KEY_NPAGE: s->top += LINES - 2; return false;
	case KEY_HOME: s->top = 0; return false;
	case KEY_END: s->top = s->nlines; return false;
	case '/': ask_only(s); return true;
	case 's': s->order = (s->order + 1) % TEXT_NORDERS; return true;
	default: return true; /* time is up, the size has changed, or any other key */
	}
}

static int show_until_ended(struct shown *s)
{
	int code = SMESH_OK;
	bool again = true;

	while (!s->ended) {
		if (again && (code = draw_again(s)))
			return code;
		put_all(s);
		timeout(1000 * s->session->delay);
		again = obey(s, getch());
	}
	return code;
}

/* --- the terminal ----------------------------------------------------------------- */

/* Print what went to standard error meanwhile: behind the screen it would be lost. */
static void tell_kept(FILE *kept, int before)
{
	char line[512];

	fflush(stderr);
	dup2(before, STDERR_FILENO);
	rewind(kept);
	while (fgets(line, sizeof(line), kept))
		fputs(line, stderr);
}

/* Draw until the user ends it. SMESH_OK, or the code of a drawing that failed. */
static int watch(const struct session *session)
{
	struct shown s = {.session = session};
	FILE *kept = tmpfile();
	int before = dup(STDERR_FILENO), code;

	if (kept && before >= 0)
		dup2(fileno(kept), STDERR_FILENO);
	initscr();
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	code = show_until_ended(&s);
	endwin();
	if (kept && before >= 0)
		tell_kept(kept, before);
	if (kept)
		fclose(kept);
	if (before >= 0)
		close(before);
	free(s.text);
	return code;
}

/* --- the command ------------------------------------------------------------------ */

static int run(void *session)
{
	const struct text_style style = {.colour = smesh_has_colour(STDOUT_FILENO)};
	struct session *s = session;
	int code;

	if (table_wanted(&s->base.form) && !s->iterations)
		s->iterations = 1;
	if (!s->iterations && may_use_terminal())
		return watch(s);
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
