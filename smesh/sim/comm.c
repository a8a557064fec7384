/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/comm.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/random.h"
#include "sim/byjob.h"

static int find(const char *name)
{
	for (int p = 0; p < COMM_PATTERNS; p++)
		if (!strcasecmp(name, comm_pattern_name(p)))
			return p;
	return strcasecmp(name, "neighbour") ? -1 : COMM_GRID;
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
	return err_printf(err, "all-to-all, ring, grid, random, none or mix");
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

struct file {
	struct comm_job *job;
	struct mesh_pattern pattern; /* of the line at hand, */
	double percent;		     /* and its share; below 0: that of all */
};

static int take_text(void *data, const char *rest, struct mesh_err *err)
{
	struct file *f = data;
	char name[64];
	int found;

	f->percent = -1;
	found = sscanf(rest, "%63s %lf", name, &f->percent);
	if (found < 1 || (found == 2 && !(f->percent >= 0 && f->percent <= 100)))
		return -1;
	if (find(name) < 0)
		return mesh_pattern_parse(name, &f->pattern, err);
	f->pattern = (struct mesh_pattern){.kind = find(name)};
	return 0;
}

static void take_job(void *data, int job)
{
	const struct file *f = data;

	f->job[job].told = f->pattern;
	if (f->pattern.kind < COMM_PATTERNS)
		f->job[job].pattern = (enum comm_pattern)f->pattern.kind;
	f->job[job].share = f->percent >= 0 ? f->percent / 100 : f->job[job].share;
}

static int read_file(const struct trace *trace, const char *path, struct comm_job *job,
	struct mesh_err *err)
{
	struct file f = {.job = job};

	return byjob_read(
		trace, &(struct byjob){path, "ID PATTERN [PERCENT]", take_text, take_job, &f}, err);
}

struct comm_job *comm_make(const struct trace *trace, const struct comm_options *options,
	struct arena *arena, struct mesh_err *err)
{
	struct comm_job *job = arena_get(arena, trace->njobs, sizeof(*job));

	if (!job) {
		err_printf(err, "out of memory");
		return NULL;
	}
	for (int i = 0; i < trace->njobs; i++) {
		enum comm_pattern pattern = draw(options, trace->job[i].id);

		job[i] = (struct comm_job){pattern, options->share,
			{.kind = pattern == COMM_NONE ? MESH_PATTERN_MIX : (int)pattern}};
	}
	return options->file && read_file(trace, options->file, job, err) ? NULL : job;
}
