/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Schedulers against a second, plain implementation that only counts nodes: no profile, no heap,
 * every question answered by going through all jobs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "strategies/strategies.h"
#include "support.h"

enum { JOBS = 40, USERS = 3, NEVER = -1 };

struct plain {
	const struct trace *trace;
	enum feedback_kind feedback;
	const struct engine_options *options;
	int nnodes;
	int64_t now;
	int64_t submit[JOBS];			    /* NEVER: not known yet */
	int64_t start[JOBS], end[JOBS], plan[JOBS]; /* NEVER: none */
	bool gone[JOBS];			    /* refused */
};

static int64_t limit_of(const struct trace_job *j)
{
	return j->estimate ? j->estimate : j->run;
}

static bool running(const struct plain *p, int i)
{
	return p->start[i] != NEVER && p->now < p->end[i];
}

static bool waiting(const struct plain *p, int i)
{
	return p->start[i] == NEVER && !p->gone[i] && p->submit[i] != NEVER &&
		p->submit[i] <= p->now;
}

/* When a running job is thought to be over. */
static int64_t promise(const struct plain *p, int i)
{
	int64_t end = p->start[i] + limit_of(&p->trace->job[i]);

	return end > p->now ? end : p->now + 1;
}

/* At a moment from now on, with what is planned. */
static int free_at(const struct plain *p, int64_t time)
{
	int nodes = p->nnodes;

	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t planned = p->plan[i];

		if (running(p, i) && promise(p, i) > time)
			nodes -= p->trace->job[i].count;
		if (planned != NEVER && planned <= time &&
			time < planned + limit_of(&p->trace->job[i]))
			nodes -= p->trace->job[i].count;
	}
	return nodes;
}

/* Nodes get fewer only where something planned begins. */
static bool fits(const struct plain *p, int job, int64_t from)
{
	const struct trace_job *j = &p->trace->job[job];

	if (free_at(p, from) < j->count)
		return false;
	for (int i = 0; i < p->trace->njobs; i++)
		if (p->plan[i] > from && p->plan[i] < from + limit_of(j) &&
			free_at(p, p->plan[i]) < j->count)
			return false;
	return true;
}

/* Now, or when something ends. */
static int64_t earliest(const struct plain *p, int job)
{
	int64_t best = INT64_MAX;

	if (fits(p, job, p->now))
		return p->now;
	for (int i = 0; i < p->trace->njobs; i++) {
		int64_t end = running(p, i) ? promise(p, i)
			: p->plan[i] != NEVER ? p->plan[i] + limit_of(&p->trace->job[i]) : -1;

		if (end > p->now && end < best && fits(p, job, end))
			best = end;
	}
	return best;
}

static void begin(struct plain *p, int i)
{
	const struct trace_job *j = &p->trace->job[i];

	p->plan[i] = NEVER;
	p->start[i] = p->now;
	p->end[i] = p->now + (p->options->kill_at_limit && j->estimate && j->estimate < j->run
			? j->estimate : j->run);
}

/* --- orders ----------------------------------------------------------------------------- */

/* What user has used: each job's node-seconds, halved for each half-life since. */
static double used(const struct plain *p, int user)
{
	double rate = log(2) / p->options->policy.weights.half_life, sum = 0;

	for (int i = 0; i < p->trace->njobs; i++) {
		const struct trace_job *j = &p->trace->job[i];
		int64_t end = p->end[i] < p->now ? p->end[i] : p->now;

		if (p->start[i] == NEVER || (user >= 0 && j->user != user))
			continue;
		sum += j->count / rate * (exp(-rate * sim_seconds(p->now - end)) -
			exp(-rate * sim_seconds(p->now - p->start[i])));
	}
	return sum;
}

static double priority(const struct plain *p, int i, enum order order)
{
	const struct trace_job *j = &p->trace->job[i];
	const struct order_weights *w = &p->options->policy.weights;
	double wait = sim_seconds(p->now - p->submit[i]), length = sim_seconds(limit_of(j)),
	       n = j->count;
	double all = used(p, -1);

	switch (order) {
	case ORDER_SJF: return 1 / length;
	case ORDER_LXF: return 1 + wait / length;
	case ORDER_WFP3: return pow(wait / length, 3) * n;
	case ORDER_UNICEF: return wait / length / (log(fmax(n, 2)) / log(2));
	case ORDER_SAF: return 1 / (n * length);
	case ORDER_LAF: return n * length;
	case ORDER_MULTIFACTOR:
		return floor(w->age * fmin(1, wait / w->max_age) +
			w->size * (w->favor_small ? 1 - n / p->nnodes : n / p->nnodes) +
			w->fairshare *
				(all > 0 ? pow(2, -used(p, j->user) / all / (1.0 / USERS)) : 1));
	default: return 0;
	}
}

/* The jobs of a queue that run, or what they hold; of one user or of all (-1). */
static int load(const struct plain *p, int partition, int user, bool nodes)
{
	int sum = 0;

	for (int i = 0; i < p->trace->njobs; i++)
		if (running(p, i) && p->trace->job[i].partition == partition &&
			(user < 0 || p->trace->job[i].user == user))
			sum += nodes ? p->trace->job[i].count : 1;
	return sum;
}

static const struct queues_row *row_of(const struct plain *p, int i)
{
	const struct queues *q = p->options->policy.queues;
	int partition = p->trace->job[i].partition;

	for (int r = 0; q && partition >= 0 && r < q->nrows; r++)
		if (!strcmp(q->row[r].name, p->trace->user[partition]))
			return &q->row[r];
	return NULL;
}

static bool held(const struct plain *p, int i)
{
	const struct queues_row *r = row_of(p, i);
	const struct trace_job *j = &p->trace->job[i];

	return r &&
		((r->grp_jobs && load(p, j->partition, -1, false) >= r->grp_jobs) ||
			(r->grp_nodes &&
				load(p, j->partition, -1, true) + j->count > r->grp_nodes) ||
			(r->max_jobs_user &&
				load(p, j->partition, j->user, false) >= r->max_jobs_user) ||
			(r->max_nodes_user &&
				load(p, j->partition, j->user, true) + j->count >
					r->max_nodes_user));
}

static bool refused(const struct plain *p, int i)
{
	const struct queues_row *r = row_of(p, i);
	const struct trace_job *j = &p->trace->job[i];

	return r &&
		((r->max_time && limit_of(j) > r->max_time) ||
			(r->max_nodes && j->count > r->max_nodes) ||
			(r->grp_nodes && j->count > r->grp_nodes) ||
			(r->max_nodes_user && j->count > r->max_nodes_user));
}

/* --- users who wait ------------------------------------------------------------------------ */

/* When a job is over: it has run, or was refused when it came. NEVER: not yet. */
static int64_t over(const struct plain *p, int i)
{
	if (p->gone[i])
		return p->submit[i] != NEVER && p->submit[i] <= p->now ? p->submit[i] : NEVER;
	return p->start[i] != NEVER && p->end[i] <= p->now ? p->end[i] : NEVER;
}

/* The Standard Workload Format's fields 17 and 18: a number, and seconds after the end of that
 * job. */
static int64_t after_preceding(const struct plain *p, int i)
{
	const struct trace_job *j = &p->trace->job[i];

	for (int k = i - 1; k >= 0 && j->preceding > 0; k--)
		if (p->trace->job[k].id == j->preceding)
			return over(p, k) == NEVER ? NEVER
						   : over(p, k) + (j->think > 0 ? j->think : 0);
	return j->submit;
}

static int64_t end_in_log(const struct trace_job *j)
{
	return j->submit + (j->wait > 0 ? j->wait : 0) + j->run;
}

/* Zakay and Feitelson 2014: after the submission of the user's last job while that was there, else
 * after the end of the job that had ended last. */
static int64_t in_a_loop(const struct plain *p, int i)
{
	const struct trace_job *job = p->trace->job, *j = &job[i];
	int ended = -1, before = -1;

	for (int k = 0; k < i; k++) {
		if (job[k].user != j->user)
			continue;
		before = k;
		if (end_in_log(&job[k]) <= j->submit &&
			(ended < 0 || end_in_log(&job[k]) >= end_in_log(&job[ended])))
			ended = k;
	}
	if (before >= 0 && end_in_log(&job[before]) > j->submit)
		return p->submit[before] == NEVER || p->submit[before] > p->now ? NEVER
			: p->submit[before] + j->submit - job[before].submit;
	if (ended >= 0)
		return over(p, ended) == NEVER
			? NEVER
			: over(p, ended) + j->submit - end_in_log(&job[ended]);
	return j->submit;
}

/* Those whose time is known by now. */
static void find_submissions(struct plain *p)
{
	for (int i = 0; i < p->trace->njobs; i++)
		if (p->submit[i] == NEVER)
			p->submit[i] = p->feedback == FEEDBACK_LOG ? after_preceding(p, i)
				: p->feedback == FEEDBACK_CLOSED   ? in_a_loop(p, i)
								   : p->trace->job[i].submit;
}

/* The first of those that wait and have not been looked at: held ones last, by tier, by
 * priority. */
static int next_of(const struct plain *p, enum order order, const bool *seen)
{
	int best = -1, best_tier = 0;
	double best_priority = 0;

	for (int i = 0; i < p->trace->njobs; i++) {
		if (!waiting(p, i) || seen[i] || held(p, i))
			continue;
		int tier = row_of(p, i) ? row_of(p, i)->tier : 0;
		double value = priority(p, i, order);

		/* What differs in the last digits is equal. */
		double close = 1e-9 * fabs(best_priority);

		if (best < 0 || tier > best_tier ||
			(tier == best_tier &&
				(value > best_priority + close ||
					(value >= best_priority - close &&
						p->submit[i] < p->submit[best])))) {
			best = i;
			best_tier = tier;
			best_priority = value;
		}
	}
	return best;
}

/* --- schedulers -------------------------------------------------------------------------- */

static void pass_ordered(struct plain *p)
{
	const struct engine_policy *policy = &p->options->policy;
	bool seen[JOBS] = {0};
	int left = policy->reserve > 1 ? policy->reserve : 1, job;

	for (int i = 0; i < p->trace->njobs; i++)
		p->plan[i] = NEVER;
	while (left && (job = next_of(p, policy->order, seen)) >= 0) {
		seen[job] = true;
		int64_t when = earliest(p, job);

		if (when == p->now)
			begin(p, job);
		else if (p->options->scheduler == ENGINE_FCFS)
			return;
		else {
			left--;
			p->plan[job] = when;
		}
	}
	while ((job = next_of(p, policy->backfill_order ? policy->backfill_order : policy->order,
			seen)) >= 0) {
		seen[job] = true;
		if (fits(p, job, p->now))
			begin(p, job);
	}
}

static void pass_conservative(struct plain *p, bool early)
{
	bool seen[JOBS] = {0}, broken = p->options->policy.queues != NULL;
	int order[JOBS], n = 0;

	for (int job; (job = next_of(p, p->options->policy.order, seen)) >= 0; seen[job] = true)
		order[n++] = job;
	for (int i = 0; i < p->trace->njobs; i++)
		broken |= (p->plan[i] != NEVER && p->plan[i] < p->now) ||
			(running(p, i) && p->start[i] + limit_of(&p->trace->job[i]) <= p->now);
	for (int i = 0; broken && i < p->trace->njobs; i++)
		p->plan[i] = NEVER;
	for (int i = 0; i < n; i++)
		if (early || p->plan[order[i]] == NEVER) {
			p->plan[order[i]] = NEVER;
			p->plan[order[i]] = earliest(p, order[i]);
		}
	for (int i = 0; i < n; i++)
		if (p->plan[order[i]] == p->now && !held(p, order[i]))
			begin(p, order[i]);
}

/* Ends before their promise at this moment? */
static bool early_end(const struct plain *p)
{
	for (int i = 0; i < p->trace->njobs; i++)
		if (p->start[i] != NEVER && p->end[i] == p->now &&
			p->end[i] < p->start[i] + limit_of(&p->trace->job[i]))
			return true;
	return false;
}

static int64_t next_time(const struct plain *p)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < p->trace->njobs; i++) {
		const int64_t times[] = {p->submit[i], p->start[i] == NEVER ? -1 : p->end[i],
			p->options->scheduler == ENGINE_CONSERVATIVE ? p->plan[i] : -1};

		for (int k = 0; k < 3; k++)
			/* A plan for right after now waits for a job that is over its limit. */
			if (times[k] > p->now + (k == 2) && times[k] < next)
				next = times[k];
	}
	return next;
}

static void plain_run(struct plain *p)
{
	for (int i = 0; i < p->trace->njobs; i++) {
		p->start[i] = p->end[i] = p->plan[i] = p->submit[i] = NEVER;
		p->gone[i] = refused(p, i);
	}
	for (p->now = 0; p->now < INT64_MAX; p->now = next_time(p)) {
		find_submissions(p);
		if (p->options->scheduler == ENGINE_CONSERVATIVE)
			pass_conservative(p, early_end(p));
		else
			pass_ordered(p);
	}
}

/* --- tests ------------------------------------------------------------------------------- */

static void random_trace(struct trace *trace, uint64_t *seed, int nnodes)
{
	static const char *const names[] = {"u1", "u2", "u3", "p1", "p2"};

	memset(trace, 0, sizeof(*trace));
	for (int i = 0; i < 5; i++)
		trace_user(trace, names[i]);
	for (int i = 0; i < JOBS; i++) {
		struct trace_job *job = trace_add(trace);

		job->id = i + 1;
		job->submit = random_int(seed, 0, JOBS * 3) * SIM_SECOND;
		job->run = random_int(seed, 1, 20) * SIM_SECOND;
		job->count = random_int(seed, 1, random_int(seed, 1, nnodes));
		job->user = random_int(seed, 0, USERS - 1);
		job->partition = random_int(seed, 0, 2) ? random_int(seed, USERS, USERS + 1) : -1;
		if (random_int(seed, 0, 1))
			job->estimate = random_int(seed, 1, 40) * SIM_SECOND;
		job->think = -1;
	}
	trace_sort(trace);
}

/* Of some jobs an earlier one that they follow; some numbers are of nobody, or of a later job. */
static void random_loops(struct trace *trace, uint64_t *seed)
{
	for (int i = 0; i < JOBS; i++) {
		struct trace_job *job = &trace->job[i];

		job->wait = random_int(seed, -1, 30) * SIM_SECOND;
		int other = random_int(seed, i - 5, i + 1); /* seldom itself, or a later one */

		if (random_int(seed, 0, 2))
			job->preceding =
				other >= 0 && other < JOBS ? trace->job[other].id : JOBS + 1;
		job->think = random_int(seed, -1, 12) * SIM_SECOND;
	}
}

static void compare_fed(struct engine_options *options, uint64_t *seed, enum feedback_kind feedback,
	const char *what)
{
	struct mesh *mesh = random_mesh(seed, 3, 60);
	struct engine_result result;
	struct plain plain = {.options = options, .nnodes = mesh->nnodes, .feedback = feedback};
	struct feedback_job *follows;
	struct trace trace;
	struct mesh_err err = {{0}};

	random_trace(&trace, seed, mesh->nnodes);
	trace.nusers = USERS; /* for shares: the last two name queues */
	if (feedback != FEEDBACK_NONE)
		random_loops(&trace, seed);
	assert_non_null(follows = feedback_make(&trace, feedback));
	options->feedback = feedback == FEEDBACK_NONE ? NULL : follows;
	plain.trace = &trace;
	options->stop_at = -1;
	plain_run(&plain);
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			options, &err),
		0);
	for (int i = 0; i < trace.njobs; i++) {
		if (result.record[i].start != plain.start[i])
			fail_msg("%s: job %d starts at %.0f, not %.0f", what, i,
				(double)result.record[i].start / 1e6, (double)plain.start[i] / 1e6);
		assert_int_equal(result.record[i].refused, plain.gone[i]);
		assert_int_equal(
			engine_submitted(&trace.job[i], &result.record[i]), plain.submit[i]);
	}
	engine_release(&result);
	free(follows);
	trace.nusers = USERS + 2;
	trace_release(&trace);
	mesh_free(mesh);
}

static void compare(struct engine_options *options, uint64_t *seed, const char *what)
{
	compare_fed(options, seed, FEEDBACK_NONE, what);
}

static void orders(void **state)
{
	(void)state;
	for (struct rounds r = rounds(21, 400); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 399);
		struct engine_options o = {.scheduler = round & 1 ? ENGINE_EASY : ENGINE_FCFS,
			.kill_at_limit = round & 2,
			.policy = {.order = (enum order)(1 + round / 4 % (ORDERS - 1))}};

		order_weights_default(&o.policy.weights);
		o.policy.weights.max_age = 60;
		o.policy.weights.half_life = 30;
		o.policy.weights.favor_small = round & 4;
		compare(&o, &r.seed, "an order");
	}
}

/* Several reservations, and others behind them in another order; EASY itself is one of these. */
static void reservations(void **state)
{
	(void)state;
	for (struct rounds r = rounds(22, 300); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 299);
		struct engine_options o = {.scheduler = ENGINE_EASY, .kill_at_limit = round & 1,
			.policy = {.reserve = 1 + round % 5,
				.order = round & 4 ? ORDER_LXF : ORDER_DEFAULT,
				.backfill_order = round & 2 ? ORDER_SJF : ORDER_FCFS}};

		compare(&o, &r.seed, "reservations");
	}
}

static void conservative(void **state)
{
	(void)state;
	for (struct rounds r = rounds(23, 400); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 399);
		struct engine_options o = {.scheduler = ENGINE_CONSERVATIVE,
			.kill_at_limit = round & 1,
			.policy = {.order = round & 2 ? ORDER_SAF : ORDER_DEFAULT}};

		compare(&o, &r.seed, "conservative backfilling");
	}
}

static const enum engine_scheduler schedulers[] = {ENGINE_FCFS, ENGINE_EASY, ENGINE_CONSERVATIVE};
static struct queues_row queue_rows[] = {{.name = (char *)(uintptr_t) "p1",
						 .tier = 2,
						 .max_time = 30 * SIM_SECOND,
						 .grp_jobs = 3,
						 .max_jobs_user = 2},
	{.name = (char *)(uintptr_t) "p2", .max_nodes = 20, .grp_nodes = 30, .max_nodes_user = 12}};
static const struct queues queues = {queue_rows, 2};

static void limits(void **state)
{
	(void)state;
	for (struct rounds r = rounds(24, 300); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 299);
		struct engine_options o = {.scheduler = schedulers[round % 3],
			.kill_at_limit = round & 1,
			.policy = {.queues = &queues, .reserve = 1 + round % 4}};

		compare(&o, &r.seed, "queues with limits");
	}
}

/* Jobs that follow others, under each scheduler and some orders, with jobs that are refused among
 * them. */
static void feedback(void **state)
{
	(void)state;
	for (struct rounds r = rounds(26, 600); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 599);
		struct engine_options o = {.scheduler = schedulers[round % 3],
			.kill_at_limit = round & 1,
			.policy = {.queues = round % 4 == 3 ? &queues : NULL,
				.reserve = 1 + round / 6 % 3,
				.order = round & 8 ? ORDER_LXF : ORDER_DEFAULT}};

		compare_fed(&o, &r.seed, round & 2 ? FEEDBACK_LOG : FEEDBACK_CLOSED,
			round & 2 ? "preceding jobs" : "closed loops");
	}
}

/* Every strategy that wants boxes: what is planned is kept, nobody is lost, nodes are not
 * shared. */
struct owner {
	int nodes[256];
	int jobs, count;
};

static void took(void *data, int job, const int *node, int count, int64_t now)
{
	struct owner *o = data;

	(void)now;
	for (int i = 0; i < count; i++) {
		assert_int_equal(o->nodes[node[i]], 0);
		o->nodes[node[i]] = job + 1;
	}
	o->jobs++;
}

static void gave(void *data, int job, int64_t now)
{
	struct owner *o = data;

	(void)now;
	for (int i = 0; i < 256; i++)
		if (o->nodes[i] == job + 1)
			o->nodes[i] = 0;
}

static void boxes(void **state)
{
	static const char *const names[] = {"ff", "bf", "snug-box"};
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 0, 1);

	(void)state;
	for (struct rounds r = rounds(25, 30); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 29);
		struct owner owner = {.count = 0};
		struct engine_options o = {
			.scheduler = round & 1 ? ENGINE_CONSERVATIVE : ENGINE_EASY,
			.stop_at = -1,
			.placed = took,
			.ended = gave,
			.data = &owner,
			.policy = {.reserve = 3}};
		struct engine_result result;
		struct trace trace;
		struct mesh_err err = {{0}};
		int ran = 0;

		random_trace(&trace, &r.seed, 40);
		assert_int_equal(engine_run(&result,
					 &(struct engine_input){
						 mesh, &trace, strategy_find(names[round % 3])},
					 &o, &err),
			0);
		for (int i = 0; i < trace.njobs; i++)
			ran += result.record[i].start >= 0 || result.record[i].refused;
		assert_int_equal(ran, trace.njobs);
		engine_release(&result);
		trace_release(&trace);
	}
	mesh_free(mesh);
}

/*
 * 8x4, both ways around: 1 leaves a row of 8 until 100; 2, of 4, is a torus only across the rows;
 * 3, of 5, would take what 2 will have once it gives up its torus; 4, of 4, is over by then.
 */
static void relaxed_case(const struct engine_options *o, const int *starts, bool relaxed)
{
	static const struct {
		int submit, run, side[2];
		bool torus;
	} jobs[] = {{0, 100, {8, 3}, false}, {10, 50, {4, 1}, true}, {20, 30, {5, 1}, false},
		{20, 20, {4, 1}, false}, {0, 0, {0}, false}};
	struct mesh *mesh = make_mesh(2, (int[]){8, 4}, 3, 1);
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err = {{0}};

	for (int i = 0; jobs[i].run; i++) {
		struct trace_job *job = trace_add(&trace);

		job->submit = jobs[i].submit * SIM_SECOND;
		job->run = jobs[i].run * SIM_SECOND;
		job->count = jobs[i].side[0] * jobs[i].side[1];
		job->shape = (struct mesh_shape){.ndims = 2,
			.side = {jobs[i].side[0], jobs[i].side[1]},
			.torus = jobs[i].torus};
	}
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("bf")}, o,
			&err),
		0);
	for (int i = 0; i < trace.njobs; i++) {
		assert_int_equal(result.record[i].start, starts[i] * SIM_SECOND);
		assert_int_equal(result.record[i].relaxed, relaxed && i == 1);
	}
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void relaxed(void **state)
{
	static const struct {
		enum engine_scheduler scheduler;
		int reserve;
	} rows[] = {{ENGINE_EASY, 1}, {ENGINE_EASY, 2}, {ENGINE_CONSERVATIVE, 1}};
	struct engine_options o = {.stop_at = -1};

	(void)state;
	relaxed_case(&o, (int[]){0, 100, 100, 100}, false);
	o.relax = (struct engine_relax){true, 30 * SIM_SECOND};
	relaxed_case(&o, (int[]){0, 40, 90, 100}, true);
	for (int i = 0; i < 3; i++) {
		o.scheduler = rows[i].scheduler;
		o.policy.reserve = rows[i].reserve;
		o.relax = (struct engine_relax){true, 30 * SIM_SECOND};
		relaxed_case(&o, (int[]){0, 40, 90, 20}, true);
		/* Without it 3 and 4 go ahead, as 2 waits for 1; so they do when the wait is too
		 * long. */
		o.relax = (struct engine_relax){.on = false};
		relaxed_case(&o, (int[]){0, 100, 20, 50}, false);
		o.relax = (struct engine_relax){true, 95 * SIM_SECOND};
		relaxed_case(&o, (int[]){0, 100, 20, 50}, false);
	}
}

/* No 2x2 is a torus there: refused, or a mesh at once. */
static void never_a_torus(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){8, 4}, 3, 1);

	(void)state;
	for (int on = 0; on < 2; on++) {
		struct engine_options o = {.stop_at = -1, .relax = {on, 1000 * SIM_SECOND}};
		struct engine_result result;
		struct trace trace = {0};
		struct trace_job *job = trace_add(&trace);
		struct mesh_err err = {{0}};

		job->run = SIM_SECOND;
		job->count = 4;
		job->shape = (struct mesh_shape){.ndims = 2, .side = {2, 2}, .torus = true};
		assert_int_equal(
			engine_run(&result,
				&(struct engine_input){mesh, &trace, strategy_find("snug-box")}, &o,
				&err),
			0);
		assert_int_equal(result.record[0].refused, !on);
		assert_int_equal(result.record[0].relaxed, on);
		engine_release(&result);
		trace_release(&trace);
	}
	mesh_free(mesh);
}

static void weights(void **state)
{
	struct order_weights w;
	struct mesh_err err = {{0}};

	(void)state;
	order_weights_default(&w);
	assert_int_equal(
		order_weights_parse(
			&w, "PriorityWeightAge=5,prioritymaxage=1-0,PriorityFavorSmall=YES", &err),
		0);
	assert_true(w.age > 4.9 && w.age < 5.1 && w.favor_small && w.max_age > 86399 &&
		w.max_age < 86401);
	assert_int_equal(order_weights_parse(&w, "PriorityWeightAge", &err), -1);
	assert_int_equal(order_weights_parse(&w, "PriorityWeightAge=-1", &err), -1);
	assert_int_equal(order_weights_parse(&w, "PriorityWeight=1", &err), -1);
	assert_int_equal(order_weights_parse(&w, "PriorityFavorSmall=1", &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(reservations),
		cmocka_unit_test(conservative),
		cmocka_unit_test(limits),
		cmocka_unit_test(feedback),
		cmocka_unit_test(boxes),
		cmocka_unit_test(relaxed),
		cmocka_unit_test(never_a_torus),
		cmocka_unit_test(weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
