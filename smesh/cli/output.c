/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fail.h"

/*
 * The files to remove when the program ends early. A slot is set when its file exists, and cleared
 * when the file has its name or is gone. If there are more files than slots, the others are not
 * removed.
 */
enum { SLOTS = 8 };
static char *volatile unfinished[SLOTS];
static volatile sig_atomic_t progress_shown;
static const char *volatile stopped_text;

static void remove_unfinished(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
}

static void stop(int signal_number)
{
	ssize_t ignored = progress_shown ? write(STDERR_FILENO, "\n", 1) : 0;

	if (stopped_text)
		ignored = write(STDERR_FILENO, stopped_text, strlen(stopped_text));
	(void)ignored;
	remove_unfinished();
	/* The shell must see the signal; the handler was set for one time only. */
	raise(signal_number);
}

void output_catch_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND | SA_NODEFER},
			 old;

	atexit(remove_unfinished);
	sigemptyset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
}

void output_progress_line(bool on, const char *stopped)
{
	progress_shown = on;
	stopped_text = stopped;
}

bool output_is_standard(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Open the new file with the rights of the one that it replaces, or those of any new file. */
static FILE *open_beside(const struct output *o, const struct stat *old)
{
	int fd = open(o->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *file;

	if (fd < 0)
		return NULL;
	if (old && fchmod(fd, old->st_mode & 0777))
		errno = 0; /* the file system has no rights */
	if (!(file = fdopen(fd, "w")))
		close(fd);
	return file;
}

static void forget(struct output *o)
{
	free(o->target);
	free(o->beside);
	memset(o, 0, sizeof(*o));
}

static int cannot(struct output *o, const char *path)
{
	int code = smesh_fail(SMESH_USAGE, "%s: %s", *path ? path : "a file without a name",
		errno ? strerror(errno) : "cannot be written");

	forget(o);
	return code;
}

int output_open(struct output *o, const char *path)
{
	struct stat old;
	bool there;
	char *slash;

	*o = (struct output){.path = path, .slot = -1};
	if (output_is_standard(path)) {
		o->file = stdout;
		return SMESH_OK;
	}
	errno = 0;
	there = !stat(path, &old);
	if (there && !S_ISREG(old.st_mode)) {
		o->file = fopen(path, "we");
		return o->file ? SMESH_OK : cannot(o, path);
	}
	/* A file that may not be written is not replaced either; a link keeps its target. */
	if (there && access(path, W_OK))
		return cannot(o, path);
	o->target = there ? realpath(path, NULL) : strdup(path);
	if (!o->target || !(o->beside = malloc(strlen(o->target) + 32)))
		return cannot(o, path);
	slash = strrchr(o->target, '/');
	sprintf(o->beside, "%.*s.%s.%ld", slash ? (int)(slash + 1 - o->target) : 0, o->target,
		slash ? slash + 1 : o->target, (long)getpid());
	if (!(o->file = open_beside(o, there ? &old : NULL)))
		return cannot(o, path);
	for (o->slot = SLOTS - 1; o->slot >= 0 && unfinished[o->slot];)
		o->slot--;
	if (o->slot >= 0)
		unfinished[o->slot] = o->beside;
	return SMESH_OK;
}

/* Give an open file its name, or remove it. -1: it cannot be written. */
static int end(struct output *o, bool keep)
{
	int bad = ferror(o->file);

	bad |= o->file == stdout ? fflush(stdout) : fclose(o->file);
	if (o->beside && (bad || !keep || rename(o->beside, o->target))) {
		bad = -1;
		unlink(o->beside);
	}
	if (o->slot >= 0)
		unfinished[o->slot] = NULL;
	forget(o);
	return bad ? -1 : 0;
}

int output_close(struct output *o)
{
	const char *path = o->path;

	errno = 0;
	if (!o->file || !end(o, true))
		return SMESH_OK;
	return smesh_fail(SMESH_FAILED, "%s: cannot be written%s%s", path, errno ? ": " : "",
		errno ? strerror(errno) : "");
}

void output_drop(struct output *o)
{
	if (o->file)
		end(o, false);
}

int output_json(FILE *file, json_t *json, size_t flags)
{
	if (!json)
		return smesh_fail(SMESH_FAILED, "no JSON: a name is not UTF-8");
	json_dumpf(json, file, flags);
	fputc('\n', file);
	json_decref(json);
	return SMESH_OK;
}
