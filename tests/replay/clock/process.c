/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes come onto the clock when they start and leave it when they end.
 */
#include "self.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "switch.h"

enum { CHILD_NS = 10000000 }; /* between two looks whether a child has ended */

REAL_OF(fork)
REAL_OF(execve)

__attribute__((constructor)) static void begin(void)
{
	self_join();
}

__attribute__((destructor)) static void end(void)
{
	self_quit();
}

EXPORT _Noreturn void _exit(int status)
{
	self_quit();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}

/* The child is ready from the start, and waits for its turn. */
EXPORT pid_t fork(void)
{
	int process, slot = CLOCK_NOBODY;
	pid_t pid;

	if (!on_clock())
		return REAL(fork)();
	if (switch_ready)
		switch_go_home();
	table_lock(self_table);
	process = table_add_process(self_table, -1);
	if (process != CLOCK_NOBODY)
		slot = table_add_slot(self_table, process);
	if (slot != CLOCK_NOBODY)
		table_ready(self_table, slot, CLOCK_WOKEN);
	if (process != CLOCK_NOBODY)
		self_table->process[process].switches = switch_ready;
	table_unlock(self_table);
	if (slot == CLOCK_NOBODY) {
		errno = EAGAIN;
		return -1;
	}
	pid = REAL(fork)();
	if (pid == 0) {
		self_forked(process, slot);
		return 0;
	}
	if (pid > 0)
		self_table->process[process].pid = pid;
	else {
		table_lock(self_table);
		table_drop_process(self_table, process);
		table_unlock(self_table);
	}
	return pid;
}

/* The new program joins by itself, if it has the library still. */
EXPORT int execve(const char *path, char *const argument[], char *const environment[])
{
	int rc;

	if (on_clock() && switch_ready)
		switch_go_home();
	self_quit();
	rc = REAL(execve)(path, argument, environment);
	self_join();
	return rc;
}

EXPORT int execv(const char *path, char *const argument[])
{
	return execve(path, argument, environ);
}

EXPORT int execvp(const char *file, char *const argument[])
{
	int rc;

	if (on_clock() && switch_ready)
		switch_go_home();
	self_quit();
	rc = execvpe(file, argument, environ);
	self_join();
	return rc;
}

enum { ARGUMENTS = 256 };

static int list_arguments(char *list[ARGUMENTS], const char *first, va_list rest)
{
	int n = 0;

	list[n++] = (char *)(uintptr_t)first;
	while (list[n - 1] && n < ARGUMENTS)
		list[n++] = va_arg(rest, char *);
	return list[n - 1] ? -1 : 0;
}

EXPORT int execle(const char *path, const char *first, ...)
{
	char *list[ARGUMENTS];
	char *const *environment;
	va_list rest;
	int rc;

	va_start(rest, first);
	rc = list_arguments(list, first, rest);
	environment = va_arg(rest, char *const *);
	va_end(rest);
	if (rc) {
		errno = E2BIG;
		return -1;
	}
	return execve(path, list, environment);
}

EXPORT int execl(const char *path, const char *first, ...)
{
	char *list[ARGUMENTS];
	va_list rest;
	int rc;

	va_start(rest, first);
	rc = list_arguments(list, first, rest);
	va_end(rest);
	if (rc) {
		errno = E2BIG;
		return -1;
	}
	return execve(path, list, environ);
}

EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct clock_wait moment = {.why = CLOCK_SLEEP};

	for (;;) {
		bool waits = on_clock() && !(options & WNOHANG);
		pid_t got = (pid_t)syscall(
			SYS_wait4, pid, status, waits ? options | WNOHANG : options, usage);

		if (got || !waits)
			return got;
		moment.deadline = self_after(CHILD_NS);
		if (self_wait(&moment) == CLOCK_INTERRUPTED) {
			errno = EINTR;
			return -1;
		}
	}
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

/* A thread's name would be that of the kernel thread that carries it just now. */
EXPORT int prctl(int option, ...)
{
	unsigned long argument[4];
	va_list rest;

	va_start(rest, option);
	for (int i = 0; i < 4; i++)
		argument[i] = va_arg(rest, unsigned long);
	va_end(rest);
	if (option == PR_SET_NAME && switch_ready)
		return 0;
	return (int)syscall(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
}
