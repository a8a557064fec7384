/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm's logs share: times, states, names of jobs.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/hash.h"
#include "sim/need.h"
#include "sim/trace_format.h"

static bool is_in(const char *word, size_t length, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == length && !strncasecmp(word, *list, length))
			return true;
	return false;
}

/* Parse Z, +01:00, +0100 or +01 as seconds east of Greenwich; "" is 0. */
static int parse_offset(const char *text, int *seconds)
{
	int hours = 0, minutes = 0, end = 0;

	*seconds = 0;
	if (!*text || !strcmp(text, "Z"))
		return 0;
	if ((*text != '+' && *text != '-') || !isdigit((unsigned char)text[1]))
		return -1;
	if (sscanf(text + 1, "%2d%n:%2d%n", &hours, &end, &minutes, &end) < 2)
		sscanf(text + 1, "%2d%n%2d%n", &hours, &end, &minutes, &end);
	if (text[1 + end] || hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
		return -1;
	*seconds = (hours * 60 + minutes) * (*text == '-' ? -60 : 60);
	return 0;
}

/* Parse seconds since 1970, as of SLURM_TIME_FORMAT=%s; up to 300 years, and not a year alone. */
static bool is_epoch(const char *text, int64_t *seconds)
{
	size_t digits = strspn(text, "0123456789");

	if (digits < 5 || digits > 10 || text[digits])
		return false;
	*seconds = strtoll(text, NULL, 10);
	return true;
}

/* Parse what follows the minutes: :SS, and a fraction. Returns what is behind it. */
static const char *parse_seconds(const char *text, int *seconds, unsigned *said)
{
	int end = 0;
	bool precise = sscanf(text, ":%2d%n", seconds, &end) == 1;

	*said |= precise ? 0 : TIMES_COARSE;
	text += precise ? end : 0;
	if (precise && *text == '.')
		text += 1 + strspn(text + 1, "0123456789");
	return text;
}

int trace_slurm_time(const char *text, int64_t *seconds, unsigned *said)
{
	/* Slurm's words, and those of R and pandas */
	static const char *const none[] = {"Unknown", "None", "N/A", "", "NA", "NaT", NULL};
	struct tm tm = {0}, read;
	int end = 0, offset;

	*seconds = 0;
	if (is_in(text, strlen(text), none))
		return 0;
	if (is_epoch(text, seconds)) {
		*said |= TIMES_UTC;
		return 0;
	}
	if (sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		    &tm.tm_hour, &tm.tm_min, &end) != 5 || !end)
		return -1;
	text = parse_seconds(text + end, &tm.tm_sec, said);
	if (parse_offset(text, &offset) || tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12)
		return -1;
	*said |= *text ? TIMES_UTC : TIMES_LOCAL;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	read = tm;
	*seconds = timegm(&tm) - offset;
	/* The 31st of February is no day. */
	return *seconds < 0 || tm.tm_mday != read.tm_mday || tm.tm_hour != read.tm_hour ? -1 : 0;
}

/* Is one of the words of PENDING,RESIZING, before a reason behind them, in the list? */
static bool any_is_in(const char *words, const char *const *list)
{
	size_t length;

	for (;; words += length + 1) {
		length = strcspn(words, ",+ ");
		if (is_in(words, length, list))
			return true;
		if (words[length] != ',' && words[length] != '+')
			return false;
	}
}

/*
 * Does the job have a further record? RESIZING is the state of a part that ended when the job's
 * size changed. Without state, times tell.
 */
static enum trace_part part_of(const char *state)
{
	static const char *const resizing[] = {"RESIZING", "RS", NULL};

	if (!state)
		return TRACE_MAY_GO_ON;
	return any_is_in(state, resizing) ? TRACE_GOES_ON : TRACE_WHOLE;
}

/* Has the job, or this part of it, ended? The state may have flags or a reason behind it. */
static bool has_ended(const struct trace_slurm_job *job)
{
	static const char *const going[] = {"RUNNING", "R", "PENDING", "PD", "SUSPENDED", "S",
		"CONFIGURING", "CF", "COMPLETING", "CG", "STOPPED", "ST",
		"SIGNALING", "SI", "STAGE_OUT", "SO", "REQUEUE_HOLD", "RH", "RESV_DEL_HOLD", "RD",
		NULL};

	return job->end && (part_of(job->state) != TRACE_WHOLE ||
		!is_in(job->state, strcspn(job->state, " ,+"), going));
}

/* Note what kind the job's times are. -1 with text: of two kinds, or of another than before. */
static int same_clock(
	struct trace_reader *r, const struct trace_slurm_job *job, struct mesh_err *err)
{
	const unsigned both = TIMES_LOCAL | TIMES_UTC;

	if (((job->times | r->times) & both) == both)
		return err_printf(err, "times with and without an offset from UTC (the first time, "
			"on line %d, has %s): hours between them are not known%s",
			r->times_line ? r->times_line : r->line,
			(r->times ? r->times : job->times) & TIMES_UTC ? "one" : "none",
			r->format == &trace_sacct ? "; ask sacct for all jobs "
			"with one SLURM_TIME_FORMAT" : ": expected all with one, or all without");
	if (!r->times)
		r->times_line = r->line;
	r->times |= job->times & both;
	return 0;
}

/* Count jobs whose times contradict each other. While one runs, clocks are put back by an hour. */
static void check_times(struct trace_reader *r, const struct trace_slurm_job *job)
{
	int64_t slack = 60 + (job->times & TIMES_LOCAL ? 3600 : 0);
	/* A start that is not known, or of 1970, makes a run of decades. */
	int64_t from = job->start > job->submit ? job->start : job->submit;

	if (job->start > 0 && job->start < job->submit)
		trace_count_one(&r->trace->early, r->line);
	if (job->end > 0 && job->run > job->end - from + slack)
		trace_count_one(&r->trace->longer, r->line);
}

int trace_slurm_add(
	struct trace_reader *r, const struct trace_slurm_job *from, struct mesh_err *err)
{
	struct trace *trace = r->trace;
	const char *name = from->name;
	struct trace_job *job;

	if (same_clock(r, from, err))
		return -1;
	if (!has_ended(from)) {
		trace_count_one(&trace->not_ended, r->line);
		trace->read++;
		return 0;
	}
	check_times(r, from);
	job = trace_add(trace);
	trace->slurm = true;
	job->id = from->id >= 0 ? from->id : strtoll(name, NULL, 10);
	job->name = trace_keep_name(trace, name);
	if (name && strchr(name, '+'))
		trace_count_one(&trace->het, r->line);
	job->submit = from->submit * SIM_SECOND;
	job->run = from->run * SIM_SECOND;
	job->wait = from->start >= from->submit ? (from->start - from->submit) * SIM_SECOND : -1;
	job->estimate = from->limit * SIM_SECOND;
	job->count = (int)from->count;
	job->part = part_of(from->state);
	job->line = r->line;
	job->user = trace_user(trace, from->user);
	job->group = trace_user(trace, from->account);
	job->queue = trace_user(trace, from->qos);
	job->partition = trace_user(trace, from->partition);
	job->cluster = from->cluster && *from->cluster
		? hash_bytes(HASH_BEGIN, from->cluster, strlen(from->cluster)) : 0;
	if (job->cluster != trace->job->cluster)
		trace_count_one(&trace->elsewhere, r->line);
	return 1;
}

/* --- jobs that are there twice ------------------------------------------------------------- */

/* 0: the same number. */
static int by_number(const struct trace_job *x, const struct trace_job *y)
{
	int order = trace_order(x->id, y->id);

	order = order ? order : (x->cluster > y->cluster) - (x->cluster < y->cluster);
	return order ? order : strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* 0: the same job. */
static int by_job(const struct trace_job *x, const struct trace_job *y)
{
	int order = by_number(x, y);

	return order ? order : trace_order(x->submit, y->submit);
}

/* Of records of one start, or of an unknown one, parts come before the last one. */
static int by_job_and_start(const void *a, const void *b)
{
	const struct trace_job *x = *(const struct trace_job *const *)a;
	const struct trace_job *y = *(const struct trace_job *const *)b;
	int order = by_job(x, y);

	order = order ? order : trace_order(x->wait, y->wait);
	order = order ? order : (y->part == TRACE_GOES_ON) - (x->part == TRACE_GOES_ON);
	return order ? order : (x > y) - (x < y);
}

/* When a job began and ended; INT64_MIN: it is not known. */
static int64_t start_of(const struct trace_job *job)
{
	return job->wait < 0 ? INT64_MIN : job->submit + job->wait;
}

static int64_t end_of(const struct trace_job *job)
{
	return job->wait < 0 ? INT64_MIN : job->submit + job->wait + job->run;
}

/* Does the second record go on where the first one ends? One without run time ends nothing. */
static bool goes_on(const struct trace_job *job, const struct trace_job *next)
{
	return start_of(next) > start_of(job) && start_of(next) == end_of(job);
}

/*
 * Is it the same record, or the same one at another time? Behind a part it has the same times, and
 * if nobody knows the start, it is no last part.
 */
static bool is_again(const struct trace_job *job, const struct trace_job *next)
{
	if (by_job(job, next))
		return false;
	if (job->part == TRACE_GOES_ON)
		return job->wait == next->wait && job->run == next->run &&
			(job->wait >= 0 || next->part != TRACE_WHOLE);
	/* A job that was requeued runs once more, after an end. */
	return (end_of(job) == INT64_MIN || start_of(next) <= end_of(job)) && !goes_on(job, next);
}

/*
 * Is the record a further part of the job of the one before it? slurmdbd takes a change of a job's
 * size for a new submission that starts at once; so does a job that is requeued, if nobody waits.
 */
static bool is_part(const struct trace_job *before, const struct trace_job *next)
{
	if (by_number(before, next))
		return false;
	if (before->part == TRACE_GOES_ON)
		return true;
	if (before->submit != next->submit &&
		(before->part == TRACE_WHOLE || next->part == TRACE_WHOLE || next->wait))
		return false;
	return goes_on(before, next);
}

/* Mark a job for removal: no log has a size of -1. */
static void mark(struct trace_job *job)
{
	job->count = -1;
}

/* Keep one of equal records, the longest. Returns how many are left. */
static int drop_again(struct trace *trace, struct trace_job **order)
{
	int kept = 0;

	for (int i = 0; i < trace->njobs; i++) {
		struct trace_job *job = kept ? order[kept - 1] : NULL, *next = order[i];

		if (!job || !is_again(job, next)) {
			order[kept++] = next;
			continue;
		}
		trace_count_one(&trace->again, next->line);
		if (next->run > job->run) {
			job->run = next->run;
			job->count = next->count;
		}
		mark(next);
	}
	return kept;
}

/* Make one job of its parts. It keeps its node-seconds, as far as whole nodes can. */
static void join_parts(struct trace *trace, struct trace_job *const *order, int n)
{
	struct trace_job *job = NULL;
	double space = 0;

	for (int i = 0; i < n; i++) {
		struct trace_job *part = order[i];
		double more = part->count * (double)part->run;

		if (!i || !is_part(order[i - 1], part)) {
			job = part;
			space = more;
			continue;
		}
		trace_count_one(&trace->parts, part->line);
		space += more;
		job->run += part->run;
		if (job->run > 0)
			job->count = (int)lround(space / (double)job->run);
		mark(part);
	}
}

void trace_slurm_drop_again(struct trace *trace)
{
	struct trace_job **order;
	int kept = 0;

	if (!trace->slurm)
		return;
	need_array(&trace->arena, order, trace->njobs);
	for (int i = 0; i < trace->njobs; i++)
		order[i] = &trace->job[i];
	qsort(order, (size_t)trace->njobs, sizeof(*order), by_job_and_start);
	join_parts(trace, order, drop_again(trace, order));
	for (int i = 0; i < trace->njobs; i++)
		if (trace->job[i].count >= 0)
			trace->job[kept++] = trace->job[i];
	trace->njobs = kept;
}
