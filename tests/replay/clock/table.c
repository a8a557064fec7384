/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Raw system calls: the functions of libc's are our own here. */
long clock_futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

static struct clock_table *map(int fd)
{
	void *at =
		mmap(NULL, sizeof(struct clock_table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int error = errno;

	syscall(SYS_close, fd);
	errno = error;
	return at == MAP_FAILED ? NULL : at;
}

struct clock_table *table_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct clock_table *t;
	struct stat file;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &file) || file.st_size != sizeof(*t)) {
		syscall(SYS_close, fd);
		errno = EINVAL;
		return NULL;
	}
	t = map(fd);
	if (t && t->magic != CLOCK_MAGIC) {
		munmap(t, sizeof(*t));
		errno = EINVAL;
		return NULL;
	}
	return t;
}

struct clock_table *table_create(const char *path, int64_t now)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct clock_table *t;

	if (fd < 0)
		return NULL;
	if (ftruncate(fd, sizeof(*t))) {
		syscall(SYS_close, fd);
		return NULL;
	}
	t = map(fd);
	if (!t)
		return NULL;
	t->keeper = getpid();
	t->now = t->until = now;
	t->holder = t->first = t->last = t->scanning = CLOCK_NOBODY;
	t->ports = 40000;
	for (int i = 0; i < CLOCK_SLOTS; i++) {
		t->slot[i].process = CLOCK_NOBODY;
		t->deadline[i] = CLOCK_NEVER;
	}
	atomic_thread_fence(memory_order_seq_cst);
	t->magic = CLOCK_MAGIC;
	return t;
}

static bool take_lock(struct clock_table *t)
{
	uint32_t nobody = 0;

	return atomic_compare_exchange_strong_explicit(&t->lock, &nobody, 1, memory_order_acquire,
		memory_order_relaxed);
}

/* Who has it is never far from letting go: held for some lines only. Unless it was killed in them:
 * then the keeper ends all, and nobody is to wait for it any longer. */
void table_lock(struct clock_table *t)
{
	while (!take_lock(t) && !t->ended)
		syscall(SYS_sched_yield);
}

bool table_try_lock(struct clock_table *t)
{
	enum { TRIES = 1000 };
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int i = 0; i < TRIES; i++) {
		if (take_lock(t))
			return true;
		syscall(SYS_nanosleep, &moment, NULL);
	}
	return false;
}

void table_unlock(struct clock_table *t)
{
	atomic_store_explicit(&t->lock, 0, memory_order_release);
}

/* ---- processes and slots ---- */

int table_find_process(const struct clock_table *t, int pid)
{
	for (int i = 0; i < CLOCK_PROCESSES; i++)
		if (t->process[i].pid == pid)
			return i;
	return CLOCK_NOBODY;
}

int table_add_process(struct clock_table *t, int pid)
{
	int i = table_find_process(t, 0);

	if (i == CLOCK_NOBODY)
		return i;
	memset(&t->process[i], 0, sizeof(t->process[i]));
	t->process[i].pid = pid;
	if (t->processes <= i)
		t->processes = i + 1;
	return i;
}

static void unqueue(struct clock_table *t, int slot)
{
	int *at = &t->first, before = CLOCK_NOBODY;

	while (*at != CLOCK_NOBODY && *at != slot) {
		before = *at;
		at = &t->slot[*at].next;
	}
	if (*at == CLOCK_NOBODY)
		return;
	*at = t->slot[slot].next;
	if (t->last == slot)
		t->last = before;
}

static void stop_waiting(struct clock_table *t, int slot)
{
	struct clock_slot *s = &t->slot[slot];

	t->deadline[slot] = CLOCK_NEVER;
	if (s->state != CLOCK_WAITS || s->why != CLOCK_IO)
		return;
	t->process[s->process].reading--;
	t->process[s->process].writing -= s->writes;
}

int table_add_slot(struct clock_table *t, int process)
{
	for (int i = 0; i < CLOCK_SLOTS; i++) {
		struct clock_slot *s = &t->slot[i];

		if (s->process != CLOCK_NOBODY)
			continue;
		memset(s, 0, sizeof(*s));
		s->process = process;
		s->next = CLOCK_NOBODY;
		s->state = CLOCK_OUTSIDE;
		t->process[process].slots++;
		if (t->high <= i)
			t->high = i + 1;
		return i;
	}
	return CLOCK_NOBODY;
}

void table_drop_slot(struct clock_table *t, int slot)
{
	struct clock_slot *s = &t->slot[slot];

	stop_waiting(t, slot);
	if (s->state == CLOCK_READY)
		unqueue(t, slot);
	if (t->holder == slot)
		t->holder = CLOCK_NOBODY;
	t->process[s->process].slots--;
	s->process = CLOCK_NOBODY;
	s->state = CLOCK_FREE;
	while (t->high > 0 && t->slot[t->high - 1].process == CLOCK_NOBODY)
		t->high--;
}

/* What it had open is closed: who waits for that has to look. */
void table_drop_process(struct clock_table *t, int process)
{
	for (int i = t->high - 1; i >= 0; i--)
		if (t->slot[i].process == process)
			table_drop_slot(t, i);
	t->process[process].pid = 0;
	table_touch(t, CLOCK_NOBODY);
}

void table_touch(struct clock_table *t, int process)
{
	if (process != CLOCK_NOBODY)
		t->process[process].dirty = true;
	for (int i = 0; process == CLOCK_NOBODY && i < t->processes; i++)
		t->process[i].dirty = true;
	t->dirty = true;
}

/* ---- ready threads ---- */

void table_ready(struct clock_table *t, int slot, enum clock_end end)
{
	struct clock_slot *s = &t->slot[slot];

	stop_waiting(t, slot);
	s->state = CLOCK_READY;
	s->end = (uint8_t)end;
	s->next = CLOCK_NOBODY;
	if (t->first == CLOCK_NOBODY)
		t->first = slot;
	else
		t->slot[t->last].next = slot;
	t->last = slot;
}

void table_wait(struct clock_table *t, int slot, const struct clock_wait *wait)
{
	struct clock_slot *s = &t->slot[slot];

	s->state = CLOCK_WAITS;
	s->why = (uint8_t)wait->why;
	s->object = wait->object;
	t->deadline[slot] = wait->deadline;
	s->order = ++t->order;
	s->writes = wait->writes;
	if (wait->why != CLOCK_IO)
		return;
	t->process[s->process].reading++;
	t->process[s->process].writing += wait->writes;
}

static bool is_waiting(const struct clock_slot *s, int process, uintptr_t object)
{
	return s->state == CLOCK_WAITS && s->process == process && s->object == object && object;
}

void table_wake(struct clock_table *t, int process, uintptr_t object, int max)
{
	while (max-- > 0) {
		int best = CLOCK_NOBODY;

		for (int i = 0; i < t->high; i++)
			if (is_waiting(&t->slot[i], process, object) &&
				(best == CLOCK_NOBODY || t->slot[i].order < t->slot[best].order))
				best = i;
		if (best == CLOCK_NOBODY)
			return;
		table_ready(t, best, CLOCK_WOKEN);
	}
}

/* ---- whose turn ---- */

/* The next process in whose sockets something may have come; a slot of it. */
static int scan_duty(struct clock_table *t)
{
	int from = t->scanning;

	if (from == CLOCK_NOBODY) {
		if (!t->dirty)
			return CLOCK_NOBODY;
		t->dirty = false;
		from = 0;
	}
	for (int p = from; p < t->processes; p++) {
		if (!t->process[p].dirty)
			continue;
		t->process[p].dirty = false;
		for (int i = 0; t->process[p].reading && i < t->high; i++)
			if (t->slot[i].process == p && t->slot[i].state == CLOCK_WAITS &&
				t->slot[i].why == CLOCK_IO) {
				t->scanning = p + 1;
				return i;
			}
	}
	t->scanning = CLOCK_NOBODY;
	return CLOCK_NOBODY;
}

static int64_t earliest(const struct clock_table *t)
{
	int64_t first = CLOCK_NEVER;

	for (int i = 0; i < t->high; i++)
		first = t->deadline[i] < first ? t->deadline[i] : first;
	return first;
}

/* Those whose time has come, as they began to wait: when time jumps to it they have it in
 * common. */
static void wake_due(struct clock_table *t)
{
	for (;;) {
		int best = CLOCK_NOBODY;

		for (int i = 0; i < t->high; i++)
			if (t->deadline[i] <= t->now &&
				(best == CLOCK_NOBODY || t->slot[i].order < t->slot[best].order))
				best = i;
		if (best == CLOCK_NOBODY)
			return;
		table_ready(t, best, CLOCK_TIMED_OUT);
	}
}

int table_pick(struct clock_table *t, enum clock_go *go)
{
	int slot;

	for (;;) {
		int64_t next;

		/* All that has come is seen before anybody runs for it. */
		if (t->scanning != CLOCK_NOBODY || t->first == CLOCK_NOBODY) {
			slot = scan_duty(t);
			if (slot != CLOCK_NOBODY) {
				t->scans++;
				*go = CLOCK_SCAN;
				return slot;
			}
		}
		if (t->first != CLOCK_NOBODY) {
			slot = t->first;
			t->first = t->slot[slot].next;
			if (t->first == CLOCK_NOBODY)
				t->last = CLOCK_NOBODY;
			t->slot[slot].state = CLOCK_RUNS;
			*go = CLOCK_RUN;
			return slot;
		}
		next = earliest(t);
		if (next == CLOCK_NEVER || next > t->until)
			return CLOCK_NOBODY;
		if (next > t->now) {
			t->now = next;
			t->jumps++;
		}
		wake_due(t);
	}
}

static void hand_over(struct clock_table *t, int slot, enum clock_go go)
{
	struct clock_process *process = &t->process[t->slot[slot].process];
	_Atomic uint32_t *word = process->switches ? &process->go : &t->slot[slot].go;
	uint32_t value = process->switches ? go + CLOCK_SLOT * (uint32_t)slot : go;

	atomic_store_explicit(word, value, memory_order_release);
	table_unlock(t); /* before who is woken wants it */
	clock_futex(word, FUTEX_WAKE, INT_MAX, NULL);
}

enum clock_go table_pass(struct clock_table *t, int self, int *slot)
{
	enum clock_go go = CLOCK_STAY;
	int process = self == CLOCK_NOBODY ? CLOCK_NOBODY : t->slot[self].process;
	int next = table_pick(t, &go);

	t->holder = next;
	t->turns++;
	*slot = next;
	if (next == CLOCK_NOBODY || next == self ||
		(t->slot[next].process == process && t->process[process].switches)) {
		table_unlock(t);
		return go;
	}
	hand_over(t, next, go);
	return CLOCK_STAY;
}

void table_kick(struct clock_table *t)
{
	int slot;

	if (t->holder == CLOCK_NOBODY)
		(void)table_pass(t, CLOCK_NOBODY, &slot);
	else
		table_unlock(t);
}
