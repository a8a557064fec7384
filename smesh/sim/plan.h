/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is free when, going by what is known now: running jobs until their promises, and what has
 * been planned for jobs that wait. Strategies that take any nodes need numbers alone; for those
 * that want boxes the nodes that are planned are kept too.
 *
 * Running jobs that are over their promise are taken to end in the next microsecond.
 */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "sim/engine_state.h"

enum { PLAN_NO_START = -1 };

struct plan;

/* NULL when memory is out. */
struct plan *plan_new(void);
void plan_free(struct plan *plan);

/* Each returns 0, or -1 with text in e->err, where nothing else is said. Jobs are in the trace. */

/* Only the running jobs. O(running). */
int plan_begin(struct plan *plan, struct engine *e);
/* Time has passed: forget what is over. */
void plan_advance(struct plan *plan, int64_t now);

/*
 * The first moment from which the job fits for all of its length, now or later; PLAN_NO_START:
 * nothing that is known makes room for it. O(steps); with boxes a question to the strategy for each
 * step that has nodes enough.
 */
int64_t plan_earliest(struct plan *plan, struct engine *e, int job);
/* Plan it there: plan_earliest() of this job was the last question. */
int plan_take(struct plan *plan, struct engine *e, int job, int64_t start);
/* It was to run from then on, and does not. */
int plan_release(struct plan *plan, struct engine *e, int job, int64_t start);
/* A running job has ended before its promise. */
int plan_early(struct plan *plan, struct engine *e, int count, int64_t promise);

/* The nodes on which it starts as planned; valid until the next question to the strategy. */
const struct nodeset *plan_nodes(struct plan *plan, struct engine *e, int job);
/* It has started as planned: it runs, and is planned no longer. */
void plan_kept(struct plan *plan, int job);

#endif
