/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This process and this thread on the clock (clock.h), for the functions that stand before libc's.
 */
#ifndef CLOCK_SELF_H
#define CLOCK_SELF_H

#include <dlfcn.h>
#include <poll.h>

#include "clock.h"

#define EXPORT __attribute__((visibility("default")))

/* libc's own function of this name, looked up once: REAL_OF(fork) at the top, REAL(fork)() to
 * call. */
#define REAL_OF(name)                                                       \
	static __typeof__(&name) real_##name(void)                          \
	{                                                                   \
		static __typeof__(&name) found;                             \
                                                                            \
		if (!found)                                                 \
			found = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		return found;                                               \
	}
#define REAL(name) real_##name()

extern struct clock_table *self_table; /* NULL: not on the clock */
extern _Atomic int self_process;
/* CLOCK_NOBODY: this thread is not on the clock (before main(), after its end). */
extern __thread int self_slot __attribute__((tls_model("initial-exec")));

static inline bool on_clock(void)
{
	return self_slot != CLOCK_NOBODY;
}

/* Nanoseconds. */
int64_t self_now(void);
/* The same for a program that asks: one that does nothing else must see time go on. */
int64_t self_asked(void);
int64_t self_deadline(const struct timespec *absolute);
int64_t self_after(int64_t nanoseconds); /* CLOCK_NEVER stays */

/* Give up the turn and wait. */
enum clock_end self_wait(const struct clock_wait *wait);
/* For one of these files; the caller looks again what has come. */
enum clock_end self_wait_files(struct pollfd *file, nfds_t count, int64_t deadline);
/* Behind all that are ready. */
void self_yield(void);
/* Without turn until self_return(): for a call that waits for something outside. */
void self_leave(void);
void self_return(void);

/* Wake threads of this process that wait for an object; works off the clock, too. */
void self_wake(const void *object, int max);

/* A kernel thread that carries none (switch.h): the slot of this process that is to run. */
int self_carry(void);

/* A new thread's first turn: returns when it has it. And its end. */
void self_first_turn(int slot);
void self_end(void);
/* This process is another one now: after fork(), in the child. */
void self_forked(int process, int slot);
void self_join(void);  /* a process that was just started */
void self_quit(void);  /* and all its threads */

#endif
