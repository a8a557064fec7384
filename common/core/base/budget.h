/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time that one decision may take, as CPU time of the deciding thread. On a busy machine a
 * thread may be off the processor for longer than its whole budget. With a budget of wall-clock
 * time it would come back with nothing left, and the job would be placed badly, or be told that no
 * box is free.
 *
 * To read the thread's CPU time is a system call (1.4 to 2 us measured); to read CLOCK_MONOTONIC
 * is not (25 to 60 ns). A decision looks at its budget thousands of times. A thread cannot use
 * more CPU time than passes on the wall clock. So the system call is made only when the budget has
 * passed on the wall clock, and again only when the rest of it has.
 */
#ifndef MESH_BUDGET_H
#define MESH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct mesh_budget {
	int64_t look; /* CLOCK_MONOTONIC, ns: the budget lasts until then. 0 = no limit */
	int64_t end;  /* CPU time of the thread, ns, at which the budget is used up */
};

/* A clock's time in nanoseconds. */
int64_t mesh_clock_ns(clockid_t clock);

/* Start a budget of `ns` nanoseconds for the calling thread; ns <= 0 is no limit. */
void mesh_budget_start(struct mesh_budget *budget, int64_t ns);

/* Is the budget used up? Only the thread that started it may ask. */
bool mesh_budget_late(struct mesh_budget *budget);

/*
 * Nanoseconds left; 0: used up; INT64_MAX: no limit. A system call; only the starting thread asks.
 */
int64_t mesh_budget_left(const struct mesh_budget *budget);

#endif
