/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "files.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "self.h"

enum { FILES = 65536 };

static struct file_state files[FILES];

struct file_state *file_new(int fd, enum file_kind kind)
{
	static struct file_state beyond; /* more open files than anybody has */
	struct file_state *file = fd >= 0 && fd < FILES ? &files[fd] : &beyond;

	*file = (struct file_state){.kind = (uint8_t)kind, .peer = CLOCK_NOBODY};
	return file;
}

void file_forget(int fd)
{
	file_new(fd, FILE_UNKNOWN);
}

/* The process that listens, or listened, at the other end of a Unix socket. */
static int peer_of(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.pid <= 0)
		return CLOCK_NOBODY;
	return table_find_process(self_table, peer.pid);
}

static bool is_connected(int fd)
{
	struct sockaddr_storage to;
	socklen_t size = sizeof(to);

	return syscall(SYS_getpeername, fd, &to, &size) == 0;
}

static void look_at_socket(int fd, struct file_state *file)
{
	int family = 0;
	socklen_t size = sizeof(family);

	file->kind = FILE_INSIDE;
	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) || family != AF_UNIX) {
		file->kind = FILE_OUTSIDE;
	} else if (is_connected(fd)) {
		file->peer = (int16_t)peer_of(fd);
		if (file->peer == CLOCK_NOBODY)
			file->kind = FILE_OUTSIDE;
	}
}

struct file_state *file_look(int fd)
{
	struct file_state *file = fd >= 0 && fd < FILES ? &files[fd] : file_new(fd, FILE_UNKNOWN);
	struct stat status;

	if (file->kind != FILE_UNKNOWN || fstat(fd, &status))
		return file;
	file->peer = CLOCK_NOBODY;
	if (S_ISSOCK(status.st_mode))
		look_at_socket(fd, file);
	else if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode) ||
		S_ISBLK(status.st_mode))
		file->kind = FILE_PLAIN;
	else /* pipes, epoll, signalfd, timerfd, eventfd */
		file->kind = FILE_INSIDE;
	return file;
}

void file_wrote(const struct file_state *file)
{
	table_touch(self_table, file->peer);
}

void file_read(const struct file_state *file)
{
	if (file->peer == CLOCK_NOBODY || self_table->process[file->peer].writing > 0)
		table_touch(self_table, file->peer);
}
