/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as a table for the terminal.
 */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "8x8x4", with * after the sides that wrap. */
static void describe_mesh(const struct mesh *mesh, char *text, size_t size)
{
	size_t used = 0;

	for (int d = 0; d < mesh->ndims && used < size; d++)
		used += (size_t)snprintf(text + used, size - used, "%s%d%s", d ? "x" : "",
			mesh->side[d], mesh->wrap[d] ? "*" : "");
}

static void format_value(const struct summary_row *row, double value, char *text, size_t size)
{
	snprintf(text, size, "%.*f", row->decimals, value);
}

static int column_width(const struct report *report, const struct summary_row *row)
{
	int width = (int)strlen(row->title);
	char text[64];

	for (int i = 0; i < report->nstrategies; i++) {
		format_value(row, summary_value(&report->strategy[i].mean, row), text, sizeof(text));
		width = (int)strlen(text) > width ? (int)strlen(text) : width;
	}
	return width;
}

static int name_width(const struct report *report)
{
	int width = 8;

	for (int i = 0; i < report->nstrategies; i++) {
		int length = (int)strlen(report->strategy[i].name);

		width = length > width ? length : width;
	}
	return width;
}

bool report_shows(const struct report *report, const struct summary_row *row)
{
	for (int i = 0; i < report->nstrategies && row->table; i++)
		if (fabs(summary_value(&report->strategy[i].mean, row)) > 0)
			return true;
	return false;
}

static void table_line(const struct report *report, FILE *file, const char *name,
	const struct summary *values)
{
	char text[64];

	fprintf(file, "%-*s", name_width(report), name);
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		if (!report_shows(report, row))
			continue;
		if (values)
			format_value(row, summary_value(values, row), text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s", row->title);
		fprintf(file, "  %*s", column_width(report, row), text);
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
			fprintf(file, "  %*.2f", width, report->matrix[i * n + j]);
		fputc('\n', file);
	}
}

void report_table(const struct report *report, FILE *file)
{
	char shape[96];

	describe_mesh(report->mesh, shape, sizeof(shape));
	fprintf(file, "%s: %d jobs on %s (%s, %d nodes), %s, offered load %.3f", report->trace->name,
		report->trace->njobs, report->mesh->name, shape, report->nodes, report->scheduler,
		trace_load(report->trace, report->nodes));
	fprintf(file, report->runs > 1 ? ", %d runs\n" : "\n", report->runs);
	table_line(report, file, "strategy", NULL);
	for (int i = 0; i < report->nstrategies; i++) {
		table_line(report, file, report->strategy[i].name, &report->strategy[i].mean);
		if (report->runs > 1)
			table_line(report, file, "  +-", &report->strategy[i].plusminus);
	}
	if (report->matrix)
		table_matrix(report, file);
}
