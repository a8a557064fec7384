/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time that one decision may take: CPU time of the thread that decides. On a busy machine
 * a thread may be off the processor for longer than its whole budget. By wall-clock time it would
 * come back with nothing left, and the job would be placed badly, or be told that no box is free.
 *
 * Reading the thread's CPU time is a system call (measured: 1.4 to 2 us), reading CLOCK_MONOTONIC
 * is not (25 to 60 ns), and a decision looks at its budget thousands of times. A thread cannot use
 * more CPU time than passes on the wall clock, so the system call is made only when the budget has
 * passed there, and again only when the rest of it has.
 */
#ifndef MESH_BUDGET_H
#define MESH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct mesh_budget {
	int64_t look; /* CLOCK_MONOTONIC, ns: not used up before that. 0 = no limit */
	int64_t end;  /* CPU time of the thread, ns, at which it is used up */
};

/* A clock's time in nanoseconds. */
int64_t mesh_clock_ns(clockid_t clock);

/* A budget of ns nanoseconds of the calling thread, from now on; ns <= 0 is no limit. */
void mesh_budget_start(struct mesh_budget *budget, int64_t ns);

/* Is it used up? Only the thread that started it may ask. */
bool mesh_budget_late(struct mesh_budget *budget);

/* Nanoseconds left, 0 once it is used up; INT64_MAX without a limit. The same thread; a system
 * call. */
int64_t mesh_budget_left(const struct mesh_budget *budget);

#endif
