/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld: writes the bytes that its heap holds (those handed out and not yet
 * freed, of all arenas) as text into the file $HEAP_IN_USE.PID ten times a second. Resident
 * memory also has what glibc keeps for later, which differs by a megabyte or two from one run to
 * the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 21 };

static void *report(void *page)
{
	const struct timespec pause = {.tv_nsec = 100000000};

	for (;;) {
		struct mallinfo2 info = mallinfo2();
		char line[WIDTH + 1];

		snprintf(line, sizeof(line), "%20zu\n", info.uordblks + info.hblkhd);
		memcpy(page, line, WIDTH);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

/* A page and no descriptor: slurmctld closes those that it did not open. */
static void *map_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *page = MAP_FAILED;

	if (fd < 0)
		return MAP_FAILED;
	if (ftruncate(fd, WIDTH) == 0)
		page = mmap(NULL, WIDTH, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return page;
}

__attribute__((constructor)) static void start(void)
{
	const char *prefix = getenv("HEAP_IN_USE");
	sigset_t all, before;
	pthread_t thread;
	char path[4096];
	void *page;

	/* Everything that a slurmctld starts has this loaded too. */
	if (!prefix || strncmp(program_invocation_short_name, "slurmctld", 9))
		return;
	snprintf(path, sizeof(path), "%s.%d", prefix, (int)getpid());
	page = map_file(path);
	if (page == MAP_FAILED)
		return;
	/* slurmctld's signals are for slurmctld's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, report, page) == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
