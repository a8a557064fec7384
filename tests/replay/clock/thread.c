/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads, conditions and locks. One thread runs at a time, so a condition is no more than the
 * list of those that wait for it, and a lock is asked for with trylock: who finds it held waits
 * for its release.
 */
#include "self.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "switch.h"

REAL_OF(pthread_create)
REAL_OF(pthread_join)
REAL_OF(pthread_kill)
REAL_OF(pthread_cancel)
REAL_OF(pthread_mutex_lock)
REAL_OF(pthread_mutex_unlock)
REAL_OF(pthread_rwlock_rdlock)
REAL_OF(pthread_rwlock_wrlock)
REAL_OF(pthread_rwlock_unlock)
REAL_OF(sigwait)

/* Threads of this process that wait for a lock: mostly none, and a release need not look. */
static _Atomic int lock_waiters;

/* ---- threads ---- */

struct beginning {
	void *(*run)(void *);
	void *data;
	int slot;
};

static void thread_end(void *unused)
{
	(void)unused;
	self_end();
}

static void *thread_begin(void *data)
{
	struct beginning begin = *(struct beginning *)data;
	void *result;

	free(data);
	self_first_turn(begin.slot);
	pthread_cleanup_push(thread_end, NULL); /* also by pthread_exit() */
	result = begin.run(begin.data);
	pthread_cleanup_pop(1);
	return result;
}

/* The slot of a thread of this process; CLOCK_NOBODY when it has ended. */
static int slot_of(pthread_t thread)
{
	for (int i = 0; i < self_table->high; i++)
		if (self_table->slot[i].process == self_process &&
			self_table->slot[i].thread == (uintptr_t)thread)
			return i;
	return CLOCK_NOBODY;
}

static int new_slot(void)
{
	int slot;

	table_lock(self_table);
	slot = table_add_slot(self_table, self_process);
	if (slot != CLOCK_NOBODY)
		table_ready(self_table, slot, CLOCK_WOKEN);
	table_unlock(self_table);
	return slot;
}

static void forget_slot(int slot)
{
	table_lock(self_table);
	table_drop_slot(self_table, slot);
	table_unlock(self_table);
}

EXPORT int pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *data)
{
	struct beginning *begin;
	int rc;

	if (!on_clock())
		return REAL(pthread_create)(thread, attr, run, data);
	begin = malloc(sizeof(*begin));
	if (!begin)
		return EAGAIN;
	*begin = (struct beginning){run, data, new_slot()};
	if (begin->slot == CLOCK_NOBODY) {
		free(begin);
		return EAGAIN;
	}
	int slot = begin->slot;

	switch_expect(slot);
	rc = REAL(pthread_create)(thread, attr, thread_begin, begin);
	if (rc) {
		forget_slot(slot);
		free(begin);
	} else {
		self_table->slot[slot].thread = (uintptr_t)*thread;
		if (switch_ready)
			switch_await_parked(slot);
	}
	return rc;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
	struct clock_wait wait = {
		.why = CLOCK_JOIN, .deadline = CLOCK_NEVER, .object = (uintptr_t)thread};

	if (on_clock())
		while (slot_of(thread) != CLOCK_NOBODY)
			self_wait(&wait);
	return REAL(pthread_join)(thread, result);
}

/* A sleep or a wait for a message is cut short. */
static void interrupt(pthread_t thread)
{
	int slot;

	table_lock(self_table);
	slot = slot_of(thread);
	if (slot != CLOCK_NOBODY && self_table->slot[slot].state == CLOCK_WAITS &&
		(self_table->slot[slot].why == CLOCK_SLEEP ||
			self_table->slot[slot].why == CLOCK_IO))
		table_ready(self_table, slot, CLOCK_INTERRUPTED);
	table_unlock(self_table);
}

EXPORT int pthread_kill(pthread_t thread, int number)
{
	int rc = REAL(pthread_kill)(thread, number);

	if (on_clock() && !rc && number)
		interrupt(thread);
	return rc;
}

EXPORT int pthread_cancel(pthread_t thread)
{
	int rc = REAL(pthread_cancel)(thread);

	if (on_clock() && !rc)
		interrupt(thread);
	return rc;
}

EXPORT int sched_yield(void)
{
	if (on_clock())
		self_yield();
	return 0;
}

EXPORT int sigwait(const sigset_t *set, int *number)
{
	int rc;

	if (!on_clock())
		return REAL(sigwait)(set, number);
	self_leave();
	rc = REAL(sigwait)(set, number);
	self_return();
	return rc;
}

/* ---- locks ---- */

static void wait_for_lock(const void *lock)
{
	struct clock_wait wait = {
		.why = CLOCK_LOCK, .deadline = CLOCK_NEVER, .object = (uintptr_t)lock};

	lock_waiters++;
	self_wait(&wait);
	lock_waiters--;
}

static inline void lock_released(const void *lock)
{
	if (atomic_load_explicit(&lock_waiters, memory_order_relaxed) > 0)
		self_wake(lock, INT_MAX);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int rc;

	if (!on_clock())
		return REAL(pthread_mutex_lock)(mutex);
	while ((rc = pthread_mutex_trylock(mutex)) == EBUSY)
		wait_for_lock(mutex);
	return rc;
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int rc = REAL(pthread_mutex_unlock)(mutex);

	lock_released(mutex);
	return rc;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	int rc;

	if (!on_clock())
		return REAL(pthread_rwlock_rdlock)(lock);
	while ((rc = pthread_rwlock_tryrdlock(lock)) == EBUSY)
		wait_for_lock(lock);
	return rc;
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	int rc;

	if (!on_clock())
		return REAL(pthread_rwlock_wrlock)(lock);
	while ((rc = pthread_rwlock_trywrlock(lock)) == EBUSY)
		wait_for_lock(lock);
	return rc;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	int rc = REAL(pthread_rwlock_unlock)(lock);

	lock_released(lock);
	return rc;
}

/* ---- conditions ---- */


static void take_again(void *mutex)
{
	pthread_mutex_lock(mutex);
}

static int wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline)
{
	struct clock_wait wait = {
		.why = CLOCK_CONDITION, .deadline = deadline, .object = (uintptr_t)condition};
	enum clock_end end;

	if (!on_clock())
		abort(); /* a thread that has ended, or not begun, has nothing to wait for */
	pthread_mutex_unlock(mutex);
	pthread_cleanup_push(take_again, mutex);
	end = self_wait(&wait);
	pthread_cleanup_pop(1);
	return end == CLOCK_TIMED_OUT ? ETIMEDOUT : 0;
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return wait_for_condition(condition, mutex, CLOCK_NEVER);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
	const struct timespec *deadline)
{
	return wait_for_condition(condition, mutex, self_deadline(deadline));
}

/* All clocks tell the same. */
EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
	clockid_t clock, const struct timespec *deadline)
{
	(void)clock;
	return wait_for_condition(condition, mutex, self_deadline(deadline));
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	if (self_table)
		self_wake(condition, 1);
	return 0;
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	if (self_table)
		self_wake(condition, INT_MAX);
	return 0;
}
