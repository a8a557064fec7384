/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as comma-separated values.
 */
#include "report.h"

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

static void header(const struct report *report, FILE *file)
{
	fprintf(file, "%sstrategy", report->csv_names ? report->csv_names : "");
	for (const struct summary_row *row = summary_rows; row->key; row++)
		fprintf(file, ",%s", row->key);
	for (const struct summary_row *row = summary_rows; row->key && report->runs > 1; row++)
		fprintf(file, ",%s_plusminus", row->key);
	for (int i = 0; report->matrix && i < report->nstrategies; i++)
		fprintf(file, ",matrix_%s", report->strategy[i].name);
	fputs(",runs,scheduler,seed,trace,version\n", file);
}

void report_csv(const struct report *report, FILE *file)
{
	if (!report->csv_values || report->csv_names)
		header(report, file);
	for (int i = 0; i < report->nstrategies; i++) {
		const struct report_strategy *s = &report->strategy[i];
		char scheduler[64];

		fprintf(file, "%s%s", report->csv_values ? report->csv_values : "", s->name);
		for (const struct summary_row *row = summary_rows; row->key; row++)
			number(file, summary_value(&s->mean, row));
		for (const struct summary_row *row = summary_rows; row->key && report->runs > 1; row++)
			number(file, summary_value(&s->plusminus, row));
		for (int j = 0; report->matrix && j < report->nstrategies; j++)
			number(file, report->matrix[i * report->nstrategies + j]);
		fprintf(file, ",%d", report->runs);
		snprintf(scheduler, sizeof(scheduler), "%s%s%s", report->scheduler,
			report->order ? " by " : "", report->order ? report->order : "");
		text(file, scheduler);
		fprintf(file, ",%llu", (unsigned long long)report->seed);
		text(file, report->trace->name);
		text(file, report->origin.version);
		fputc('\n', file);
	}
}
