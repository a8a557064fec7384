/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls that wait for messages. Each is tried without waiting; where nothing is there the thread
 * waits on the clock and tries again.
 */
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "files.h"

static const struct timespec at_once;

static int64_t deadline_of(const struct timespec *timeout)
{
	return timeout ? self_after(self_deadline(timeout)) : CLOCK_NEVER;
}

static int64_t deadline_ms(int ms)
{
	return ms < 0 ? CLOCK_NEVER : self_after(ms * (CLOCK_SECOND / 1000));
}

/* ---- poll and its like ---- */

static bool any_outside(const struct pollfd *file, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (file[i].fd >= 0 && file_look(file[i].fd)->kind == FILE_OUTSIDE)
			return true;
	return false;
}

/* A TCP connection that only the other end has closed has not hung up. */
static void mend_events(struct pollfd *file, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (file[i].revents & POLLHUP && file[i].revents & POLLIN &&
			file_look(file[i].fd)->kind == FILE_NET)
			file[i].revents &= (short)~POLLHUP;
}

static int poll_until(struct pollfd *file, nfds_t count, int64_t deadline)
{
	for (;;) {
		int ready = (int)syscall(SYS_ppoll, file, count, &at_once, NULL, 0);

		if (ready)
			mend_events(file, count);
		if (ready || deadline <= self_now())
			return ready;
		if (self_wait_files(file, count, deadline) == CLOCK_INTERRUPTED) {
			errno = EINTR;
			return -1;
		}
	}
}

EXPORT int ppoll(
	struct pollfd *file, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	struct timespec copy = timeout ? *timeout : at_once;

	if (!on_clock() || any_outside(file, count))
		return (int)syscall(
			SYS_ppoll, file, count, timeout ? &copy : NULL, mask, sizeof(uint64_t));
	return poll_until(file, count, deadline_of(timeout));
}

EXPORT int poll(struct pollfd *file, nfds_t count, int ms)
{
	struct timespec timeout = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	return ppoll(file, count, ms < 0 ? NULL : &timeout, NULL);
}

/* The sets as a list for poll(). */
static nfds_t list_sets(struct pollfd *file, int count, fd_set *const set[3])
{
	static const short events[3] = {POLLIN, POLLOUT, POLLPRI};
	nfds_t n = 0;

	for (int fd = 0; fd < count; fd++) {
		file[n] = (struct pollfd){.fd = fd};
		for (int i = 0; i < 3; i++)
			if (set[i] && FD_ISSET(fd, set[i]))
				file[n].events |= events[i];
		n += file[n].events != 0;
	}
	return n;
}

static int mark_sets(const struct pollfd *file, nfds_t n, fd_set *const set[3])
{
	static const short events[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
	int marked = 0;

	for (int i = 0; i < 3; i++)
		if (set[i])
			FD_ZERO(set[i]);
	for (nfds_t j = 0; j < n; j++)
		for (int i = 0; i < 3; i++)
			if (set[i] && file[j].revents & events[i] &&
				(file[j].events & events[i] ||
					(i < 2 && file[j].revents & POLLERR))) {
				FD_SET(file[j].fd, set[i]);
				marked++;
			}
	return marked;
}

static int select_until(int count, fd_set *const set[3], const struct timespec *timeout)
{
	struct pollfd file[FD_SETSIZE];
	nfds_t n = list_sets(file, count > FD_SETSIZE ? FD_SETSIZE : count, set);
	int ready = ppoll(file, n, timeout, NULL);

	return ready < 0 ? ready : mark_sets(file, n, set);
}

EXPORT int select(
	int count, fd_set *readable, fd_set *writable, fd_set *except, struct timeval *timeout)
{
	fd_set *const set[3] = {readable, writable, except};
	struct timespec wait;

	if (!timeout)
		return select_until(count, set, NULL);
	wait = (struct timespec){.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
	return select_until(count, set, &wait);
}

EXPORT int pselect(int count, fd_set *readable, fd_set *writable, fd_set *except,
	const struct timespec *timeout, const sigset_t *mask)
{
	fd_set *const set[3] = {readable, writable, except};

	(void)mask;
	return select_until(count, set, timeout);
}

static int epoll_try(int epoll, struct epoll_event *event, int max)
{
	int ready = (int)syscall(SYS_epoll_pwait, epoll, event, max, 0, NULL, 0);

	for (int i = 0; i < ready; i++)
		if (event[i].events & EPOLLIN)
			event[i].events &= ~(uint32_t)EPOLLHUP; /* as in mend_events() */
	return ready;
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *event, int max, int ms, const sigset_t *mask)
{
	struct pollfd file = {.fd = epoll, .events = POLLIN};
	int64_t deadline;

	if (!on_clock())
		return (int)syscall(SYS_epoll_pwait, epoll, event, max, ms, mask, sizeof(uint64_t));
	deadline = deadline_ms(ms);
	for (;;) {
		int ready = epoll_try(epoll, event, max);

		if (ready || deadline <= self_now())
			return ready;
		if (self_wait_files(&file, 1, deadline) == CLOCK_INTERRUPTED) {
			errno = EINTR;
			return -1;
		}
	}
}

EXPORT int epoll_wait(int epoll, struct epoll_event *event, int max, int ms)
{
	return epoll_pwait(epoll, event, max, ms, NULL);
}

/* ---- reading and writing ---- */

/* 0 when it may be tried; -1 (EINTR, EAGAIN) when not. The file is one that waits. */
static int await(int fd, short events)
{
	struct pollfd file = {.fd = fd, .events = events};
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || flags & O_NONBLOCK) {
		errno = EAGAIN;
		return -1;
	}
	return poll_until(&file, 1, CLOCK_NEVER) < 0 ? -1 : 0;
}

static bool is_ready(int fd, short events)
{
	struct pollfd file = {.fd = fd, .events = events};

	return syscall(SYS_ppoll, &file, 1, &at_once, NULL, 0) != 0;
}

/* Does the call wait on the clock? Then until something is there: 0, or -1 as await(). */
static int before(int fd, const struct file_state *file, short events)
{
	return !on_clock() || !file_waits(file) || is_ready(fd, events) ? 0 : await(fd, events);
}

static ssize_t after_read(const struct file_state *file, ssize_t got)
{
	if (on_clock() && got > 0 && file_waits(file))
		file_read(file);
	return got;
}

static ssize_t after_write(const struct file_state *file, ssize_t sent)
{
	if (self_table && file_waits(file))
		file_wrote(file);
	return sent;
}

EXPORT ssize_t read(int fd, void *data, size_t size)
{
	const struct file_state *file;

	if (!on_clock())
		return syscall(SYS_read, fd, data, size);
	file = file_look(fd);
	return before(fd, file, POLLIN) ? -1 : after_read(file, syscall(SYS_read, fd, data, size));
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	const struct file_state *file;

	if (!on_clock())
		return syscall(SYS_recvmsg, fd, message, flags);
	file = file_look(fd);
	if (!(flags & MSG_DONTWAIT) && before(fd, file, POLLIN))
		return -1;
	return after_read(file, syscall(SYS_recvmsg, fd, message, flags));
}

EXPORT ssize_t recvfrom(int fd, void *restrict data, size_t size, int flags,
	struct sockaddr *restrict from, socklen_t *restrict from_size)
{
	const struct file_state *file;
	size_t have = 0;

	if (!on_clock())
		return syscall(SYS_recvfrom, fd, data, size, flags, from, from_size);
	file = file_look(fd);
	for (;;) {
		ssize_t got;

		if (!(flags & MSG_DONTWAIT) && before(fd, file, POLLIN))
			return have ? (ssize_t)have : -1;
		got = after_read(file, syscall(SYS_recvfrom, fd, (char *)data + have, size - have,
			file_waits(file) ? flags & ~MSG_WAITALL : flags, from, from_size));
		if (got <= 0 || !(flags & MSG_WAITALL) || have + (size_t)got == size)
			return have && got <= 0 ? (ssize_t)have : (ssize_t)have + got;
		have += (size_t)got;
	}
}

EXPORT ssize_t recv(int fd, void *data, size_t size, int flags)
{
	return recvfrom(fd, data, size, flags, NULL, NULL);
}

/* A socket that waits takes all; the kernel takes what there is room for. */
static ssize_t send_all(int fd, const struct msghdr *message, int flags)
{
	const struct file_state *file = file_look(fd);
	bool waits = on_clock() && file_waits(file) && !(flags & MSG_DONTWAIT) &&
		!(fcntl(fd, F_GETFL) & O_NONBLOCK);
	struct msghdr rest = *message;
	struct iovec part[16];
	ssize_t sum = 0;

	if (!waits || rest.msg_iovlen > 16)
		return after_write(file, syscall(SYS_sendmsg, fd, message, flags));
	memcpy(part, rest.msg_iov, rest.msg_iovlen * sizeof(*part));
	rest.msg_iov = part;
	while (rest.msg_iovlen) {
		ssize_t sent =
			after_write(file, syscall(SYS_sendmsg, fd, &rest, flags | MSG_DONTWAIT));

		if (sent < 0 && errno == EAGAIN && !await(fd, POLLOUT))
			continue;
		if (sent < 0)
			return sum ? sum : sent;
		sum += sent;
		while (rest.msg_iovlen && (size_t)sent >= rest.msg_iov->iov_len) {
			sent -= (ssize_t)rest.msg_iov->iov_len;
			rest.msg_iov++;
			rest.msg_iovlen--;
		}
		if (rest.msg_iovlen) {
			rest.msg_iov->iov_base = (char *)rest.msg_iov->iov_base + sent;
			rest.msg_iov->iov_len -= (size_t)sent;
		}
	}
	return sum;
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return on_clock() ? send_all(fd, message, flags) : syscall(SYS_sendmsg, fd, message, flags);
}

EXPORT ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
	socklen_t to_size)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};
	struct msghdr message = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_name = (void *)(uintptr_t)to,
		.msg_namelen = to_size};

	return sendmsg(fd, &message, flags);
}

EXPORT ssize_t send(int fd, const void *data, size_t size, int flags)
{
	return sendto(fd, data, size, flags, NULL, 0);
}

static bool is_socket(const struct file_state *file)
{
	return file->kind == FILE_NET || (file->kind == FILE_INSIDE && file->peer != CLOCK_NOBODY);
}

EXPORT ssize_t write(int fd, const void *data, size_t size)
{
	const struct file_state *file;

	if (!on_clock())
		return syscall(SYS_write, fd, data, size);
	file = file_look(fd);
	if (is_socket(file))
		return send(fd, data, size, 0);
	if (before(fd, file, POLLOUT))
		return -1;
	return after_write(file, syscall(SYS_write, fd, data, size));
}

EXPORT ssize_t writev(int fd, const struct iovec *part, int count)
{
	struct msghdr message = {
		.msg_iov = (struct iovec *)(uintptr_t)part, .msg_iovlen = (size_t)count};
	const struct file_state *file;

	if (!on_clock())
		return syscall(SYS_writev, fd, part, count);
	file = file_look(fd);
	if (is_socket(file))
		return sendmsg(fd, &message, 0);
	return before(fd, file, POLLOUT) ? -1
					 : after_write(file, syscall(SYS_writev, fd, part, count));
}

/* Slurm compares the time of a state file with its clock: a file that was written is of now. */
static void date_file(int fd)
{
	struct timespec now = {.tv_sec = self_now() / CLOCK_SECOND};
	struct timespec both[2] = {now, now};
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		futimens(fd, both);
}

EXPORT int close(int fd)
{
	struct file_state file;
	int rc;

	if (!self_table || fd < 0)
		return (int)syscall(SYS_close, fd);
	file = *file_look(fd);
	if (file.kind == FILE_PLAIN)
		date_file(fd);
	rc = (int)syscall(SYS_close, fd);
	file_forget(fd);
	if (file_waits(&file))
		file_wrote(&file);
	return rc;
}

/* Nothing of a replay is to outlast the machine. */
EXPORT int fsync(int fd)
{
	return self_table ? 0 : (int)syscall(SYS_fsync, fd);
}

EXPORT int fdatasync(int fd)
{
	return self_table ? 0 : (int)syscall(SYS_fdatasync, fd);
}

EXPORT int shutdown(int fd, int how)
{
	int rc = (int)syscall(SYS_shutdown, fd, how);

	if (self_table)
		file_wrote(file_look(fd));
	return rc;
}

/* ---- numbers of files ---- */

EXPORT int dup3(int fd, int as, int flags)
{
	int rc = (int)syscall(SYS_dup3, fd, as, flags);

	if (self_table && rc >= 0)
		*file_new(rc, FILE_UNKNOWN) = *file_look(fd);
	return rc;
}

EXPORT int dup2(int fd, int as)
{
	return fd == as ? fd : dup3(fd, as, 0);
}

EXPORT int dup(int fd)
{
	int rc = (int)syscall(SYS_dup, fd);

	if (self_table && rc >= 0)
		*file_new(rc, FILE_UNKNOWN) = *file_look(fd);
	return rc;
}

EXPORT int pipe2(int fd[2], int flags)
{
	int rc = (int)syscall(SYS_pipe2, fd, flags);

	for (int i = 0; self_table && !rc && i < 2; i++)
		file_new(fd[i], FILE_INSIDE);
	return rc;
}

EXPORT int pipe(int fd[2])
{
	return pipe2(fd, 0);
}
