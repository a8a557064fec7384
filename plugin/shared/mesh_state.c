/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_state.h"

#include <sys/stat.h>
#include <unistd.h>

#include "compat/slurm_compat.h"

char *mesh_state_path(const char *name)
{
	return xstrdup_printf("%s/%s", slurm_conf.state_save_location, name);
}

static int write_file(const char *path, const char *text, size_t size, bool sync)
{
	FILE *file = fopen(path, "we");
	bool failed;

	if (!file)
		return -1;
	failed = fchmod(fileno(file), 0640) || fwrite(text, 1, size, file) != size ||
		fflush(file) || (sync && fsync(fileno(file)));
	return fclose(file) || failed ? -1 : 0;
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
