/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that fail and are repaired.
 *
 * Each node fails by itself: the time from its repair to its next failure is exponential;
 * a repair takes a fixed time. Nobody knows of it beforehand. A job on a
 * node that fails ends there, loses what it has done since its last checkpoint, and is queued again
 * at its old place. Windows are failures of a log.
 */
#ifndef SIM_FAULTS_H
#define SIM_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nodeset.h"

struct faults_window {
	int64_t from, to; /* microseconds */
	struct nodeset nodes;
};

/* Zeroed: nothing ever fails. */
struct faults_options {
	double mtbf;  /* of a node, seconds; 0: none fail by themselves */
	int64_t repair; /* microseconds */
	/* A job writes a checkpoint after each `checkpoint` of work, which takes `cost`; 0: none,
	 * as it must be with contention. */
	int64_t checkpoint, cost;
	bool lose; /* jobs that are hit are not queued again */
	const struct faults_window *window;
	int nwindows;
};

/* Does anything ever fail? Otherwise a simulation knows nothing of all this. */
static inline bool faults_any(const struct faults_options *o)
{
	return o->mtbf > 0 || o->nwindows || o->checkpoint;
}

struct faults_event {
	int64_t time;
	int node;	   /* or -1: */
	const struct faults_window *window;
	bool up;
};

struct faults;

/* For n nodes; `down` ones (or NULL) never fail. The options must stay. NULL: memory is out. */
struct faults *faults_new(
	const struct faults_options *options, const struct nodeset *down, int n, uint64_t seed);
void faults_free(struct faults *faults);

/* When something happens next; -1: never. */
int64_t faults_next(const struct faults *faults);
/* What happens then; of equal times repairs first. */
struct faults_event faults_take(struct faults *faults);

#endif
