/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs that communicate side by side on one machine, and the engines that say how long.
 *
 * In a round every rank sends the same number of bytes, one message after the other or all of them
 * at once; a job's next round begins when all its ranks are done. Steady state: all jobs send round
 * after round until each has made `rounds` of them, and a job's time is the mean of its rounds
 * after the first. One-shot: every job makes one round, all at the same moment.
 */
#ifndef JUDGE_SCENARIO_H
#define JUDGE_SCENARIO_H

#include <stdbool.h>

#include "base/mesh.h"
#include "sim/comm_round.h"

enum { SCENARIO_DRAWS = 16 }; /* random: a round has other partners than the one before */

struct scenario_job {
	int count;
	const int *node; /* [count], the caller's */
	int *vertex; /* [count] of its ranks */
	struct comm_round round[SCENARIO_DRAWS];
	int draws;   /* round r is round[r % draws] */
	int senders; /* what sends one message after the other: ranks, or each message of one */
	bool sends;  /* anything from one vertex to another */
};

struct scenario {
	const struct mesh *mesh;
	struct scenario_job *job;
	int njobs;
	int rounds; /* >= 2; 1: one-shot */
	enum comm_pattern pattern;
	bool at_once;
};

struct scenario_settings {
	enum comm_pattern pattern;
	int peers; /* comm_spec */
	uint64_t seed;
	int rounds;
	bool at_once; /* a rank's messages of a round */
};

/* A job's nodes by rank: in ascending order, as Slurm numbers them, or in another. */
struct scenario_nodes {
	const int *node;
	int count;
};

/* 0, or -1 when memory is out; scenario_release() either way. */
int scenario_init(struct scenario *scenario, const struct mesh *mesh,
	const struct scenario_settings *settings, const struct scenario_nodes *jobs, int njobs);
void scenario_release(struct scenario *scenario);

/* What one sender of a job sends in a round: messages to[first..end-1]. */
struct scenario_messages {
	int rank, first, end;
	double bytes; /* each */
};

struct scenario_messages scenario_messages(
	const struct scenario *scenario, int job, int round, int sender);

/* What becomes of a job: engines note the end of each round. */
struct scenario_clock {
	int rounds;
	double first, last; /* ends */
};

static inline void scenario_tick(struct scenario_clock *clock, double now)
{
	if (!clock->rounds++)
		clock->first = now;
	clock->last = now;
}

/* Mean time of a round; 0 for a job that sends nothing. */
double scenario_time(const struct scenario *scenario, const struct scenario_clock *clock);

/* Bytes that a rank sends in a round, and what a link carries in a second. */
#define SCENARIO_BYTES 1e6
#define SCENARIO_BANDWIDTH 1e6

struct engine_settings {
	double batch;	   /* fluid: part of the messages that may end between two solutions */
	const char *model; /* simgrid: CM02 or LV08 */
};

/* An engine runs in a process of its own: it may end it when it fails, with a message. */
struct engine {
	const char *name;
	void (*prepare)(const struct mesh *mesh, const struct engine_settings *settings);
	/* seconds[njobs] of one round. */
	void (*run)(const struct scenario *scenario, double *seconds);
};

extern const struct engine engine_fluid, engine_model, engine_packets, engine_simgrid;

#endif
