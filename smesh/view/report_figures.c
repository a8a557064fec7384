/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables of a report's page.
 */
#include <math.h>

#include "view/html.h"
#include "view/report_page.h"

/* Figures that were not measured, or are the same for all, have none. */
static bool has_column(const struct report *r, const struct summary_row *row)
{
	return report_shows(r, row) && !report_same(r, row);
}

static void head_cell(const char *title, FILE *file)
{
	fputs("<th scope=\"col\">", file);
	html_text(file, title);
	fputs("</th>", file);
}

static void head_cells(const struct report *r, FILE *file)
{
	char against[128];

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		if (!has_column(r, row))
			continue;
		head_cell(row->title, file);
		if (report_changes(r, row)) {
			snprintf(against, sizeof(against), "vs %s", r->strategy[r->against].name);
			head_cell(against, file);
		}
	}
}

/* For the script, which sorts by it; nothing where there is no value. */
static void begin_cell(double value, bool best, FILE *file)
{
	fputs("<td data-value=\"", file);
	if (!isnan(value))
		fprintf(file, "%.9g", value);
	fprintf(file, "\"%s>", best ? " class=\"best\"" : "");
}

static void figure_cells(const struct report *r, int i, FILE *file)
{
	char text[64];

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		double value = summary_value(&r->strategy[i].mean, row);

		if (!has_column(r, row))
			continue;
		summary_text(row, value, text, sizeof(text));
		begin_cell(value, report_best(r, row, i), file);
		fputs(text, file);
		if (r->runs > 1) {
			summary_text(row, summary_value(&r->strategy[i].plusminus, row), text,
				sizeof(text));
			fprintf(file, "<small> &#177;%s</small>", text);
		}
		fputs("</td>", file);
		if (report_changes(r, row)) {
			human_percent(value, summary_value(&r->strategy[r->against].mean, row),
				text, sizeof(text));
			begin_cell(value, false, file);
			fprintf(file, "%s</td>", i == r->against ? "" : text);
		}
	}
}

/* What the columns mean, for those who cannot hover. */
static void meanings(const struct report *r, FILE *file)
{
	fputs("<details><summary>What the columns mean</summary><dl>\n", file);
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		if (!has_column(r, row))
			continue;
		fputs("<dt>", file);
		html_text(file, row->title);
		fputs("</dt><dd>", file);
		html_text(file, row->help);
		fputs("</dd>\n", file);
	}
	fputs("</dl></details>\n", file);
}

void report_figures(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	char same[512];

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"figures\">"
	      "<table id=\"figures\">\n<thead><tr>", file);
	head_cell("strategy", file);
	head_cells(r, file);
	fputs("</tr></thead>\n<tbody>\n", file);
	for (int k = 0; k < r->nstrategies; k++) {
		int i = page->order[k];

		fputs(k < PAGE_SHOWN ? "<tr><th scope=\"row\">"
				     : "<tr class=\"rest\"><th scope=\"row\">",
			file);
		html_text(file, r->strategy[i].name);
		fputs("</th>", file);
		figure_cells(r, i, file);
		fputs("</tr>\n", file);
	}
	fputs("</tbody></table></div>\n", file);
	meanings(r, file);
	report_same_text(r, same, sizeof(same));
	if (*same)
		fprintf(file, "<p class=\"note\">The same for all: %s</p>\n", same);
}

void report_matrix(const struct report *r, FILE *file)
{
	fputs("<h2>Situations and decisions</h2>\n<p class=\"note\">Mean total hops of the "
	      "strategy in "
	      "the column, asked in the situations that the one in the row made.</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\"><table>\n<tr><th></th>",
		file);
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
