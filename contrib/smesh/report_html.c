/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_html.h"

#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "html.h"

enum { MAP_WIDTH = 36 };

/* --- headline and figures ------------------------------------------------------------- */

static void head_cells(const struct report *r, FILE *file)
{
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		if (!report_shows(r, row) || report_same(r, row))
			continue;
		fputs("<th title=\"", file);
		html_text(file, row->help);
		fputs("\">", file);
		html_text(file, row->title);
		fputs("</th>", file);
		if (report_changes(r, row)) {
			fputs("<th>vs ", file);
			html_text(file, r->strategy[r->against].name);
			fputs("</th>", file);
		}
	}
}

static void figure_cells(const struct report *r, int i, FILE *file)
{
	char text[64];

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		double value = summary_value(&r->strategy[i].mean, row);

		if (!report_shows(r, row) || report_same(r, row))
			continue;
		summary_text(row, value, text, sizeof(text));
		fprintf(file, "<td%s>%s", report_best(r, row, i) ? " class=\"best\"" : "", text);
		if (r->runs > 1) {
			summary_text(row, summary_value(&r->strategy[i].plusminus, row), text, sizeof(text));
			fprintf(file, "<small> &#177;%s</small>", text);
		}
		fputs("</td>", file);
		if (report_changes(r, row)) {
			human_percent(value, summary_value(&r->strategy[r->against].mean, row), text,
				sizeof(text));
			fprintf(file, "<td>%s</td>", i == r->against ? "" : text);
		}
	}
}

static void figures(const struct report *r, FILE *file)
{
	char same[512];

	fputs("<div class=\"scroll\"><table>\n<tr><th>strategy</th>", file);
	head_cells(r, file);
	fputs("</tr>\n", file);
	for (int i = 0; i < r->nstrategies; i++) {
		fputs("<tr><td>", file);
		html_text(file, r->strategy[i].name);
		fputs("</td>", file);
		figure_cells(r, i, file);
		fputs("</tr>\n", file);
	}
	fputs("</table></div>\n", file);
	report_same_text(r, same, sizeof(same));
	if (*same)
		fprintf(file, "<p class=\"note\">The same for all: %s</p>\n", same);
}

static void bars(const struct report *r, FILE *file)
{
	static const char *const shown[] = {"mean_hops", "weighted_mean_hops", "mean_wait",
		"utilization", "mean_diameter", "mean_components"};
	const char **name = calloc((size_t)r->nstrategies, sizeof(*name));
	double *value = calloc((size_t)r->nstrategies, sizeof(*value));

	fputs("<div class=\"cards\">\n", file);
	for (unsigned k = 0; name && value && k < sizeof(shown) / sizeof(shown[0]); k++) {
		const struct summary_row *row = summary_find(shown[k]);

		if (!report_shows(r, row) || report_same(r, row))
			continue;
		for (int i = 0; i < r->nstrategies; i++) {
			name[i] = r->strategy[i].name;
			value[i] = summary_value(&r->strategy[i].mean, row);
		}
		chart_bars(file, row->help, name, value, r->nstrategies, row->decimals, -1);
	}
	fputs("</div>\n", file);
	free(name);
	free(value);
}

/* --- charts ----------------------------------------------------------------------- */

enum what { BY_SIZE_HOPS, BY_SIZE_WAIT, OVER_TIME };

/* The points of one chart for one strategy; how many. */
static int points(const struct profile *p, enum what what, double *x, double *y)
{
	int n = 0;

	if (what == OVER_TIME) {
		for (; n < PROFILE_BINS; n++) {
			x[n] = (n + 0.5) * p->end / PROFILE_BINS / 86400;
			y[n] = p->busy[n] * 100;
		}
		return n;
	}
	for (int i = what == BY_SIZE_HOPS; i < PROFILE_SIZES; i++)
		if (p->jobs[i]) {
			x[n] = i;
			y[n++] = what == BY_SIZE_HOPS ? p->mean_hops[i] : p->mean_wait[i] / 3600;
		}
	return n;
}

static void chart_of(const struct report_page *page, enum what what, const struct chart *chart,
	FILE *file)
{
	const struct report *r = page->report;
	struct chart_series *series = calloc((size_t)r->nstrategies, sizeof(*series));
	double *room = calloc((size_t)r->nstrategies * 2 * PROFILE_BINS, sizeof(*room));

	for (int i = 0; series && room && i < r->nstrategies; i++) {
		double *x = room + (size_t)i * 2 * PROFILE_BINS, *y = x + PROFILE_BINS;

		series[i] = (struct chart_series){r->strategy[i].name, i, x, y,
			points(&page->profile[i], what, x, y)};
	}
	if (series && room)
		chart_lines(file, chart, series, r->nstrategies);
	free(series);
	free(room);
}

static void charts(const struct report_page *page, FILE *file)
{
	static const char *const sizes[PROFILE_SIZES] = {"1", "2", "4", "8", "16", "32", "64", "128",
		"256", "512", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k", "256k", "512k", "1M",
		"2M", "4M", "8M", "16M", "32M"};
	const struct chart hops = {"Mean hops by job size", "nodes, up to", "mean hops", sizes,
		PROFILE_SIZES, 0};
	const struct chart wait = {"Mean wait by job size (hours)", "nodes, up to", "hours", sizes,
		PROFILE_SIZES, 0};
	const struct chart busy = {"Utilisation over time (%)", "days", "percent of the nodes", NULL,
		0, 100};

	fputs("<div class=\"cards\">\n", file);
	chart_of(page, BY_SIZE_HOPS, &hops, file);
	chart_of(page, OVER_TIME, &busy, file);
	chart_of(page, BY_SIZE_WAIT, &wait, file);
	fputs("</div>\n", file);
}

static void maps(const struct report_page *page, FILE *file)
{
	const struct mesh *mesh = page->report->mesh;
	int plane = mesh->side[0] * mesh->nodes_per_vertex;

	for (int i = 0; i < page->report->nstrategies; i++) {
		const struct picture *p = page->picture[i];

		if (!p)
			continue;
		fputs("<div class=\"card\"><h3>", file);
		html_text(file, p->title);
		fputs("</h3><div class=\"scroll\">\n", file);
		draw_svg(p, file, plane > MAP_WIDTH ? plane : MAP_WIDTH, false);
		fputs("</div></div>\n", file);
	}
}

static void matrix(const struct report *r, FILE *file)
{
	fputs("<h2>Situations and decisions</h2>\n<p class=\"note\">Mean total hops of the strategy in "
	      "the column, asked in the situations that the one in the row made.</p>\n"
	      "<div class=\"scroll\"><table>\n<tr><th></th>", file);
	for (int j = 0; j < r->nstrategies; j++)
		fprintf(file, "<th>%s</th>", r->strategy[j].name);
	fputs("</tr>\n", file);
	for (int i = 0; i < r->nstrategies; i++) {
		fprintf(file, "<tr><td>%s</td>", r->strategy[i].name);
		for (int j = 0; j < r->nstrategies; j++)
			fprintf(file, "<td>%.2f</td>", r->matrix[i * r->nstrategies + j]);
		fputs("</tr>\n", file);
	}
	fputs("</table></div>\n", file);
}

static void origin(const struct report *r, FILE *file)
{
	fprintf(file, "<footer><p class=\"note\">smesh %s, %s, seed %llu</p>\n<pre>",
		r->origin.version, r->origin.date, (unsigned long long)r->seed);
	html_text(file, r->origin.command);
	fputs("</pre></footer>\n", file);
}

void report_html(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	char title[256], text[1024];

	snprintf(title, sizeof(title), "%.120s on %.60s", human_file(r->trace->name), r->mesh->name);
	html_begin(file, title);
	fputs("<h1>", file);
	html_text(file, title);
	fputs("</h1>\n<p class=\"headline\">", file);
	report_headline(r, text, sizeof(text));
	html_text(file, text);
	fputs("</p>\n<p class=\"note\">", file);
	report_setting(r, text, sizeof(text));
	html_text(file, text);
	fputs("</p>\n", file);
	figures(r, file);
	fputs("<h2>Comparison</h2>\n", file);
	bars(r, file);
	fputs("<h2>Jobs and time</h2>\n", file);
	charts(page, file);
	if (r->matrix)
		matrix(r, file);
	fputs("<h2>The machine at one moment</h2>\n<div class=\"cards\">\n", file);
	maps(page, file);
	fputs("</div>\n", file);
	origin(r, file);
	html_end(file);
}
