/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim --calibrate: the run times of a log already contain contention. They are taken to be
 * those of one strategy. For each kind of job, slowdowns are divided by the number that makes the
 * mean run time of that strategy's jobs the nominal one; the same for all strategies.
 */
#include <math.h>
#include <string.h>

#include "cmd/sim_session.h"
#include "cli/suggest.h"

enum { PASSES = 12 };
static const double TOLERANCE = 0.005; /* of a kind's mean stretch */

struct tally {
	double jobs, slowdown, stretch, share; /* sums over the jobs of a kind */
};

/* Count the jobs that communicate, by kind. */
static void count(const struct runner_task *task, struct tally *tally)
{
	for (int i = 0; i < task->trace->njobs; i++) {
		const struct engine_record *r = &task->result.record[i];
		const struct jobcomm *comm = &task->comm[i];
		struct tally *t = &tally[comm->kind];

		if (r->start < 0 || r->end <= r->start || r->killed || comm->kind == COMM_NONE ||
			task->trace->job[i].count < 2 || comm->share <= 0)
			continue;
		t->jobs++;
		t->slowdown += r->slowdown;
		t->stretch += engine_stretch(&task->trace->job[i], r);
		t->share += comm->share;
	}
}

/* The calibration's share of the work; each pass has a part of it. */
static const double CALIBRATION_SHARE = 0.4;

static void take_pass(struct runner_progress *of, int pass)
{
	double all = of->span > 0 ? of->span : 1, one = all * CALIBRATION_SHARE / (PASSES + 1);

	of->from += pass * one;
	of->span = one;
}

/* Run once with the present calibration. */
static int run_once(const struct sim_session *s, struct runner_task *task, struct tally *tally,
	int pass)
{
	struct runner runner = s->runner;
	struct mesh_err err = {{0}};

	for (int p = 0; p < COMM_KINDS; p++)
		tally[p] = (struct tally){0};
	runner.task = task;
	runner.ntasks = 1;
	runner.threads = 1;
	runner.keep = true;
	take_pass(&runner.progress, pass);
	runner.finished = NULL; /* that of --resume: this is none of its runs */
	runner.engine.decide = NULL;
	runner.engine.ndecide = 0;
	runner.engine.free_box = false;
	runner.engine.hops_only = true;
	if (runner_run(&runner, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	count(task, tally);
	runner_release(&runner);
	return SMESH_OK;
}

/* Move each kind a step towards stretch 1. Returns the largest distance from it. */
static double correct(double *calibration, const struct tally *tally)
{
	double worst = 0;

	for (int p = 0; p < COMM_KINDS; p++) {
		const struct tally *t = &tally[p];

		if (t->jobs < 1)
			continue;
		double off = t->stretch / t->jobs - 1;

		worst = fabs(off) > worst ? fabs(off) : worst;
		/* stretch - 1 = share * (slowdown / calibration - 1) */
		calibration[p] *= fmax(1 + off / (t->share / t->jobs), 0.25);
	}
	return worst;
}

int sim_calibrate(struct sim_session *s)
{
	struct engine_comm *comm = &s->runner.engine.comm;
	struct runner_task task = {.trace = &s->trace[s->run_1], .seed = s->workload.seed};
	struct tally tally[COMM_KINDS];
	double off = INFINITY, best[COMM_KINDS];
	int code;

	if (!s->calibrate)
		return SMESH_OK;
	if (!s->contention)
		return smesh_fail(SMESH_USAGE, "--calibrate goes with --contention");
	if (!(task.ops = suggest_strategy(s->calibrate)))
		return SMESH_USAGE;
	task.comm = s->jobcomm[s->run_1];
	/* First its slowdowns at the log's own run times. */
	comm->keep_times = true;
	code = run_once(s, &task, tally, 0);
	comm->keep_times = false;
	for (int p = 0; code == SMESH_OK && p < COMM_KINDS; p++)
		if (tally[p].jobs > 0)
			comm->calibration[p] = tally[p].slowdown / tally[p].jobs;
	/* A small change of times can change a whole schedule, so the best calibration is kept. */
	memcpy(best, comm->calibration, sizeof(best));
	for (int pass = 0; code == SMESH_OK && off > TOLERANCE && pass < PASSES; pass++) {
		double tried[COMM_KINDS], now;

		memcpy(tried, comm->calibration, sizeof(tried));
		if ((code = run_once(s, &task, tally, pass + 1)))
			break;
		if ((now = correct(comm->calibration, tally)) < off) {
			off = now;
			memcpy(best, tried, sizeof(best));
		}
	}
	memcpy(comm->calibration, best, sizeof(best));
	take_pass(&s->runner.progress, PASSES + 1);
	s->runner.progress.span *= (1 / CALIBRATION_SHARE - 1) * (PASSES + 1);
	if (code == SMESH_OK && off > TOLERANCE)
		smesh_fail(0,
			"the model's mean run times under %s are up to %.1f%% from the log's: "
			"smaller changes of run times mean nothing", s->calibrate, 100 * off);
	return code;
}
