/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Job logs in JSON, an object with an array `jobs`: the output of sacct --json (its data_parser
 * changes, so numbers may be objects, and states arrays), and workloads of Batsim.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace_format.h"

/* The value at a path a.b.c, or NULL. */
static const json_t *at(const json_t *object, const char *path)
{
	while (object && *path) {
		size_t length = strcspn(path, ".");
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		object = json_object_get(object, key);
		path += length + (path[length] == '.');
	}
	return object;
}

static const char *text_at(const json_t *object, const char *path)
{
	const json_t *value = at(object, path);

	return json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
}

/* 7, or {"set": true, "infinite": false, "number": 7}; `none` where it is not set or there; NAN: it
 * is something else. */
static double number_at(const json_t *object, const char *path, double none)
{
	const json_t *value = at(object, path);

	if (json_is_object(value))
		value = json_is_true(json_object_get(value, "set")) &&
			!json_is_true(json_object_get(value, "infinite"))
			? json_object_get(value, "number") : NULL;
	if (!value || json_is_null(value))
		return none;
	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* --- sacct --json ------------------------------------------------------------------------- */

/* A count or time: not negative, and without overflow. */
static int whole_at(const json_t *object, const char *path, int64_t *number, struct mesh_err *err)
{
	double value = number_at(object, path, 0);

	if (!(value >= 0 && value <= TRACE_LONGEST))
		return err_printf(err, isnan(value) ? "%s is not a number" : "%s is %g", path,
			value);
	*number = (int64_t)value;
	return 0;
}

/* The nodes that a job had; 0: none, as it never ran. */
static int count_nodes(const json_t *job, int64_t *count, struct mesh_err *err)
{
	const json_t *tres;
	size_t i;

	if (whole_at(job, "allocation_nodes", count, err))
		return -1;
	json_array_foreach((json_t *)(uintptr_t)at(job, "tres.allocated"), i, tres) {
		const char *type = text_at(tres, "type");

		if (!*count && type && !strcmp(type, "node") &&
			whole_at(tres, "count", count, err))
			return -1;
	}
	return *count <= INT32_MAX ? 0 : err_printf(err, "a job of %.0f nodes", (double)*count);
}

/* The name as other commands print it: 5_1 of an array, 4+0 of a heterogeneous job, 7. */
static void name_job(const json_t *job, int64_t id, char name[64])
{
	double array = number_at(job, "array.job_id", 0), het = number_at(job, "het.job_id", 0);
	double task = number_at(job, "array.task_id", -1);
	double part = number_at(job, "het.job_offset", -1);

	if (array > 0 && task >= 0)
		snprintf(name, 64, "%.0f_%.0f", fmin(array, TRACE_LONGEST),
			fmin(task, TRACE_LONGEST));
	else if (het > 0 && part >= 0)
		snprintf(name, 64, "%.0f+%.0f", fmin(het, TRACE_LONGEST),
			fmin(part, TRACE_LONGEST));
	else
		snprintf(name, 64, "%lld", (long long)id);
}

static const char *either(const char *a, const char *b)
{
	return a && *a ? a : b;
}

/* Slurm's state RESIZING is a flag, beside a state of which it says nothing: PENDING. */
static const char *state_of(const json_t *job)
{
	const json_t *states = at(job, "state.current"), *state;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)states, i, state)
		if (json_is_string(state) && !strcmp(json_string_value(state), "RESIZING"))
			return json_string_value(state);
	return text_at(job, "state.current");
}

static int sacct_job(struct trace_reader *r, const json_t *from, struct mesh_err *err)
{
	struct trace_slurm_job job = {.state = state_of(from),
		.user = either(text_at(from, "user"), text_at(from, "association.user")),
		.account = either(text_at(from, "account"), text_at(from, "association.account")),
		.qos = text_at(from, "qos"), .partition = text_at(from, "partition"),
		.cluster = text_at(from, "cluster")};
	char name[64];

	if (!at(from, "job_id") || !at(from, "time.submission") || !at(from, "time.elapsed"))
		return err_printf(err, "no job_id, time.submission or time.elapsed: expected "
			"sacct --json");
	if (whole_at(from, "job_id", &job.id, err) ||
		whole_at(from, "time.submission", &job.submit, err) ||
		whole_at(from, "time.start", &job.start, err) ||
		whole_at(from, "time.end", &job.end, err) ||
		whole_at(from, "time.elapsed", &job.run, err) ||
		whole_at(from, "time.limit", &job.limit, err) || count_nodes(from, &job.count, err))
		return -1;
	if (!job.submit)
		return err_printf(err, "time.submission is 0");
	job.limit = job.limit < INT32_MAX - 1 ? job.limit * 60 : 0; /* minutes */
	name_job(from, job.id, name);
	job.name = name;
	r->trace->nodes = true;
	return trace_slurm_add(r, &job, err);
}

/* --- Batsim ------------------------------------------------------------------------------- */

/*
 * The run time of a job in seconds, from its profile: a delay; or operations of each host, or of
 * all together (total), at --host-speed. Names are those of Batsim's versions up to 5.
 */
static const struct {
	const char *type, *value;
	bool total;
} profiles[] = {
	{"delay", "delay", false}, {"DelayProfile", "delay", false},
	{"parallel_homogeneous", "cpu", false}, {"msg_par_hg", "cpu", false},
	{"parallel_homogeneous_total", "cpu", true}, {"msg_par_hg_tot", "cpu", true},
	{"ParallelTaskHomogeneousProfile", "cpu", false},
};

/* Are the profile's operations those of all hosts together? Newer Batsim says so in a key. */
static bool is_total(const json_t *profile, bool total)
{
	const char *strategy = text_at(profile, "generation_strategy");

	return total || (strategy && !strcmp(strategy, "DefinedAmountsSpreadUniformly"));
}

static int profile_time(const struct trace_reader *r, const json_t *root, const json_t *job,
	double *run, struct mesh_err *err)
{
	const char *name = text_at(job, "profile"), *type;
	const json_t *profile = name ? json_object_get(json_object_get(root, "profiles"), name)
				     : NULL;
	double speed = r->options->host_speed;
	size_t n = sizeof(profiles) / sizeof(*profiles), i = 0;
	bool delay;

	if (!profile)
		return err_printf(err, "profile %.32s is none of profiles", name ? name : "?");
	type = text_at(profile, "type");
	while (i < n && strcmp(type ? type : "", profiles[i].type) != 0)
		i++;
	if (i == n)
		return err_printf(err, "profile %.32s is of type %.32s: delay, "
			"parallel_homogeneous and parallel_homogeneous_total are read",
			name, type ? type : "?");
	delay = !strcmp(profiles[i].value, "delay");
	if (!delay && speed <= 0)
		return err_printf(err, "profile %.32s is of type %.32s: --host-speed says how many "
			"operations a host does in a second", name, type);
	*run = number_at(profile, profiles[i].value, -1);
	r->trace->used_speed |= !delay;
	if (!delay)
		*run /= speed * (is_total(profile, profiles[i].total)
			? fmax(1, number_at(job, "res", 1)) : 1);
	if (!(*run >= 0 && *run <= TRACE_LONGEST))
		return err_printf(err, "profile %.32s: no %s", name, profiles[i].value);
	if (!delay && number_at(profile, "com", 0) > 0)
		trace_count_one(&r->trace->silent, 0);
	return 0;
}

/* The number in 7, "7" and "workload0!7". */
static int64_t batsim_id(const json_t *from)
{
	const char *text = text_at(from, "id"), *mark = text ? strrchr(text, '!') : NULL;

	return text ? strtoll(mark ? mark + 1 : text, NULL, 10)
		    : (int64_t)fmax(0, fmin(number_at(from, "id", 0), 1e15));
}

static int batsim_job(struct trace_reader *r, const json_t *root, const json_t *from,
	struct mesh_err *err)
{
	double submit = number_at(from, "subtime", -1), size = number_at(from, "res", -1);
	double limit = number_at(from, "walltime", 0), run = 0;
	struct trace_job *job;

	if (!(submit >= 0 && submit <= TRACE_LONGEST && size >= 0 && size <= INT32_MAX) ||
		size - floor(size) > 0 || !(limit <= TRACE_LONGEST))
		return err_printf(err, "subtime, res or walltime is missing or makes no sense");
	if (profile_time(r, root, from, &run, err))
		return -1;
	job = trace_add(r->trace);
	job->id = batsim_id(from);
	job->name = trace_keep_name(r->trace, text_at(from, "id"));
	job->submit = trace_time(submit);
	job->run = trace_time(run);
	job->estimate = trace_time(limit);
	job->count = (int)size;
	r->trace->nodes = true;
	return 1;
}

/* --- files -------------------------------------------------------------------------------- */

static size_t more(void *buffer, size_t size, void *file)
{
	int got = gzread(file, buffer, (unsigned)size);

	return got < 0 ? (size_t)-1 : (size_t)got;
}

static int take_jobs(struct trace_reader *r, const json_t *root, struct mesh_err *err)
{
	json_t *jobs = json_object_get(root, "jobs"), *job;
	struct mesh_err why = {{0}};
	int took = 0;
	size_t i;

	if (!json_is_array(jobs))
		return err_printf(err, "JSON without an array of jobs: expected sacct --json, or a "
				       "workload of Batsim");
	json_array_foreach(jobs, i, job) {
		took = json_object_get(job, "subtime") ? batsim_job(r, root, job, &why)
						       : sacct_job(r, job, &why);
		if ((took = trace_took(r, took)))
			break;
	}
	return took < 0 ? err_printf(err, "job %zu of jobs: %s", i + 1, why.text) : 0;
}

int json_jobs(struct trace_reader *r, gzFile file, struct mesh_err *err)
{
	json_error_t bad;
	json_t *root = json_load_callback(more, file, JSON_REJECT_DUPLICATES, &bad);
	int result, above = r->line;

	r->line = 0;
	if (!root) {
		r->line = above + bad.line;
		return err_printf(err, "%s", bad.text);
	}
	result = take_jobs(r, root, err);
	json_decref(root);
	return result;
}
