/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Standard Workload Format 2.2 (Parallel Workloads Archive): 18 numbers to a line, -1: unknown;
 * `;` begins a comment line. A job that was swapped out has a line for the whole, and behind it
 * one for each of its partial executions, which are counted and left out.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/need.h"
#include "sim/trace_format.h"

enum {
	ID,
	SUBMIT,
	WAIT,
	RUN,
	ALLOCATED,
	REQUESTED = 7,
	REQUESTED_TIME,
	STATUS = 10,
	USER,
	GROUP,
	PROGRAM,
	QUEUE,
	PARTITION,
	FIELDS = 18
};

static const char *const field_name[FIELDS] = {"job number", "submit time", "wait time", "run time",
	"allocated processors", "average CPU time", "used memory", "requested processors",
	"requested time", "requested memory", "status", "user", "group", "executable", "queue",
	"partition", "preceding job", "think time"};

static int parse_fields(const char *text, double *value, struct mesh_err *err)
{
	for (int i = 0; i < FIELDS; i++) {
		char *end;

		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			return err_printf(err, "%d fields of %d: the %s is missing", i, FIELDS,
				field_name[i]);
		errno = 0;
		value[i] = strtod(text, &end);
		if (end == text || (*end && !isspace((unsigned char)*end)) || !isfinite(value[i]))
			return err_printf(err, "field %d, the %s, is not a number%s", i + 1,
				field_name[i],
				i ? "" : ": this is none of the logs that man smesh lists "
					 "(WORKLOAD OPTIONS)");
		text = end;
	}
	while (isspace((unsigned char)*text))
		text++;
	return *text ? err_printf(err, "more than %d fields", FIELDS) : 0;
}

/* The fields that are used must be at least -1, which means unknown. */
static int check_fields(const double *value, struct mesh_err *err)
{
	static const int used[] = {SUBMIT, RUN, ALLOCATED, REQUESTED, REQUESTED_TIME};

	for (unsigned i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
		bool nodes = used[i] == ALLOCATED || used[i] == REQUESTED;
		double most = nodes ? INT32_MAX : TRACE_LONGEST;

		if (value[used[i]] < -1 || value[used[i]] > most)
			return err_printf(err,
				"field %d, the %s, is %.12g: from -1 to %.0f is possible",
				used[i] + 1, field_name[used[i]], value[used[i]], most);
	}
	if (value[SUBMIT] < 0)
		return err_printf(err, "field 2, the submit time, is not known");
	return 0;
}

/* The index of the name u4 for user number 4; -1: unknown. */
static int name_number(struct trace *trace, char what, double number)
{
	char name[32];

	if (number <= 0 || number >= INT32_MAX)
		return -1;
	snprintf(name, sizeof(name), "%c%d", what, (int)number);
	return trace_user(trace, name);
}

void swf_comment(struct trace *trace, const char *text)
{
	sscanf(text, "; MaxNodes: %ld", &trace->most_nodes);
	sscanf(text, "; MaxProcs: %ld", &trace->most_processors);
}

/* Partial executions: their jobs and lines. */
struct parts {
	struct trace_job *part;
	int n;
};

static void add_part(struct trace_reader *r, double id)
{
	struct arena *arena = &r->trace->arena;
	struct parts *parts = r->state;

	if (!parts)
		r->state = parts = need_get(arena, 1, sizeof(*parts));
	need_append(arena, parts->part, parts->n, (struct trace_job){
		.id = id > 0 && id < 1e18 ? (int64_t)id : 0, .line = r->line});
	trace_count_one(&r->trace->partial, r->line);
}

static int by_id(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	return trace_order(x->id, y->id);
}

static int by_id_and_line(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;
	int order = by_id(a, b);

	return order ? order : x->line - y->line;
}

/* Is each number larger than the one before, as in most logs? */
static bool ascends(const struct trace *trace)
{
	int i = 1;

	while (i < trace->njobs && trace->job[i].id > trace->job[i - 1].id)
		i++;
	return i >= trace->njobs;
}

/* The jobs by number, those of one number by line. */
static struct trace_job *sorted(struct trace *trace)
{
	struct trace_job *job;

	need_array(&trace->arena, job, trace->njobs + 1);
	if (trace->njobs)
		memcpy(job, trace->job, (size_t)trace->njobs * sizeof(*job));
	qsort(job, (size_t)trace->njobs, sizeof(*job), by_id_and_line);
	return job;
}

/* Count numbers that are there twice; and parts anew, those of jobs without a whole apart. */
static int count_parts(struct trace_reader *r, struct mesh_err *err)
{
	const struct parts *parts = r->state;
	struct trace *trace = r->trace;
	struct trace_job *whole;

	(void)err;
	if (!parts && ascends(trace))
		return 0;
	whole = sorted(trace);
	trace->partial = (struct trace_count){0};
	for (int i = 0; parts && i < parts->n; i++)
		trace_count_one(bsearch(&parts->part[i], whole, (size_t)trace->njobs,
			sizeof(*whole), by_id) ? &trace->partial : &trace->no_whole,
			parts->part[i].line);
	for (int i = 1; i < trace->njobs; i++)
		if (whole[i].id > 0 && whole[i].id == whole[i - 1].id)
			trace_count_one(&trace->same_number, whole[i].line);
	return 0;
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	struct trace *trace = r->trace;
	double value[FIELDS];
	struct trace_job *job;

	while (isspace((unsigned char)*text))
		text++;
	if (!*text || *text == ';')
		return 0;
	if (parse_fields(text, value, err))
		return -1;
	if (value[STATUS] >= 2 && value[STATUS] <= 4) {
		add_part(r, value[ID]);
		return 0;
	}
	if (check_fields(value, err))
		return -1;
	job = trace_add(trace);
	job->id = value[ID] > 0 && value[ID] < 1e18 ? (int64_t)value[ID] : 0;
	job->submit = trace_time(value[SUBMIT]);
	job->run = trace_time(value[RUN]);
	job->wait = value[WAIT] < 0 || value[WAIT] > TRACE_LONGEST ? -1 : trace_time(value[WAIT]);
	job->estimate = trace_time(value[REQUESTED_TIME]);
	job->count = (int)ceil(value[ALLOCATED] > 0 ? value[ALLOCATED] : value[REQUESTED]);
	job->line = r->line;
	job->user = name_number(trace, 'u', value[USER]);
	job->group = name_number(trace, 'g', value[GROUP]);
	job->queue = name_number(trace, 'q', value[QUEUE]);
	job->partition = name_number(trace, 'p', value[PARTITION]);
	return 1;
}

/* Whatever no other format takes. */
static bool is_any(const char *line)
{
	(void)line;
	return true;
}

const struct trace_format trace_swf = {
	.is = is_any, .line = take_line, .end = count_parts, .all = true};

/* --- writing ----------------------------------------------------------------------------- */

/* Are all names of the form that name_number() makes? */
static bool are_numbers(const struct trace *trace)
{
	for (int i = 0; i < trace->nusers; i++) {
		const char *name = trace->user[i];

		if (!*name || !name[1] || name[1 + strspn(name + 1, "0123456789")])
			return false;
	}
	return true;
}

/* The number in a name, or the name's index in the list; -1: none. */
static int number_of(const struct trace *trace, bool numbers, int name)
{
	if (name < 0)
		return -1;
	return numbers ? (int)strtol(trace->user[name] + 1, NULL, 10) : name + 1;
}

int trace_write_swf(const struct trace *trace, const struct trace_outcome *outcome, FILE *file)
{
	bool numbers = are_numbers(trace);

	fprintf(file, "; Version: 2.2\n; Computer: %s\n; MaxJobs: %d\n; MaxRecords: %d\n",
		trace->name, trace->njobs, trace->njobs);
	for (int i = 0; i < trace->njobs; i++) {
		struct trace_outcome o = outcome ? outcome[i]
			: (struct trace_outcome){-1, trace->job[i].run, 1};
		const struct trace_job *job = &trace->job[i];

		fprintf(file,
			"%lld %.15g %.15g %.15g %d -1 -1 %d %.15g -1 %d %d %d -1 %d %d -1 -1\n",
			outcome ? (long long)job->id : i + 1LL, sim_seconds(job->submit),
			o.wait < 0 ? -1 : sim_seconds(o.wait), o.run < 0 ? -1 : sim_seconds(o.run),
			job->count, job->count,
			job->estimate > 0 ? sim_seconds(job->estimate) : -1, o.status,
			number_of(trace, numbers, job->user), number_of(trace, numbers, job->group),
			number_of(trace, numbers, job->queue),
			number_of(trace, numbers, job->partition));
	}
	return ferror(file) ? -1 : 0;
}
