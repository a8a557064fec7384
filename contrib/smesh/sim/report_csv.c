/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as comma-separated values.
 */
#include "report.h"

void report_csv(const struct report *report, FILE *file)
{
	fputs("strategy", file);
	for (const struct summary_row *row = summary_rows; row->key; row++)
		fprintf(file, ",%s", row->key);
	fputc('\n', file);
	for (int i = 0; i < report->nstrategies; i++) {
		fputs(report->strategy[i].name, file);
		for (const struct summary_row *row = summary_rows; row->key; row++)
			fprintf(file, ",%.12g", summary_value(&report->strategy[i].mean, row));
		fputc('\n', file);
	}
}
