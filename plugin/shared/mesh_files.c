/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_files.h"

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

/* --- whose map ------------------------------------------------------------------------- */

/* This slurmctld's line for the file; free() it. NULL: out of memory. */
static char *map_line(const struct topoconf *topo)
{
	char *line;

	return asprintf(&line, "%d %s %016" PRIx64 "\n", backup_inx,
		       slurm_conf.control_machine[backup_inx], topoconf_hash(topo)) < 0
		? NULL : line;
}

/*
 * Does the file say something else than this slurmctld's line? Logs an error if another slurmctld
 * had control last, with another map.
 */
static bool is_other_map(const char *path, const char *line)
{
	char host[256];
	FILE *file = fopen(path, "re");
	uint64_t hash = 0, last;
	int mine = 0, index;
	bool known = file && fscanf(file, "%d %255s %" SCNx64, &index, host, &last) == 3;

	if (file)
		fclose(file);
	sscanf(line, "%d %*s %" SCNx64, &mine, &hash);
	if (known && index != mine && last != hash)
		error("%s: the map here is not that of %s, which had control last: copy the right "
		      "topology.conf to every controller",
			plugin_type, host);
	return !known || index != mine || last != hash;
}

/* --- the writer ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	bool (*is_new)(const char *path, const char *text); /* NULL: every text is */
} table[MESH_FILES_END] = {
	[MESH_FILES_MAP] = {"mesh_map", is_other_map},
	[MESH_FILES_COUNTERS] = {"mesh_budgets.prom", NULL},
};

struct waiting {
	char *path; /* made by the caller: scontrol reconfigure frees the directory's name */
	char *text; /* NULL: nothing waits */
};

static struct {
	pthread_mutex_t lock;
	pthread_t thread;
	bool begun, busy; /* begun: there is a thread to be joined */
	struct waiting waiting[MESH_FILES_END];
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The path of our file; xfree() it. */
static char *path_of(enum mesh_files which)
{
	return xstrdup_printf("%s/%s", slurm_conf.state_save_location, table[which].name);
}

static int write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool failed;

	if (!file)
		return -1;
	failed = fchmod(fileno(file), 0640) || fputs(text, file) < 0 || fflush(file) ||
		fsync(fileno(file));
	return fclose(file) || failed ? -1 : 0;
}

static int write_whole(const char *path, const char *text)
{
	char *fresh = xstrdup_printf("%s.new", path);
	int rc = write_file(fresh, text) || rename(fresh, path) ? -1 : 0;

	xfree(fresh);
	return rc;
}

/* The next file that waits goes to *next. MESH_FILES_END: none waits, and the thread ends. */
static enum mesh_files next_waiting(struct waiting *next)
{
	enum mesh_files which = 0;

	pthread_mutex_lock(&writer.lock);
	while (which < MESH_FILES_END && !writer.waiting[which].text)
		which++;
	writer.busy = which < MESH_FILES_END;
	if (writer.busy) {
		*next = writer.waiting[which];
		writer.waiting[which] = (struct waiting){0};
	}
	pthread_mutex_unlock(&writer.lock);
	return which;
}

static void *write_waiting(void *arg)
{
	static bool told;
	struct waiting file;
	enum mesh_files which;

	while ((which = next_waiting(&file)) < MESH_FILES_END) {
		if (!table[which].is_new || table[which].is_new(file.path, file.text)) {
			bool failed = write_whole(file.path, file.text);

			/* Of several failures in a row one line is logged: a full disk is
			 * everybody's to see. */
			if (failed && !told)
				error("%s: %s cannot be written to StateSaveLocation: %m",
					plugin_type, table[which].name);
			told = failed;
		}
		xfree(file.path);
		free(file.text);
	}
	return arg;
}

void mesh_files_write(enum mesh_files which, char *text)
{
	struct waiting *file = &writer.waiting[which];

	pthread_mutex_lock(&writer.lock);
	xfree(file->path);
	free(file->text);
	*file = (struct waiting){path_of(which), text};
	if (!writer.busy) {
		if (writer.begun)
			pthread_join(writer.thread, NULL);
		writer.busy = writer.begun =
			!pthread_create(&writer.thread, NULL, write_waiting, NULL);
	}
	pthread_mutex_unlock(&writer.lock);
}

/* A thread that a file system holds up would run on in code that is gone once the plugin is
 * unloaded. */
static void stay_loaded(void)
{
	Dl_info here;

	if (dladdr((const void *)&writer, &here))
		dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void mesh_files_fini(void)
{
	struct timespec until = {.tv_sec = time(NULL) + 2};

	if (writer.begun && !pthread_timedjoin_np(writer.thread, NULL, &until))
		writer.begun = false;
	if (writer.begun)
		stay_loaded();
}

void mesh_files_compare_map(const struct topoconf *topo)
{
	char *line = map_line(topo), *path = path_of(MESH_FILES_MAP);

	if (line)
		is_other_map(path, line);
	xfree(path);
	free(line);
}

void mesh_files_take_map(const struct topoconf *topo)
{
	char *line = compat_only_tests() ? NULL : map_line(topo);

	if (line)
		mesh_files_write(MESH_FILES_MAP, line);
}
