/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/queues.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/textfile.h"
#include "config/settings.h"

/* --- the file ---------------------------------------------------------------------------- */

struct reader {
	struct queues *queues;
	const char *path;
	struct mesh_err *err;
};

static int take_number(struct queues_row *row, size_t offset, const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (end == value || *end || number < 0 || number > INT32_MAX)
		return -1;
	*(int *)(void *)((char *)row + offset) = (int)number;
	return 0;
}

static int take_time(struct queues_row *row, size_t offset, const char *value)
{
	int64_t time = mesh_time_parse(value);

	(void)offset;
	row->max_time = time > 0 && time <= INT32_MAX ? time * SIM_SECOND : 0;
	return time < -1 || time > INT32_MAX ? -1 : 0;
}

static int take_default(struct queues_row *row, size_t offset, const char *value)
{
	(void)offset;
	return textfile_yes_no(value, &row->fallback);
}

static int take_name(struct queues_row *row, size_t offset, const char *value)
{
	(void)offset;
	free(row->name);
	row->name = strdup(value);
	return row->name && *value ? 0 : -1;
}

static const struct {
	const char *name;
	int (*take)(struct queues_row *row, size_t offset, const char *value);
	size_t offset;
} keys[] = {
	{"PartitionName", take_name, 0},
	{"Default", take_default, 0},
	{"MaxTime", take_time, 0},
	{"MinNodes", take_number, offsetof(struct queues_row, min_nodes)},
	{"MaxNodes", take_number, offsetof(struct queues_row, max_nodes)},
	{"PriorityTier", take_number, offsetof(struct queues_row, tier)},
	{"GrpNodes", take_number, offsetof(struct queues_row, grp_nodes)},
	{"GrpJobs", take_number, offsetof(struct queues_row, grp_jobs)},
	{"MaxJobsPerUser", take_number, offsetof(struct queues_row, max_jobs_user)},
	{"MaxNodesPerUser", take_number, offsetof(struct queues_row, max_nodes_user)},
};

static int take_pair(struct reader *r, struct queues_row *row, char *pair, int line)
{
	char *value = strchr(pair, '=');

	if (!value)
		return err_at(r->err, r->path, line, "'%.40s' is not NAME=VALUE", pair);
	*value++ = '\0';
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcasecmp(pair, keys[i].name))
			return keys[i].take(row, keys[i].offset, value)
				? err_at(r->err, r->path, line, "%s=%.40s is not what it takes",
					  keys[i].name, value)
				: 0;
	return err_at(r->err, r->path, line, "what is %.40s?", pair);
}

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	struct queues *q = r->queues;
	struct queues_row *more = realloc(q->row, ((size_t)q->nrows + 1) * sizeof(*more)), *row;
	char *save = NULL;

	if (!more)
		return err_printf(r->err, "out of memory");
	q->row = more;
	row = &q->row[q->nrows++];
	*row = (struct queues_row){0};
	for (char *pair = strtok_r(text, " \t", &save); pair; pair = strtok_r(NULL, " \t", &save))
		if (take_pair(r, row, pair, line))
			return -1;
	if (!row->name)
		return err_at(r->err, r->path, line, "PartitionName is missing");
	for (int i = 0; i < q->nrows - 1; i++)
		if (!strcmp(q->row[i].name, row->name))
			return err_at(r->err, r->path, line,
				"PartitionName=%.40s stands there twice", row->name);
	return 0;
}

int queues_read(struct queues *queues, const char *path, struct mesh_err *err)
{
	struct reader r = {queues, path, err};

	*queues = (struct queues){0};
	return textfile_read(path, take_line, &r, err) ? -1 : 0;
}

void queues_release(struct queues *queues)
{
	for (int i = 0; i < queues->nrows; i++)
		free(queues->row[i].name);
	free(queues->row);
	*queues = (struct queues){0};
}

/* --- a simulation ------------------------------------------------------------------------ */

struct load {
	int jobs, nodes;
};

struct queues_state {
	const struct queues *queues;
	const struct trace *trace;
	int *of;	   /* [njobs] row, -1: none */
	struct load *all;  /* [nrows] */
	struct load *user; /* [nrows * (nusers + 1)]; the last of a row is of jobs without user */
};

static int find_row(const struct queues *q, const char *name)
{
	for (int i = 0; i < q->nrows; i++)
		if (!strcmp(q->row[i].name, name))
			return i;
	return -1;
}

static int row_of(const struct queues *q, const struct trace *trace, const struct trace_job *j)
{
	const int named[] = {j->partition, j->queue};

	for (int i = 0; i < 2; i++) {
		int row = named[i] < 0 ? -1 : find_row(q, trace->user[named[i]]);

		if (row >= 0)
			return row;
	}
	for (int i = 0; i < q->nrows; i++)
		if (q->row[i].fallback)
			return i;
	return -1;
}

struct queues_state *queues_begin(const struct queues *queues, const struct trace *trace)
{
	struct queues_state *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->queues = queues;
	s->trace = trace;
	s->of = malloc(((size_t)trace->njobs + 1) * sizeof(*s->of));
	s->all = calloc((size_t)queues->nrows + 1, sizeof(*s->all));
	s->user =
		calloc(((size_t)trace->nusers + 1) * ((size_t)queues->nrows + 1), sizeof(*s->user));
	if (!s->of || !s->all || !s->user) {
		queues_end(s);
		return NULL;
	}
	for (int i = 0; i < trace->njobs; i++)
		s->of[i] = row_of(queues, trace, &trace->job[i]);
	return s;
}

void queues_end(struct queues_state *s)
{
	if (!s)
		return;
	free(s->of);
	free(s->all);
	free(s->user);
	free(s);
}

static bool over(int value, int limit)
{
	return limit && value > limit;
}

static struct load *user_load(const struct queues_state *s, int job)
{
	int user = s->trace->job[job].user, users = s->trace->nusers;

	return &s->user[(size_t)s->of[job] * ((size_t)users + 1) +
		(size_t)(user < 0 ? users : user)];
}

bool queues_refuse(const struct queues_state *s, int job)
{
	const struct trace_job *j = &s->trace->job[job];
	const struct queues_row *row = s->of[job] < 0 ? NULL : &s->queues->row[s->of[job]];

	return row && ((row->max_time && (j->estimate ? j->estimate : j->run) > row->max_time) ||
		j->count < row->min_nodes || over(j->count, row->max_nodes) ||
		over(j->count, row->grp_nodes) || over(j->count, row->max_nodes_user));
}

bool queues_hold(const struct queues_state *s, int job)
{
	const struct queues_row *row = s->of[job] < 0 ? NULL : &s->queues->row[s->of[job]];

	if (!row)
		return false;
	const struct load *all = &s->all[s->of[job]], *user = user_load(s, job);
	int count = s->trace->job[job].count;

	return over(all->jobs + 1, row->grp_jobs) || over(all->nodes + count, row->grp_nodes) ||
		over(user->jobs + 1, row->max_jobs_user) ||
		over(user->nodes + count, row->max_nodes_user);
}

int queues_tier(const struct queues_state *s, int job)
{
	return s->of[job] < 0 ? 0 : s->queues->row[s->of[job]].tier;
}

void queues_count(struct queues_state *s, int job, int sign)
{
	if (s->of[job] < 0)
		return;
	struct load *both[] = {&s->all[s->of[job]], user_load(s, job)};

	for (int i = 0; i < 2; i++) {
		both[i]->jobs += sign;
		both[i]->nodes += sign * s->trace->job[job].count;
	}
}
