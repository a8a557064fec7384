/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/random.h"
#include "base/textfile.h"

static int find(const char *name)
{
	for (int p = 0; p < COMM_PATTERNS; p++)
		if (!strcasecmp(name, comm_pattern_name(p)))
			return p;
	return strcasecmp(name, "neighbour") ? -1 : COMM_GRID;
}

static int normalise(struct comm_mix *mix, const char *text, struct mesh_err *err)
{
	double sum = 0;

	for (int p = 0; p < COMM_PATTERNS; p++)
		sum += mix->share[p];
	if (!(sum > 0))
		return err_printf(err, "'%s': no share is above 0", text);
	for (int p = 0; p < COMM_PATTERNS; p++)
		mix->share[p] /= sum;
	return 0;
}

/* NAME=SHARE,... */
static int parse_shares(const char *text, struct comm_mix *mix, struct mesh_err *err)
{
	while (*text) {
		char name[24], end;
		double share;
		int used = 0;

		if (sscanf(text, "%23[^=]=%lf%n", name, &share, &used) != 2 || !used ||
			find(name) < 0 || !(share >= 0 && share <= 1e9))
			return err_printf(err, "'%s': not PATTERN=SHARE", text);
		mix->share[find(name)] += share;
		text += used;
		end = *text;
		if (end && end != ',')
			return err_printf(err, "'%s': a comma is missing", text);
		text += end == ',';
	}
	return 0;
}

int comm_parse(const char *text, struct comm_mix *mix, struct mesh_err *err)
{
	int pattern = find(text);

	memset(mix, 0, sizeof(*mix));
	if (pattern >= 0) {
		mix->share[pattern] = 1;
		return 0;
	}
	if (!strcasecmp(text, "mix")) {
		*mix = comm_mix_default;
		return 0;
	}
	if (!strncasecmp(text, "mix:", 4))
		return parse_shares(text + 4, mix, err) || normalise(mix, text, err) ? -1 : 0;
	return err_printf(err, "all-to-all, ring, grid, random, none, mix or mix:NAME=SHARE,...");
}

static enum comm_pattern draw(const struct comm_options *o, int64_t id)
{
	uint64_t state = random_stream(o->seed, (uint64_t)id);
	double at = random_unit(&state);
	int last = COMM_NONE;

	for (int p = 0; p < COMM_PATTERNS; at -= o->mix.share[p], p++)
		if (o->mix.share[p] > 0) {
			last = p;
			if (at < o->mix.share[p])
				break;
		}
	return (enum comm_pattern)last;
}

/* --- the file ----------------------------------------------------------------------- */

struct order {
	int64_t id;
	int job;
};

static int by_id(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->job - y->job;
}

struct file {
	struct order *order; /* [njobs] */
	int njobs;
	struct comm_job *job;
	const char *path;
	struct mesh_err *err;
};

/* A job may have left the workload, as too large; copies have one number. */
static int take_line(void *data, char *text, int line)
{
	struct file *f = data;
	char name[24];
	double percent = -1;
	long long id;
	int found = sscanf(text, "%lld %23s %lf", &id, name, &percent), low = 0, high = f->njobs;

	if (found < 2 || find(name) < 0 || (found == 3 && !(percent >= 0 && percent <= 100)))
		return err_printf(f->err, "%s:%d: not ID PATTERN [PERCENT]", f->path, line);
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (f->order[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < f->njobs && f->order[low].id == id; low++) {
		struct comm_job *job = &f->job[f->order[low].job];

		job->pattern = (enum comm_pattern)find(name);
		job->share = found == 3 ? percent / 100 : job->share;
	}
	return 0;
}

static int read_file(const struct trace *trace, const char *path, struct comm_job *job,
	struct mesh_err *err)
{
	struct file f = {.njobs = trace->njobs, .job = job, .path = path, .err = err};
	int code;

	if (!(f.order = calloc((size_t)trace->njobs + 1, sizeof(*f.order))))
		return err_printf(err, "out of memory");
	for (int i = 0; i < trace->njobs; i++)
		f.order[i] = (struct order){trace->job[i].id, i};
	qsort(f.order, (size_t)trace->njobs, sizeof(*f.order), by_id);
	code = textfile_read(path, take_line, &f, err);
	free(f.order);
	return code;
}

struct comm_job *comm_make(const struct trace *trace, const struct comm_options *options,
	struct mesh_err *err)
{
	struct comm_job *job = calloc((size_t)trace->njobs + 1, sizeof(*job));

	if (!job) {
		err_printf(err, "out of memory");
		return NULL;
	}
	for (int i = 0; i < trace->njobs; i++)
		job[i] = (struct comm_job){draw(options, trace->job[i].id), options->share};
	if (options->file && read_file(trace, options->file, job, err)) {
		free(job);
		return NULL;
	}
	return job;
}
