/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report for the terminal: a headline, a table, what is the same for all, where it is from.
 */
#include "sim/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64 };

/* A row of the table: a strategy's means, its intervals, or with neither the titles. */
struct line {
	const char *name;
	const struct summary *values;
	int strategy; /* whose change is told; -1: no change */
	bool margin;
};

static int name_width(const struct report *report)
{
	int width = 8;

	for (int i = 0; i < report->nstrategies; i++) {
		int length = (int)strlen(report->strategy[i].name);

		width = length > width ? length : width;
	}
	return width;
}

static void format_cell(const struct line *line, const struct summary_row *row, char *text)
{
	char value[CELL - 4];

	if (!line->values) {
		snprintf(text, CELL, "%s", row->title);
		return;
	}
	summary_text(row, summary_value(line->values, row), value, sizeof(value));
	snprintf(text, CELL, "%s%s", line->margin ? "+-" : "", value);
}

static void format_change(const struct report *r, const struct line *line,
	const struct summary_row *row, char *text)
{
	*text = '\0';
	if (!line->values)
		snprintf(text, CELL, "vs %.*s", CELL - 8, r->strategy[r->against].name);
	else if (line->strategy >= 0 && line->strategy != r->against)
		human_percent(summary_value(line->values, row),
			summary_value(&r->strategy[r->against].mean, row), text, CELL);
}

/* Lines come in this order: titles, then each strategy's means and intervals. */
static struct line line_at(const struct report *r, int at)
{
	int i = (at - 1) / 2;

	if (!at)
		return (struct line){"strategy", NULL, -1, false};
	if (at % 2)
		return (struct line){r->strategy[i].name, &r->strategy[i].mean, i, false};
	return (struct line){"", &r->strategy[i].plusminus, -1, true};
}

static int count_lines(const struct report *r)
{
	return 1 + 2 * r->nstrategies;
}

static bool is_line(const struct report *r, int at)
{
	return !at || at % 2 || r->runs > 1;
}

struct widths {
	int cell, change;
};

static struct widths widths_of(const struct report *r, const struct summary_row *row)
{
	struct widths w = {0, 0};
	char text[CELL];

	for (int at = 0; at < count_lines(r); at++) {
		struct line line = line_at(r, at);

		if (!is_line(r, at))
			continue;
		format_cell(&line, row, text);
		w.cell = (int)strlen(text) > w.cell ? (int)strlen(text) : w.cell;
		if (report_changes(r, row)) {
			format_change(r, &line, row, text);
			w.change = (int)strlen(text) > w.change ? (int)strlen(text) : w.change;
		}
	}
	return w;
}

static void print_line(const struct report *r, const struct line *line, FILE *file)
{
	char text[CELL];

	fprintf(file, "%-*s", name_width(r), line->name);
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		struct widths w;

		if (!report_shows(r, row) || report_same(r, row))
			continue;
		w = widths_of(r, row);
		format_cell(line, row, text);
		fprintf(file, "  %*s", w.cell, text);
		if (report_changes(r, row)) {
			format_change(r, line, row, text);
			fprintf(file, " %*s", w.change, text);
		}
	}
	fputc('\n', file);
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
	for (int at = 0; at < count_lines(report); at++) {
		struct line line = line_at(report, at);

		if (is_line(report, at))
			print_line(report, &line, file);
	}
	report_same_text(report, text, sizeof(text));
	if (*text)
		fprintf(file, "the same for all: %s\n", text);
	if (report->matrix)
		table_matrix(report, file);
	fprintf(file, "\nsmesh %s, %s: %s\n", report->origin.version, report->origin.date,
		report->origin.command);
}
