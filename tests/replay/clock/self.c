/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "self.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "switch.h"

enum {
	LOOK_SECONDS = 2,	  /* of real time: is the keeper still there? */
	ASKED_TOO_OFTEN = 100000, /* without any wait: it waits for time to pass */
};

struct clock_table *self_table;
_Atomic int self_process = CLOCK_NOBODY;
__thread int self_slot = CLOCK_NOBODY;

static int asked; /* the time, since somebody waited */

/* What each waiting thread polls: on its stack, which lasts as long as it waits. */
static struct {
	struct pollfd *file;
	nfds_t count;
} polled[CLOCK_SLOTS];

int64_t self_now(void)
{
	return atomic_load_explicit(&self_table->now, memory_order_relaxed);
}

int64_t self_asked(void)
{
	if (++asked > ASKED_TOO_OFTEN)
		self_table->now += 1000;
	return self_now();
}

int64_t self_deadline(const struct timespec *at)
{
	return at->tv_sec > INT64_MAX / CLOCK_SECOND - 1 ? CLOCK_NEVER
		: at->tv_sec * CLOCK_SECOND + at->tv_nsec;
}

int64_t self_after(int64_t nanoseconds)
{
	return nanoseconds >= CLOCK_NEVER - self_now() ? CLOCK_NEVER : self_now() + nanoseconds;
}

/* ---- waiting ---- */

/* The keeper has said why, or is gone: what is on the clock ends with it. */
static void look_for_keeper(void)
{
	if (self_table->ended || (syscall(SYS_kill, self_table->keeper, 0) && errno == ESRCH))
		syscall(SYS_exit_group, CLOCK_GONE);
}

/* Which of the waiting threads of this process have something to read. */
static void scan(void)
{
	static const struct timespec at_once;

	for (int i = 0; i < self_table->high; i++) {
		const struct clock_slot *s = &self_table->slot[i];

		if (s->process == self_process && s->state == CLOCK_WAITS && s->why == CLOCK_IO &&
			syscall(SYS_ppoll, polled[i].file, polled[i].count, &at_once, NULL, 0) != 0)
			table_ready(self_table, i, CLOCK_WOKEN);
	}
}

/* Until somebody writes to this word. */
static uint32_t listen(_Atomic uint32_t *word)
{
	static const struct timespec look = {.tv_sec = LOOK_SECONDS};
	uint32_t value;

	for (;;) {
		while (self_process == CLOCK_NOBODY) /* it ends, and the slot is somebody else's */
			syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
		value = atomic_exchange_explicit(word, 0, memory_order_acquire);
		if (value)
			return value;
		if (self_table->ended ||
			(clock_futex(word, FUTEX_WAIT, 0, &look) < 0 && errno == ETIMEDOUT))
			look_for_keeper();
	}
}

/*
 * With the table locked: until it is the turn of `self`, or, where the process switches, of any
 * thread of it, whose slot is returned; then unlocked. pass: the turn is ours, to hand over.
 */
static int await_slot(int self, bool pass)
{
	enum clock_go go = CLOCK_STAY;
	int slot = self;

	if (pass)
		go = table_pass(self_table, self, &slot);
	else
		table_unlock(self_table);
	while (go != CLOCK_RUN) {
		if (go == CLOCK_SCAN) {
			table_lock(self_table);
			scan();
			go = table_pass(self_table, self, &slot);
		} else if (switch_ready) {
			uint32_t value = listen(&self_table->process[self_process].go);

			go = value % CLOCK_SLOT;
			slot = (int)(value / CLOCK_SLOT);
		} else {
			go = listen(&self_table->slot[self].go);
			slot = self;
		}
	}
	return slot;
}

/* The same for this thread. */
static enum clock_end await_turn(bool pass)
{
	int self = self_slot, slot = await_slot(self, pass);

	if (slot != self)
		switch_to_slot(slot);
	asked = 0;
	return (enum clock_end)self_table->slot[self].end;
}

int self_carry(void)
{
	int own = CLOCK_NOBODY;

	table_lock(self_table);
	for (int i = 0; own == CLOCK_NOBODY; i++)
		if (self_table->slot[i].process == self_process)
			own = i;
	return await_slot(own, self_table->holder == CLOCK_NOBODY);
}

enum clock_end self_wait(const struct clock_wait *wait)
{
	enum clock_end end;
	int error = errno;

	table_lock(self_table);
	table_wait(self_table, self_slot, wait);
	end = await_turn(true);
	errno = error;
	if (end == CLOCK_INTERRUPTED)
		pthread_testcancel();
	return end;
}

enum clock_end self_wait_files(struct pollfd *file, nfds_t count, int64_t deadline)
{
	struct clock_wait wait = {.why = CLOCK_IO, .deadline = deadline};

	for (nfds_t i = 0; i < count; i++)
		wait.writes |= (file[i].events & POLLOUT) != 0;
	polled[self_slot].file = file;
	polled[self_slot].count = count;
	return self_wait(&wait);
}

void self_yield(void)
{
	table_lock(self_table);
	table_ready(self_table, self_slot, CLOCK_WOKEN);
	await_turn(true);
}

void self_leave(void)
{
	int slot = self_slot;

	if (switch_ready)
		switch_go_home();
	table_lock(self_table);
	self_table->slot[slot].state = CLOCK_OUTSIDE;
	self_table->holder = CLOCK_NOBODY;
	if (switch_ready)
		switch_leave(slot);
	else
		table_kick(self_table);
}

void self_return(void)
{
	int error = errno;

	if (switch_ready) {
		switch_return();
	} else {
		table_lock(self_table);
		table_ready(self_table, self_slot, CLOCK_WOKEN);
		table_kick(self_table);
		table_lock(self_table);
		await_turn(false);
	}
	errno = error;
}

void self_wake(const void *object, int max)
{
	table_lock(self_table);
	table_wake(self_table, self_process, (uintptr_t)object, max);
	if (on_clock())
		table_unlock(self_table);
	else
		table_kick(self_table);
}

/* ---- coming and going ---- */

void self_first_turn(int slot)
{
	self_slot = slot;
	self_table->slot[slot].thread = (uintptr_t)pthread_self();
	if (switch_ready) {
		switch_first_turn();
		return;
	}
	table_lock(self_table);
	await_turn(false);
}

void self_end(void)
{
	int slot = self_slot;

	if (switch_ready)
		switch_go_home();
	self_slot = CLOCK_NOBODY;
	table_lock(self_table);
	table_wake(self_table, self_process, self_table->slot[slot].thread, INT_MAX);
	table_drop_slot(self_table, slot);
	if (switch_ready)
		switch_leave(slot);
	else
		table_kick(self_table);
}

/* The only thread of a process, whose slot is in the queue. */
static void first_of_process(int slot)
{
	self_slot = slot;
	self_table->slot[slot].thread = (uintptr_t)pthread_self();
	table_lock(self_table);
	await_turn(false);
}

void self_forked(int process, int slot)
{
	self_process = process;
	self_slot = slot;
	if (switch_ready)
		switch_forked();
	first_of_process(slot);
}

static void fail(const char *what, const char *why)
{
	dprintf(STDERR_FILENO, "replay clock: %s: %s\n", what, why);
	syscall(SYS_exit_group, CLOCK_GONE);
}

static void name_process(struct clock_process *process)
{
	FILE *file = fopen("/proc/self/comm", "re");

	if (!file)
		return;
	if (fgets(process->name, sizeof(process->name), file))
		process->name[strcspn(process->name, "\n")] = '\0';
	fclose(file);
}

void self_join(void)
{
	const char *path = getenv(CLOCK_ENV);
	int slot;

	if (!path)
		return;
	self_table = table_open(path);
	if (!self_table)
		fail(path, strerror(errno));
	if (self_table->ended)
		fail(path, "this clock has ended");
	table_lock(self_table);
	self_process = table_add_process(self_table, getpid());
	slot = self_process == CLOCK_NOBODY ? CLOCK_NOBODY
					    : table_add_slot(self_table, self_process);
	if (slot == CLOCK_NOBODY)
		fail(path, "too many processes or threads");
	name_process(&self_table->process[self_process]);
	if (getenv(CLOCK_ENV_GO))
		self_table->until = CLOCK_NEVER;
	self_slot = slot;
	self_table->process[self_process].switches = switch_begin();
	table_ready(self_table, slot, CLOCK_WOKEN);
	table_kick(self_table);
	first_of_process(slot);
}

void self_quit(void)
{
	int process;

	if (!self_table || self_process == CLOCK_NOBODY)
		return;
	self_slot = CLOCK_NOBODY;
	table_lock(self_table);
	process = self_process;
	self_process = CLOCK_NOBODY;
	table_drop_process(self_table, process);
	table_kick(self_table);
}
