/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/tasktable.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "base/textfile.h"
#include "sim/need.h"

enum { MAX_SIZE = 1 << 24 };

/* Reads the lines of a task, which gets its points at the end. */
struct reader {
	struct tasktable *table;
	const char *path;
	struct mesh_err *err;
	int first; /* the first task of this file */
	int *nodes; /* [n] ascending */
	double *time; /* [n] */
	int n;
};

#define fail(r, line, ...) err_at((r)->err, (r)->path, line, __VA_ARGS__)

/* Give the points read so far to the last task. */
static int close_task(struct reader *r)
{
	struct partition_task *task;

	if (r->table->count == r->first)
		return 0;
	task = &r->table->task[r->table->count - 1];
	if (!r->n)
		return err_printf(r->err, "%s: task %s: the table is empty", r->path, task->name);
	task->nodes = r->nodes;
	task->time = r->time;
	task->npoints = r->n;
	r->nodes = NULL;
	r->time = NULL;
	r->n = 0;
	return 0;
}

/* Add a task with this name, which is its command too. */
static void open_task(struct reader *r, const char *name, size_t length)
{
	struct tasktable *t = r->table;
	char *own = need_get(&t->arena, (int64_t)length + 3, 1);
	int n = t->count;

	sprintf(own, "./%.*s", (int)length, name);
	need_append(&t->arena, t->command, n, own);
	need_append(&t->arena, t->task, t->count, (struct partition_task){.name = own + 2});
}

/* Task=NAME [Command=the rest] */
static int take_task(struct reader *r, char *text, int line)
{
	char *name = text + strlen("Task="), *end = name + strcspn(name, " \t");
	char *command = end + strspn(end, " \t");

	if (close_task(r))
		return -1;
	if (end == name)
		return fail(r, line, "Task= has no value");
	if (*command && strncasecmp(command, "Command=", 8))
		return fail(r, line, "'%.64s': expected Command=", command);
	open_task(r, name, (size_t)(end - name));
	if (*command)
		r->table->command[r->table->count - 1] = need_text(&r->table->arena, command + 8);
	return 0;
}

/* NODES TIME */
static int take_point(struct reader *r, char *text, int line)
{
	char *time_text = text + strcspn(text, " \t");
	int at = r->n, n = r->n;
	double time;
	long nodes;

	if (*time_text)
		*time_text++ = '\0';
	time_text += strspn(time_text, " \t");
	if (options_int(text, 1, MAX_SIZE, &nodes) || !*time_text)
		return fail(r, line, "expected NODES TIME, with 1 node or more");
	if (options_double(time_text, 0, 1e300, &time))
		return fail(r, line, "'%.64s' is not a time", time_text);
	need_append(&r->table->arena, r->nodes, n, 0);
	need_append(&r->table->arena, r->time, r->n, 0);
	for (; at && r->nodes[at - 1] >= nodes; at--) {
		if (r->nodes[at - 1] == nodes)
			return fail(r, line, "%ld node%s there twice", nodes,
				nodes == 1 ? " is" : "s are");
		r->nodes[at] = r->nodes[at - 1];
		r->time[at] = r->time[at - 1];
	}
	r->nodes[at] = (int)nodes;
	r->time[at] = time;
	return 0;
}

static int take_line(void *reader, char *text, int line)
{
	struct reader *r = reader;
	const char *name = textfile_name(r->path);
	size_t length = strcspn(name, ".");

	if (!strncasecmp(text, "Task=", 5))
		return take_task(r, text, line);
	/* A file without Task= is one task, named like the file without its extension. */
	if (r->table->count == r->first)
		open_task(r, name, length ? length : strlen(name));
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
	return result;
}
