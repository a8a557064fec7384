/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cost of an event: O(log n) for the heap of ends, O(r) moves in the lists of r running
 * jobs, one decision for each job tried, and with EASY O(r + depth) for the reservation.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "freebox.h"
#include "measure.h"
#include "base/heap.h"
#include "geometry/metrics.h"
#include "config/runtimes.h"

/* A running job by the end that its estimate promises. */
struct promise {
	int64_t end;
	int job;
	int count;
};

struct engine {
	const struct mesh *mesh;
	const struct trace *trace;
	const struct engine_options *options;
	struct engine_result *result;
	struct mesh_err *err;
	struct strategy *strategy;
	struct strategy **decide;
	struct measure *measure;
	struct mesh_runtimes *runtimes; /* NULL unless they are to be learnt from */
	struct freebox *freebox; /* or NULL */
	int largest; /* free box; -1: not measured since the last change */
	bool boxes; /* the strategy answers boxes or MESH_NO_FIT */
	int64_t now;
	struct nodeset free, usable, future;
	int nfree;
	/* Running, in start order; run_job ascends with the order of starts in `serial`. */
	struct mesh_run *run, *future_run;
	int *run_job;
	int nruns, room;
	int *serial, starts; /* [njobs] when a job started, counted in starts */
	struct promise *promise; /* [nruns], by end, then job */
	struct heap ends; /* of jobs, by end, then start */
	/* Waiting: queue[head..tail-1] are jobs, wanted[] their sizes beside them. */
	int *queue, *wanted;
	int head, tail, next; /* next: the first job not yet submitted */
	int done, refused;
	bool head_failed; /* the head was refused and nothing has ended since */
	int64_t blocked_since; /* such a head would have fitted by number; -1 */
	/* With contention: each job's traffic, nominal time left at `since`, slowdown since. */
	struct contention *net;
	struct traffic {
		struct contention_job *job;
		double left, slowdown; /* slowdown: run time / nominal */
		double comm, comm_sum; /* of the communication alone: now, and over time */
		int64_t since, promise;
	} *traffic; /* [njobs] */
	bool net_changed;
	double mean_pace; /* of the jobs that run */
	int *node; /* [nnodes] the answer */
	int *other; /* [nnodes] a second opinion */
};

/* --- memory ----------------------------------------------------------------------- */

static void end_engine(struct engine *e)
{
	for (int i = 0; i < e->nruns; i++) {
		int *node = e->run[i].count ? (int *)(uintptr_t)e->run[i].node : NULL;

		free(node);
	}
	for (int i = 0; e->traffic && i < e->nruns; i++)
		contention_remove(e->net, e->traffic[e->run_job[i]].job);
	contention_free(e->net);
	free(e->traffic);
	for (int i = 0; e->decide && i < e->options->ndecide; i++)
		strategy_free(e->decide[i]);
	strategy_free(e->strategy);
	measure_free(e->measure);
	freebox_free(e->freebox);
	nodeset_release(&e->free);
	nodeset_release(&e->usable);
	nodeset_release(&e->future);
	free(e->decide);
	free(e->run);
	free(e->future_run);
	free(e->run_job);
	free(e->serial);
	free(e->promise);
	mesh_runtimes_free(e->runtimes);
	free(e->ends.item);
	free(e->ends.place);
	free(e->queue);
	free(e->wanted);
	free(e->node);
	free(e->other);
}

static int no_memory(struct engine *e)
{
	return err_printf(e->err, "out of memory");
}

static int *ints(int count)
{
	return malloc(((size_t)count + 1) * sizeof(int));
}

static int begin_sets(struct engine *e)
{
	int n = e->mesh->nnodes;

	if (nodeset_init(&e->free, n) || nodeset_init(&e->usable, n) || nodeset_init(&e->future, n))
		return no_memory(e);
	nodeset_set_all(&e->free);
	if (e->options->down)
		nodeset_remove(&e->free, e->options->down);
	nodeset_copy(&e->usable, &e->free);
	e->nfree = nodeset_count(&e->free);
	return 0;
}

static int begin_engine(struct engine *e, const struct strategy_ops *ops)
{
	const struct engine_options *o = e->options;
	int n = e->trace->njobs;

	e->result->record = calloc((size_t)n + 1, sizeof(*e->result->record));
	e->result->decide = calloc((size_t)o->ndecide + 1, sizeof(*e->result->decide));
	e->decide = calloc((size_t)o->ndecide + 1, sizeof(struct strategy *));
	e->serial = ints(n);
	e->ends.item = calloc((size_t)n + 1, sizeof(*e->ends.item));
	e->ends.place = ints(n);
	e->queue = ints(n);
	e->wanted = ints(n);
	e->node = ints(e->mesh->nnodes);
	e->other = ints(e->mesh->nnodes);
	e->measure = measure_new(e->mesh);
	if (!e->result->record || !e->result->decide || !e->decide || !e->serial || !e->ends.item ||
		!e->ends.place || !e->queue || !e->wanted || !e->node || !e->other || !e->measure)
		return no_memory(e);
	e->largest = -1;
	if (o->ends == ENGINE_LEARNT && !(e->runtimes = mesh_runtimes_new()))
		return no_memory(e);
	if (o->free_box && !(e->freebox = freebox_new(e->mesh)))
		return no_memory(e);
	if (o->comm.job) {
		e->net = contention_new(e->mesh,
			&(struct contention_options){o->seed, o->comm.mapped});
		e->traffic = calloc((size_t)n + 1, sizeof(*e->traffic));
		if (o->messages)
			e->result->messages = calloc((size_t)links_count(e->mesh) + 1, sizeof(double));
		if (!e->net || !e->traffic || (o->messages && !e->result->messages))
			return no_memory(e);
	}
	if (begin_sets(e) || !(e->strategy = strategy_new(ops, e->mesh, e->err)))
		return -1;
	for (int i = 0; i < o->ndecide; i++)
		if (!(e->decide[i] = strategy_new(o->decide[i], e->mesh, e->err)))
			return -1;
	e->boxes = ops->flags & STRATEGY_CONTIGUOUS;
	e->blocked_since = -1;
	e->mean_pace = 1;
	for (int i = 0; i < n; i++)
		e->result->record[i].start = e->result->record[i].end = -1;
	return 0;
}

/* --- running jobs ----------------------------------------------------------------- */

/* The end that is known beforehand: by the user's estimate, or exact without one. With
 * contention: as its pace has it now. */
static int64_t promised_end(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];
	int64_t length = j->estimate ? j->estimate : j->run;

	return e->net ? e->traffic[job].promise : e->result->record[job].start + length;
}

/* When a job is ended for its limit; INT64_MAX: never. */
static int64_t limit_end(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];

	return e->options->kill_at_limit && j->estimate
		? e->result->record[job].start + j->estimate : INT64_MAX;
}

/* The first promise that is not before (end, job). */
static int find_promise(const struct engine *e, int64_t end, int job)
{
	int low = 0, high = e->nruns;

	while (low < high) {
		int middle = low + (high - low) / 2;
		const struct promise *p = &e->promise[middle];

		if (p->end < end || (p->end == end && p->job < job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int find_run(const struct engine *e, int job)
{
	int low = 0, high = e->nruns - 1;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (e->serial[e->run_job[middle]] < e->serial[job])
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int make_room(struct engine *e)
{
	if (e->nruns < e->room)
		return 0;
	size_t room = (size_t)e->room * 2 + 64;
	void *run = realloc(e->run, room * sizeof(*e->run));

	e->run = run ? run : e->run;
	void *job = realloc(e->run_job, room * sizeof(int));

	e->run_job = job ? job : e->run_job;
	void *promise = realloc(e->promise, room * sizeof(*e->promise));

	e->promise = promise ? promise : e->promise;
	void *future = realloc(e->future_run, room * sizeof(*e->future_run));

	e->future_run = future ? future : e->future_run;
	if (!run || !job || !promise || !future)
		return no_memory(e);
	e->room = (int)room;
	return 0;
}

static int add_traffic(struct engine *e, int job, int count)
{
	struct traffic *t = &e->traffic[job];

	t->job = contention_add(e->net, e->options->comm.job[job].pattern, e->node, count);
	e->net_changed = true;
	return t->job ? 0 : no_memory(e);
}

/* Its pace is not known before all that start now are there: change_pace(). */
static void begin_traffic(struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];

	e->traffic[job] = (struct traffic){.left = (double)j->run, .slowdown = 1, .comm = 1,
		.since = e->now, .promise = e->now + (j->estimate ? j->estimate : j->run)};
}

/* Enter a job that has just got e->node[0..count-1]. */
static int add_run(struct engine *e, int job, int count)
{
	struct engine_record *record = &e->result->record[job];
	int64_t end;
	int *node = ints(count), at;

	if (!node || make_room(e)) {
		free(node);
		return no_memory(e);
	}
	if (e->net)
		begin_traffic(e, job);
	end = promised_end(e, job);
	memcpy(node, e->node, (size_t)count * sizeof(*node));
	for (int i = 0; i < count; i++)
		nodeset_del(&e->free, node[i]);
	e->nfree -= count;
	e->largest = -1;
	at = find_promise(e, end, job);
	memmove(&e->promise[at + 1], &e->promise[at],
		(size_t)(e->nruns - at) * sizeof(*e->promise));
	e->promise[at] = (struct promise){end, job, count};
	e->run[e->nruns] = (struct mesh_run){
		node, count, record->start / SIM_SECOND, end / SIM_SECOND};
	e->run_job[e->nruns] = job;
	e->serial[job] = e->starts++;
	heap_push(&e->ends, (struct heap_item){(double)record->end, e->serial[job], job});
	e->nruns++;
	return e->net ? add_traffic(e, job, count) : 0;
}

static void end_traffic(struct engine *e, int job)
{
	struct traffic *t = &e->traffic[job];
	struct engine_record *record = &e->result->record[job];

	t->comm_sum += t->comm * (double)(e->now - t->since);
	record->slowdown = e->now > record->start
		? t->comm_sum / (double)(e->now - record->start) : t->comm;
	contention_remove(e->net, t->job);
	t->job = NULL;
	e->net_changed = true;
}

static void end_job(struct engine *e, int job)
{
	int at = find_run(e, job), promise = find_promise(e, promised_end(e, job), job);
	int *node = (int *)(uintptr_t)e->run[at].node;
	const struct trace_job *j = &e->trace->job[job];

	if (e->runtimes)
		mesh_runtimes_note(e->runtimes, (uint32_t)j->user, j->kind, j->count,
			(e->now - e->result->record[job].start) / SIM_SECOND);

	for (int i = 0; i < e->run[at].count; i++)
		nodeset_add(&e->free, node[i]);
	e->nfree += e->run[at].count;
	e->largest = -1;
	free(node);
	heap_remove(&e->ends, job);
	e->nruns--;
	memmove(&e->run[at], &e->run[at + 1], (size_t)(e->nruns - at) * sizeof(*e->run));
	memmove(&e->run_job[at], &e->run_job[at + 1], (size_t)(e->nruns - at) * sizeof(int));
	memmove(&e->promise[promise], &e->promise[promise + 1],
		(size_t)(e->nruns - promise) * sizeof(*e->promise));
	if (e->net)
		end_traffic(e, job);
	e->done++;
	e->head_failed = false;
	if (e->options->ended)
		e->options->ended(e->options->data, job, e->now);
}

/* --- one job ---------------------------------------------------------------------- */

/* Bring the job at queue[at] to the head, those before it one place back, and undo that. */
static void to_head(struct engine *e, int at)
{
	int job = e->queue[at], wanted = e->wanted[at];
	size_t bytes = (size_t)(at - e->head) * sizeof(int);

	memmove(&e->queue[e->head + 1], &e->queue[e->head], bytes);
	memmove(&e->wanted[e->head + 1], &e->wanted[e->head], bytes);
	e->queue[e->head] = job;
	e->wanted[e->head] = wanted;
}

static void from_head(struct engine *e, int at)
{
	int job = e->queue[e->head], wanted = e->wanted[e->head];
	size_t bytes = (size_t)(at - e->head) * sizeof(int);

	memmove(&e->queue[e->head], &e->queue[e->head + 1], bytes);
	memmove(&e->wanted[e->head], &e->wanted[e->head + 1], bytes);
	e->queue[at] = job;
	e->wanted[at] = wanted;
}

/* What a strategy is told of how long a job will run, as mesh_expect.c does; 0: nothing. */
static int64_t expected_run(const struct engine *e, const struct trace_job *j)
{
	if (j->estimate)
		return j->estimate;
	switch (e->options->ends) {
	case ENGINE_EXACT: return j->run;
	case ENGINE_LEARNT:
		return mesh_runtimes_expect(e->runtimes, (uint32_t)j->user, j->kind, j->count) *
		       SIM_SECOND;
	default: return 0;
	}
}

static struct mesh_request request_of(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];
	int64_t limit = expected_run(e, j);

	return (struct mesh_request){
		.count = j->shape.ndims ? 0 : j->count,
		.shape = j->shape,
		.seed = e->options->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)job,
		.time_limit = (limit + SIM_SECOND - 1) / SIM_SECOND,
		.hint = e->options->told.hint,
		.pattern = e->options->told.pattern,
		.grid = e->options->told.grid,
	};
}

/* Ends that are guessed change as time passes. */
static void guess_ends(struct engine *e)
{
	for (int i = 0; e->options->ends != ENGINE_EXACT && i < e->nruns; i++) {
		const struct trace_job *j = &e->trace->job[e->run_job[i]];
		int64_t expected = expected_run(e, j) / SIM_SECOND;

		if (!j->estimate)
			e->run[i].end = expected ? mesh_runtimes_end(e->run[i].start, expected,
							   e->now / SIM_SECOND)
						 : 0;
	}
}

/* The state for the job at the head of the queue. */
static struct mesh_state state_now(struct engine *e, const struct nodeset *nodes)
{
	guess_ends(e);
	return (struct mesh_state){
		.free = nodes,
		.usable = e->options->down ? &e->usable : NULL,
		.run = e->run,
		.nruns = e->nruns,
		.queue = &e->wanted[e->head + 1],
		.nqueue = e->tail - e->head - 1,
		.now = e->now / SIM_SECOND,
	};
}

static enum mesh_result ask(struct engine *e, const struct mesh_state *state, int job,
	struct mesh_answer *answer)
{
	struct mesh_request request = request_of(e, job);

	answer->node = e->node;
	return strategy_decide(e->strategy, state, &request, answer);
}

/* What the other strategies would have done. */
static int ask_others(struct engine *e, const struct mesh_state *state, int job)
{
	struct mesh_request request = request_of(e, job);
	struct mesh_answer answer = {.node = e->other};

	for (int i = 0; i < e->options->ndecide; i++) {
		struct engine_decide *sum = &e->result->decide[i];

		if (strategy_decide(e->decide[i], state, &request, &answer) != MESH_OK ||
			answer.count < 2)
			continue;
		int64_t hops = mesh_pairwise_hops(e->mesh, answer.node, answer.count);

		if (hops < 0)
			return no_memory(e);
		sum->pairwise_hops += (double)hops;
		sum->jobs++;
	}
	return 0;
}

/* Processor time of this thread: what else the machine does is not ours to count. */
static int64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The job at the head has its nodes: it runs. */
static int start_head(struct engine *e, int count)
{
	int job = e->queue[e->head++];
	struct engine_record *record = &e->result->record[job];

	record->start = e->now;
	record->end = e->now + e->trace->job[job].run;
	if (record->end > limit_end(e, job)) {
		record->end = limit_end(e, job);
		record->killed = true;
	}
	measure_nodes(e->measure, e->node, count, e->options->hops_only, record);
	if (e->options->placed)
		e->options->placed(e->options->data, job, e->node, count, e->now);
	return add_run(e, job, count);
}

/* The job at the head can never run. */
static void refuse_head(struct engine *e)
{
	e->result->record[e->queue[e->head++]].refused = true;
	e->refused++;
}

/*
 * Try the job at the head on these nodes: 1 it started (or was refused for good), 0 it has
 * to wait, -1 failure.
 */
static int try_head(struct engine *e, const struct nodeset *nodes)
{
	struct mesh_state state = state_now(e, nodes);
	struct mesh_answer answer = {0};
	int job = e->queue[e->head];
	int64_t before = nanoseconds(), took;
	enum mesh_result result = ask(e, &state, job, &answer);

	took = nanoseconds() - before;
	if (result == MESH_ERROR)
		return err_printf(e->err, "%s, line %d: %s", e->strategy->ops->name,
			e->trace->job[job].line, answer.err.text);
	/* An empty machine that does not fit will not fit later either. */
	if (result == MESH_NEVER || (result == MESH_NO_FIT && !e->nruns)) {
		refuse_head(e);
		return 1;
	}
	if (result == MESH_NO_FIT)
		return 0;
	e->result->record[job].decision_ns = took < INT32_MAX ? (int)took : INT32_MAX;
	if (e->options->ndecide && ask_others(e, &state, job))
		return -1;
	return start_head(e, answer.count) ? -1 : 1;
}

/* --- EASY ------------------------------------------------------------------------- */

/* When the head will fit, and what others may take until then. */
struct reservation {
	int64_t time;
	int extra;  /* nodes left over at that time; counted only without boxes */
	bool box;   /* e->future holds the free nodes that are not the head's */
};

static void reserve_number(const struct engine *e, struct reservation *r)
{
	int need = e->wanted[e->head], free_then = e->nfree, i = 0;

	while (i < e->nruns && free_then < need)
		free_then += e->promise[i++].count;
	r->time = i && e->promise[i - 1].end > e->now ? e->promise[i - 1].end : e->now;
	for (; i < e->nruns && e->promise[i].end <= r->time; i++)
		free_then += e->promise[i].count;
	r->extra = free_then - need;
}

/* Does the head fit when the first `ended` promises have been kept? Its nodes: e->node. */
static int fits_after(struct engine *e, int ended, int *count)
{
	int64_t then = ended && e->promise[ended - 1].end > e->now ? e->promise[ended - 1].end
								     : e->now;
	struct mesh_state state = state_now(e, &e->future);
	struct mesh_answer answer = {0};
	int n = 0;

	nodeset_copy(&e->future, &e->free);
	for (int i = 0; i < e->nruns; i++) {
		const struct promise p = {promised_end(e, e->run_job[i]), e->run_job[i], 0};

		if (find_promise(e, p.end, p.job) >= ended)
			e->future_run[n++] = e->run[i];
		else
			for (int j = 0; j < e->run[i].count; j++)
				nodeset_add(&e->future, e->run[i].node[j]);
	}
	state.run = e->future_run;
	state.nruns = n;
	state.now = then / SIM_SECOND;
	enum mesh_result result = ask(e, &state, e->queue[e->head], &answer);

	*count = answer.count;
	return result == MESH_OK;
}

/* More free nodes keep a box free: the first end that is enough is found by halving. */
static void reserve_box(struct engine *e, struct reservation *r)
{
	int low = 0, high = e->nruns, count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (fits_after(e, middle, &count))
			high = middle;
		else
			low = middle + 1;
	}
	fits_after(e, low, &count);
	r->time = low && e->promise[low - 1].end > e->now ? e->promise[low - 1].end : e->now;
	r->box = true;
	nodeset_copy(&e->future, &e->free);
	for (int i = 0; i < count; i++)
		nodeset_del(&e->future, e->node[i]);
}

/* May the job at queue[at] overtake, and if so, on which nodes? */
static const struct nodeset *overtakes(const struct engine *e, const struct reservation *r, int at,
	bool *long_one)
{
	const struct trace_job *j = &e->trace->job[e->queue[at]];
	int64_t length = j->estimate ? j->estimate : j->run;

	if (e->net && limit_end(e, e->queue[at]) == INT64_MAX)
		length = (int64_t)((double)length * e->mean_pace);
	*long_one = e->now + length > r->time;
	if (j->count > e->nfree)
		return NULL;
	if (!*long_one)
		return &e->free;
	if (r->box)
		return &e->future;
	return j->count <= r->extra ? &e->free : NULL;
}

static int backfill(struct engine *e)
{
	int depth = e->options->backfill_depth;
	struct reservation r = {0};
	bool reserved = false, long_one;

	for (int at = e->head + 1, seen = 0; at < e->tail && e->nfree; at++, seen++) {
		int count = e->wanted[at], head;
		const struct nodeset *nodes;

		if (depth && seen >= depth)
			break;
		if (count > e->nfree)
			continue;
		if (!reserved) {
			reserved = true;
			if (e->boxes)
				reserve_box(e, &r);
			else
				reserve_number(e, &r);
		}
		if (!(nodes = overtakes(e, &r, at, &long_one)))
			continue;
		to_head(e, at);
		head = e->head;
		int result = try_head(e, nodes);

		if (result < 0)
			return -1;
		if (!result)
			from_head(e, at);
		if (result && e->result->record[e->queue[head]].start >= 0) {
			if (long_one)
				r.extra -= count;
			if (r.box)
				nodeset_and(&e->future, &e->free);
		}
	}
	return 0;
}

/* --- contention ------------------------------------------------------------------- */

/* Another promise for the job that is the i-th of those that run. */
static void promise_again(struct engine *e, int i, int64_t end)
{
	int job = e->run_job[i], from = find_promise(e, promised_end(e, job), job), to;
	struct promise p = {end, job, e->run[i].count};

	memmove(&e->promise[from], &e->promise[from + 1],
		(size_t)(e->nruns - 1 - from) * sizeof(*e->promise));
	e->nruns--;
	to = find_promise(e, end, job);
	e->nruns++;
	memmove(&e->promise[to + 1], &e->promise[to],
		(size_t)(e->nruns - 1 - to) * sizeof(*e->promise));
	e->promise[to] = p;
	e->traffic[job].promise = end;
	e->run[i].end = end / SIM_SECOND;
}

/* What is left of the i-th goes on at this pace from now. */
static void set_pace(struct engine *e, int i, double slowdown)
{
	int job = e->run_job[i];
	const struct trace_job *j = &e->trace->job[job];
	struct engine_record *record = &e->result->record[job];
	struct traffic *t = &e->traffic[job];
	double done = (double)j->run - t->left, limit = j->estimate ? (double)j->estimate : (double)j->run;

	t->slowdown = slowdown;
	record->end = e->now + (int64_t)(t->left * slowdown + 0.5);
	record->killed = record->end > limit_end(e, job);
	if (record->killed)
		record->end = limit_end(e, job);
	heap_rekey(&e->ends, job, (double)record->end);
	if (limit_end(e, job) == INT64_MAX)
		promise_again(e, i,
			e->now + (int64_t)((limit > done ? limit - done : 0) * slowdown + 0.5));
}

/* The company has changed: what is left of each job goes on at another pace. */
static void change_pace(struct engine *e)
{
	const struct engine_comm *comm = &e->options->comm;

	e->net_changed = false;
	e->mean_pace = 1;
	contention_solve(e->net);
	for (int i = 0; i < e->nruns; i++) {
		int job = e->run_job[i];
		const struct comm_job *c = &comm->job[job];
		struct traffic *t = &e->traffic[job];
		double peak = contention_peak(e->net, t->job);
		double slow = contention_slowdown(t->job) / comm->calibration[c->pattern];
		double slowdown = comm->keep_times || e->run[i].count < 2 || c->pattern == COMM_NONE
			? 1 : 1 - c->share + c->share * slow;

		if (peak > e->result->peak_load)
			e->result->peak_load = peak;
		e->mean_pace += slowdown / e->nruns - 1.0 / e->nruns;
		t->left -= (double)(e->now - t->since) / t->slowdown;
		t->left = t->left > 0 ? t->left : 0;
		t->comm_sum += t->comm * (double)(e->now - t->since);
		t->comm = contention_slowdown(t->job);
		t->since = e->now;
		if (slowdown > t->slowdown || slowdown < t->slowdown)
			set_pace(e, i, slowdown);
	}
}

/* --- the run ---------------------------------------------------------------------- */

/* A head that is refused although there are enough free nodes. */
static void note_blocked(struct engine *e)
{
	bool blocked = e->head < e->tail && e->wanted[e->head] <= e->nfree;

	e->blocked_since = blocked ? e->now : -1;
}

static void note_messages(struct engine *e, double seconds)
{
	const double *now = contention_messages(e->net);

	for (int l = 0; l < links_count(e->mesh); l++)
		e->result->messages[l] += seconds * now[l];
}

/* Sums over time become means. */
static void finish_messages(struct engine *e)
{
	double seconds = (double)e->now / (double)SIM_SECOND;

	for (int l = 0; e->result->messages && seconds > 0 && l < links_count(e->mesh); l++)
		e->result->messages[l] /= seconds;
}

static void pass_time(struct engine *e, int64_t to)
{
	if (e->blocked_since >= 0)
		e->result->fragmented +=
			(double)(to - e->blocked_since) / (double)SIM_SECOND * e->nfree;
	if (e->net)
		e->result->shared_links += (double)(to - e->now) / (double)SIM_SECOND *
			contention_shared(e->net);
	if (e->result->messages)
		note_messages(e, (double)(to - e->now) / (double)SIM_SECOND);
	if (e->freebox && e->nruns) {
		if (e->largest < 0)
			e->largest = freebox_largest(e->freebox, &e->free);
		e->result->free_box += (double)(to - e->now) / (double)SIM_SECOND * e->largest;
		e->result->free_box_time += (double)(to - e->now) / (double)SIM_SECOND;
	}
	e->now = to;
}

static int schedule(struct engine *e)
{
	while (e->head < e->tail && !e->head_failed && e->wanted[e->head] <= e->nfree) {
		int result = try_head(e, &e->free);

		if (result < 0)
			return -1;
		e->head_failed = !result;
	}
	if (e->options->scheduler == ENGINE_EASY && e->head < e->tail && backfill(e))
		return -1;
	note_blocked(e);
	return 0;
}

/* The time of the next end or submission; -1: there is none. */
static int64_t next_event(const struct engine *e)
{
	int64_t end = e->nruns ? e->result->record[e->ends.item[0].id].end : -1;
	int64_t submit = e->next < e->trace->njobs ? e->trace->job[e->next].submit : -1;

	if (end < 0 || submit < 0)
		return end < 0 ? submit : end;
	return end < submit ? end : submit;
}

static void take_events(struct engine *e)
{
	while (e->nruns && e->result->record[e->ends.item[0].id].end <= e->now)
		end_job(e, e->ends.item[0].id);
	for (; e->next < e->trace->njobs && e->trace->job[e->next].submit <= e->now; e->next++) {
		e->queue[e->tail] = e->next;
		e->wanted[e->tail++] = e->trace->job[e->next].count;
	}
}

static int run_events(struct engine *e)
{
	const struct engine_options *o = e->options;
	int reported = 0;

	for (int64_t at; (at = next_event(e)) >= 0;) {
		if (o->stop_at >= 0 && at > o->stop_at)
			return 0;
		if (at > INT64_MAX / 4)
			return err_printf(e->err, "the run times add up to more than 70,000 years");
		pass_time(e, at);
		take_events(e);
		if (schedule(e))
			return -1;
		if (e->net_changed)
			change_pace(e);
		if (o->progress && e->done - reported >= 64) {
			reported = e->done;
			if (o->progress(o->progress_data, e->done + e->refused, e->trace->njobs))
				return 1;
		}
	}
	return 0;
}

int engine_run(struct engine_result *result, const struct mesh *mesh, const struct trace *trace,
	const struct strategy_ops *ops, const struct engine_options *options,
	struct mesh_err *err)
{
	struct engine e = {.mesh = mesh, .trace = trace, .options = options, .result = result,
		.err = err};
	int code;

	memset(result, 0, sizeof(*result));
	code = begin_engine(&e, ops);
	if (!code)
		code = run_events(&e);
	finish_messages(&e);
	end_engine(&e);
	return code;
}

void engine_release(struct engine_result *result)
{
	free(result->record);
	free(result->decide);
	free(result->messages);
	memset(result, 0, sizeof(*result));
}
