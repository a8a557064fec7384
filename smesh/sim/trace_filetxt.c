/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm's JobCompType=jobcomp/filetxt writes at the end of each job: a line of words
 * KEY=VALUE. Sites without slurmdbd have nothing else. Users write Name= and WorkDir= as they
 * like. So the words between these two are found by all of their keys, and those behind them from
 * the end.
 *
 * JobId=7 UserId=ann(1001) GroupId=g(100) Name=a b JobState=COMPLETED Partition=p TimeLimit=60
 * StartTime=2024-01-01T00:00:00 EndTime=2024-01-01T00:01:40 NodeList=n[0-9] NodeCnt=10 ProcCnt=40
 * WorkDir=/home/ann ReservationName= Tres=... Account=a QOS=normal WcKey= Cluster=c
 * SubmitTime=2024-01-01T00:00:00 EligibleTime=2024-01-01T00:00:00 ArrayJobId=5 ArrayTaskId=2
 * DerivedExitCode=0:0 ExitCode=0:0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace_format.h"

enum { WORD = 64 };

static bool is_filetxt(const char *line)
{
	return !strncmp(line, "JobId=", 6);
}

/* The value of the last word with this key, at most WORD - 1 characters; "": there is none. */
static const char *last_value(const char *text, const char *key, char value[WORD])
{
	const char *at = NULL;

	for (const char *next = text; (next = strstr(next, key)); next += strlen(key))
		at = next + strlen(key);
	snprintf(value, WORD, "%.*s", at ? (int)strcspn(at, " ") : 0, at ? at : "");
	return value;
}

struct words {
	char state[WORD], partition[WORD], limit[WORD], start[WORD], end[WORD];
	char user[WORD], account[WORD], qos[WORD], cluster[WORD], name[WORD];
};

/* Find the words between Name= and WorkDir=, in this order, so that no name can imitate them. */
static bool find_middle(const char *text, struct words *w, int64_t *nodes)
{
	for (; (text = strstr(text, " JobState=")); text++) {
		int list = 0;

		if (sscanf(text, " JobState=%63s Partition=%63s TimeLimit=%63s StartTime=%63s "
			"EndTime=%63s NodeList=%n", w->state, w->partition, w->limit, w->start,
			w->end, &list) == 5 && list &&
			sscanf(text + list + strcspn(text + list, " "), " NodeCnt=%" SCNd64,
				nodes) == 1)
			return *nodes >= 0 && *nodes <= INT32_MAX;
	}
	return false;
}

/* 5_1 and 4+0, as other commands name them. */
static const char *job_name(const char *text, struct words *w)
{
	char of[WORD], part[WORD];

	if (*last_value(text, " ArrayJobId=", of) && *last_value(text, " ArrayTaskId=", part))
		snprintf(w->name, sizeof(w->name), "%.20s_%.20s", of, part);
	else if (*last_value(text, " HetJobId=", of) && *last_value(text, " HetJobOffset=", part))
		snprintf(w->name, sizeof(w->name), "%.20s+%.20s", of, part);
	else
		return NULL;
	return w->name;
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	struct words w = {.name = ""};
	struct trace_slurm_job job = {.state = w.state, .user = w.user, .account = w.account,
		.qos = w.qos, .partition = w.partition, .cluster = w.cluster};
	char submit[WORD];
	int64_t start, limit;

	if (sscanf(text, "JobId=%" SCNd64 " UserId=%63[^( ]", &job.id, w.user) < 1 || job.id < 0)
		return err_printf(err, "expected JobId=");
	if (!find_middle(text, &w, &job.count))
		return err_printf(err, "expected JobState= and what follows it to ProcCnt=");
	last_value(text, " SubmitTime=", submit);
	last_value(text, " Account=", w.account);
	last_value(text, " QOS=", w.qos);
	last_value(text, " Cluster=", w.cluster);
	if (trace_slurm_time(submit, &job.submit, &job.times) || !job.submit)
		return err_printf(err, "SubmitTime= is not a time: '%s'", submit);
	if (trace_slurm_time(w.start, &start, &job.times) ||
		trace_slurm_time(w.end, &job.end, &job.times))
		return err_printf(err, "StartTime= or EndTime= is not a time: '%.32s', '%.32s'",
			w.start, w.end);
	job.start = start;
	job.run = start && job.end > start ? job.end - start : 0;
	limit = strtoll(w.limit, NULL, 10); /* minutes; UNLIMITED: 0 */
	if (limit < 0)
		return err_printf(err, "TimeLimit= is below 0: '%.32s'", w.limit);
	job.limit = limit < INT32_MAX - 1 ? limit * 60 : 0;
	job.name = job_name(text, &w);
	r->trace->nodes = true;
	return trace_slurm_add(r, &job, err);
}

const struct trace_format trace_filetxt = {.is = is_filetxt, .line = take_line};
