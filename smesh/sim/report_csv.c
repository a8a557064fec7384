/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as comma-separated values.
 */
#include "sim/report.h"

#include <math.h>
#include <string.h>

/* A field: what is not measured is empty. */
static void number(FILE *file, double value)
{
	if (isnan(value))
		fputc(',', file);
	else
		fprintf(file, ",%.12g", value);
}

/* Between quotes where it holds a comma, a quote or a new line (RFC 4180). */
static void text(FILE *file, const char *value)
{
	fputc(',', file);
	if (!value[strcspn(value, ",\"\n\r")]) {
		fputs(value, file);
		return;
	}
	fputc('"', file);
	for (; *value; value++) {
		if (*value == '"')
			fputc('"', file);
		fputc(*value, file);
	}
	fputc('"', file);
}

/* The figures of a strategy, or their names, without those that were not measured. */
static void figures(const struct report *report, const struct summary *values, const char *suffix,
	FILE *file)
{
	for (const struct summary_row *row = summary_rows; row->key; row++)
		if (row->show == SUMMARY_OPTION &&
			isnan(summary_value(&report->strategy[0].mean, row)))
			continue;
		else if (values)
			number(file, summary_value(values, row));
		else
			fprintf(file, ",%s%s", row->key, suffix);
}

void report_csv(const struct report *report, FILE *file)
{
	fputs("strategy", file);
	figures(report, NULL, "", file);
	if (report->runs > 1)
		figures(report, NULL, "_plusminus", file);
	fputs(",runs,scheduler,seed,trace,version\n", file);
	for (int i = 0; i < report->nstrategies; i++) {
		const struct report_strategy *s = &report->strategy[i];

		fputs(s->name, file);
		figures(report, &s->mean, "", file);
		if (report->runs > 1)
			figures(report, &s->plusminus, "", file);
		fprintf(file, ",%d", report->runs);
		text(file, report->scheduler);
		fprintf(file, ",%llu", (unsigned long long)report->seed);
		text(file, report->trace->name);
		text(file, report->origin.version);
		fputc('\n', file);
	}
}
