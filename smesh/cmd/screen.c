/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/screen.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/smesh.h"
#include "sim/need.h"

struct shown {
	const struct screen *screen;
	char *text; /* malloc'd */
	int nlines, top; /* top: the first visible line */
	char only[64];
	enum text_order order;
	bool ended;
};

bool screen_may(void)
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
	code = s->screen->draw(s->screen->arg, to, &style);
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
		timeout(1000 * s->screen->delay);
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

int screen_run(const struct screen *screen)
{
	struct shown s = {.screen = screen};
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
