/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cmd/sim_session.h"

/* --- the axes ---------------------------------------------------------------------------- */

/* Options that make sense one value after the other. */
static const char *const swept[] = {"load", "overestimate", "shake", "arrival-rate", "mean-run",
	"jobs", "scheduler", "backfill-depth", "ends", "pattern", "contention", "comm-share",
	"rank-order", "mtbf", "repair", "checkpoint", "checkpoint-cost"};

/* NULL: not one of them. */
static const struct option_row *row_of(const char *name)
{
	for (unsigned i = 0; i < sizeof(swept) / sizeof(*swept); i++)
		if (!strcmp(swept[i], name))
			for (const struct option_row *row = cmd_sim.options; row->name; row++)
				if (!strcmp(row->name, name))
					return row;
	return NULL;
}

static int add_value(struct sweep_axis *axis, const char *text)
{
	char **more = axis->n < SWEEP_POINTS ? grow(&axis->value, axis->n, sizeof(*more)) : NULL;

	if (!more)
		return smesh_fail(
			SMESH_USAGE, "--sweep=%s: more than %d values", axis->row->name,
			SWEEP_POINTS);
	if (!(*more = strdup(text)))
		return smesh_fail(SMESH_FAILED, "out of memory");
	axis->n++;
	return SMESH_OK;
}

/* LOW:HIGH:STEP, the ends included as far as the step meets them. */
static int add_range(struct sweep_axis *axis, char *text)
{
	double number[3];
	int code = SMESH_OK;

	for (int i = 0; i < 3; i++) {
		char *part = strsep(&text, ":");

		if (!part || options_double(part, -1e15, 1e15, &number[i]))
			return smesh_fail(SMESH_USAGE, "--sweep=%s: not LOW:HIGH:STEP",
				axis->row->name);
	}
	if (text || number[1] < number[0] || number[2] <= 0)
		return smesh_fail(SMESH_USAGE, "--sweep=%s: not LOW:HIGH:STEP", axis->row->name);
	double steps = floor((number[1] - number[0]) / number[2] + 1e-9);

	for (int i = 0; code == SMESH_OK && i <= steps; i++) {
		char value[32];

		snprintf(value, sizeof(value), "%.10g", number[0] + i * number[2]);
		code = add_value(axis, value);
	}
	return code;
}

static int refuse_name(const char *name)
{
	char names[512] = "";
	size_t n = 0;

	for (unsigned i = 0; i < sizeof(swept) / sizeof(*swept); i++)
		n += (size_t)snprintf(
			names + n, sizeof(names) - n, "%s%s", i ? ", " : "", swept[i]);
	return smesh_fail(SMESH_USAGE, "--sweep: %s is no option that can be swept; those are %s",
		name, names);
}

/* The parts of NAME=VALUES, in a copy; what is wrong with them is told. */
static int find_axis(struct sweep *sweep, const char *value, char *name, char **values)
{
	struct sweep_axis *axis = &sweep->axis[sweep->naxes];

	*values = name;
	strsep(values, "=");
	if (!*values || !**values)
		return smesh_fail(
			SMESH_USAGE, "--sweep=%s: not NAME=LOW:HIGH:STEP or NAME=A,B,...", value);
	if (sweep->naxes == SWEEP_AXES)
		return smesh_fail(
			SMESH_USAGE, "--sweep=%s: more than %d of them", value, SWEEP_AXES);
	return (axis->row = row_of(name)) ? SMESH_OK : refuse_name(name);
}

int sweep_take(struct sweep *sweep, const char *value)
{
	struct sweep_axis *axis = &sweep->axis[sweep->naxes];
	char *copy = strdup(value), *rest;
	int code = copy ? find_axis(sweep, value, copy, &rest)
			: smesh_fail(SMESH_FAILED, "out of memory");

	if (code) {
		free(copy);
		return code;
	}
	sweep->naxes++;
	if (strchr(rest, ':'))
		code = add_range(axis, rest);
	else
		for (char *one; code == SMESH_OK && (one = strsep(&rest, ","));)
			code = add_value(axis, one);
	free(copy);
	return code;
}

/* The value of an axis at a point. */
static const char *value_at(const struct sweep *sweep, int axis, int point)
{
	for (int a = sweep->naxes - 1; a > axis; a--)
		point /= sweep->axis[a].n;
	return sweep->axis[axis].value[point % sweep->axis[axis].n];
}

/* --- the runs ---------------------------------------------------------------------------- */

/* Which point and repetition a run is of. */
static struct sim_session *point_of(
	struct sim_session *s, const struct runner_task *task, int *repetition)
{
	int at = (int)(task - s->runner.task), runs = s->nops * s->repeat;

	*repetition = at % s->repeat;
	return &s->sweep.point[at / runs];
}

static int *left_of(struct sim_session *s, const struct sim_session *point, int repetition)
{
	return &s->sweep.left[(point - s->sweep.point) * s->repeat + repetition];
}

/* On the thread that runs it: the workload, if no other run of it has loaded it. */
static int begin(void *data, struct runner_task *task)
{
	struct sim_session *s = data;
	int repetition, code = SMESH_OK;
	struct sim_session *point = point_of(s, task, &repetition);

	pthread_mutex_lock(&s->sweep.lock);
	if (!point->trace[repetition].job)
		code = sim_load(point, repetition);
	if (!code && !s->sweep.told) {
		s->sweep.told = true;
		workload_report(&point->trace[repetition], &point->workload);
	}
	task->comm = point->comm_job ? point->comm_job[repetition] : NULL;
	pthread_mutex_unlock(&s->sweep.lock);
	return code ? err_printf(&task->err, "the workload could not be made") : 0;
}

/* What reports say of the first workload stays. */
static void finished(void *data, struct runner_task *task)
{
	struct sim_session *s = data;
	int repetition;
	struct sim_session *point = point_of(s, task, &repetition);

	sim_journal(s, task);
	pthread_mutex_lock(&s->sweep.lock);
	if (!--*left_of(s, point, repetition))
		sim_unload(point, repetition);
	pthread_mutex_unlock(&s->sweep.lock);
}

void sweep_known(struct sim_session *s, const struct runner_task *task)
{
	int repetition;
	const struct sim_session *point = point_of(s, task, &repetition);

	--*left_of(s, point, repetition);
}

static int make_point(struct sim_session *s, int at)
{
	struct sim_session *point = &s->sweep.point[at];
	int code = sim_parse(point, s->argc, s->argv);

	for (int a = 0; code == SMESH_OK && a < s->sweep.naxes; a++)
		code = options_set(&cmd_sim, s->sweep.axis[a].row,
			value_at(&s->sweep, a, at), point);
	if (code == SMESH_OK)
		code = sim_check(point);
	if (code == SMESH_OK)
		code = sim_borrow(point, s, &s->runner.task[at * s->nops * s->repeat]);
	for (int r = 0; r < s->repeat; r++)
		*left_of(s, point, r) = s->nops;
	return code;
}

int sweep_setup(struct sim_session *s)
{
	struct sweep *sweep = &s->sweep;
	struct runner *runner = &s->runner;
	int code = SMESH_OK;

	if (s->html || s->matrix || s->calibrate || sim_jobs_any(&s->jobs))
		return smesh_fail(SMESH_USAGE,
			"--sweep and --html, --matrix, --calibrate or files of jobs exclude each "
			"other");
	if (s->workload.trace && !strcmp(s->workload.trace, "-"))
		return smesh_fail(SMESH_USAGE, "--sweep: standard input cannot be read again");
	sweep->npoints = 1;
	for (int a = 0; a < sweep->naxes; a++)
		if ((sweep->npoints *= sweep->axis[a].n) > SWEEP_POINTS)
			return smesh_fail(
				SMESH_USAGE, "--sweep: more than %d points", SWEEP_POINTS);
	runner->ntasks = sweep->npoints * s->nops * s->repeat;
	runner->task = calloc((size_t)runner->ntasks, sizeof(*runner->task));
	sweep->point = calloc((size_t)sweep->npoints, sizeof(*sweep->point));
	sweep->left = calloc((size_t)(sweep->npoints * s->repeat), sizeof(*sweep->left));
	if (!runner->task || !sweep->point || !sweep->left)
		return smesh_fail(SMESH_FAILED, "out of memory");
	pthread_mutex_init(&sweep->lock, NULL);
	for (int i = 0; code == SMESH_OK && i < sweep->npoints; i++)
		code = make_point(s, i);
	runner->begin = begin;
	runner->finished = finished;
	runner->data = s;
	return code;
}

void sweep_release(struct sim_session *s)
{
	struct sweep *sweep = &s->sweep;

	for (int i = 0; sweep->point && i < sweep->npoints; i++)
		sim_release(&sweep->point[i]);
	if (sweep->left)
		pthread_mutex_destroy(&sweep->lock);
	free(sweep->point);
	free(sweep->left);
	for (int a = 0; a < sweep->naxes; a++) {
		for (int i = 0; i < sweep->axis[a].n; i++)
			free(sweep->axis[a].value[i]);
		free(sweep->axis[a].value);
	}
}

/* --- the reports ------------------------------------------------------------------------- */

/* Of a point whose runs were all taken from a journal, the workload was never here. */
static int report_point(struct sim_session *s, int at, struct sim_report *made)
{
	struct sim_session *point = &s->sweep.point[at];
	int code = SMESH_OK;

	if (!point->trace[0].name) {
		code = sim_load(point, 0);
		sim_unload(point, 0);
	}
	point->against_at = s->against_at;
	return code ? code : sim_report_make(point, made);
}

/* The axes are columns of their own, before the others. */
static void write_csv(const struct sweep *sweep, int at, struct report *report)
{
	char names[256] = "", values[512] = "";
	size_t n = 0, v = 0;

	for (int a = 0; a < sweep->naxes; a++) {
		n += (size_t)snprintf(
			names + n, sizeof(names) - n, "%s,", sweep->axis[a].row->name);
		v += (size_t)snprintf(values + v, sizeof(values) - v, "%.100s,",
			value_at(sweep, a, at));
	}
	report->csv_names = at ? NULL : names;
	report->csv_values = values;
	report_csv(report, stdout);
}

static void write_table(const struct sweep *sweep, int at, const struct report *report)
{
	fputs(at ? "\n==" : "==", stdout);
	for (int a = 0; a < sweep->naxes; a++)
		printf(" %s=%s", sweep->axis[a].row->name, value_at(sweep, a, at));
	fputs("\n", stdout);
	report_table(report, stdout);
}

static int write_points(struct sim_session *s)
{
	int code = SMESH_OK;

	for (int i = 0; code == SMESH_OK && i < s->sweep.npoints; i++) {
		struct sim_report made = {0};

		code = report_point(s, i, &made);
		if (code == SMESH_OK && s->csv)
			write_csv(&s->sweep, i, &made.report);
		else if (code == SMESH_OK)
			write_table(&s->sweep, i, &made.report);
		sim_report_release(&made);
	}
	return code;
}

static json_t *json_point(const struct sweep *sweep, int at)
{
	json_t *out = json_object();

	for (int a = 0; a < sweep->naxes; a++) {
		const char *text = value_at(sweep, a, at);
		double number;

		json_object_set_new(out, sweep->axis[a].row->name,
			options_double(text, -1e15, 1e15, &number) ? json_string(text)
								   : report_number(number));
	}
	return out;
}

json_t *sweep_json(struct sim_session *s)
{
	static const char *const common[] = {"version", "date", "command"};
	json_t *out = json_object(), *points = json_array();

	for (int i = 0; i < s->sweep.npoints; i++) {
		struct sim_report made = {0};
		json_t *one = report_point(s, i, &made) ? NULL : report_json(&made.report);

		sim_report_release(&made);
		if (!one) {
			json_decref(out);
			json_decref(points);
			return NULL;
		}
		for (int k = 0; k < 3; k++) {
			json_object_set(out, common[k], json_object_get(one, common[k]));
			json_object_del(one, common[k]);
		}
		json_object_set_new(one, "point", json_point(&s->sweep, i));
		json_array_append_new(points, one);
	}
	json_object_set_new(out, "sweep", points);
	return out;
}

int sweep_write(struct sim_session *s)
{
	json_t *json = s->json || s->save ? sweep_json(s) : NULL;
	int code = (s->json || s->save) && !json ? SMESH_FAILED : SMESH_OK;

	if (code == SMESH_OK && s->save)
		code = sim_save(s, json);
	if (code == SMESH_OK && s->json && !output_is_standard(s->save))
		output_json(stdout, json_incref(json), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	else if (code == SMESH_OK && !output_is_standard(s->save))
		code = write_points(s);
	json_decref(json);
	return code;
}
