/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/runs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "learn/trafficfile.h"

enum {
	RUN_LASTS = 24 * 3600, /* seconds; a run that is not complete by then never will be */
	SETTLED = 5, /* seconds after which a run of unknown size counts as complete */
	SILENT = 180, /* seconds after which a rank that writes each minute counts as gone */
	TURNS = 100, /* tries to have the folder for itself, 50 ms apart */
	PATH_MOST = RECORDS_PATH + 256, /* 256: NAME_MAX and the slash */
};
static const int64_t most_time = INT64_C(5000000000); /* ns of CPU time in one call */
static const double alike = 0.9; /* the part of two runs' traffic that is between the same ranks */

int runs_begin(const char *directory, const struct runs_label *label, char prefix[RECORDS_PATH],
	struct mesh_err *err)
{
	struct timespec now;
	int n = snprintf(prefix, RECORDS_PATH, "%.768s/runs", directory);

	if (mkdir(prefix, 0700) && errno != EEXIST)
		return err_printf(err, "%.512s: %s", prefix, strerror(errno));
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(prefix + n, (size_t)(RECORDS_PATH - n), "/%s%c%s@%d.%lld.%lx%x", label->name,
		label->of_job ? '+' : '=', label->program, label->ranks, (long long)now.tv_sec,
		now.tv_nsec, (unsigned)getpid());
	return 0;
}

/* --- the files ------------------------------------------------------------------------------- */

struct file {
	char *name;
	int length;	/* of the name up to the rank, which the files of a run have in common */
	int rank;
	bool part, of_open_mpi;
	int64_t bytes, written; /* written: seconds since 1970 */
};

/* Parse NAME.RANK.prof or .part, with a rank of at most nine digits. */
static bool parse_file(const char *name, struct file *file)
{
	const char *kind = strrchr(name, '.'), *dot;

	if (!kind || kind == name || (strcmp(kind, ".prof") != 0 && strcmp(kind, ".part") != 0))
		return false;
	for (dot = kind - 1; dot > name && isdigit((unsigned char)*dot); dot--)
		;
	*file = (struct file){.length = (int)(dot - name), .rank = (int)strtol(dot + 1, NULL, 10)};
	file->part = !strcmp(kind, ".part");
	file->of_open_mpi = dot - name > 2 && !strncmp(dot - 2, ".o", 2);
	return *dot == '.' && kind > dot + 1 && kind <= dot + 10 && file->rank < RECORDS_RANKS;
}

/* Sort by run, our measurement before Open MPI's; then by rank, whole files before parts. */
static int by_run(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int shorter = x->length < y->length ? x->length : y->length;
	int order = strncmp(x->name, y->name, (size_t)shorter);

	if (!order)
		order = x->length - y->length;
	if (!order)
		order = x->rank - y->rank;
	return order ? order : x->part - y->part;
}

static bool is_same_run(const struct file *x, const struct file *y)
{
	return x->length == y->length && !strncmp(x->name, y->name, (size_t)x->length);
}

/* Look at a file. False: it is gone; or it was none, or a day old, and has been removed. */
static bool look_at(int folder, const char *name, struct stat *status)
{
	if (fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW))
		return false;
	if (S_ISREG(status->st_mode) && status->st_mtime >= time(NULL) - RUN_LASTS)
		return true;
	unlinkat(folder, name, 0);
	return false;
}

/* List the files of all runs, sorted, without a look at them. */
static int list_files(DIR *open, struct arena *arena, struct file **list)
{
	int n = 0;

	for (struct dirent *entry; n < RUNS_FILES && (entry = readdir(open)); ) {
		struct stat status;
		struct file file, *more;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!parse_file(entry->d_name, &file)) {
			look_at(dirfd(open), entry->d_name, &status);
			continue;
		}
		file.name = arena_text(arena, entry->d_name);
		if (!(more = arena_grow(arena, list, n, sizeof(*more))))
			break;
		*more = file;
		n++;
	}
	if (n)
		qsort(*list, (size_t)n, sizeof(**list), by_run);
	return arena->out ? 0 : n;
}

/* --- a run ----------------------------------------------------------------------------------- */

struct run {
	const char *directory, *folder; /* of records, and of files */
	const struct file *file; /* in the order of their ranks */
	int files;
	struct runs_label label;
	long long began, ended; /* ended: when the last file was written */
	int ranks;
	char *path[]; /* [ranks], NULL */
};

/* Parse the names of a run's files. */
static bool parse_label(struct run *run)
{
	const char *name = run->file->name, *mark = strpbrk(name, "=+@"), *key;
	char job[RECORDS_NAME] = "";
	int end = 0;

	if (!mark || *mark == '@' || mark == name || mark - name >= RECORDS_NAME)
		return false;
	memcpy(job, name, (size_t)(mark - name));
	progname_clean(job, run->label.name);
	run->label.of_job = *mark == '+';
	sscanf(mark + 1, "%63[-_.A-Za-z0-9]%n", run->label.program, &end);
	if (sscanf(mark + 1 + end, "@%d.%lld.", &run->label.ranks, &run->began) != 2)
		return false;
	if (!run->label.ranks && (key = strstr(mark, ".m")))
		sscanf(key, ".m%*x-%d", &run->label.ranks);
	return run->label.ranks >= 0 && run->label.ranks <= RECORDS_RANKS && run->began >= 0;
}

/*
 * Find the paths of the ranks' files that were written together: a later run in the same script
 * may have had fewer ranks. Has each rank a file that will not change any more? over: the step has
 * ended.
 */
static bool find_ranks(struct run *run, bool over, struct arena *arena)
{
	bool part = false;
	int64_t first = run->file->written;

	for (int i = 0; i < run->files; i++) {
		const struct file *file = &run->file[i];
		char path[PATH_MOST];

		if (file->rank < run->ranks)
			continue; /* its part, which the whole file has replaced */
		if (file->rank > run->ranks || (!run->label.ranks && !file->part &&
						       file->written + SETTLED < first))
			break;
		snprintf(path, sizeof(path), "%s/%s", run->folder, file->name);
		run->path[run->ranks++] = arena_text(arena, path);
		run->ended = file->written > run->ended ? file->written : run->ended;
		part |= file->part;
	}
	if (arena->out || !run->ranks || (run->label.ranks && run->ranks != run->label.ranks))
		return false;
	if (over || (run->label.ranks && !part))
		return true;
	return run->ended + (part ? SILENT : SETTLED) <= time(NULL);
}

/* If there are more bytes than are read, the files of the first ranks stand for all. */
static void limit_bytes(struct run *run)
{
	int64_t bytes = 0;
	int rank = 0;

	for (int i = 0; i < run->files && rank < run->ranks; i++)
		if (run->file[i].rank == rank && (bytes += run->file[i].bytes) <= RUNS_BYTES)
			rank++;
	run->path[rank] = NULL;
}

/* Take what was read. If a part of the ranks filled the room, it stands for all. */
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

/* Does what was sent take more hops in the learnt order than in the order of the nodes? */
static bool is_worse(const struct runs_order *order, const struct traffic *sent)
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

/* Did the run before send between the same ranks, for the most part? */
static bool is_alike(const struct record *before, const struct traffic *sent)
{
	struct traffic was = {0};
	struct mesh_err err;
	double both;

	if (trafficfile_read(&was, before->path, before->ranks, &err))
		return false;
	both = traffic_common(&was, sent);
	traffic_release(&was);
	return both >= alike;
}

/* Count how many runs were alike, with this one; or note that the learnt order was bad. */
static void compare(const struct run *run, struct record *record, const struct traffic *sent,
	const struct runs_order *order)
{
	struct record before;

	if (!record->matrix ||
		!records_find(run->directory, record->name, record->ranks, &before) ||
		!before.matrix)
		return;
	if (order && is_worse(order, sent)) {
		record->matrix = false;
		snprintf(record->pattern, sizeof(record->pattern), "mix");
	} else if (is_alike(&before, sent)) {
		record->runs = before.runs < RECORDS_RUNS ? before.runs + 1 : RECORDS_RUNS;
	}
}

/* Set the record's name, and its program. */
static void take_name(
	const struct run *run, const struct traffic_run *sums, struct record *record)
{
	memcpy(record->name, run->label.name, sizeof(record->name));
	memcpy(record->program, run->label.program, sizeof(record->program));
	if (!run->label.of_job)
		return;
	memcpy(record->program, sums->program.file, sizeof(record->program));
	records_choose(run->directory, run->label.name, &sums->program, record->ranks,
		record->name);
}

/* Make a record of the run's files. 1: another process has done so, and has removed them. */
static int make_record(struct run *run, const struct runs_order *order, struct mesh_err *err)
{
	struct record record = {.seconds = (double)(run->ended - run->began), .runs = 1,
		.ranks = run->ranks};
	struct traffic traffic = {0};
	struct traffic_run sums = {.most = RECORDS_PAIRS};
	struct mesh_err why = {{0}};
	int rc;

	limit_bytes(run);
	if (!run->path[0])
		return err_printf(err, "%.128s: larger than %d MiB", run->file->name,
			RUNS_BYTES >> 20);
	rc = trafficfile_read_all(&traffic, run->path, run->ranks, &sums, &why);
	if (rc && access(run->path[0], F_OK))
		return 1;
	if (rc) {
		*err = why;
	} else {
		take_run(&record, &traffic, &sums);
		take_name(run, &sums, &record);
		compare(run, &record, &traffic, order);
		record.seconds = record.seconds > 0 ? record.seconds : 0;
		rc = records_write(run->directory, &record, &traffic, err);
	}
	traffic_release(&traffic);
	return rc;
}

/* --- all runs -------------------------------------------------------------------------------- */

struct collection {
	const char *directory, *folder;
	const struct runs_order *order;
	int open; /* the folder */
	struct file *file;
	int files;
	struct mesh_err *err;
};

static void remove_files(const struct collection *all, int from, int to)
{
	char path[PATH_MOST];

	for (int i = from; i < to; i++) {
		snprintf(path, sizeof(path), "%s/%s", all->folder, all->file[i].name);
		unlink(path);
	}
}

/* Is this Open MPI's own measurement of a run that our library has measured, too? */
static bool is_double(const struct collection *all, int from)
{
	const struct file *file = &all->file[from];
	size_t length = (size_t)file->length - 1; /* with the dot */

	return file->of_open_mpi && from > 0 && !strncmp(file->name, file[-1].name, length);
}

/* The end of the files of the run that begins with file `from`. */
static int end_of(const struct collection *all, int from)
{
	int to = from + 1;

	while (to < all->files && is_same_run(&all->file[from], &all->file[to]))
		to++;
	return to;
}

/*
 * Does the run go on? Its first rank writes each minute. Of many thousand ranks the other files are
 * not looked at: a file server needs seconds for that, and each srun of the user's would wait.
 */
static bool is_running(const struct collection *all, const struct file *first)
{
	struct stat status;

	return first->part && look_at(all->open, first->name, &status) &&
	       status.st_mtime + SILENT > time(NULL);
}

/* Look at the files from..to-1, and keep those that are there. Returns how many. */
static int look_at_files(const struct collection *all, int from, int to)
{
	int end = from;

	for (int i = from; i < to; i++) {
		struct stat status;

		if (!look_at(all->open, all->file[i].name, &status))
			continue;
		all->file[end] = all->file[i];
		all->file[end].bytes = status.st_size;
		all->file[end++].written = status.st_mtime;
	}
	return end - from;
}

/* Make a record of the files from..to-1, and remove them. 1: the run was faulty. */
static int collect_run(const struct collection *all, int from, int to, bool *done)
{
	struct arena arena = {0};
	struct run *run = calloc(
		1, sizeof(*run) + (size_t)(to - from + 1) * sizeof(run->path[0]));
	const char *own = all->order ? strrchr(all->order->run, '/') : NULL;
	size_t length = own ? strlen(own + 1) : 0;
	int bad = 0;

	*done = false;
	if (!run)
		return 0;
	run->directory = all->directory;
	run->folder = all->folder;
	run->file = &all->file[from];
	own = own && !strncmp(own + 1, run->file->name, length) ? own : NULL;
	if (own || !is_running(all, run->file))
		run->files = look_at_files(all, from, to);
	if (run->files && parse_label(run) && find_ranks(run, own != NULL, &arena)) {
		bad = make_record(run, own ? all->order : NULL, all->err) < 0;
		*done = true;
	}
	arena_release(&arena);
	free(run);
	return bad;
}

static int collect_all(const struct collection *all)
{
	struct mesh_budget budget;
	bool done = false;
	int bad = 0;

	mesh_budget_start(&budget, most_time);
	for (int from = 0, to; from < all->files && !mesh_budget_late(&budget); from = to) {
		to = end_of(all, from);
		if (!is_double(all, from))
			bad += collect_run(all, from, to, &done);
		if (done)
			remove_files(all, from, to);
	}
	return bad;
}

/* Remove a run's folder, as version 1.0 made them. */
static void remove_folder(DIR *directory, const char *name)
{
	int file = openat(dirfd(directory), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *open = file < 0 ? NULL : fdopendir(file);

	for (struct dirent *entry; open && (entry = readdir(open)); )
		if (*entry->d_name != '.')
			unlinkat(dirfd(open), entry->d_name, 0);
	if (open)
		closedir(open);
	else if (file >= 0)
		close(file);
	unlinkat(dirfd(directory), name, AT_REMOVEDIR);
}

static void remove_folders(const char *directory)
{
	time_t old = time(NULL) - RUN_LASTS;
	DIR *open = opendir(directory);
	int files = 0;

	for (struct dirent *entry; open && files < RUNS_FILES && (entry = readdir(open)); files++) {
		struct stat status;

		if (!strncmp(entry->d_name, "run.", 4) &&
			!fstatat(dirfd(open), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
			S_ISDIR(status.st_mode) && status.st_mtime < old)
			remove_folder(open, entry->d_name);
	}
	if (open)
		closedir(open);
}

/*
 * Does nobody else collect in this folder? A run that two of them take counts twice. Who has a run
 * of his own to collect waits some seconds for the others. Where files cannot be locked, all
 * collect.
 */
static bool have_turn(int folder, bool waits)
{
	static const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};

	for (int i = 0; flock(folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; i++) {
		if (!waits || i == TURNS)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

int runs_collect(const char *directory, const struct runs_order *order, struct mesh_err *err)
{
	char folder[RECORDS_PATH];
	struct arena arena = {0};
	struct collection all = {directory, folder, order, -1, NULL, 0, err};
	int bad = 0;
	DIR *open;

	snprintf(folder, sizeof(folder), "%.900s/runs", directory);
	if ((open = opendir(folder)) && have_turn(dirfd(open), order)) {
		all.open = dirfd(open);
		all.files = list_files(open, &arena, &all.file);
		bad = collect_all(&all);
	}
	if (open)
		closedir(open);
	arena_release(&arena);
	remove_folders(directory);
	records_drop(directory);
	return bad;
}
