/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/runner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/cubes.h"
#include "sim/human.h"

/* What the workers share; the lock guards all members below it. */
struct pool {
	struct runner *runner;
	pthread_mutex_t lock;
	int next;
	double done; /* runs, with the done part of each that is under way */
	int all;
	time_t begun, drawn;
	bool failed;
};

struct worker {
	struct pool *pool;
	double reported; /* share of the current task */
};

/*
 * Draw "verdict [#### ] 40%, 3 min left", by how long the done part took; nothing in the first
 * seconds.
 */
static void draw(const struct pool *pool)
{
	enum { WIDTH = 40 };
	const struct runner_progress *p = &pool->runner->progress;
	double share = p->from + (p->span > 0 ? p->span : 1) *
		(pool->all ? pool->done / pool->all : 1);
	int percent = (int)(100 * share), filled = percent * WIDTH / 100;
	double taken = difftime(time(NULL), pool->begun);
	const char *label = p->label ? p->label : "simulation";
	char left[32] = "";

	if (share > 0 && taken >= 2)
		human_text(HUMAN_SECONDS, taken / share - taken, left, sizeof(left));
	if (p->bar)
		fprintf(stderr, "\r%s [%.*s%*s] %3d%%%s%s%-8s", label, filled,
			"########################################", WIDTH - filled, "", percent,
			*left ? ", " : "", left, *left ? " left" : "");
	else
		fprintf(stderr, "smesh: %s: %d%%%s%s%s\n", label, percent, *left ? ", " : "", left,
			*left ? " left" : "");
	fflush(stderr);
}

static int progress(void *data, int done, int all)
{
	struct worker *worker = data;
	struct pool *pool = worker->pool;
	bool stop;

	double share = all ? (double)done / all : 1;

	pthread_mutex_lock(&pool->lock);
	pool->done += share - worker->reported;
	worker->reported = share;
	if (difftime(time(NULL), pool->drawn) >= (pool->runner->progress.bar ? 1 : 60)) {
		pool->drawn = time(NULL);
		draw(pool);
	}
	stop = pool->failed;
	pthread_mutex_unlock(&pool->lock);
	return stop;
}

static void run_task(struct worker *worker, struct runner_task *task)
{
	struct runner *runner = worker->pool->runner;
	struct engine_options options = runner->engine;
	struct summary_options summary = runner->summary;

	options.seed = task->seed;
	options.comm.job = task->comm;
	options.progress = progress;
	options.progress_data = worker;
	if (task->data)
		options.data = task->data;
	worker->reported = 0;
	task->code = engine_run(&task->result,
		&(struct engine_input){runner->mesh, task->trace, task->ops}, &options, &task->err);
	summary.hops_only = options.hops_only;
	summary.contention = options.comm.contention;
	summary.rewired = cubes_is(task->ops);
	summary.cabled = runner->mesh->cabled;
	if (!task->code)
		summarise(&task->summary, task->trace, &task->result, &summary);
	if (!task->code && runner->finished)
		runner->finished(runner->data, task);
	if (!runner->keep) {
		free(task->result.record);
		task->result.record = NULL;
	}
}

static void *work(void *data)
{
	struct pool *pool = data;
	struct worker worker = {.pool = pool};

	for (;;) {
		struct runner_task *task;

		pthread_mutex_lock(&pool->lock);
		task = !pool->failed && pool->next < pool->runner->ntasks
			? &pool->runner->task[pool->next++] : NULL;
		pthread_mutex_unlock(&pool->lock);
		if (!task)
			break;
		if (!task->done)
			run_task(&worker, task);
		pthread_mutex_lock(&pool->lock);
		pool->done += task->done ? 0 : 1 - worker.reported;
		worker.reported = 0;
		pool->failed |= task->code != 0;
		pthread_mutex_unlock(&pool->lock);
	}
	return NULL;
}

/* If fewer threads start than asked for, they do all the work. */
static void run_pool(struct pool *pool)
{
	enum { MOST = 256 };
	pthread_t thread[MOST];
	int extra = pool->runner->threads - 1, started = 0;

	if (extra > pool->runner->ntasks - 1)
		extra = pool->runner->ntasks - 1;
	while (started < extra && started < MOST &&
		!pthread_create(&thread[started], NULL, work, pool))
		started++;
	work(pool);
	while (started)
		pthread_join(thread[--started], NULL);
}

int runner_run(struct runner *runner, struct mesh_err *err)
{
	struct pool pool = {.runner = runner};

	pthread_mutex_init(&pool.lock, NULL);
	pool.begun = runner->progress.begun ? runner->progress.begun : time(NULL);
	pool.drawn = runner->progress.bar ? 0 : time(NULL);
	for (int i = 0; i < runner->ntasks; i++)
		pool.all += !runner->task[i].done;
	run_pool(&pool);
	pthread_mutex_destroy(&pool.lock);
	if (runner->progress.bar)
		fprintf(stderr, "\r%*s\r", 78, "");
	for (int i = 0; i < runner->ntasks; i++)
		if (runner->task[i].code < 0)
			return err_printf(err, "%s", runner->task[i].err.text);
	return 0;
}

void runner_release(struct runner *runner)
{
	for (int i = 0; i < runner->ntasks; i++)
		engine_release(&runner->task[i].result);
}
