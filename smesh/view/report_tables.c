/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables of a report's page.
 */
#include <math.h>

#include "links/links.h"
#include "view/html.h"
#include "view/report_page.h"

/* Write a cell with its value, by which the script sorts; without one there is none. */
static void figure_cell(const struct report *r, const struct report_column *c, int i, FILE *file)
{
	double value = summary_value(&r->strategy[i].mean, c->row);
	bool best = !c->change && report_best(r, c->row, i);
	char text[64];

	fputs("<td data-value=\"", file);
	if (!isnan(value))
		fprintf(file, "%.9g", value);
	report_cell(r, c, i, text, sizeof(text));
	fprintf(file, "\"%s>%s", best ? " class=\"best\"" : "", text);
	report_interval(r, c, i, text, sizeof(text));
	if (*text)
		fprintf(file, "<small> &#177;%s</small>", text);
	fputs("</td>", file);
}

/* Say what else is in the table: changes (NULL: none), intervals, and bold figures. */
static void signs(const struct report *r, const struct report_column *change, FILE *file)
{
	char title[128];

	if (change) {
		report_cell(r, change, -1, title, sizeof(title));
		html_put(file, "<dt>", title, "</dt>");
		html_put(file, "<dd>the change of the column to the left against ",
			r->strategy[r->against].name, "");
		if (r->share > 0)
			fprintf(file, ", if %.0f%% of run times is communication", 100 * r->share);
		fputs("</dd>\n", file);
	}
	if (r->runs > 1 && !r->alike)
		fputs("<dt>&#177;</dt><dd>half of the 95% interval</dd>\n", file);
	if (r->nstrategies > 1)
		fputs("<dt>bold</dt><dd>the best of the column</dd>\n", file);
}

/* Say what the columns mean, for readers who cannot hover. */
static void meanings(const struct report *r, const struct report_column *column, int n, FILE *file)
{
	const struct report_column *change = NULL;

	fputs("<details><summary>What the columns mean</summary><dl>\n", file);
	for (int i = 0; i < n; i++) {
		if (column[i].change) {
			change = &column[i];
			continue;
		}
		html_put(file, "<dt>", column[i].row->title, "</dt>");
		html_put(file, "<dd>", column[i].row->help, "</dd>\n");
	}
	signs(r, change, file);
	fputs("</dl></details>\n", file);
}

void report_figures(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	struct report_column column[REPORT_COLUMNS];
	int n = report_columns(r, column);
	char title[128], same[512];

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"figures\">"
	      "<table id=\"figures\">\n<thead><tr><th scope=\"col\">strategy</th>", file);
	for (int i = 0; i < n; i++) {
		report_cell(r, &column[i], -1, title, sizeof(title));
		html_put(file, "<th scope=\"col\">", title, "</th>");
	}
	fputs("</tr></thead>\n<tbody>\n", file);
	for (int k = 0; k < r->nstrategies; k++) {
		int i = page->order[k];

		html_put(file, k < PAGE_SHOWN ? "<tr><th scope=\"row\">"
					      : "<tr class=\"rest\"><th scope=\"row\">",
			r->strategy[i].name, "</th>");
		for (int j = 0; j < n; j++)
			figure_cell(r, &column[j], i, file);
		fputs("</tr>\n", file);
	}
	fputs("</tbody></table></div>\n", file);
	meanings(r, column, n, file);
	report_same_text(r, same, sizeof(same));
	if (*same)
		fprintf(file, "<p class=\"note\">The same for all: %s</p>\n", same);
}

/* --- links -------------------------------------------------------------------------- */

/* Write mean and maximum of the existing links, and which link is the fullest. */
static void link_caption(const struct mesh *mesh, const double *messages, FILE *file)
{
	double sum = 0;
	int links = 0, most = 0;

	for (int l = 0; l < links_count(mesh); l++)
		if (links_to(mesh, l) >= 0) {
			links++;
			sum += messages[l];
			most = messages[l] > messages[most] ? l : most;
		}
	fprintf(file, "mean %.3f, fullest %.3f: from (", links ? sum / links : 0, messages[most]);
	for (int d = 0; d < mesh->ndims; d++)
		fprintf(file, "%s%d", d ? "," : "", mesh->coord[most / 2 / mesh->ndims][d]);
	fprintf(file, ") %s %c", most % 2 ? "up" : "down", "xyzuvw"[most / 2 % mesh->ndims]);
}

void report_links(const struct report_page *page, FILE *file)
{
	if (!page->shown->messages)
		return;
	fprintf(file, "<h2>Links</h2>\n<p class=\"note\">How many messages use a link at the same "
		"time, on average. A bar is a link inside the plane.%s Of the two directions the "
		"fuller one counts."
		" <span>0<span class=\"scale\"></span><span id=\"link-most\">"
		"</span></span></p>\n<div class=\"views\">\n",
		page->report->mesh->ndims > 2 ? " A square is the link from this node to another "
						"plane; of several the fullest." : "");
	for (int k = 0; k < page->nshown; k++) {
		const struct machine_view *view = &page->shown[k];

		fprintf(file, "<figure class=\"card view links\" data-links=\"%s\"><figcaption>"
			"<b>%s</b> <span>", view->name, view->name);
		link_caption(page->report->mesh, view->messages, file);
		fputs("</span></figcaption><div class=\"drawing\"></div></figure>\n", file);
	}
	fputs("</div>\n", file);
}
