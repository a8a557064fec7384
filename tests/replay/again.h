/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every decision of a replay again, in a strategy of our own.
 *
 * A simulation and slurmctld do not know the same: with the clock of events slurmctld's own
 * clock hardly moves while weeks of the log go by, limits are whole minutes, and a tie between
 * jobs that started in one second is broken by their nodes. A strategy that looks at times or at
 * who waits (snug), or at the order of starts (the busy lists), may then place a job otherwise, and
 * rightly so. Here the strategy is told what slurmctld knew. Now the nodes must be the same.
 */
#ifndef REPLAY_AGAIN_H
#define REPLAY_AGAIN_H

#include "drive.h"
#include "ask/strategy.h"

/* Slurm keeps a job's limit in minutes; 0: none, as far as strategies are told. */
int64_t again_limit(const struct trace_job *job, double factor);

struct again_result {
	int different; /* jobs whose nodes are not the strategy's */
	int first;     /* of them; -1: none */
	int asked;     /* jobs it was asked about */
	int informed;  /* jobs that it would place otherwise without limits and running jobs */
	int narrowed;  /* jobs that were offered fewer nodes than were free: backfill keeps some for
			  others, and which is not known. They are not asked about. */
};

/* What was replayed, and by which strategy. */
struct again_replay {
	const struct mesh *mesh;
	const struct trace *trace;
	const struct drive_result *result;
	const struct strategy_ops *ops;
	double factor; /* 0: the clock of events; else, with clock.so, jobs are taken in the log's
			  turn */
};

/* 0, or -1 with text when the strategy fails. */
int again_compare(
	struct again_result *out, const struct again_replay *replay, struct mesh_err *err);

#endif
