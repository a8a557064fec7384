/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cost of an event: O(log n) for the heap of ends, O(r) moves in the lists of r running jobs, one
 * decision for each job that is tried, and with EASY O(r + depth) for the reservation.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/engine_state.h"
#include "sim/cubes.h"
#include "sim/freebox.h"
#include "sim/need.h"
#include "base/budget.h"
#include "geometry/metrics_meter.h"
#include "decide/strategy_decide.h"

/* --- memory ----------------------------------------------------------------------- */

static void end_engine(struct engine *e)
{
	for (int i = 0; i < e->nruns; i++)
		free((int *)(uintptr_t)e->run[i].node);
	for (int i = 0; e->traffic && i < e->nruns; i++)
		contention_remove(e->net, e->traffic[e->run_job[i]].job);
	contention_free(e->net);
	for (int i = 0; e->decide && i < e->options->ndecide; i++)
		strategy_free(e->decide[i]);
	strategy_free(e->strategy);
	arena_release(&e->arena);
}

static void begin_sets(struct engine *e)
{
	int n = e->mesh->nnodes;

	need_done(nodeset_get(&e->free, n, &e->arena));
	need_done(nodeset_get(&e->usable, n, &e->arena));
	need_done(nodeset_get(&e->future, n, &e->arena));
	nodeset_set_all(&e->free);
	if (e->options->down)
		nodeset_remove(&e->free, e->options->down);
	nodeset_copy(&e->usable, &e->free);
	e->nfree = nodeset_count(&e->free);
}

static int begin_engine(struct engine *e, const struct strategy_ops *ops)
{
	const struct engine_options *o = e->options;
	struct arena *arena = &e->arena;
	int n = e->trace->njobs, most = n < e->mesh->nnodes ? n : e->mesh->nnodes;

	e->result->record = need(calloc((size_t)n + 1, sizeof(*e->result->record)));
	need_array(&e->result->arena, e->result->decide, o->ndecide);
	need_array(arena, e->decide, o->ndecide);
	need_array(arena, e->ends.item, n + 1);
	need_array(arena, e->ends.place, n + 1);
	need_array(arena, e->queue, n + 1);
	need_array(arena, e->run, most + 1);
	need_array(arena, e->future_run, most + 1);
	need_array(arena, e->promise, most + 1);
	need_array(arena, e->run_job, most + 1);
	need_array(arena, e->node, e->mesh->nnodes);
	need_array(arena, e->other, e->mesh->nnodes);
	e->meter = need(mesh_meter_new(e->mesh, arena));
	e->largest = e->possible = -1;
	if (o->free_box)
		e->freebox = freebox_new(e->mesh, arena);
	if (o->comm.contention) {
		e->net = contention_new(e->mesh, o->seed);
		need_array(arena, e->traffic, n);
		if (o->messages)
			need_array(
				&e->result->arena, e->result->messages, links_count(e->mesh));
	}
	begin_sets(e);
	if (!(e->strategy = strategy_new(ops, e->mesh, e->err)))
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

/*
 * The end that is known beforehand: by the user's estimate, or the exact one if there is none.
 * With contention: by the job's present pace.
 */
static int64_t promised_end(const struct engine *e, int job)
{
	return e->net ? e->traffic[job].promise
		      : e->result->record[job].start + trace_expected(&e->trace->job[job]);
}

int64_t engine_limit_end(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];

	return e->options->kill_at_limit && j->estimate
		? e->result->record[job].start + j->estimate : INT64_MAX;
}

static int find_promise(const struct engine *e, int64_t end, int job)
{
	int low = 0, high = e->npromises;

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

void engine_add_promise(struct engine *e, int64_t end, int job, int count)
{
	int at = find_promise(e, end, job);

	memmove(&e->promise[at + 1], &e->promise[at],
		(size_t)(e->npromises++ - at) * sizeof(*e->promise));
	e->promise[at] = (struct promise){end, job, count};
}

void engine_drop_promise(struct engine *e, int job)
{
	int at = find_promise(e, promised_end(e, job), job);

	memmove(&e->promise[at], &e->promise[at + 1],
		(size_t)(--e->npromises - at) * sizeof(*e->promise));
}

int64_t engine_length(const struct engine *e, int job)
{
	int64_t length = trace_expected(&e->trace->job[job]);

	return e->net && engine_limit_end(e, job) == INT64_MAX
		? (int64_t)((double)length * e->mean_pace)
		: length;
}

/* Enter a job that has just got e->node[0..count-1]. */
static void add_run(struct engine *e, int job, int count)
{
	struct engine_record *record = &e->result->record[job];
	int64_t end;
	int *node = need(malloc((size_t)count * sizeof(*node)));

	if (e->net)
		engine_begin_traffic(e, job);
	end = promised_end(e, job);
	memcpy(node, e->node, (size_t)count * sizeof(*node));
	for (int i = 0; i < count; i++)
		nodeset_del(&e->free, node[i]);
	e->nfree -= count;
	e->largest = -1;
	engine_add_promise(e, end, job, count);
	e->run[e->nruns] = (struct mesh_run){
		node, count, record->start / SIM_SECOND, end / SIM_SECOND};
	e->run_job[e->nruns] = job;
	heap_push(&e->ends, (struct heap_item){(double)record->end, e->starts++, job});
	e->nruns++;
	if (e->net)
		engine_add_traffic(e, job, count);
}

/* End a job: its nodes are free again. */
static void end_job(struct engine *e, int job)
{
	int at = 0, *node;

	engine_drop_promise(e, job);
	while (e->run_job[at] != job)
		at++;
	node = (int *)(uintptr_t)e->run[at].node;
	for (int i = 0; i < e->run[at].count; i++)
		nodeset_add(&e->free, node[i]);
	e->nfree += e->run[at].count;
	e->largest = -1;
	free(node);
	heap_remove(&e->ends, job);
	e->nruns--;
	memmove(&e->run[at], &e->run[at + 1], (size_t)(e->nruns - at) * sizeof(*e->run));
	memmove(&e->run_job[at], &e->run_job[at + 1], (size_t)(e->nruns - at) * sizeof(int));
	if (e->net)
		engine_end_traffic(e, job);
	e->head_failed = false;
	if (e->options->ended && e->options->data)
		e->options->ended(e->options->data, job, e->now);
	e->done++;
}

/* --- one job ---------------------------------------------------------------------- */

static struct mesh_request request_of(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];
	struct mesh_request request = {
		.count = j->shape.ndims ? 0 : j->count,
		.shape = j->shape,
		.seed = e->options->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)job,
		.time_limit = (trace_expected(j) + SIM_SECOND - 1) / SIM_SECOND,
		.hint = e->options->told.hint,
		.pattern = e->options->told.pattern,
		.grid = e->options->told.grid,
	};

	if (e->options->comm.told)
		mesh_pattern_apply(&e->options->comm.job[job].told, &request);
	return request;
}

static struct mesh_state state_now(struct engine *e, const struct nodeset *nodes)
{
	return (struct mesh_state){
		.free = nodes,
		.usable = e->options->down ? &e->usable : NULL,
		.run = e->run,
		.nruns = e->nruns,
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

/*
 * Set e->future to what is free when the first `ended` promises have been kept, and
 * e->future_run[] to the runs that remain. Returns how many.
 */
static int foresee(struct engine *e, int ended)
{
	int n = 0;

	nodeset_copy(&e->future, &e->free);
	for (int i = 0; i < e->nruns; i++) {
		int job = e->run_job[i];

		if (find_promise(e, promised_end(e, job), job) >= ended)
			e->future_run[n++] = e->run[i];
		else
			for (int j = 0; j < e->run[i].count; j++)
				nodeset_add(&e->future, e->run[i].node[j]);
	}
	return n;
}

int engine_fits_then(struct engine *e, int ended, int64_t then)
{
	struct mesh_state state = state_now(e, &e->future);
	struct mesh_answer answer = {0};

	state.run = e->future_run;
	state.nruns = foresee(e, ended);
	state.now = then / SIM_SECOND;
	return ask(e, &state, e->queue[e->head], &answer) == MESH_OK ? answer.count : 0;
}

/* Ask the other strategies what they would do. */
static void ask_others(struct engine *e, const struct mesh_state *state, int job)
{
	struct mesh_request request = request_of(e, job);
	struct mesh_answer answer = {.node = e->other};

	for (int i = 0; i < e->options->ndecide; i++) {
		struct engine_decide *sum = &e->result->decide[i];

		if (strategy_decide(e->decide[i], state, &request, &answer) != MESH_OK ||
			answer.count < 2)
			continue;
		int64_t hops = mesh_pairwise_hops(e->mesh, answer.node, answer.count);

		need_done(hops < 0);
		sum->pairwise_hops += (double)hops;
		sum->jobs++;
	}
}

/* Remove a job from the queue; the jobs before it move one place back. */
static void leave_queue(struct engine *e, int at)
{
	memmove(&e->queue[e->head + 1], &e->queue[e->head],
		(size_t)(at - e->head) * sizeof(*e->queue));
	e->head++;
}

/* Start the job: it has its nodes. */
static void start(struct engine *e, int job, int count)
{
	struct engine_record *record = &e->result->record[job];
	const struct slice *slice;

	record->start = e->now;
	record->end = e->now + e->trace->job[job].run;
	if (record->end > engine_limit_end(e, job)) {
		record->end = engine_limit_end(e, job);
		record->killed = true;
	}
	measure_nodes(e->meter, e->mesh, &(struct mesh_answer){.node = e->node, .count = count},
		e->options->hops_only, record);
	if (cubes_is(e->strategy->ops) && (slice = cubes_slice(e->strategy)))
		measure_slice(slice, e->mesh->nodes_per_vertex, record);
	if (e->options->placed && e->options->data)
		e->options->placed(e->options->data, job, e->node, count, e->now);
	add_run(e, job, count);
}

/* Would the idle machine have room for the job in boxes with a broken link inside? */
static bool links_forbid(struct engine *e, int job)
{
	struct mesh_state idle = state_now(e, &e->usable);
	struct mesh_request request = request_of(e, job);
	struct mesh_answer answer = {.node = e->node};

	if (!e->mesh->down || !e->boxes || request.shape.walk || request.shape.any_links)
		return false;
	idle.nruns = 0;
	request.shape.any_links = true;
	return strategy_decide(e->strategy, &idle, &request, &answer) == MESH_OK;
}

/* Keep why the first job is refused. Of an idle machine without room strategies say nothing. */
static void note_refusal(struct engine *e, int job, const struct mesh_answer *answer)
{
	if (e->refused)
		return;
	e->result->refused = job;
	if (*answer->err.text)
		e->result->reason = answer->err;
	else if (links_forbid(e, job))
		err_printf(&e->result->reason, "each of its boxes has a broken link inside%s",
			e->trace->job[job].shape.ndims ? " (:anylinks behind the shape allows that)"
						       : "");
	else
		err_printf(&e->result->reason, "not even the idle machine has room for it%s",
			e->options->down ? " beside the nodes that are out of service" : "");
}

/*
 * Can the job at queue[at] never run? Then it leaves. If it does not fit on an empty machine, it
 * will never fit.
 */
static bool refuse(struct engine *e, int at, enum mesh_result result,
	const struct mesh_answer *answer, bool empty)
{
	int job = e->queue[at];

	if (result != MESH_NEVER && (result != MESH_NO_FIT || !empty))
		return false;
	note_refusal(e, job, answer);
	leave_queue(e, at);
	e->result->record[job].refused = true;
	e->refused++;
	return true;
}

bool engine_refuse_head(struct engine *e)
{
	struct mesh_state idle = state_now(e, &e->usable);
	struct mesh_answer answer = {0};
	int job = e->queue[e->head];

	if (e->possible == job || !(e->boxes || e->trace->job[job].shape.ndims))
		return false;
	e->possible = job;
	idle.nruns = 0;
	return refuse(e, e->head, ask(e, &idle, job, &answer), &answer, true);
}

int engine_try(struct engine *e, int at, const struct nodeset *nodes)
{
	struct mesh_state state = state_now(e, nodes);
	struct mesh_answer answer = {0};
	int job = e->queue[at];
	/* CPU time of this thread: other work of the machine must not count. */
	int64_t before = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	enum mesh_result result = ask(e, &state, job, &answer);
	int64_t took = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;

	if (result == MESH_ERROR)
		return err_printf(e->err, "%s, line %d: %s", e->strategy->ops->name,
			e->trace->job[job].line, answer.err.text);
	if (refuse(e, at, result, &answer, !e->nruns))
		return 1;
	if (result == MESH_NO_FIT)
		return 0;
	e->result->record[job].decision_ns = took < INT32_MAX ? (int)took : INT32_MAX;
	ask_others(e, &state, job);
	leave_queue(e, at);
	start(e, job, answer.count);
	return 1;
}

/* --- the run ---------------------------------------------------------------------- */

/* Note the free space of the last period. */
static void note_space(struct engine *e, double seconds)
{
	struct engine_result *r = e->result;

	if (e->largest < 0)
		e->largest = freebox_largest(e->freebox, &e->free);
	r->free_box += seconds * e->largest;
	r->free_box_time += seconds;
	if (!r->nspace || r->space[r->nspace - 1].vertices != e->largest)
		need_append(&r->arena, r->space, r->nspace,
			(struct engine_space){e->now, e->largest});
}

static void pass_time(struct engine *e, int64_t to)
{
	double seconds = sim_seconds(to - e->now);

	if (e->blocked_since >= 0)
		e->result->fragmented += sim_seconds(to - e->blocked_since) * e->nfree;
	if (e->net)
		e->result->shared_links += seconds * contention_shared(e->net);
	if (e->result->messages)
		engine_note_messages(e, seconds);
	if (e->freebox && e->nruns)
		note_space(e, seconds);
	e->now = to;
}

static int schedule(struct engine *e)
{
	int code = e->options->scheduler == ENGINE_EASY ? sched_easy(e) : sched_fcfs(e);
	bool blocked = e->head < e->tail && engine_wanted(e, e->head) <= e->nfree;

	e->blocked_since = blocked ? e->now : -1;
	return code;
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
		while (e->nruns && e->result->record[e->ends.item[0].id].end <= at)
			end_job(e, e->ends.item[0].id);
		while (e->next < e->trace->njobs && e->trace->job[e->next].submit <= at)
			e->queue[e->tail++] = e->next++;
		if (schedule(e))
			return -1;
		if (e->net_changed)
			engine_change_pace(e);
		if (o->progress && e->done - reported >= 64) {
			reported = e->done;
			if (o->progress(o->progress_data, e->done + e->refused, e->trace->njobs))
				return 1;
		}
	}
	return 0;
}

int engine_run(struct engine_result *result, const struct engine_input *input,
	const struct engine_options *options, struct mesh_err *err)
{
	struct engine e = {.mesh = input->mesh,
		.trace = input->trace,
		.options = options,
		.result = result,
		.err = err};
	int code;

	memset(result, 0, sizeof(*result));
	if (!(code = begin_engine(&e, input->ops)))
		code = run_events(&e);
	engine_finish_messages(&e);
	end_engine(&e);
	return code;
}

void engine_release(struct engine_result *result)
{
	free(result->record);
	arena_release(&result->arena);
	memset(result, 0, sizeof(*result));
}
