/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* --- table ------------------------------------------------------------------------ */

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

/* --- JSON ------------------------------------------------------------------------- */

static json_t *number(double value)
{
	bool whole = floor(value) >= value && fabs(value) < 1e15;

	return whole ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *json_summary(const struct summary *summary)
{
	json_t *out = json_object();

	for (const struct summary_row *row = summary_rows; row->key; row++)
		json_object_set_new(out, row->key, number(summary_value(summary, row)));
	return out;
}

static json_t *json_mesh(const struct report *report)
{
	const struct mesh *mesh = report->mesh;
	json_t *dims = json_array(), *wrap = json_array();

	for (int d = 0; d < mesh->ndims; d++) {
		json_array_append_new(dims, json_integer(mesh->side[d]));
		json_array_append_new(wrap, json_boolean(mesh->wrap[d]));
	}
	return json_pack("{s:s, s:o, s:o, s:i, s:i}", "name", mesh->name, "dims", dims, "wrap", wrap,
		"nodes", mesh->nnodes, "nodes_up", report->nodes);
}

static json_t *json_workload(const struct report *report)
{
	const struct trace *t = report->trace;

	return json_pack("{s:s, s:i, s:i, s:f, s:i, s:i, s:i, s:i, s:i, s:i}", "name", t->name,
		"read", t->read, "jobs", t->njobs, "offered_load", trace_load(t, report->nodes),
		"no_run_time", t->no_time.jobs, "no_size", t->no_size.jobs, "too_large",
		t->too_large.jobs, "out_of_order", t->out_of_order.jobs, "malformed", t->bad.jobs,
		"steps", t->steps.jobs);
}

static json_t *json_matrix(const struct report *report)
{
	json_t *out = json_object();

	for (int i = 0; i < report->nstrategies; i++) {
		json_t *row = json_object();

		for (int j = 0; j < report->nstrategies; j++)
			json_object_set_new(row, report->strategy[j].name,
				json_real(report->matrix[i * report->nstrategies + j]));
		json_object_set_new(out, report->strategy[i].name, row);
	}
	return out;
}

json_t *report_json(const struct report *report)
{
	json_t *strategies = json_object(), *out;

	for (int i = 0; i < report->nstrategies; i++) {
		json_t *one = json_summary(&report->strategy[i].mean);

		if (report->runs > 1)
			json_object_set_new(one, "plusminus",
				json_summary(&report->strategy[i].plusminus));
		json_object_set_new(strategies, report->strategy[i].name, one);
	}
	out = json_pack("{s:o, s:o, s:s, s:I, s:i, s:o}", "mesh", json_mesh(report), "workload",
		json_workload(report), "scheduler", report->scheduler, "seed",
		(json_int_t)report->seed, "runs", report->runs, "strategies", strategies);
	if (out && report->matrix)
		json_object_set_new(out, "matrix", json_matrix(report));
	return out;
}

/* --- CSV -------------------------------------------------------------------------- */

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
