/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/startup.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "base/textfile.h"
#include "conf/topoconf.h"

/* Every libslurm exports these, but its header does not declare them. */
extern int slurm_conf_init(const char *path) __attribute__((weak));
extern slurm_conf_t slurm_conf __attribute__((weak));
extern char *slurm_conf_get_hostname(const char *node) __attribute__((weak));

enum { PATIENCE = 20, TEXT = 8192 }; /* seconds; bytes of a child's messages that are kept */

/* --- a child ------------------------------------------------------------------------ */

static void read_all(int from, char *text, size_t size)
{
	size_t n = 0;
	ssize_t got;
	char rest[512];

	while ((got = read(from, n < size - 1 ? text + n : rest,
			n < size - 1 ? size - 1 - n : sizeof(rest))) > 0 ||
		(got < 0 && errno == EINTR))
		n += got > 0 && n < size - 1 ? (size_t)got : 0;
	text[n] = '\0';
}

/*
 * Run work() in a child. Returns its result (0 to 255), with what it prints on standard error in
 * text. -1: no child; -2: a signal ended it; -3: it was too slow.
 */
static int in_child(int (*work)(const void *), const void *data, char text[TEXT])
{
	int end[2], status;
	pid_t pid;

	*text = '\0';
	fflush(NULL); /* otherwise the child would print it again */
	if (pipe2(end, O_CLOEXEC))
		return -1;
	if (!(pid = fork())) {
		dup2(end[1], STDERR_FILENO);
		alarm(PATIENCE);
		_exit(work(data));
	}
	close(end[1]);
	if (pid > 0)
		read_all(end[0], text, TEXT);
	close(end[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) == SIGALRM ? -3 : -2;
}

/* In a child: become the user, as slurmctld does. */
static void become(const char *user)
{
	const struct passwd *entry = user && !geteuid() ? getpwnam(user) : NULL;

	if (entry && entry->pw_uid && !initgroups(user, entry->pw_gid) && !setgid(entry->pw_gid) &&
		setuid(entry->pw_uid))
		_exit(0);
}

/* A file, and who reads it; NULL: the caller. */
struct file {
	const char *path, *user;
};

/* --- Slurm's parser ----------------------------------------------------------------- */

static int parse(const void *data)
{
	const struct file *file = data;

	become(file->user); /* slurmctld reads the file again when it is that user */
	setenv("SLURM_CONF", file->path, 1);
	slurm_conf_init(file->path);
	/* This expands the lines of nodes: the parser does not look at State=, NodeAddr=, ... */
	if (slurm_conf_get_hostname)
		slurm_conf_get_hostname("");
	fprintf(stderr, "\n%s", slurm_conf.plugindir);
	return 0;
}

/* Join Slurm's errors into one line, without their prefixes. */
static void gather_errors(char *text, struct mesh_err *why)
{
	char *save, all[sizeof(why->text)] = "";
	size_t n = 0;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *error = strstr(line, "error: ");

		/* After errors the last word is that the file cannot be processed. */
		if (!error && !n)
			error = strstr(line, "fatal: ");
		if (error && n < sizeof(all))
			n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s", n ? "; " : "",
				error + strlen("error: "));
	}
	err_printf(why, "%s", all);
}

int startup_parse(const char *path, const char *user, char *plugin_dir, size_t size,
	struct mesh_err *why)
{
	char text[TEXT], full[PATH_MAX], *last;
	const struct file file = {full, user};
	struct stat is;
	int code;

	/* Slurm tries for a minute to read a missing file, and reads nothing from a pipe. */
	if (!&slurm_conf || !slurm_conf_init || !realpath(path, full) || stat(full, &is) ||
		!S_ISREG(is.st_mode) || (code = in_child(parse, &file, text)) < 0)
		return -1;
	last = strrchr(text, '\n');
	if (!code && last)
		snprintf(plugin_dir, size, "%s", last + 1);
	else
		gather_errors(text, why);
	return !code && last;
}

/* --- plugins ------------------------------------------------------------------------ */

/* The path of a plugin's file; for select/mesh DIR/select_mesh.so. */
static void file_of(const struct startup_plugin *p, const char *dir, char path[PATH_MAX])
{
	size_t length = strcspn(dir, ":");
	int n = snprintf(path, PATH_MAX, "%.*s/%s.so", (int)length, dir, p->type);

	for (char *c = path + length + 1; c < path + n && c < path + PATH_MAX - 1; c++)
		*c = *c == '/' ? '_' : *c;
}

/* Print the plugin's version on standard error, and return 0; or print why not. */
static int load_file(const struct startup_plugin *p, const char *path)
{
	void *plugin = dlopen(path, RTLD_LAZY);
	const unsigned *version = plugin ? dlsym(plugin, "plugin_version") : NULL;

	if (!plugin)
		fprintf(stderr, "\n%s", dlerror());
	else if (!version)
		fprintf(stderr, "\n%s: not a plugin of Slurm", path);
	else if (p->version && *version != p->version)
		fprintf(stderr, "\n%s: for Slurm %u.%02u.%u, the other plugins are for %u.%02u.%u",
			path, *version >> 16, *version >> 8 & 255, *version & 255,
			p->version >> 16, p->version >> 8 & 255, p->version & 255);
	else
		return fprintf(stderr, "\n%u", *version) < 0;
	return 1;
}

/* Load a library from the folder of a plugin, as load_file(). */
static int load_beside(const struct startup_plugin *p, const char *plugin)
{
	char path[PATH_MAX];

	if (textfile_beside(plugin, p->beside, path, sizeof(path)))
		return 0;
	fprintf(stderr, "\n%s: no whole file", path);
	if (dlopen(path, RTLD_NOW))
		return fprintf(stderr, "\n%u", p->version) < 0;
	fprintf(stderr, "\n%s", dlerror());
	return 1;
}

/*
 * In a child: load the first file that can be loaded, as Slurm does, and what it loads from its
 * folder. 1: none can; 2: there is no file.
 */
static int load(const void *plugin)
{
	const struct startup_plugin *p = plugin;
	char path[PATH_MAX];
	struct stat is;
	int result = 2;

	become(p->user);
	for (const char *dir = p->dirs, *next; dir && result; dir = next) {
		next = strchr(dir, ':');
		next = next ? next + 1 : NULL;
		file_of(p, dir, path);
		if (stat(path, &is) || !S_ISREG(is.st_mode))
			continue;
		/* The message if loading ends this process. */
		fprintf(stderr, "\n%s: no whole file", path);
		result = load_file(p, path);
		if (!result && p->beside)
			return load_beside(p, path);
	}
	return result;
}

int startup_plugin(const struct startup_plugin *p, struct mesh_err *why)
{
	char text[TEXT], *last;
	int code = in_child(load, p, text);

	last = strrchr(text, '\n');
	if (!last || code == -1 || code == -3)
		return code == 2 ? STARTUP_NO_FILE : 0;
	if (!code)
		return (int)strtoul(last + 1, NULL, 10);
	/* slurmctld may have symbols that smesh does not have. */
	return strstr(last, "undefined symbol") ? 0 : err_printf(why, "%s", last + 1);
}

/* --- the map ------------------------------------------------------------------------ */

static int read_map(const void *map)
{
	const struct file *m = map;
	struct mesh_err err;
	struct topoconf *conf;

	become(m->user);
	conf = topoconf_read(m->path, &hostlist_libslurm, &err);
	if (!conf)
		fputs(err.text, stderr);
	return !conf;
}

int startup_map(const char *path, const char *user, struct mesh_err *why)
{
	const struct file map = {path, user};
	char text[TEXT];

	return in_child(read_map, &map, text) == 1 ? err_printf(why, "%s", text) : 0;
}
