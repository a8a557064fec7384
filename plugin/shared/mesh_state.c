/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_state.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compat/slurm_compat.h"
#include "shared/job_test.h"

/* The path of our file; xfree() it. */
static char *path_of(const char *name)
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

static int write_whole(const char *path, const char *text, size_t size, bool sync)
{
	char *fresh = xstrdup_printf("%s.new", path);
	int rc = write_file(fresh, text, size, sync) || rename(fresh, path) ? -1 : 0;

	xfree(fresh);
	return rc;
}

int mesh_state_write(const char *name, const char *text, size_t size, bool sync)
{
	char *path = path_of(name);
	int rc = write_whole(path, text, size, sync);

	xfree(path);
	return rc;
}

/* --- without waiting ------------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	pthread_t thread;
	bool begun, busy; /* begun: there is a thread to be joined */
	char *path; /* made by the caller: scontrol reconfigure frees the directory's name */
	char *text;
	size_t size;
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *write_later(void *arg)
{
	static bool told;
	bool failed = write_whole(writer.path, writer.text, writer.size, false);

	/* Of several failures in a row one line is logged: a full disk is everybody's to see. */
	if (failed && !told)
		error("%s: %s cannot be written to StateSaveLocation: %m", plugin_type,
			strrchr(writer.path, '/') + 1);
	told = failed;
	xfree(writer.path);
	free(writer.text);
	pthread_mutex_lock(&writer.lock);
	writer.busy = false;
	pthread_mutex_unlock(&writer.lock);
	return arg;
}

bool mesh_state_write_later(const char *name, char *text, size_t size)
{
	bool taken;

	pthread_mutex_lock(&writer.lock);
	taken = !writer.busy;
	if (taken && writer.begun)
		pthread_join(writer.thread, NULL);
	if (taken) {
		writer.path = path_of(name);
		writer.text = text;
		writer.size = size;
		taken = writer.busy = writer.begun =
			!pthread_create(&writer.thread, NULL, write_later, NULL);
		if (!taken)
			xfree(writer.path);
	}
	pthread_mutex_unlock(&writer.lock);
	if (!taken)
		free(text);
	return taken;
}

bool mesh_state_is_busy(void)
{
	bool busy;

	pthread_mutex_lock(&writer.lock);
	busy = writer.busy;
	pthread_mutex_unlock(&writer.lock);
	return busy;
}

/* A thread that a file system holds up would run on in code that is gone once the plugin is
 * unloaded. */
static void stay_loaded(void)
{
	Dl_info here;

	if (dladdr((const void *)&writer, &here))
		dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void mesh_state_fini(void)
{
	struct timespec until = {.tv_sec = time(NULL) + 2};

	if (writer.begun && !pthread_timedjoin_np(writer.thread, NULL, &until))
		writer.begun = false;
	if (writer.begun)
		stay_loaded();
}

/* --- whose map ------------------------------------------------------------------------- */

static const char map_name[] = "mesh_map";

/*
 * Does the file say that this slurmctld had control last, with this map? Logs an error if another
 * slurmctld had it, with another map.
 */
static bool is_written(uint64_t hash)
{
	char *path = path_of(map_name), host[256];
	FILE *file = fopen(path, "re");
	uint64_t last;
	int index;
	bool known = file && fscanf(file, "%d %255s %" SCNx64, &index, host, &last) == 3;

	if (file)
		fclose(file);
	xfree(path);
	if (known && index != backup_inx && last != hash)
		error("%s: the map here is not that of %s, which had control last: copy the right "
		      "topology.conf to every controller",
			plugin_type, host);
	return known && index == backup_inx && last == hash;
}

void mesh_state_compare_map(const struct topoconf *topo)
{
	is_written(topoconf_hash(topo));
}

void mesh_state_take_map(const struct topoconf *topo)
{
	uint64_t hash = topoconf_hash(topo);
	char *text;

	if (compat_only_tests() || is_written(hash))
		return;
	text = xstrdup_printf(
		"%d %s %016" PRIx64 "\n", backup_inx, slurm_conf.control_machine[backup_inx], hash);
	if (mesh_state_write(map_name, text, strlen(text), true))
		error("%s: %s cannot be written to StateSaveLocation: %m", plugin_type, map_name);
	xfree(text);
}
