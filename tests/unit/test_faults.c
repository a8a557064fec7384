/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Failures against what is known in closed form.
 */
#include <math.h>
#include <string.h>

#include "sim/engine.h"
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
static void segments(double shape, int checkpoint, int cost)
{
	enum { JOBS = 3000, NODES = 4, WORK = 10000, MTBF = 40000 };
	struct mesh *mesh = make_mesh(3, (int[]){25, 25, 25}, 0, 1);
	struct engine_options o = {.stop_at = -1, .hops_only = true, .seed = 3,
		.faults = {.mtbf = MTBF, .shape = shape, .repair = SIM_SECOND,
			.checkpoint = checkpoint * SIM_SECOND, .cost = cost * SIM_SECOND}};
	struct engine_result result;
	struct trace trace = {0};
	struct mesh_err err = {{0}};
	double rate = (double)NODES / MTBF, sum = 0, end = 0, n = checkpoint ? WORK / checkpoint : 1;
	double segment = checkpoint ? checkpoint : WORK;

	for (int i = 0; i < JOBS; i++) {
		struct trace_job *job = trace_add(&trace);

		job->count = NODES;
		job->run = WORK * SIM_SECOND;
	}
	assert_int_equal(engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")}, &o, &err), 0);
	for (int i = 0; i < JOBS; i++) {
		sum += sim_seconds(result.record[i].end);
		end = fmax(end, sim_seconds(result.record[i].end));
	}
	if (shape >= 1 && shape <= 1) {
		near("failures", result.outages.failures, end * mesh->nnodes / MTBF, 0.03);
		near("time to completion", sum / JOBS,
			(n - 1) / rate * expm1(rate * (segment + cost)) + expm1(rate * segment) / rate, 0.04);
	}
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
	segments(1, 0, 0);
	segments(1, 2500, 0);
	segments(1, 2000, 150);
	segments(0.7, 2000, 150);
}

/* Nodes are away R / (MTBF + R) of the time, whatever the distribution, after a while. */
static void availability(void **state)
{
	static const double shapes[] = {1, 0.7, 2};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct mesh *mesh = make_mesh(2, (int[]){20, 20}, 0, 1);
		struct engine_options o = {.stop_at = -1, .hops_only = true, .seed = 5,
			.faults = {.mtbf = 3000, .shape = shapes[i], .repair = 1000 * SIM_SECOND}};
		struct engine_result result;
		struct trace trace = {0};
		struct mesh_err err = {{0}};

		for (int k = 0; k < 2; k++) {
			struct trace_job *job = trace_add(&trace);

			job->count = 1;
			job->run = SIM_SECOND;
			job->submit = k * 300000 * SIM_SECOND;
		}
		assert_int_equal(engine_run(&result, &(struct engine_input){mesh, &trace, strategy_find("linear")}, &o, &err), 0);
		near("share of time out of service", result.outages.down / 300000 / mesh->nnodes, 0.25, 0.02);
		engine_release(&result);
		trace_release(&trace);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_to_completion),
		cmocka_unit_test(availability),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
