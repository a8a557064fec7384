/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/slurm_compat.h"

char *mesh_state_path(const char *name)
{
	return xstrdup_printf("%s/%s", slurm_conf.state_save_location, name);
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			return -1;
		text += MAX(n, 0);
		size -= (size_t)MAX(n, 0);
	}
	return 0;
}

static int write_file(const char *path, const char *text, size_t size, bool sync)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	bool failed;

	if (fd < 0)
		return -1;
	failed = fchmod(fd, 0640) || write_all(fd, text, size) || (sync && fsync(fd));
	return close(fd) || failed ? -1 : 0;
}

int mesh_state_write(const char *name, const char *text, size_t size, bool sync)
{
	char *path = mesh_state_path(name);
	char *fresh = xstrdup_printf("%s.new", path);
	int rc = write_file(fresh, text, size, sync) || rename(fresh, path) ? -1 : 0;

	xfree(fresh);
	xfree(path);
	return rc;
}
