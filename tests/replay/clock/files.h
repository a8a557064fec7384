/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is known of open files: whether what they bring comes from the clock or from outside.
 */
#ifndef CLOCK_FILES_H
#define CLOCK_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum file_kind {
	FILE_UNKNOWN, /* not looked at yet, or closed */
	FILE_PLAIN,   /* never waits: on a disk, ... */
	FILE_OUTSIDE, /* the other end is no process on the clock */
	FILE_INSIDE,  /* pipe, epoll, Unix socket between processes on the clock */
	FILE_NET,     /* a TCP socket, which is a Unix socket in truth */
};

struct file_state {
	uint8_t kind;
	int16_t peer;		/* process at the other end; CLOCK_NOBODY: any */
	uint16_t port, to_port; /* of FILE_NET: own, and the other end's; host order */
	uint8_t family;		/* AF_INET, AF_INET6 */
};

/* A new state at fd, or what is known of it; found out if need be. Never NULL. */
struct file_state *file_new(int fd, enum file_kind kind);
struct file_state *file_look(int fd);
void file_forget(int fd);

/* Sockets and pipes that threads on the clock wait for. */
static inline bool file_waits(const struct file_state *file)
{
	return file->kind == FILE_INSIDE || file->kind == FILE_NET;
}

/* What was written, or closed, may be what the other end waits for; what was read, too, if it
 * waits for room. */
void file_wrote(const struct file_state *file);
void file_read(const struct file_state *file);

#endif
