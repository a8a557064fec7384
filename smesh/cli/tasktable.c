/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/tasktable.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "base/textfile.h"

enum { MAX_TASKS = 1 << 20, MAX_SIZE = 1 << 24 };

struct point {
	int nodes;
	double time;
	int line;
};

/* The task that lines are being read for; its points go to the table at the end. */
struct reader {
	struct tasktable *table;
	const char *path;
	struct mesh_err *err;
	int first; /* task of this file */
	struct point *point;
	size_t npoints, room;
};

#define fail(r, line, ...) err_at((r)->err, (r)->path, line, __VA_ARGS__)

static int by_nodes(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* The points read so far belong to the last task. */
static int close_task(struct reader *r)
{
	struct partition_task *task;
	int *nodes;
	double *time;

	if (r->table->count == r->first)
		return 0;
	task = &r->table->task[r->table->count - 1];
	if (!r->npoints)
		return err_printf(r->err, "%s: task %s: the table is empty", r->path, task->name);
	qsort(r->point, r->npoints, sizeof(*r->point), by_nodes);
	for (size_t i = 1; i < r->npoints; i++)
		if (r->point[i].nodes == r->point[i - 1].nodes)
			return fail(r, r->point[i].line, "%d nodes are there twice (line %d)",
				r->point[i].nodes, r->point[i - 1].line);
	nodes = malloc(r->npoints * sizeof(*nodes));
	time = malloc(r->npoints * sizeof(*time));
	task->nodes = nodes;
	task->time = time;
	if (!nodes || !time)
		return err_printf(r->err, "out of memory");
	for (size_t i = 0; i < r->npoints; i++) {
		nodes[i] = r->point[i].nodes;
		time[i] = r->point[i].time;
	}
	task->npoints = (int)r->npoints;
	r->npoints = 0;
	return 0;
}

/* A new task; name[length] is copied. */
static struct partition_task *open_task(struct reader *r, const char *name, size_t length)
{
	struct tasktable *t = r->table;
	size_t count = (size_t)t->count + 1;
	struct partition_task *tasks = realloc(t->task, count * sizeof(*tasks));
	char **commands;

	if (tasks)
		t->task = tasks;
	commands = tasks && count < MAX_TASKS ? realloc(t->command, count * sizeof(*commands))
					      : NULL;
	if (!commands) {
		err_printf(r->err, "out of memory");
		return NULL;
	}
	t->command = commands;
	t->command[count - 1] = NULL;
	t->task[count - 1] = (struct partition_task){.name = strndup(name, length)};
	t->count++;
	return &t->task[count - 1];
}

static const struct {
	const char *name;
	size_t offset;
	bool whole; /* an int, otherwise a double */
} limits[] = {
	{"MinNodes", offsetof(struct partition_task, min_nodes), true},
	{"MaxNodes", offsetof(struct partition_task, max_nodes), true},
	{"Memory", offsetof(struct partition_task, memory), false},
	{"MemoryPerNode", offsetof(struct partition_task, memory_each), false},
	{"Deadline", offsetof(struct partition_task, deadline), false},
};

static int take_limit(struct reader *r, struct partition_task *task, const char *key,
	const char *value, int line)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		char *field = (char *)task + limits[i].offset;
		double number;
		long whole;

		if (strcasecmp(key, limits[i].name))
			continue;
		if (limits[i].whole ? options_int(value, 1, MAX_SIZE, &whole)
				    : options_double(value, 0, 1e15, &number))
			return fail(r, line, "%s=%s: not a number that can be", key, value);
		if (limits[i].whole)
			*(int *)(void *)field = (int)whole;
		else
			*(double *)(void *)field = number;
		return 0;
	}
	return fail(r, line, "unknown key '%.64s' on a Task= line", key);
}

/* Task=NAME KEY=VALUE... Command=the rest */
static int take_task(struct reader *r, char *text, int line)
{
	char *name = text + strlen("Task="), *at = name + strcspn(name, " \t"), *save = NULL;
	char *command = at;
	struct partition_task *task;

	if (close_task(r))
		return -1;
	if (at == name)
		return fail(r, line, "Task= has no value");
	if (!(task = open_task(r, name, (size_t)(at - name))))
		return -1;
	while (*command && strncasecmp(command, "Command=", 8))
		command += strcspn(command, " \t"), command += strspn(command, " \t");
	if (*command) {
		r->table->command[r->table->count - 1] = strdup(command + 8);
		*command = '\0';
	}
	for (char *pair = strtok_r(at, " \t", &save); pair; pair = strtok_r(NULL, " \t", &save)) {
		char *value = strchr(pair, '=');

		if (!value)
			return fail(r, line, "'%.64s': expected KEY=VALUE", pair);
		*value++ = '\0';
		if (take_limit(r, task, pair, value, line))
			return -1;
	}
	return 0;
}

/* NODES TIME */
static int take_point(struct reader *r, char *text, int line)
{
	char *time_text = text + strcspn(text, " \t");
	struct point p = {.line = line};
	long nodes;

	if (*time_text)
		*time_text++ = '\0';
	time_text += strspn(time_text, " \t");
	if (options_int(text, 1, MAX_SIZE, &nodes) || !*time_text)
		return fail(r, line, "expected NODES TIME, with 1 node or more");
	if (options_double(time_text, 0, 1e300, &p.time))
		return fail(r, line, "'%.64s' is not a time", time_text);
	p.nodes = (int)nodes;
	if (r->npoints == r->room) {
		size_t room = 2 * r->room + 64;
		struct point *more = realloc(r->point, room * sizeof(*more));

		if (!more)
			return err_printf(r->err, "out of memory");
		r->point = more;
		r->room = room;
	}
	r->point[r->npoints++] = p;
	return 0;
}

/* A file without Task= is one task, called like the file without its extension. */
static int open_unnamed(struct reader *r)
{
	const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
	size_t length = strcspn(name, ".");

	return open_task(r, name, length ? length : strlen(name)) ? 0 : -1;
}

static int take_line(void *reader, char *text, int line)
{
	struct reader *r = reader;

	if (!strncasecmp(text, "Task=", 5))
		return take_task(r, text, line);
	if (r->table->count == r->first && open_unnamed(r))
		return -1;
	return take_point(r, text, line);
}

int tasktable_read(struct tasktable *table, const char *path, struct mesh_err *err)
{
	struct reader r = {.table = table, .path = path, .err = err, .first = table->count};
	int result = textfile_read(path, take_line, &r, err);

	if (!result)
		result = close_task(&r);
	if (!result && table->count == r.first)
		result = err_printf(err, "%s: the table is empty", path);
	free(r.point);
	for (int i = r.first; !result && i < table->count; i++) {
		if (!table->command[i] && table->task[i].name &&
			asprintf(&table->command[i], "./%s", table->task[i].name) < 0)
			table->command[i] = NULL;
		if (!table->command[i])
			result = err_printf(err, "out of memory");
	}
	return result;
}

static void release_const(const void *memory)
{
	union {
		const void *in;
		void *out;
	} cast = {memory};

	free(cast.out);
}

void tasktable_release(struct tasktable *table)
{
	for (int i = 0; i < table->count; i++) {
		release_const(table->task[i].name);
		release_const(table->task[i].nodes);
		release_const(table->task[i].time);
		free(table->command[i]);
	}
	free(table->task);
	free(table->command);
	*table = (struct tasktable){0};
}
