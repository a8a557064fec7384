/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "switch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "self.h"

bool switch_ready;

#if defined(__x86_64__)

enum { IDLE_STACK = 64 << 10, HWCAP2_FSGS = 2, LOOK_SECONDS = 2 };

/* What a kernel thread is told while it is retired. */
enum order { NOTHING, GO_ON_WITH_OWN, CARRY };

struct context {
	void *stack; /* callee-saved registers are on it */
	uintptr_t local; /* base of thread-local storage */
};

/* Of each slot: its thread, and the kernel thread that was made for it. */
static struct {
	struct context parked;	  /* the thread, while nobody runs it */
	struct context idle;	  /* the kernel thread, while it carries one */
	void *idle_stack;
	_Atomic uint32_t order;	  /* futex */
	_Atomic uint32_t retired; /* futex */
	int after;		  /* when it retires: whom to send home; CLOCK_NOBODY */
	bool returns;		  /* when it retires: its own thread is ready */
} kernel[CLOCK_SLOTS];

static int carrier = CLOCK_NOBODY; /* the kernel thread that carries, or waits for the turn */

#define UNUSED __attribute__((unused))

/* Registers to the stack, the stack pointer to *from, and the same in return from `to`. */
__attribute__((naked, noinline)) static void change_stack(UNUSED void **from, UNUSED void *to)
{
	__asm__("push %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
		"mov %rsp, (%rdi)\n\tmov %rsi, %rsp\n\t"
		"pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\tret");
}

/* The first return of a new stack: calls the function in %r12 with the number in %rbx. */
__attribute__((naked, noinline)) static void begin_stack(void)
{
	__asm__("mov %ebx, %edi\n\tjmp *%r12");
}

static inline uintptr_t local_base(void)
{
	uintptr_t base;

	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

/* No thread-local variable may be touched between the two lines of this. */
static inline void change(struct context *from, const struct context *to)
{
	from->local = local_base();
	__asm__ volatile("wrfsbase %0" : : "r"(to->local) : "memory");
	change_stack(&from->stack, to->stack);
}

/* A system call that leaves errno alone: it may be another thread's here. */
static long raw_call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
		: "rcx", "r11", "memory");
	return result;
}

static void wake(_Atomic uint32_t *word)
{
	raw_call(SYS_futex, (long)word, FUTEX_WAKE, INT_MAX, 0);
}

static void look_for_keeper(void)
{
	if (self_table->ended || raw_call(SYS_kill, self_table->keeper, 0, 0, 0) == -ESRCH)
		raw_call(SYS_exit_group, CLOCK_GONE, 0, 0, 0);
}

static void wait_for_word(_Atomic uint32_t *word)
{
	static const struct timespec look = {.tv_sec = LOOK_SECONDS};

	if (raw_call(SYS_futex, (long)word, FUTEX_WAIT, 0, (long)&look) == -ETIMEDOUT)
		look_for_keeper();
}

static void command(int slot, enum order order)
{
	kernel[slot].order = order;
	wake(&kernel[slot].order);
}

/* ---- retired ---- */

/* What it was to do as soon as the thread that it carried is parked. */
static void finish_retiring(int self)
{
	if (kernel[self].returns) {
		kernel[self].returns = false;
		table_lock(self_table);
		table_ready(self_table, self, CLOCK_WOKEN);
		if (carrier == CLOCK_NOBODY)
			kernel[carrier = self].order = CARRY; /* nobody else does */
		table_kick(self_table);
	}
	kernel[self].retired = 1;
	wake(&kernel[self].retired);
	if (kernel[self].after != CLOCK_NOBODY) {
		int home = kernel[self].after;

		kernel[self].after = CLOCK_NOBODY;
		command(home, GO_ON_WITH_OWN);
	}
}

static _Noreturn void idle(int self)
{
	for (;;) {
		uint32_t order;
		int slot = self;

		finish_retiring(self);
		while ((order = atomic_exchange(&kernel[self].order, NOTHING)) == NOTHING)
			wait_for_word(&kernel[self].order);
		kernel[self].retired = 0;
		carrier = self;
		if (order == CARRY)
			slot = self_carry();
		change(&kernel[self].idle, &kernel[slot].parked);
	}
}

/* A stack as change_stack() leaves one: what it pops, and where it returns to. */
static bool make_idle(int self)
{
	uintptr_t *top;

	if (!kernel[self].idle_stack) {
		void *stack = mmap(NULL, IDLE_STACK, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

		if (stack == MAP_FAILED)
			return false;
		kernel[self].idle_stack = stack;
	}
	top = (uintptr_t *)((char *)kernel[self].idle_stack + IDLE_STACK) - 8;
	memset(top, 0, 8 * sizeof(*top));
	top[3] = (uintptr_t)idle; /* %r12 */
	top[4] = (uintptr_t)self; /* %rbx */
	top[6] = (uintptr_t)begin_stack; /* with the stack aligned as after a call */
	kernel[self].idle = (struct context){top, local_base()};
	kernel[self].order = NOTHING;
	kernel[self].retired = 0;
	kernel[self].after = CLOCK_NOBODY;
	kernel[self].returns = false;
	return true;
}

/* ---- threads ---- */

bool switch_begin(void)
{
	bool can = (getauxval(AT_HWCAP2) & HWCAP2_FSGS) != 0;

	switch_ready = can && make_idle(self_slot);
	carrier = self_slot;
	return switch_ready;
}

void switch_first_turn(void)
{
	if (!make_idle(self_slot))
		raw_call(SYS_exit_group, CLOCK_GONE, 0, 0, 0);
	change(&kernel[self_slot].parked, &kernel[self_slot].idle);
}

void switch_expect(int slot)
{
	kernel[slot].retired = 0;
}

void switch_await_parked(int slot)
{
	while (!kernel[slot].retired)
		wait_for_word(&kernel[slot].retired);
}

void switch_to_slot(int slot)
{
	change(&kernel[self_slot].parked, &kernel[slot].parked);
}

void switch_go_home(void)
{
	int self = self_slot, from = carrier;

	if (from == self)
		return;
	kernel[from].after = self;
	change(&kernel[self].parked, &kernel[from].idle);
}

/* A retired kernel thread of this process; the lowest, so that runs are alike. */
static int find_retired(int self)
{
	for (int i = 0; i < self_table->high; i++)
		if (i != self && self_table->slot[i].process == self_process && kernel[i].retired)
			return i;
	return CLOCK_NOBODY;
}

void switch_leave(int self)
{
	int next = find_retired(self);

	carrier = next;
	if (next == CLOCK_NOBODY) {
		table_kick(self_table);
		return;
	}
	table_unlock(self_table);
	command(next, CARRY);
}

void switch_return(void)
{
	int self = self_slot;

	kernel[self].returns = true;
	change(&kernel[self].parked, &kernel[self].idle);
}

void switch_forked(void)
{
	for (int i = 0; i < CLOCK_SLOTS; i++) {
		kernel[i].retired = 0;
		kernel[i].idle_stack = NULL;
	}
	switch_begin();
}

#else

bool switch_begin(void)
{
	return false;
}

void switch_first_turn(void)
{
}

void switch_expect(int slot)
{
	(void)slot;
}

void switch_await_parked(int slot)
{
	(void)slot;
}

void switch_to_slot(int slot)
{
	(void)slot;
}

void switch_go_home(void)
{
}

void switch_leave(int self)
{
	(void)self;
}

void switch_return(void)
{
}

void switch_forked(void)
{
}

#endif
