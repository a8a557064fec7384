/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Failures against what is known in closed form.
 */
#include <math.h>
#include <string.h>

#include "sim/engine.h"
#include "strategies/strategies.h"
#include "support.h"

static void near(const char *what, double value, double wanted, double share)
{
	if (fabs(value - wanted) > share * wanted)
		fail_msg("%s: %g, not %g", what, value, wanted);
}

/*
 * Jobs that are hit begin again at once, as nodes are plenty. With failures at rate r of a job, n
 * segments of work w, each but the last with a checkpoint of c, take
 * (n-1)/r (e^(r(w+c)) - 1) + 1/r (e^(rw) - 1) on the average (Daly, "A higher order estimate of the
 * optimum checkpoint interval for restart dumps", FGCS 22, 2006, without restart costs).
 */
static void segments(int checkpoint, int cost)
{
	enum { JOBS = 3000, NODES = 4, WORK = 10000, MTBF = 40000 };
	struct mesh *mesh = make_mesh(3, (int[]){25, 25, 25}, 0, 1);
	struct engine_options o = {.stop_at = -1, .hops_only = true, .seed = 3,
		.faults = {.mtbf = MTBF, .repair = SIM_SECOND,
			.checkpoint = checkpoint * SIM_SECOND, .cost = cost * SIM_SECOND}};
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err = {{0}};
	double rate = (double)NODES / MTBF, sum = 0, end = 0,
	       n = checkpoint ? WORK / checkpoint : 1;
	double segment = checkpoint ? checkpoint : WORK;

	for (int i = 0; i < JOBS; i++) {
		struct trace_job *job = trace_add(&trace);

		job->count = NODES;
		job->run = WORK * SIM_SECOND;
	}
	assert_int_equal(
		engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")},
			&o, &err),
		0);
	for (int i = 0; i < JOBS; i++) {
		sum += sim_seconds(result.record[i].end);
		end = fmax(end, sim_seconds(result.record[i].end));
	}
	near("failures", result.outages.failures, end * mesh->nnodes / MTBF, 0.03);
	near("time to completion", sum / JOBS,
		(n - 1) / rate * expm1(rate * (segment + cost)) + expm1(rate * segment) / rate,
		0.04);
	/* All time is work, work undone or checkpoints. */
	near("the sum of its parts", sum * NODES,
		(double)JOBS * WORK * NODES + result.outages.lost + result.outages.overhead, 1e-6);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

static void times_to_completion(void **state)
{
	(void)state;
	segments(0, 0);
	segments(2500, 0);
	segments(2000, 150);
}

/* Nodes are away R / (MTBF + R) of the time, after a while. */
static void availability(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){20, 20}, 0, 1);
	struct engine_options o = {.stop_at = -1, .hops_only = true, .seed = 5,
		.faults = {.mtbf = 3000, .repair = 1000 * SIM_SECOND}};
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err = {{0}};

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct trace_job *job = trace_add(&trace);

		job->count = 1;
		job->run = SIM_SECOND;
		job->submit = k * 300000 * SIM_SECOND;
	}
	assert_int_equal(
		engine_run(&result,
			&(struct engine_input){mesh, &trace, strategy_find("linear")}, &o,
			&err),
		0);
	near("share of time out of service", result.outages.down / 300000 / mesh->nnodes,
		0.25, 0.02);
	engine_release(&result);
	trace_release(&trace);
	mesh_free(mesh);
}

/* --- with contention ----------------------------------------------------------------------- */

/*
 * A plain simulator of the same: first come first served, nodes by number, jobs at a pace that the
 * links give them, node failures from a list, each with a repair. Real time is walked from event to
 * event; progress is nominal time.
 */
enum { PLAIN_JOBS = 40, PLAIN_WINDOWS = 60 };

struct plain_job {
	int count, node[16];
	double work;	      /* seconds */
	double start, came;   /* of this attempt; how far on its way */
	double pace;
	bool waits, runs;
	struct contention_job *traffic;
};

struct plain {
	struct plain_job job[PLAIN_JOBS];
	int order[PLAIN_JOBS], nruns; /* in the order of starts */
	bool down[16], busy[16];
	double now, lost;
	struct contention *net;
};

static void plain_off(struct plain *p, struct plain_job *j)
{
	int at = 0;

	while (&p->job[p->order[at]] != j)
		at++;
	memmove(&p->order[at], &p->order[at + 1], (size_t)(--p->nruns - at) * sizeof(int));
	for (int i = 0; i < j->count; i++)
		p->busy[j->node[i]] = false;
	contention_remove(p->net, j->traffic);
	j->runs = false;
}

static void plain_hit(struct plain *p, int node)
{
	for (int r = 0; r < p->nruns; r++) {
		struct plain_job *j = &p->job[p->order[r]];

		for (int i = 0; i < j->count; i++)
			if (j->node[i] == node) {
				p->lost += (p->now - j->start) * j->count;
				plain_off(p, j);
				j->waits = true;
				return;
			}
	}
}

/* The head of the queue, in the order of the trace, as often as it fits. */
static void plain_start(struct plain *p)
{
	for (int i = 0; i < PLAIN_JOBS; i++) {
		struct plain_job *j = &p->job[i];
		int found = 0;

		if (!j->waits)
			continue;
		for (int n = 0; n < 16 && found < j->count; n++)
			if (!p->busy[n] && !p->down[n])
				j->node[found++] = n;
		if (found < j->count)
			return;
		for (int k = 0; k < found; k++)
			p->busy[j->node[k]] = true;
		j->waits = false;
		j->runs = true;
		j->start = p->now;
		j->came = 0;
		j->pace = 1;
		j->traffic = contention_add(p->net, COMM_RING, j->node, j->count);
		p->order[p->nruns++] = i;
	}
}

struct plain_window {
	double from, to;
	int node;
};

static void plain_run(
	struct plain *p, const struct trace *trace, const struct plain_window *w, int nwindows)
{
	for (int done = 0; done < PLAIN_JOBS;) {
		double next = INFINITY;

		for (int r = 0; r < p->nruns; r++) {
			struct plain_job *j = &p->job[p->order[r]];

			next = fmin(next, p->now + (j->work - j->came) * j->pace);
		}
		for (int i = 0; i < nwindows; i++) {
			next = w[i].from > p->now ? fmin(next, w[i].from) : next;
			next = w[i].to > p->now ? fmin(next, w[i].to) : next;
		}
		for (int i = 0; i < trace->njobs; i++)
			if (sim_seconds(trace->job[i].submit) > p->now)
				next = fmin(next, sim_seconds(trace->job[i].submit));
		for (int r = 0; r < p->nruns; r++)
			p->job[p->order[r]].came += (next - p->now) / p->job[p->order[r]].pace;
		p->now = next;
		for (int r = p->nruns; r-- > 0;) {
			struct plain_job *j = &p->job[p->order[r]];

			if (j->came < j->work - 1e-5)
				continue;
			plain_off(p, j);
			done++;
		}
		for (int i = 0; i < nwindows; i++) {
			if (fabs(w[i].to - p->now) < 1e-9)
				p->down[w[i].node] = false;
			if (fabs(w[i].from - p->now) < 1e-9) {
				p->down[w[i].node] = true;
				plain_hit(p, w[i].node);
			}
		}
		for (int i = 0; i < trace->njobs; i++)
			if (fabs(sim_seconds(trace->job[i].submit) - p->now) < 1e-9)
				p->job[i].waits = true;
		plain_start(p);
		contention_solve(p->net);
		for (int r = 0; r < p->nruns; r++) {
			struct plain_job *j = &p->job[p->order[r]];

			j->pace = j->count > 1 ? 0.5 + 0.5 * contention_slowdown(j->traffic) : 1;
		}
	}
}

/* 40 jobs on a line of 16, in which linear makes holes; failures one at a time. */
static void contended(void **state)
{
	(void)state;
	for (struct rounds r = rounds(11, 30); rounds_next(&r);) {
		struct mesh *mesh = make_mesh(1, (int[]){16}, 0, 1);
		struct trace trace = {0};
		struct comm_job comm[PLAIN_JOBS];
		struct plain p = {
			.net = contention_new(mesh, &(struct contention_options){.seed = 1})};
		struct plain_window w[PLAIN_WINDOWS];
		struct faults_window window[PLAIN_WINDOWS] = {{0}};
		struct engine_result result;
		struct mesh_err err = {{0}};
		double at = 0;

		for (int i = 0; i < PLAIN_JOBS; i++) {
			struct trace_job *job = trace_add(&trace);

			job->count = random_int(&r.seed, 1, 9);
			job->run = random_int(&r.seed, 5, 400) * SIM_SECOND;
			job->submit = (i ? (job - 1)->submit : 0) +
				random_int(&r.seed, 1, 60) * SIM_SECOND;
			p.job[i].count = job->count;
			p.job[i].work = sim_seconds(job->run);
			comm[i] = (struct comm_job){.pattern = COMM_RING, .share = 0.5};
		}
		for (int i = 0; i < PLAIN_WINDOWS; i++) { /* at times that nothing else has */
			w[i] = (struct plain_window){at += random_int(&r.seed, 20, 120) + 0.123, 0,
				random_int(&r.seed, 0, 15)};
			w[i].to = at += random_int(&r.seed, 1, 30) + 0.0457;
			window[i].from = (int64_t)(w[i].from * 1e6 + 0.5);
			window[i].to = (int64_t)(w[i].to * 1e6 + 0.5);
			assert_int_equal(nodeset_init(&window[i].nodes, 16), 0);
			nodeset_add(&window[i].nodes, w[i].node);
		}
		struct engine_options o = {.stop_at = -1,
			.hops_only = true,
			.seed = 1,
			.comm = {.job = comm, .contention = true},
			.faults = {.window = window, .nwindows = PLAIN_WINDOWS}};

		for (int pattern = 0; pattern < COMM_PATTERNS; pattern++)
			o.comm.calibration[pattern] = 1;
		assert_int_equal(engine_run(&result, &(struct engine_input){mesh, &trace,
			strategy_find("linear")}, &o, &err), 0);
		plain_run(&p, &trace, w, PLAIN_WINDOWS);
		for (int i = 0; i < PLAIN_JOBS; i++) {
			const struct engine_record *record = &result.record[i];

			if (fabs(sim_seconds(record->start) - p.job[i].start) > 1e-2)
				fail_msg("job %d starts at %.6f, not %.6f", i,
					sim_seconds(record->start), p.job[i].start);
		}
		assert_true(result.outages.interruptions > 0);
		near("lost", result.outages.lost, p.lost, 1e-4);
		engine_release(&result);
		for (int i = 0; i < PLAIN_WINDOWS; i++)
			nodeset_release(&window[i].nodes);
		contention_free(p.net);
		trace_release(&trace);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_to_completion),
		cmocka_unit_test(availability),
		cmocka_unit_test(contended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
