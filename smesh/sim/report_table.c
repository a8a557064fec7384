/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report for the terminal: a headline, a table, what is the same for all strategies, and the
 * origin.
 */
#include "sim/report.h"

#include <math.h>
#include <string.h>

enum { CELL = 64 };

static int name_width(const struct report *report)
{
	int width = 8;

	for (int i = 0; i < report->nstrategies; i++) {
		int length = (int)strlen(report->strategy[i].name);

		width = length > width ? length : width;
	}
	return width;
}

/* A cell: line -1 has the titles, line 2 i the means of strategy i, line 2 i + 1 its intervals. */
static void cell(const struct report *r, const struct report_column *c, int line, char *text)
{
	if (line < 0 || line % 2 == 0) {
		report_cell(r, c, line < 0 ? -1 : line / 2, text, CELL);
		return;
	}
	strcpy(text, "+-");
	report_interval(r, c, line / 2, text + 2, CELL - 2);
	if (!text[2])
		*text = '\0';
}

static int next_line(const struct report *r, int line)
{
	return line < 0 || (r->runs > 1 && !r->alike) ? line + 1 : line + 2;
}

static int width_of(const struct report *r, const struct report_column *c)
{
	char text[CELL];
	int width = 0;

	for (int line = -1; line < 2 * r->nstrategies; line = next_line(r, line)) {
		cell(r, c, line, text);
		width = (int)strlen(text) > width ? (int)strlen(text) : width;
	}
	return width;
}

/* The columns. Only headline and page show changes of waits: lines have at most 100 columns. */
static int columns(const struct report *r, struct report_column *column)
{
	int all = report_columns(r, column), n = 0;

	for (int i = 0; i < all; i++)
		if (!column[i].change || strcmp(column[i].row->key, "mean_wait"))
			column[n++] = column[i];
	return n;
}

static void table_figures(const struct report *r, FILE *file)
{
	struct report_column column[REPORT_COLUMNS];
	int n = columns(r, column);
	char text[CELL];

	for (int line = -1; line < 2 * r->nstrategies; line = next_line(r, line)) {
		fprintf(file, "%-*s", name_width(r),
			line < 0 ? "strategy" : line % 2 ? "" : r->strategy[line / 2].name);
		for (int i = 0; i < n; i++) {
			cell(r, &column[i], line, text);
			fprintf(file, "%s%*s", column[i].change ? " " : "  ",
				width_of(r, &column[i]), text);
		}
		fputc('\n', file);
	}
}

static void table_matrix(const struct report *report, FILE *file)
{
	int n = report->nstrategies, width = name_width(report);

	fprintf(file, "\nmean total hops of the strategy in the column, asked in the situations "
		"that the one in the row made\n%-*s", width, "");
	for (int j = 0; j < n; j++)
		fprintf(file, "  %*s", width, report->strategy[j].name);
	fputc('\n', file);
	for (int i = 0; i < n; i++) {
		fprintf(file, "%-*s", width, report->strategy[i].name);
		for (int j = 0; j < n; j++)
			if (isnan(report->matrix[i * n + j]))
				fprintf(file, "  %*s", width, "-");
			else
				fprintf(file, "  %*.2f", width, report->matrix[i * n + j]);
		fputc('\n', file);
	}
}

void report_table(const struct report *report, FILE *file)
{
	char text[1024];

	report_headline(report, text, sizeof(text));
	fprintf(file, "%s\n\n", text);
	report_setting(report, text, sizeof(text));
	fprintf(file, "%s\n", text);
	table_figures(report, file);
	report_same_text(report, text, sizeof(text));
	if (*text)
		fprintf(file, "the same for all: %s\n", text);
	report_notes(report, text, sizeof(text));
	if (*text)
		fprintf(file, "%s\n", text);
	if (report->matrix)
		table_matrix(report, file);
	fprintf(file, "\nsmesh %s, %s: %s\n", report->origin.version, report->origin.date,
		report->origin.command);
}
