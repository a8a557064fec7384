/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What tells the time, and what waits for it alone.
 */
#include "self.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <unistd.h>

static struct timespec as_timespec(int64_t time)
{
	return (struct timespec){.tv_sec = time / CLOCK_SECOND, .tv_nsec = time % CLOCK_SECOND};
}

static bool is_processor_time(clockid_t clock)
{
	return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
	if (!self_table || is_processor_time(clock))
		return (int)syscall(SYS_clock_gettime, clock, now);
	*now = as_timespec(self_asked());
	return 0;
}

EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	(void)zone;
	if (!self_table)
		return (int)syscall(SYS_gettimeofday, now, NULL);
	int64_t time = self_asked();

	*now = (struct timeval){
		.tv_sec = time / CLOCK_SECOND, .tv_usec = time % CLOCK_SECOND / 1000};
	return 0;
}

EXPORT time_t time(time_t *result)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}

EXPORT int timespec_get(struct timespec *now, int base)
{
	return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0;
}

/* ---- sleep ---- */

/* 0, or EINTR with what is left. */
static int sleep_until(int64_t deadline, struct timespec *left)
{
	struct clock_wait wait = {.why = CLOCK_SLEEP, .deadline = deadline};

	if (self_wait(&wait) != CLOCK_INTERRUPTED)
		return 0;
	if (left)
		*left = as_timespec(deadline > self_now() ? deadline - self_now() : 0);
	return EINTR;
}

EXPORT int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
	if (wanted->tv_nsec < 0 || wanted->tv_nsec >= CLOCK_SECOND || wanted->tv_sec < 0)
		return EINVAL;
	if (!on_clock())
		return syscall(SYS_clock_nanosleep, clock, flags, wanted, left) ? errno : 0;
	if (flags & TIMER_ABSTIME)
		return sleep_until(self_deadline(wanted), NULL);
	return sleep_until(self_after(self_deadline(wanted)), left);
}

EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	int error = clock_nanosleep(CLOCK_REALTIME, 0, wanted, left);

	if (error)
		errno = error;
	return error ? -1 : 0;
}

EXPORT int usleep(useconds_t microseconds)
{
	struct timespec wanted = as_timespec((int64_t)microseconds * 1000);

	return nanosleep(&wanted, NULL);
}

EXPORT unsigned sleep(unsigned seconds)
{
	struct timespec wanted = {.tv_sec = seconds}, left = {0};

	return nanosleep(&wanted, &left) ? (unsigned)left.tv_sec : 0;
}
