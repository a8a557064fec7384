/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html.h"

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
	":root{--bg:#fff;--fg:#1b1f24;--soft:#5d6773;--line:#d5dae0;--panel:#f5f7f9;--free:#e9edf1;"
	"--bad:#c62f2f;--drain:#e0a030;--ink:#10141a;--sat:62%;--lum:70%;--ll:44%}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#14181d;--fg:#e4e8ec;--soft:#9aa5b1;"
	"--line:#343c46;--panel:#1c2229;--free:#2a323b;--bad:#e0605c;--drain:#d0983c;--ink:#0b0e12;"
	"--sat:48%;--lum:62%;--ll:64%}}\n";

static const char map_rules[] =
	"svg.map text{font:9px ui-monospace,monospace;fill:var(--ink);text-anchor:middle}\n"
	"svg.map text.l{fill:var(--soft);font-size:11px;text-anchor:start}\n"
	"svg.map .free{fill:var(--free)}svg.map .down{fill:var(--bad)}svg.map .drain{fill:var(--drain)}\n"
	"svg.map .job{fill:hsl(var(--h) var(--sat) var(--lum))}\n";

static const char page_rules[] =
	"body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}\n"
	"main{max-width:1180px;margin:0 auto;padding:24px 20px 60px}\n"
	"h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:34px 0 8px}\n"
	"p.headline{font-size:20px;line-height:1.35;margin:8px 0}footer{margin-top:40px}\n"
	"pre{overflow-x:auto;font-size:12px;color:var(--soft)}small{color:var(--soft)}\n"
	"p.note{color:var(--soft);margin:4px 0 12px}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}\n"
	"th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right}\n"
	"th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:600}\n"
	".scroll{overflow-x:auto}\n"
	".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));gap:16px}\n"
	".card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px 14px}\n"
	".card h3{font-size:14px;margin:0 0 6px}\n"
	".key{display:inline-block;width:12px;height:12px;border-radius:2px;margin-right:6px;"
	"vertical-align:-1px}\n"
	".keys{font-size:12px;color:var(--soft)}.keys>span{margin-right:12px;white-space:nowrap}\n"
	".bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:4px 10px;"
	"font-size:12px;align-items:center;font-variant-numeric:tabular-nums}\n"
	".bars i{display:block;height:12px;border-radius:2px}.bars span:nth-child(3n){text-align:right}\n"
	".best{font-weight:700}\n"
	"svg.chart{width:100%;height:auto;display:block}\n"
	"svg.chart text{font:15px system-ui,sans-serif;fill:var(--soft)}\n"
	"svg.chart text.v{fill:var(--fg)}svg.chart .grid{stroke:var(--line);stroke-width:1}\n"
	"svg.chart .series{fill:none;stroke-width:1.8;stroke-linejoin:round}\n"
	"svg.map{max-width:100%;height:auto}\n";

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
	fprintf(file, "%s</style>\n</head>\n<body>\n<main>\n", page_rules);
}

void html_end(FILE *file)
{
	fputs("</main>\n</body>\n</html>\n", file);
}
