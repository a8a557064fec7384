// SPDX-License-Identifier: GPL-2.0-or-later
// The control socket: one client at a time, lines both ways, never waiting for a client that
// does not read.
#include "standin.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
	struct watch listener, client; // client.fd < 0: nobody is there
	char in[4096];                 // the start of a line
	size_t in_have;
	char *out; // what could not be sent yet
	size_t out_have, out_room;
} control = {.client.fd = -1};

static void client_gone(void)
{
	close(control.client.fd);
	control.client.fd = -1;
	control.in_have = control.out_have = 0;
}

static void client_send(void)
{
	while (control.out_have) {
		ssize_t sent = send(control.client.fd, control.out, control.out_have, MSG_DONTWAIT);

		if (sent < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (sent <= 0) {
			client_gone();
			return;
		}
		control.out_have -= (size_t)sent;
		memmove(control.out, control.out + sent, control.out_have);
	}
	watch_change(&control.client, control.out_have ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void control_tell(const char *format, ...)
{
	va_list args;
	char *line;
	int size;

	if (control.client.fd < 0)
		return;
	va_start(args, format);
	size = vasprintf(&line, format, args);
	va_end(args);
	if (size < 0)
		return;
	if (control.out_have + (size_t)size > control.out_room) {
		size_t room = 2 * (control.out_have + (size_t)size);
		char *more = realloc(control.out, room);

		if (!more) {
			free(line);
			return;
		}
		control.out = more;
		control.out_room = room;
	}
	memcpy(control.out + control.out_have, line, (size_t)size);
	control.out_have += (size_t)size;
	free(line);
	client_send();
}

static void client_line(const char *line)
{
	unsigned id;

	if (!strcmp(line, "nudge"))
		nudge();
	else if (sscanf(line, "end %u", &id) == 1 && !job_end(id))
		fprintf(stderr, "standin: end %u: no such job is running\n", id);
}

static void client_event(struct watch *watch, uint32_t events)
{
	ssize_t got;
	char *end;

	if (events & EPOLLOUT)
		client_send();
	if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || control.client.fd < 0)
		return;
	got = recv(watch->fd, control.in + control.in_have,
		   sizeof(control.in) - 1 - control.in_have, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) { // gone, or a line without an end
		client_gone();
		return;
	}
	control.in_have += (size_t)got;
	control.in[control.in_have] = '\0';
	while ((end = strchr(control.in, '\n'))) {
		*end++ = '\0';
		client_line(control.in);
		if (control.client.fd < 0)
			return;
		control.in_have -= (size_t)(end - control.in);
		memmove(control.in, end, control.in_have + 1);
	}
}

static void listener_event(struct watch *watch, uint32_t events)
{
	int fd = accept4(watch->fd, NULL, NULL, SOCK_CLOEXEC);

	(void)events;
	if (fd < 0)
		return;
	if (control.client.fd >= 0)
		client_gone();
	control.client = (struct watch){.fn = client_event, .fd = fd};
	if (!watch_add(&control.client, EPOLLIN))
		client_gone();
}

bool control_open(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(at.sun_path)) {
		errno = ENAMETOOLONG;
		goto fail;
	}
	strcpy(at.sun_path, path);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(fd, 1) < 0)
		goto fail;
	control.listener = (struct watch){.fn = listener_event, .fd = fd};
	if (watch_add(&control.listener, EPOLLIN))
		return true;
fail:
	fprintf(stderr, "standin: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return false;
}
