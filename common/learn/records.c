/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/records.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "learn/progname.h"

enum { MOST_FILES = 1 << 16 }; /* the most files of a directory that are looked at */

static const char suffix[] = ".traffic";

/* --- names ------------------------------------------------------------------------------ */

/* The directory must be the caller's, and only the caller may write there. */
static int check_owner(const char *directory, struct mesh_err *err)
{
	struct stat status;

	if (lstat(directory, &status))
		return err_printf(err, "%.512s: %s", directory, strerror(errno));
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || status.st_mode & 022)
		return err_printf(
			err, "%.512s: others may write there, or it is not yours", directory);
	return 0;
}

int records_directory(const char *data, const char *home, const char *site,
	char directory[RECORDS_PATH], struct mesh_err *err)
{
	int length;

	if (site)
		length = snprintf(directory, RECORDS_PATH, "%s/%u", site, (unsigned)geteuid());
	else if (data && *data == '/')
		length = snprintf(directory, RECORDS_PATH, "%s/slurm-mesh/traffic", data);
	else if (home && *home == '/')
		length = snprintf(
			directory, RECORDS_PATH, "%s/.local/share/slurm-mesh/traffic", home);
	else
		return err_printf(err, "no HOME for a directory of traffic");
	if (length >= RECORDS_PATH - 4 * RECORDS_NAME)
		return err_printf(err, "%.64s...: the name is too long", directory);
	for (char *slash = directory + (site ? strlen(site) : 0); slash; ) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(directory, 0700) && errno != EEXIST)
			return err_printf(err, "%.512s: %s", directory, strerror(errno));
		if (slash)
			*slash = '/';
	}
	return check_owner(directory, err);
}

bool records_scale(struct record *record, int ranks)
{
	if (patternfind_scale(record->pattern, record->ranks, ranks))
		return false;
	record->ranks = ranks;
	record->matrix = false;
	return true;
}

/* --- records ---------------------------------------------------------------------------- */

/* Write a line for each pair; with steps, for each pair that sends in one. */
static void put_matrix(FILE *file, const struct traffic *all)
{
	for (int k = 0; k == 0 || k < all->steps; k++) {
		const struct traffic *t = all->steps ? &all->step[k] : all;

		for (int a = 0; a < t->n; a++)
			for (size_t e = t->start[a]; e < t->start[a + 1]; e++)
				if (all->steps && t->weight[e] > 0)
					fprintf(file, "%d %d %.0f %d\n", a, t->to[e], t->weight[e],
						k);
				else if (!all->steps && t->to[e] > a)
					fprintf(file, "%d %d %.0f\n", a, t->to[e], t->weight[e]);
	}
}

static int put_record(FILE *file, const struct record *record, const struct traffic *traffic)
{
	fprintf(file, "# traffic 1\n# name %s\n# ranks %d\n# seconds %.3f\n", record->name,
		record->ranks, record->seconds);
	fprintf(file, "# bytes %.0f\n# messages %.0f\n# share %.4f\n# runs %d\n", record->bytes,
		record->messages, record->share, record->runs);
	fprintf(file, "# matrix %d\n# pattern %s\n", record->matrix, record->pattern);
	if (*record->program)
		fprintf(file, "# program %s\n", record->program);
	if (record->matrix)
		put_matrix(file, traffic);
	int bad = ferror(file);

	return fclose(file) || bad ? -1 : 0;
}

/* The file is written whole or not at all: if the process is killed here, the old record stays. */
int records_write(const char *directory, const struct record *record, const struct traffic *traffic,
	struct mesh_err *err)
{
	char part[RECORDS_PATH], path[RECORDS_PATH];
	FILE *file;
	int fd;

	snprintf(part, sizeof(part), "%.900s/part.XXXXXX", directory);
	snprintf(path, sizeof(path), "%.900s/%s@%d%s", directory, record->name, record->ranks,
		suffix);
	fd = mkstemp(part); /* 0600 */
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file && fd >= 0)
		close(fd);
	if (file && !put_record(file, record, traffic) && !rename(part, path))
		return 0;
	err_printf(err, "%.512s: %s", path, strerror(errno));
	if (fd >= 0)
		unlink(part);
	return -1;
}

/*
 * Read the first bytes of a regular file, with a NUL behind. Does not wait for the writer of a
 * FIFO.
 */
static bool read_start(const char *path, char text[RECORDS_HEAD + 1], struct stat *status)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got = -1;

	if (file < 0)
		return false;
	if (!fstat(file, status) && S_ISREG(status->st_mode))
		got = read(file, text, RECORDS_HEAD);
	close(file);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* Take a line of a head. True: it is a line that every head has. */
static bool take_head(struct record *record, const char *line)
{
	int matrix;

	if (sscanf(line, "# matrix %d", &matrix) == 1) {
		record->matrix = matrix == 1;
		return true;
	}
	sscanf(line, "# share %lf", &record->share);
	sscanf(line, "# runs %d", &record->runs);
	sscanf(line, "# program %63[-_.A-Za-z0-9]", record->program);
	return sscanf(line, "# ranks %d", &record->ranks) == 1 ||
	       sscanf(line, "# seconds %lf", &record->seconds) == 1 ||
	       sscanf(line, "# bytes %lf", &record->bytes) == 1 ||
	       sscanf(line, "# messages %lf", &record->messages) == 1 ||
	       sscanf(line, "# pattern %47s", record->pattern) == 1;
}

/* Read the head of the record at record->path. */
static bool read_head(struct record *record)
{
	char text[RECORDS_HEAD + 1], *next = text;
	struct stat status;
	int known = 0;

	if (!read_start(record->path, text, &status))
		return false;
	record->share = -1;
	record->runs = 1;
	for (char *line; *next == '#' && (line = strsep(&next, "\n")) && next; )
		known += take_head(record, line);
	record->written = status.st_mtime;
	record->matrix &= status.st_size <= RECORDS_BYTES;
	return known == 6 && record->ranks > 0 && record->ranks <= RECORDS_RANKS &&
	       record->seconds >= 0 && record->bytes >= 0 && record->messages >= 0 &&
	       record->share <= 1 && record->runs > 0 && record->runs <= RECORDS_RUNS;
}

/* Is it the name of a record's file, NAME@RANKS.traffic? Then *record gets name and path. */
static bool is_record(const char *directory, const char *file, struct record *record)
{
	const char *at = strrchr(file, '@');
	char *end;
	int length;

	if (!at || at == file || at - file >= RECORDS_NAME || !isdigit((unsigned char)at[1]))
		return false;
	strtol(at + 1, &end, 10);
	if (strcmp(end, suffix) != 0)
		return false;
	*record = (struct record){0};
	memcpy(record->name, file, (size_t)(at - file));
	length = snprintf(record->path, sizeof(record->path), "%s/%s", directory, file);
	return length < (int)sizeof(record->path);
}

static int by_name(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

int records_list(const char *directory, struct arena *arena, struct record **list,
	struct mesh_err *err)
{
	DIR *open = opendir(directory);
	int n = 0, files = 0;

	*list = NULL;
	if (!open)
		return err_printf(err, "%.512s: %s", directory, strerror(errno));
	for (struct dirent *entry; files < MOST_FILES && (entry = readdir(open)); files++) {
		struct record record, *more;

		if (!is_record(directory, entry->d_name, &record) || !read_head(&record))
			continue;
		if (!(more = arena_grow(arena, list, n, sizeof(*more))))
			break;
		*more = record;
		n++;
	}
	closedir(open);
	if (n)
		qsort(*list, (size_t)n, sizeof(**list), by_name);
	return n;
}

/* Find the newest record of a name without reading the heads of all. */
static bool find_newest(const char *directory, const char *name, struct record *record)
{
	DIR *open = opendir(directory);
	bool found = false;
	int files = 0;

	for (struct dirent *entry; open && files < MOST_FILES && (entry = readdir(open)); files++) {
		struct record other;
		struct stat status;

		if (!is_record(directory, entry->d_name, &other) || strcmp(other.name, name) != 0 ||
			fstatat(dirfd(open), entry->d_name, &status, 0) ||
			(found && status.st_mtime <= record->written) || !read_head(&other))
			continue;
		*record = other;
		found = true;
	}
	if (open)
		closedir(open);
	return found;
}

bool records_find(const char *directory, const char *name, int ranks, struct record *record)
{
	char clean[RECORDS_NAME], file[RECORDS_NAME + 32];

	progname_clean(name, clean);
	if (!ranks)
		return find_newest(directory, clean, record);
	snprintf(file, sizeof(file), "%s@%d%s", clean, ranks, suffix);
	return is_record(directory, file, record) && read_head(record) && record->ranks == ranks;
}

void records_choose(const char *directory, const char *job, const struct progname *program,
	int ranks, char name[RECORDS_NAME])
{
	const char *file = program->file;
	char both[2 * RECORDS_NAME];
	struct record record;

	progname_clean(job, name);
	if (!*file || !strcmp(name, file))
		return;
	if (!progname_says(name)) {
		progname_clean(program->detailed, name);
	} else if (records_find(directory, name, ranks, &record)) {
		if (!*record.program || !strcmp(record.program, file))
			return;
		snprintf(both, sizeof(both), "%.40s.%.22s", name, file);
		progname_clean(both, name);
	} else if (records_find(directory, file, ranks, &record) &&
		   !strcmp(record.program, file)) {
		progname_clean(file, name);
	}
}

/* --- of more than there should be the oldest ------------------------------------------------- */

struct aged {
	char *file;
	int64_t written; /* ns */
};

static int by_age(const void *a, const void *b)
{
	const struct aged *x = a, *y = b;

	return (x->written > y->written) - (x->written < y->written);
}

void records_drop(const char *directory)
{
	DIR *open = opendir(directory);
	struct arena arena = {0};
	struct aged *list = NULL, *more;
	struct stat status;
	int n = 0;

	for (struct dirent *entry; open && n < MOST_FILES && (entry = readdir(open)); ) {
		struct record record;

		if (!is_record(directory, entry->d_name, &record))
			continue;
		if (!(more = arena_grow(&arena, &list, n, sizeof(*list))))
			break;
		*more = (struct aged){arena_text(&arena, entry->d_name), INT64_MAX};
		n++;
	}
	/* Each srun comes here, and a file server takes long to tell the ages of many files. */
	if (n <= RECORDS_MOST || arena.out)
		n = 0;
	for (int i = 0; i < n; i++)
		if (!fstatat(dirfd(open), list[i].file, &status, AT_SYMLINK_NOFOLLOW))
			list[i].written = status.st_mtim.tv_sec * INT64_C(1000000000) +
				status.st_mtim.tv_nsec;
	if (n)
		qsort(list, (size_t)n, sizeof(*list), by_age);
	for (int i = 0; i < n - RECORDS_MOST; i++)
		unlinkat(dirfd(open), list[i].file, 0);
	if (open)
		closedir(open);
	arena_release(&arena);
}
