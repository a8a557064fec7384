/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as comma-separated values.
 */
#include "sim/report.h"

#include <math.h>
#include <string.h>

/* Write a field; a figure that was not measured is empty. */
static void number(FILE *file, double value)
{
	if (isnan(value))
		fputc(',', file);
	else
		fprintf(file, ",%.12g", value);
}

/* Write a text, between quotes if it has a comma, a quote or a new line (RFC 4180). */
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

/* Write the figures of a strategy, or their names (values NULL), without those not measured. */
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

/* Write what distinguishes reports; for a single run its number instead of how many. */
static void origin(const struct report *report, uint64_t seed, FILE *file)
{
	text(file, report->scheduler);
	fprintf(file, ",%llu", (unsigned long long)seed);
	text(file, report->trace->name);
	text(file, report->origin.version);
	number(file, report->load > 0 ? report->load : (double)NAN);
	number(file, report->offered_load);
	text(file, report->contention ? report->contention : "");
	number(file, report->contention ? report->share : (double)NAN);
	number(file, report->shake);
	text(file, report->mesh->name);
}

static const char origin_titles[] = ",scheduler,seed,trace,version,load,offered_load,contention,"
				    "comm_share,shake,mesh";

/* Write the changes of a strategy, or their names. */
static void changes(const struct report *report, const struct report_strategy *s, FILE *file)
{
	if (report->against < 0 || report->nstrategies < 2)
		return;
	text(file, s ? report->strategy[report->against].name : "against");
	figures(report, s ? &s->change : NULL, "_change_percent", file);
	if (report->runs > 1)
		figures(report, s ? &s->change_margin : NULL, "_change_percent_plusminus", file);
}

/* Columns that are new since 1.0.0 come last. */
void report_csv(const struct report *report, FILE *file)
{
	fputs("strategy", file);
	figures(report, NULL, "", file);
	if (report->runs > 1)
		figures(report, NULL, "_plusminus", file);
	fprintf(file, ",runs%s", origin_titles);
	changes(report, NULL, file);
	fputc('\n', file);
	for (int i = 0; i < report->nstrategies; i++) {
		const struct report_strategy *s = &report->strategy[i];

		fputs(s->name, file);
		figures(report, &s->mean, "", file);
		if (report->runs > 1)
			figures(report, &s->plusminus, "", file);
		fprintf(file, ",%d", report->runs);
		origin(report, report->seed, file);
		changes(report, s, file);
		fputc('\n', file);
	}
}

void report_csv_runs(const struct report *report, FILE *file)
{
	fputs("strategy", file);
	figures(report, NULL, "", file);
	fprintf(file, ",run%s\n", origin_titles);
	for (int i = 0; i < report->nstrategies * report->runs; i++) {
		int run = i % report->runs + report->first_run;

		if (isnan(report->run[i].jobs))
			continue;
		fputs(report->strategy[i / report->runs].name, file);
		figures(report, &report->run[i], "", file);
		fprintf(file, ",%d", run);
		origin(report, report->seed + (uint64_t)run - 1, file);
		fputc('\n', file);
	}
}
