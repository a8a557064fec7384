/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables of a report's page.
 */
#include <math.h>

#include "html.h"
#include "report_page.h"

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

void report_figures(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	char same[512];

	fputs("<div class=\"scroll\"><table>\n<tr><th>strategy</th>", file);
	head_cells(r, file);
	fputs("</tr>\n", file);
	for (int i = 0; i < r->nstrategies; i++) {
		fputs(page->rank[i] < PAGE_SHOWN ? "<tr><td>" : "<tr class=\"rest\"><td>", file);
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

void report_matrix(const struct report *r, FILE *file)
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
			if (isnan(r->matrix[i * r->nstrategies + j]))
				fputs("<td>-</td>", file);
			else
				fprintf(file, "<td>%.2f</td>", r->matrix[i * r->nstrategies + j]);
		fputs("</tr>\n", file);
	}
	fputs("</table></div>\n", file);
}
