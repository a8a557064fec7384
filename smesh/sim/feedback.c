/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/feedback.h"

#include <stdlib.h>

struct by_id {
	int64_t id;
	int job;
};

static int compare_ids(const void *a, const void *b)
{
	const struct by_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* The last job before `before` with that number, or -1. */
static int find(const struct by_id *list, int n, int64_t id, int before)
{
	int low = 0, high = n;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (list[middle].id < id || (list[middle].id == id && list[middle].job < before))
			low = middle + 1;
		else
			high = middle;
	}
	return low && list[low - 1].id == id ? list[low - 1].job : -1;
}

static int from_log(const struct trace *trace, struct feedback_job *out)
{
	struct by_id *list = malloc(((size_t)trace->njobs + 1) * sizeof(*list));

	if (!list)
		return -1;
	for (int i = 0; i < trace->njobs; i++)
		list[i] = (struct by_id){trace->job[i].id, i};
	qsort(list, (size_t)trace->njobs, sizeof(*list), compare_ids);
	for (int i = 0; i < trace->njobs; i++) {
		const struct trace_job *j = &trace->job[i];

		if (j->preceding > 0)
			out[i] = (struct feedback_job){
				.after = find(list, trace->njobs, j->preceding, i),
				.think = j->think > 0 ? j->think : 0};
	}
	free(list);
	return 0;
}

static int64_t end_in_log(const struct trace_job *j)
{
	return j->submit + (j->wait > 0 ? j->wait : 0) + j->run;
}

/*
 * Of each user the job before, and the one that ended last of those that have ended: the ends of a
 * user's jobs are few at a time, so that a list from job to job of those still open will do.
 */
static int from_users(const struct trace *trace, struct feedback_job *out)
{
	size_t users = (size_t)trace->nusers + 1, n = (size_t)trace->njobs + 1;
	int *last = malloc(users * sizeof(*last)), *ended = malloc(users * sizeof(*ended));
	int *open = malloc(users * sizeof(*open)), *next = malloc(n * sizeof(*next));
	int code = last && ended && open && next ? 0 : -1;

	for (size_t u = 0; !code && u < users; u++)
		last[u] = ended[u] = open[u] = -1;
	for (int i = 0; !code && i < trace->njobs; i++) {
		const struct trace_job *j = &trace->job[i];
		int u = j->user;

		if (u < 0)
			continue;
		for (int *at = &open[u]; *at >= 0;) {
			int job = *at;

			if (end_in_log(&trace->job[job]) > j->submit) {
				at = &next[job];
				continue;
			}
			if (ended[u] < 0 ||
				end_in_log(&trace->job[job]) > end_in_log(&trace->job[ended[u]]))
				ended[u] = job;
			*at = next[job];
		}
		if (last[u] >= 0 && end_in_log(&trace->job[last[u]]) > j->submit)
			out[i] = (struct feedback_job){
				last[u], true, j->submit - trace->job[last[u]].submit};
		else if (ended[u] >= 0)
			out[i] = (struct feedback_job){ended[u], false,
				j->submit - end_in_log(&trace->job[ended[u]])};
		last[u] = i;
		next[i] = open[u];
		open[u] = i;
	}
	free(last);
	free(ended);
	free(open);
	free(next);
	return code;
}

struct feedback_job *feedback_make(const struct trace *trace, enum feedback_kind kind)
{
	struct feedback_job *out = calloc((size_t)trace->njobs + 1, sizeof(*out));
	int code = 0;

	for (int i = 0; out && i < trace->njobs; i++)
		out[i].after = -1;
	if (out && kind == FEEDBACK_LOG)
		code = from_log(trace, out);
	else if (out && kind == FEEDBACK_CLOSED)
		code = from_users(trace, out);
	if (code) {
		free(out);
		return NULL;
	}
	return out;
}
