/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time that one decision may take: CPU time of the thread that decides. On a busy machine
 * a thread may be off the processor for longer than its whole budget; by the clock on the wall
 * it would come back to nothing, and a job would be placed badly, or be told that no box is
 * free, for no reason of its own.
 *
 * The thread's CPU time is a system call (1.4 to 2 us on the machine where this was measured),
 * CLOCK_MONOTONIC is none (25 to 60 ns), and a budget is looked at thousands of times a
 * decision. A thread cannot have more CPU time than has passed on the wall: so the system call
 * is made only once the budget has passed there, and again only after what was left by then.
 */
#ifndef MESH_BUDGET_H
#define MESH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct mesh_budget {
	int64_t look; /* CLOCK_MONOTONIC ns; until then there is time. 0 = no limit */
	int64_t end;  /* CPU time of the thread, ns, at which it is used up */
};

/* From now on, by the calling thread; ns <= 0 is no limit. */
void mesh_budget_start(struct mesh_budget *budget, int64_t ns);

/* Is it used up? Always to be asked by the thread that started it. */
bool mesh_budget_late(struct mesh_budget *budget);

/* Nanoseconds that are left, 0 once it is used up; INT64_MAX without a limit. */
int64_t mesh_budget_left(const struct mesh_budget *budget);

#endif
