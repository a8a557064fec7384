/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/html.h"

#include "view/script.h"

void html_text(FILE *file, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&': fputs("&amp;", file); break;
		case '<': fputs("&lt;", file); break;
		case '>': fputs("&gt;", file); break;
		case '"': fputs("&quot;", file); break;
		case '\'': fputs("&#39;", file); break;
		default:
			if ((unsigned char)*text >= ' ')
				fputc(*text, file);
		}
}

/* Colours are variables, so that one media query turns the page dark. */
static const char colours[] =
	":root{--bg:#fff;--fg:#1b1f24;--soft:#5d6773;--line:#d5dae0;--panel:#f5f7f9;--free:#e6eaee;"
	"--hot:#b3261e;"
	"--bad:#c62f2f;--drain:#e0a030;--ink:#10141a;--sat:62%;--lum:70%;--ll:44%}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#14181d;--fg:#e4e8ec;--soft:#9aa5b1;"
	"--line:#343c46;--panel:#1c2229;--free:#2a323b;--hot:#ff8a65;--bad:#e0605c;--drain:#d0983c;"
	"--ink:#0b0e12;"
	"--sat:48%;--lum:62%;--ll:64%}}\n";

static const char map_rules[] =
	"svg.map text{font:9px ui-monospace,monospace;fill:var(--ink);text-anchor:middle}\n"
	"svg.map text.l{fill:var(--soft);font-size:11px;text-anchor:start}\n"
	"svg.map .free{fill:var(--free)}svg.map .down{fill:var(--bad)}svg.map "
	".drain{fill:var(--drain)}\n"
	"svg.map .edge{fill:none;stroke:var(--soft)}svg.map .wraps{stroke-dasharray:3 3}\n"
	"svg.map .job{fill:hsl(var(--h) var(--sat) var(--lum))}\n";

void html_map_style(FILE *file)
{
	fprintf(file, "%s%s", colours, map_rules);
}

void html_begin(FILE *file, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>", file);
	html_text(file, title);
	fputs("</title>\n<style>\n", file);
	html_map_style(file);
	for (const char *const *line = style_page; *line; line++)
		fputs(*line, file);
	fputs("</style>\n</head>\n<body>\n<main>\n", file);
}

void html_end(FILE *file)
{
	fputs("</main>\n</body>\n</html>\n", file);
}
