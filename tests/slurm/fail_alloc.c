/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld: while the file $FAIL_ALLOC begins with '1', the core inside
 * select/mesh and what that has loaded get no memory; everybody else does. So the plugin under test
 * is the one that is shipped. (Slurm's own allocator ends the process when memory is out.)
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own, by the names that it exports for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static const volatile char *armed;

__attribute__((constructor)) static void map_file(void)
{
	const char *path = getenv("FAIL_ALLOC");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *page = fd < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (page != MAP_FAILED)
		armed = page;
}

static bool refuse(void *caller)
{
	Dl_info info;

	return armed && *armed == '1' && dladdr(caller, &info) && info.dli_fname &&
		(strstr(info.dli_fname, "/select_mesh.so") ||
			strstr(info.dli_fname, "/mesh_strategies_papers.so"));
}

void *malloc(size_t size)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
