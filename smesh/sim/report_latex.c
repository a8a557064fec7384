/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as a table for LaTeX, with the rules of the package booktabs.
 */
#include "sim/report.h"

#include <ctype.h>
#include <string.h>

enum { CELL = 64 };

/* Write a text with LaTeX's own characters escaped; a sign before a number is a minus. */
static void text(FILE *file, const char *value)
{
	for (; *value; value++) {
		if (*value == '-' && isdigit((unsigned char)value[1]))
			fputs("$-$", file);
		else if (strchr("\\^~", *value))
			fprintf(file, "\\char%d{}", *value);
		else
			fprintf(file, strchr("%&_#${}", *value) ? "\\%c" : "%c", *value);
	}
}

static void row(
	const struct report *r, const struct report_column *column, int n, int i, FILE *file)
{
	char cell[CELL];

	text(file, i < 0 ? "strategy" : r->strategy[i].name);
	for (int c = 0; c < n; c++) {
		report_cell(r, &column[c], i, cell, sizeof(cell));
		fputs(" & ", file);
		text(file, cell);
		if (i >= 0)
			report_interval(r, &column[c], i, cell, sizeof(cell));
		if (i >= 0 && *cell) {
			fputs(" $\\pm$ ", file);
			text(file, cell);
		}
	}
	fputs(" \\\\\n", file);
}

void report_latex(const struct report *r, FILE *file)
{
	struct report_column column[REPORT_COLUMNS];
	int n = report_columns(r, column);
	char line[1024];

	report_setting(r, line, sizeof(line));
	fprintf(file, "%% %s\n%% smesh %s: %s\n\\begin{tabular}{l", line, r->origin.version,
		r->origin.command);
	for (int c = 0; c < n; c++)
		fputc('r', file);
	fputs("}\n\\toprule\n", file);
	row(r, column, n, -1, file);
	fputs("\\midrule\n", file);
	for (int i = 0; i < r->nstrategies; i++)
		row(r, column, n, i, file);
	fputs("\\bottomrule\n\\end{tabular}\n", file);
	report_same_text(r, line, sizeof(line));
	if (*line)
		fprintf(file, "%% the same for all: %s\n", line);
}
