/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The turn from one thread of a process to another without the kernel.
 *
 * Handing over by a futex costs two system calls and a context switch: some microseconds, four
 * times in each second of the log. Here one thread of the kernel's, the carrier, goes on with the
 * stack and the thread-local storage of the thread whose turn it is; the others' own kernel
 * threads are retired: they sleep on stacks of their own. A thread goes home, to its own kernel
 * thread, where the kernel must see that one: to end, to fork, to wait for a signal.
 *
 * It needs to set the base of thread-local storage: x86-64 with FSGSBASE (Linux 5.9). Elsewhere
 * switch_ready() is false and self.c wakes threads one by one.
 */
#ifndef CLOCK_SWITCH_H
#define CLOCK_SWITCH_H

#include <stdbool.h>

/* This thread, whose slot is self_slot, is known from now on; its kernel thread carries it. */
bool switch_begin(void);
/* Whether this process switches: the same for all its threads. */
extern bool switch_ready;
/* In a new thread: park it and retire, until its turn comes. */
void switch_first_turn(void);
/* In its creator, before and after it is made: wait until the thread of that slot has parked. */
void switch_expect(int slot);
void switch_await_parked(int slot);
/* Go on with the thread of that slot; returns when this one is gone on with. */
void switch_to_slot(int slot);
/* Onto this thread's own kernel thread. */
void switch_go_home(void);
/* At home, with the table locked, which is unlocked: another carries on with what is to run. */
void switch_leave(int self);
/* At home, come back from outside: ready, parked; returns when it has the turn. */
void switch_return(void);
/* In the child of a fork. */
void switch_forked(void);

#endif
