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
#include <time.h>
#include <unistd.h>

#include "learn/trafficfile.h"

enum {
	RUN_LASTS = 24 * 3600, /* seconds; a run that is not complete by then will not be */
	MOST_RANKS = 1 << 16,
	SETTLED = 5, /* seconds after which a run of unknown size is taken for complete */
	MOST_RUNS = 1000, /* that are counted */
};

static const char suffix[] = ".traffic";

/* --- names ------------------------------------------------------------------------------ */

/* Only its owner may write there, and that is who asks. */
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

int records_directory(const char *home, const char *site, char directory[RECORDS_PATH],
	struct mesh_err *err)
{
	const char *data = home ? NULL : getenv("XDG_DATA_HOME");
	int length;

	if (!home)
		home = getenv("HOME");
	if (site)
		length = snprintf(directory, RECORDS_PATH, "%s/%u", site, (unsigned)geteuid());
	else if (data && *data == '/')
		length = snprintf(directory, RECORDS_PATH, "%s/slurm-mesh/traffic", data);
	else if (home && *home == '/')
		length = snprintf(
			directory, RECORDS_PATH, "%s/.local/share/slurm-mesh/traffic", home);
	else
		return err_printf(err, "no HOME for a directory of traffic");
	if (length >= RECORDS_PATH - RECORDS_NAME - 64)
		return err_printf(err, "%.64s...: the name is too long", directory);
	for (char *slash = directory; slash; ) {
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

void records_name(const char *text, char name[RECORDS_NAME])
{
	const char *slash = strrchr(text, '/');
	int n = 0;

	for (text = slash ? slash + 1 : text; *text && n < RECORDS_NAME - 1; text++)
		name[n++] =
			isascii(*text) && (isalnum(*text) || strchr("-_.", *text)) ? *text : '_';
	name[n] = '\0';
	if (!*name || *name == '.')
		*name = '_';
	name[n ? n : 1] = '\0';
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

/* A line for each pair; with steps, for each that sends in one. */
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
	if (record->matrix)
		put_matrix(file, traffic);
	return ferror(file) | fclose(file) ? -1 : 0;
}

/* Whole or not at all: whoever is killed here leaves the record that was there. */
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

/* NULL for what is not a regular file: nobody waits for the writer of a FIFO. */
static FILE *open_regular(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file =
		fd >= 0 && !fstat(fd, status) && S_ISREG(status->st_mode) ? fdopen(fd, "r") : NULL;

	if (!file && fd >= 0)
		close(fd);
	return file;
}

/* The head of a record, and what its file's name says. */
static bool read_head(struct record *record)
{
	struct stat status;
	FILE *file = open_regular(record->path, &status);
	char line[256];
	int known = 0, matrix = 0;

	if (!file)
		return false;
	record->share = -1;
	record->runs = 1;
	while (fgets(line, sizeof(line), file) && *line == '#') {
		sscanf(line, "# share %lf", &record->share);
		sscanf(line, "# runs %d", &record->runs);
		known += sscanf(line, "# ranks %d", &record->ranks) == 1 ||
			 sscanf(line, "# seconds %lf", &record->seconds) == 1 ||
			 sscanf(line, "# bytes %lf", &record->bytes) == 1 ||
			 sscanf(line, "# messages %lf", &record->messages) == 1 ||
			 sscanf(line, "# matrix %d", &matrix) == 1 ||
			 sscanf(line, "# pattern %47s", record->pattern) == 1;
	}
	record->written = status.st_mtime;
	record->matrix = matrix == 1;
	fclose(file);
	return known == 6 && record->ranks > 0 && record->ranks <= MOST_RANKS &&
	       record->seconds >= 0 && record->bytes >= 0 && record->messages >= 0 &&
	       record->share <= 1 && record->runs > 0 && record->runs <= MOST_RUNS;
}

/* Is it the name of a record's file? *record has what it says then. */
static bool is_record(const char *directory, const char *file, struct record *record)
{
	const char *at = strrchr(file, '@');
	char *end;
	int length;

	if (!at || at == file || at - file >= RECORDS_NAME || !isdigit(at[1]))
		return false;
	strtol(at + 1, &end, 10);
	if (strcmp(end, suffix) != 0)
		return false;
	*record = (struct record){0};
	memcpy(record->name, file, (size_t)(at - file));
	length = snprintf(record->path, sizeof(record->path), "%s/%s", directory, file);
	return length < (int)sizeof(record->path) && read_head(record);
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
	int n = 0;

	*list = NULL;
	if (!open)
		return err_printf(err, "%.512s: %s", directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(open)); ) {
		struct record record, *more;

		if (!is_record(directory, entry->d_name, &record))
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

bool records_find(const char *directory, const char *name, int ranks, struct record *record)
{
	char clean[RECORDS_NAME];
	struct arena arena = {0};
	struct record *list;
	struct mesh_err err;
	int n = records_list(directory, &arena, &list, &err), best = -1;

	records_name(name, clean);
	for (int i = 0; i < n; i++)
		if (!strcmp(list[i].name, clean) && (!ranks || list[i].ranks == ranks) &&
			(best < 0 || list[i].written > list[best].written))
			best = i;
	if (best >= 0)
		*record = list[best];
	arena_release(&arena);
	return best >= 0;
}

/* The oldest of more than there should be. */
static void drop_oldest(const char *directory)
{
	struct arena arena = {0};
	struct record *list;
	struct mesh_err err;
	int n = records_list(directory, &arena, &list, &err);

	for (; n > RECORDS_MOST; n--) {
		int oldest = 0;

		for (int i = 1; i < n; i++)
			if (list[i].written < list[oldest].written)
				oldest = i;
		unlink(list[oldest].path);
		list[oldest] = list[n - 1];
	}
	arena_release(&arena);
}

/* --- runs ------------------------------------------------------------------------------- */

int records_begin(const char *directory, const char *name, int ranks, char run[RECORDS_PATH],
	struct mesh_err *err)
{
	char path[RECORDS_PATH + 8], clean[RECORDS_NAME];
	FILE *meta;

	records_name(name, clean);
	snprintf(run, RECORDS_PATH, "%s/run.XXXXXX", directory);
	if (!mkdtemp(run)) /* 0700 */
		return err_printf(err, "%.512s: %s", directory, strerror(errno));
	snprintf(path, sizeof(path), "%s/meta", run);
	meta = fopen(path, "we");
	if (meta) {
		fprintf(meta, "%s %d %lld\n", clean, ranks, (long long)time(NULL));
		if (!(ferror(meta) | fclose(meta)))
			return 0;
	}
	return err_printf(err, "%.512s: %s", path, strerror(errno));
}

/* A run, as its directory says. */
struct run {
	char path[RECORDS_PATH], name[RECORDS_NAME];
	int ranks, files;
	bool foreign; /* there is a link, a FIFO... where a rank's file should be */
	long long began, ended; /* ended: when the last file was written */
};

/* Count the files of ranks. */
static void look_at_files(struct run *run)
{
	DIR *open = opendir(run->path);

	for (struct dirent *entry; open && (entry = readdir(open)); ) {
		struct stat status;
		int rank;
		char end;

		if (sscanf(entry->d_name, "t.%d.pro%c", &rank, &end) != 2 || end != 'f' ||
			fstatat(dirfd(open), entry->d_name, &status, AT_SYMLINK_NOFOLLOW))
			continue;
		run->foreign |= !S_ISREG(status.st_mode);
		run->files++;
		if (status.st_mtime > run->ended)
			run->ended = status.st_mtime;
	}
	if (open)
		closedir(open);
}

static bool read_run(struct run *run)
{
	char path[RECORDS_PATH + 8];
	struct stat status;
	FILE *meta;
	int n;

	snprintf(path, sizeof(path), "%s/meta", run->path);
	if (!(meta = open_regular(path, &status)))
		return false;
	n = fscanf(meta, "%63s %d %lld", run->name, &run->ranks, &run->began);
	fclose(meta);
	return n == 3 && run->ranks >= 0 && run->ranks <= MOST_RANKS && run->began >= 0 &&
	       run->began <= time(NULL) + RUN_LASTS;
}

/* The names of the ranks' files, malloc()ed, of those that were written together: a later run in
 * the same script may have had fewer ranks. *n of them; NULL: memory is out. */
static char **rank_files(const struct run *run, int *n)
{
	char **path = calloc((size_t)run->files, sizeof(*path));
	struct stat status;
	time_t first = 0;

	for (*n = 0; path && *n < run->files; ++*n) {
		if (asprintf(&path[*n], "%s/t.%d.prof", run->path, *n) < 0) {
			path[*n] = NULL;
			break;
		}
		if (stat(path[*n], &status) ||
			(!run->ranks && *n && status.st_mtime + SETTLED < first))
			break;
		first = *n ? first : status.st_mtime;
	}
	return path;
}

/* Take what was read. Where a part of the ranks tells what can be kept, it stands for all. */
static void take_run(
	struct record *record, const struct traffic *traffic, const struct traffic_run *sums)
{
	double all = (double)record->ranks / sums->files;

	record->matrix = sums->files == record->ranks;
	record->bytes = traffic_total(traffic) * all;
	record->messages = sums->messages * all;
	record->share = sums->share;
	patternfind(traffic, sums->files, record->pattern);
}

/* Does what was sent go more hops in the order than it would in that of the nodes? */
static bool is_worse(const struct records_order *order, const struct traffic *sent)
{
	int *block;
	bool worse = false;

	if (!order->nodes.hops || order->nodes.n * order->per_node != sent->n)
		return false;
	block = malloc((size_t)sent->n * sizeof(*block));
	for (int i = 0; block && i < sent->n; i++)
		block[i] = i / order->per_node;
	if (block)
		worse = assign_cost(sent, &order->nodes, order->place) >
			assign_cost(sent, &order->nodes, block);
	free(block);
	return worse;
}

/* How many runs were alike, with this one; or it shows that what is known orders ranks badly. */
static void compare(const char *directory, struct record *record, const struct traffic *sent,
	const struct records_order *order)
{
	struct record before;

	if (!record->matrix ||
		!records_find(directory, record->name, record->ranks, &before) || !before.matrix)
		return;
	if (order && is_worse(order, sent)) {
		record->matrix = false;
		snprintf(record->pattern, sizeof(record->pattern), "mix");
	} else {
		record->runs = before.runs < MOST_RUNS ? before.runs + 1 : MOST_RUNS;
	}
}

/* The run's files into a record. */
static int make_record(const char *directory, const struct run *run,
	const struct records_order *order, struct mesh_err *err)
{
	struct record record = {.seconds = (double)(run->ended - run->began), .runs = 1};
	struct traffic traffic = {0};
	struct traffic_run sums = {.most = RECORDS_PAIRS};
	char **path = rank_files(run, &record.ranks);
	int rc = path && record.ranks
		? 0
		: err_printf(err, "%.512s: the files of ranks cannot be read", run->path);

	memcpy(record.name, run->name, sizeof(record.name));
	if (!rc)
		rc = trafficfile_read_all(&traffic, path, record.ranks, &sums, err);
	if (!rc) {
		take_run(&record, &traffic, &sums);
		compare(directory, &record, &traffic, order);
		rc = records_write(directory, &record, &traffic, err);
	}
	traffic_release(&traffic);
	for (int i = 0; path && i < run->files; i++)
		free(path[i]);
	free(path);
	return rc;
}

static void remove_run(const char *path)
{
	DIR *open = opendir(path);

	for (struct dirent *entry; open && (entry = readdir(open)); )
		if (*entry->d_name != '.')
			unlinkat(dirfd(open), entry->d_name, 0);
	if (open)
		closedir(open);
	rmdir(path);
}

void records_end(const char *path)
{
	struct run run = {.ranks = 0};

	snprintf(run.path, sizeof(run.path), "%s", path);
	look_at_files(&run);
	if (!run.files)
		remove_run(path);
}

/* 1: it was not good. */
static int collect_run(const char *directory, const char *name, const struct records_order *order,
	struct mesh_err *err)
{
	struct run run = {.ranks = 0};
	long long now = time(NULL);
	bool known, complete;
	int bad = 0;

	snprintf(run.path, sizeof(run.path), "%.900s/%.100s", directory, name);
	known = read_run(&run);
	look_at_files(&run);
	complete = known && !run.foreign && run.files > 0 && run.files <= MOST_RANKS &&
		   (run.ranks ? run.files == run.ranks : run.ended + SETTLED <= now);
	if (complete)
		bad = make_record(directory, &run,
			      order && !strcmp(order->run, run.path) ? order : NULL, err) != 0;
	if (complete || !known || run.began + RUN_LASTS < now)
		remove_run(run.path);
	return bad;
}

int records_collect(
	const char *directory, const struct records_order *order, struct mesh_err *err)
{
	DIR *open = opendir(directory);
	int bad = 0;

	for (struct dirent *entry; open && (entry = readdir(open)); )
		if (!strncmp(entry->d_name, "run.", 4))
			bad += collect_run(directory, entry->d_name, order, err);
	if (open)
		closedir(open);
	drop_oldest(directory);
	return bad;
}
