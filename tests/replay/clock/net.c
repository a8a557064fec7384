/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TCP on this machine as Unix sockets. A segment of a TCP connection is on its way for a moment,
 * even here, in which everybody seems to wait; what is written to a Unix socket is there when
 * write() returns. Port P is the abstract name "mesh-clock/<inode of the table>/P": ports of
 * other clocks, and real ones, do not matter.
 */
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "files.h"

enum { FULL_NS = 1000000, TRIES = 10000 }; /* where a listener's queue is full */

static uint16_t port_of(const struct sockaddr *at)
{
	if (at->sa_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)(const void *)at)->sin6_port);
	return ntohs(((const struct sockaddr_in *)(const void *)at)->sin_port);
}

static socklen_t unix_name(struct sockaddr_un *at, uint16_t port)
{
	static unsigned long table;
	struct stat file;
	int size;

	if (!table && !stat(getenv(CLOCK_ENV) ? getenv(CLOCK_ENV) : "", &file))
		table = file.st_ino;
	memset(at, 0, sizeof(*at));
	at->sun_family = AF_UNIX;
	size = snprintf(
		at->sun_path + 1, sizeof(at->sun_path) - 1, "mesh-clock/%lu/%u", table, port);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

/* 127.0.0.1 or ::1 with this port, as a program expects it. */
static void tell_address(
	const struct file_state *file, uint16_t port, struct sockaddr *out, socklen_t *room)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	bool is_six = file->family == AF_INET6;
	socklen_t size = is_six ? sizeof(six) : sizeof(four);

	if (!out || !room)
		return;
	memcpy(out, is_six ? (void *)&six : (void *)&four, size < *room ? size : *room);
	*room = size;
}

static struct file_state *net_file(int fd)
{
	struct file_state *file = self_table ? file_look(fd) : NULL;

	return file && file->kind == FILE_NET ? file : NULL;
}

EXPORT int socket(int family, int type, int protocol)
{
	bool net = self_table && (family == AF_INET || family == AF_INET6) &&
		(type & 0xff) == SOCK_STREAM;
	int fd = (int)(net ? syscall(SYS_socket, AF_UNIX, type, 0)
			   : syscall(SYS_socket, family, type, protocol));

	if (!self_table || fd < 0)
		return fd;
	if (net)
		file_new(fd, FILE_NET)->family = (uint8_t)family;
	else
		file_forget(fd); /* its end is not known yet */
	return fd;
}

EXPORT int bind(int fd, const struct sockaddr *at, socklen_t size)
{
	struct file_state *file = net_file(fd);
	struct sockaddr_un name;
	int rc;

	if (!file)
		return (int)syscall(SYS_bind, fd, at, size);
	file->port = port_of(at);
	for (bool any = !file->port;;) {
		if (any)
			file->port = (uint16_t)atomic_fetch_add(&self_table->ports, 1);
		size = unix_name(&name, file->port);
		rc = (int)syscall(SYS_bind, fd, &name, size);
		if (!any || !rc || errno != EADDRINUSE)
			return rc;
	}
}

/* A full queue makes a Unix socket wait in the kernel, with the turn kept, or refuse. On TCP the
 * caller would come again a moment later: so here. */
static int connect_when_room(int fd, const struct sockaddr_un *name, socklen_t size)
{
	struct clock_wait moment = {.why = CLOCK_SLEEP};
	int flags = fcntl(fd, F_GETFL), rc = -1;

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	for (int i = 0; i < TRIES; i++) {
		rc = (int)syscall(SYS_connect, fd, name, size);
		if (!rc || errno != EAGAIN || !on_clock())
			break;
		moment.deadline = self_after(FULL_NS);
		self_wait(&moment);
	}
	int error = errno;

	fcntl(fd, F_SETFL, flags);
	errno = error;
	return rc;
}

EXPORT int connect(int fd, const struct sockaddr *to, socklen_t size)
{
	struct file_state *file = net_file(fd);
	struct sockaddr_un name;
	struct ucred peer;
	socklen_t peer_size = sizeof(peer);

	if (!file) {
		int rc = (int)syscall(SYS_connect, fd, to, size);

		if (self_table)
			file_forget(fd); /* now its end is known */
		return rc;
	}
	file->to_port = port_of(to);
	size = unix_name(&name, file->to_port);
	if (connect_when_room(fd, &name, size))
		return -1;
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size))
		file->peer = (int16_t)table_find_process(self_table, peer.pid);
	file_wrote(file);
	return 0;
}

EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict size, int flags)
{
	struct file_state *listener = net_file(fd), *file;
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	struct ucred peer;
	socklen_t peer_size = sizeof(peer);
	int got;

	if (on_clock() && file_waits(file_look(fd)) && !(fcntl(fd, F_GETFL) & O_NONBLOCK) &&
		poll(&wait, 1, -1) < 0)
		return -1;
	if (!listener) {
		got = (int)syscall(SYS_accept4, fd, from, size, flags);
		if (self_table && got >= 0)
			file_forget(got);
		return got;
	}
	got = (int)syscall(SYS_accept4, fd, NULL, NULL, flags);
	if (got < 0)
		return got;
	file = file_new(got, FILE_NET);
	file->family = listener->family;
	file->port = listener->port;
	if (!getsockopt(got, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size))
		file->peer = (int16_t)table_find_process(self_table, peer.pid);
	tell_address(file, 1, from, size);
	return got;
}

EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict size)
{
	return accept4(fd, from, size, 0);
}

EXPORT int getsockname(int fd, struct sockaddr *restrict at, socklen_t *restrict size)
{
	struct file_state *file = net_file(fd);

	if (!file)
		return (int)syscall(SYS_getsockname, fd, at, size);
	tell_address(file, file->port, at, size);
	return 0;
}

EXPORT int getpeername(int fd, struct sockaddr *restrict at, socklen_t *restrict size)
{
	struct file_state *file = net_file(fd);
	struct sockaddr_un name;
	socklen_t name_size = sizeof(name);

	if (!file)
		return (int)syscall(SYS_getpeername, fd, at, size);
	if (syscall(SYS_getpeername, fd, &name, &name_size))
		return -1;
	tell_address(file, file->to_port ? file->to_port : 1, at, size);
	return 0;
}

/* Options of TCP and IP have no meaning here. */
EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
	if (net_file(fd) && level != SOL_SOCKET)
		return 0;
	return (int)syscall(SYS_setsockopt, fd, level, option, value, size);
}
