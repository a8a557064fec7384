/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "happen.h"

#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"

static const struct {
	const char *name;
	enum happening_kind kind;
} kinds[] = {{"down", HAPPEN_DOWN}, {"up", HAPPEN_UP}, {"reserve", HAPPEN_RESERVE}};

static const struct {
	const char *name;
	uint64_t flag;
} flags[] = {{"maint", RESERVE_FLAG_MAINT}, {"ignore_jobs", RESERVE_FLAG_IGN_JOBS},
	{"daily", RESERVE_FLAG_DAILY}, {"weekly", RESERVE_FLAG_WEEKLY}};

/* Seconds, or [D-]HH:MM:SS. */
static int parse_time(const char *text, int64_t *seconds)
{
	long d = 0, h, m, s;
	int end = 0;

	if (sscanf(text, "%ld-%ld:%ld:%ld%n", &d, &h, &m, &s, &end) == 4 && end && !text[end]) {
		*seconds = ((d * 24 + h) * 60 + m) * 60 + s;
		return *seconds < 0 ? -1 : 0;
	}
	end = 0;
	if (sscanf(text, "%ld:%ld:%ld%n", &h, &m, &s, &end) == 3 && end && !text[end]) {
		*seconds = (h * 60 + m) * 60 + s;
		return *seconds < 0 ? -1 : 0;
	}
	end = 0;
	if (sscanf(text, "%ld%n", &s, &end) != 1 || !end || text[end] || s < 0)
		return -1;
	*seconds = s;
	return 0;
}

static int parse_flags(char *text, uint64_t *out, struct mesh_err *err)
{
	char *rest = text, *word;

	while ((word = strtok_r(rest, ",", &rest))) {
		size_t i = 0, n = sizeof(flags) / sizeof(flags[0]);

		while (i < n && strcmp(word, flags[i].name))
			i++;
		if (i == n)
			return err_printf(err, "no such flag: %s", word);
		*out |= flags[i].flag;
	}
	return 0;
}

static int take_more(struct happening *what, char *word, struct mesh_err *err)
{
	char *value = strchr(word, '=');

	if (!value)
		return err_printf(err, "'%s' is not KEY=VALUE", word);
	*value++ = '\0';
	if (!strcmp(word, "name")) {
		free(what->name);
		what->name = strdup(value);
		return what->name ? 0 : err_printf(err, "out of memory");
	}
	if (!strcmp(word, "flags"))
		return parse_flags(value, &what->flags, err);
	if (!strcmp(word, "start") || !strcmp(word, "duration"))
		return parse_time(value, *word == 's' ? &what->start : &what->duration)
			? err_printf(err, "%s=%s is not a time", word, value) : 0;
	return err_printf(err, "no such key: %s", word);
}

static int add(struct happenings *all, struct happening **what)
{
	struct happening *more = realloc(all->list, ((size_t)all->count + 1) * sizeof(*more));

	if (!more)
		return -1;
	all->list = more;
	*what = &more[all->count++];
	memset(*what, 0, sizeof(**what));
	return 0;
}

static int read_happening(struct happenings *all, char *line, struct mesh_err *err)
{
	char *rest = line, *when, *kind, *nodes, *word;
	struct happening *what;
	size_t i = 0, n = sizeof(kinds) / sizeof(kinds[0]);

	when = strtok_r(rest, " \t", &rest);
	kind = strtok_r(rest, " \t", &rest);
	nodes = strtok_r(rest, " \t", &rest);
	if (!nodes)
		return err_printf(err, "WHEN down|up|reserve NODES is wanted");
	while (i < n && strcmp(kind, kinds[i].name))
		i++;
	if (i == n)
		return err_printf(err, "'%s' is not down, up or reserve", kind);
	if (add(all, &what) || !(what->nodes = strdup(nodes)))
		return err_printf(err, "out of memory");
	what->kind = kinds[i].kind;
	if (parse_time(when, &what->when))
		return err_printf(err, "'%s' is not a time", when);
	while ((word = strtok_r(rest, " \t", &rest)))
		if (take_more(what, word, err))
			return -1;
	if (what->kind == HAPPEN_RESERVE && (what->duration < 60 || !what->name))
		return err_printf(err, "reserve wants name= and duration= (a minute at least)");
	return 0;
}

/* Of equal times the first in the file first: qsort() does not promise that. */
static void sort(struct happenings *all)
{
	for (int i = 1; i < all->count; i++)
		for (int j = i; j > 0 && all->list[j - 1].when > all->list[j].when; j--) {
			struct happening swap = all->list[j];

			all->list[j] = all->list[j - 1];
			all->list[j - 1] = swap;
		}
}

struct reading {
	struct happenings *all;
	const char *path;
	struct mesh_err *err;
};

static int read_line(void *data, char *text, int line)
{
	struct reading *r = data;
	struct mesh_err what = {{0}};

	return read_happening(r->all, text, &what)
		? err_at(r->err, r->path, line, "%s", what.text) : 0;
}

int happen_read(struct happenings *all, const char *path, struct mesh_err *err)
{
	struct reading reading = {all, path, err};
	int rc;

	*all = (struct happenings){0};
	rc = textfile_read(path, read_line, &reading, err);
	sort(all);
	return rc;
}

void happen_release(struct happenings *all)
{
	for (int i = 0; i < all->count; i++) {
		free(all->list[i].nodes);
		free(all->list[i].name);
	}
	free(all->list);
	*all = (struct happenings){0};
}

static int set_state(const struct happening *what)
{
	char reason[] = "replay";
	update_node_msg_t node;

	slurm_init_update_node_msg(&node);
	node.node_names = what->nodes;
	node.reason = reason;
	node.node_state = what->kind == HAPPEN_DOWN ? NODE_STATE_DOWN : NODE_RESUME;
	return slurm_update_node(&node);
}

static int reserve(const struct happening *what, int64_t began)
{
	char root[] = "root";
	resv_desc_msg_t wish;

	slurm_init_resv_desc_msg(&wish);
	wish.name = what->name;
	wish.users = root;
	wish.node_list = what->nodes;
	wish.start_time = (time_t)(began + (what->start > what->when ? what->start : what->when));
	wish.duration = (uint32_t)((what->duration + 59) / 60);
	wish.flags = what->flags;
	/* The name is to be freed with free() before 26.05, and with xfree(), which programs do not
	   have, from then on: it is left. */
	return slurm_create_reservation(&wish) ? SLURM_SUCCESS : SLURM_ERROR;
}

int happen_now(const struct happening *what, int64_t began, struct mesh_err *err)
{
	int rc = what->kind == HAPPEN_RESERVE ? reserve(what, began) : set_state(what);

	return rc == SLURM_SUCCESS ? 0
				   : err_printf(err, "%s %s: %s", kinds[what->kind].name,
					     what->nodes, slurm_strerror(errno));
}
