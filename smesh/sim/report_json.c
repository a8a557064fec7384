/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as JSON.
 */
#include "sim/report.h"

#include <math.h>
#include <stddef.h>

json_t *report_number(double value)
{
	if (!isfinite(value))
		return json_null();

	bool whole = floor(value) >= value && fabs(value) < 1e15;

	return whole ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *json_summary(const struct summary *summary)
{
	json_t *out = json_object();

	for (const struct summary_row *row = summary_rows; row->key; row++)
		if (row->show != SUMMARY_OPTION || !isnan(summary_value(summary, row)))
			json_object_set_new(
				out, row->key, report_number(summary_value(summary, row)));
	return out;
}

json_t *report_ints(const int *value, int n)
{
	json_t *out = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(out, json_integer(value[i]));
	return out;
}

json_t *report_wrap(const struct mesh *mesh)
{
	json_t *out = json_array();

	for (int d = 0; d < mesh->ndims; d++)
		json_array_append_new(out, json_boolean(mesh->wrap[d]));
	return out;
}

/* What was left out of a log or changed, by the keys of JSON. */
static const struct {
	const char *key;
	size_t at;
} left_out[] = {
	{"no_run_time", offsetof(struct trace, no_time.jobs)},
	{"no_size", offsetof(struct trace, no_size.jobs)},
	{"too_large", offsetof(struct trace, too_large.jobs)},
	{"out_of_order", offsetof(struct trace, out_of_order.jobs)},
	{"malformed", offsetof(struct trace, bad.jobs)},
	{"steps", offsetof(struct trace, steps.jobs)},
	{"arrays", offsetof(struct trace, arrays.jobs)},
	{"not_ended", offsetof(struct trace, not_ended.jobs)},
	{"partial", offsetof(struct trace, partial.jobs)},
	{"again", offsetof(struct trace, again.jobs)},
};

static json_t *json_workload(const struct report *report)
{
	struct trace t = *report->trace;
	json_t *out = json_pack("{s:s, s:i, s:i, s:o}", "name", t.name, "read", t.read, "jobs",
		t.njobs, "offered_load", report_number(report->offered_load));

	t.partial.jobs += t.no_whole.jobs;
	t.again.jobs += t.parts.jobs;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		json_object_set_new(out, left_out[i].key,
			json_integer(*(const int *)(const void *)((char *)&t + left_out[i].at)));
	return out;
}

void report_left_out(const json_t *workload, struct trace *trace)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		*(int *)(void *)((char *)trace + left_out[i].at) = (int)json_integer_value(
			json_object_get(workload, left_out[i].key));
}

static json_t *json_matrix(const struct report *report)
{
	json_t *out = json_object();

	for (int i = 0; i < report->nstrategies; i++) {
		json_t *row = json_object();

		for (int j = 0; j < report->nstrategies; j++)
			json_object_set_new(row, report->strategy[j].name,
				report_number(report->matrix[i * report->nstrategies + j]));
		json_object_set_new(out, report->strategy[i].name, row);
	}
	return out;
}

static void add_change(json_t *out, const struct report_strategy *s, const struct summary *values,
	const char *suffix)
{
	char key[96];

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		if (row->show == SUMMARY_OPTION && isnan(summary_value(&s->mean, row)))
			continue;
		snprintf(key, sizeof(key), "%s_change_percent%s", row->key, suffix);
		json_object_set_new(out, key, report_number(summary_value(values, row)));
	}
}

/* The changes of each other strategy, by the names of CSV's columns. */
static json_t *json_changes(const struct report *report)
{
	json_t *out = json_object();

	for (int i = 0; i < report->nstrategies; i++) {
		const struct report_strategy *s = &report->strategy[i];
		json_t *one;

		if (i == report->against)
			continue;
		one = json_object();
		add_change(one, s, &s->change, "");
		if (report->runs > 1)
			add_change(one, s, &s->change_margin, "_plusminus");
		json_object_set_new(out, s->name, one);
	}
	return out;
}

/* Add keys that are new since 1.0.0. */
static void add_setup(const struct report *report, json_t *out)
{
	bool changes = report->against >= 0 && report->nstrategies > 1;
	char notes[1024];
	json_t *more;

	report_notes(report, notes, sizeof(notes));
	more = json_pack("{s:o, s:o, s:s?, s:o, s:s, s:o*, s:o*, s:o*}", "load",
		report->load > 0 ? json_real(report->load) : json_null(), "shake",
		report_number(report->shake), "contention", report->contention, "comm_share",
		report->contention ? json_real(report->share) : json_null(), "notes", notes,
		"missing", report->missing ? json_integer(report->missing) : NULL,
		"runs_compared", report->missing ? json_integer(report->compared) : NULL,
		"changes", changes ? json_changes(report) : NULL);
	json_object_update(out, more);
	json_decref(more);
}

json_t *report_json(const struct report *report)
{
	const char *against =
		report->against < 0 ? NULL : report->strategy[report->against].name;
	const struct mesh *mesh = report->mesh;
	json_t *strategies = json_object(), *out;

	for (int i = 0; i < report->nstrategies; i++) {
		json_t *one = json_summary(&report->strategy[i].mean);

		if (report->runs > 1)
			json_object_set_new(one, "plusminus",
				json_summary(&report->strategy[i].plusminus));
		json_object_set_new(strategies, report->strategy[i].name, one);
	}
	out = json_pack("{s:s, s:s, s:s, s:{s:s, s:o, s:o, s:i, s:i}, s:o, s:s, s:I, s:i, s:o,"
		" s:s*, s:o*}", "version", report->origin.version, "date", report->origin.date,
		"command", report->origin.command, "mesh", "name", mesh->name, "dims",
		report_ints(mesh->side, mesh->ndims), "wrap", report_wrap(mesh), "nodes",
		mesh->nnodes, "nodes_up", report->nodes, "workload", json_workload(report),
		"scheduler", report->scheduler, "seed",
		(json_int_t)report->seed, "runs", report->runs, "strategies", strategies,
		"against", against, "matrix", report->matrix ? json_matrix(report) : NULL);
	if (out)
		add_setup(report, out);
	return out;
}
