/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Submissions inside the engine: those at the times of the log, and those that follow other jobs.
 */
#include <stdlib.h>

#include "sim/engine_state.h"

struct followers {
	const struct feedback_job *job; /* [njobs] */
	int *first, *next; /* [njobs] of each job those that follow it, as a list; -1 ends it */
	struct heap due;   /* whose time is known */
};

void engine_end_feedback(struct engine *e)
{
	if (!e->followers)
		return;
	free(e->followers->first);
	free(e->followers->next);
	free(e->followers->due.item);
	free(e->followers);
}

/* The next one that comes at its own time. */
static void skip_followers(struct engine *e)
{
	while (e->followers && e->next < e->trace->njobs && e->followers->job[e->next].after >= 0)
		e->next++;
}

int engine_begin_feedback(struct engine *e)
{
	const struct feedback_job *job = e->options->feedback;
	size_t n = (size_t)e->trace->njobs + 1;

	if (!job)
		return 0;
	if (!(e->followers = calloc(1, sizeof(*e->followers))))
		return engine_no_memory(e);
	e->followers->job = job;
	e->followers->first = malloc(n * sizeof(int));
	e->followers->next = malloc(n * sizeof(int));
	e->followers->due.item = malloc(n * sizeof(*e->followers->due.item));
	if (!e->followers->first || !e->followers->next || !e->followers->due.item)
		return engine_no_memory(e);
	for (int i = 0; i < e->trace->njobs; i++)
		e->followers->first[i] = -1;
	for (int i = e->trace->njobs - 1; i >= 0; i--)
		if (job[i].after >= 0) {
			e->followers->next[i] = e->followers->first[job[i].after];
			e->followers->first[job[i].after] = i;
		}
	skip_followers(e);
	return 0;
}

void engine_follow(struct engine *e, int job, bool submitted)
{
	struct followers *f = e->followers;

	for (int i = f ? f->first[job] : -1; i >= 0; i = f->next[i])
		if (f->job[i].of_submit == submitted)
			heap_push(&f->due,
				(struct heap_item){(double)(e->now + f->job[i].think), i, i});
}

int64_t engine_next_submission(const struct engine *e)
{
	int64_t own = e->next < e->trace->njobs ? e->trace->job[e->next].submit : -1;
	int64_t due = e->followers && e->followers->due.size
		? (int64_t)e->followers->due.item[0].key
		: -1;

	if (own < 0 || due < 0)
		return own < 0 ? due : own;
	return due < own ? due : own;
}

int engine_take_submission(struct engine *e)
{
	struct heap *due = e->followers ? &e->followers->due : NULL;
	int64_t own = e->next < e->trace->njobs ? e->trace->job[e->next].submit : -1;
	int job;

	/* Of equal times the lower number first. */
	if (due && due->size && (own < 0 || (int64_t)due->item[0].key < own ||
			((int64_t)due->item[0].key == own && due->item[0].id < e->next))) {
		job = heap_pop(due).id;
	} else {
		job = e->next++;
		skip_followers(e);
	}
	e->result->record[job].moved = e->now - e->trace->job[job].submit;
	engine_follow(e, job, true);
	return job;
}
