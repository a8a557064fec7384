/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/jobcomm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/random.h"
#include "base/suggest.h"
#include "sim/byjob.h"
#include "sim/human.h"
#include "sim/need.h"

static const double LEAST_RANKS = 0.75; /* of a job's nodes */

static int find(const char *name)
{
	return strcasecmp(name, "neighbour") ? kind_find(name) : COMM_GRID;
}

static const char *const groups[] = {"mix", "programs", NULL};

/* What --contention takes: the kinds, then groups of them. */
static const char *choice(const void *list, int at)
{
	(void)list;
	return at < COMM_KINDS ? kind_name(at) : groups[at - COMM_KINDS];
}

static int unknown(const char *text, struct mesh_err *err)
{
	char meant[96], all[MESH_ERR_SIZE] = "";

	for (int i = 0; choice(NULL, i); i++)
		human_add(all, sizeof(all), "%s%s", i ? ", " : "", choice(NULL, i));
	return err_printf(err, "no such kind%s (%s)",
		suggest(text, choice, NULL, meant, sizeof(meant)), all);
}

/* What a strategy is told: patterns, never programs. */
static int told_of(int kind)
{
	return kind < COMM_PATTERNS ? kind : MESH_PATTERN_MIX;
}

int jobcomm_parse(const char *text, struct jobcomm_mix *mix, struct mesh_err *err)
{
	int kind = find(text), first = kind, behind = kind + 1;

	memset(mix, 0, sizeof(*mix));
	if (!strcasecmp(text, "mix")) {
		first = COMM_NONE + 1;
		behind = COMM_PATTERNS;
	} else if (!strcasecmp(text, "programs")) {
		first = COMM_PATTERNS;
		behind = COMM_KINDS;
	} else if (kind < 0) {
		return unknown(text, err);
	}
	for (int k = first; k < behind; k++)
		mix->share[k] = 1.0 / (behind - first);
	return 0;
}

/*
 * Draw a kind, by the job's number, or if it has none by its place in the queue. A program that
 * leaves many nodes unused is drawn only if there is no other.
 */
static int draw(const struct jobcomm_options *o, const struct trace *trace, int i)
{
	const struct trace_job *job = &trace->job[i];
	uint64_t number = job->id ? (uint64_t)job->id : UINT64_C(1) << 63 | (uint64_t)i;
	uint64_t state = random_stream(o->seed, number);
	double share[COMM_KINDS], sum = 0, at;
	int last = COMM_NONE;

	for (int k = 0; k < COMM_KINDS; k++) {
		bool fits = kind_ranks(k, job->count) >= LEAST_RANKS * job->count;

		share[k] = o->mix.share[k] * (fits ? 1 : 1e-9);
		sum += share[k];
	}
	at = random_unit(&state) * sum;
	for (int k = 0; k < COMM_KINDS; at -= share[k], k++)
		if (share[k] > 0) {
			last = k;
			if (at < share[k])
				break;
		}
	return last;
}

/* --- the file ----------------------------------------------------------------------- */

struct file {
	struct jobcomm *job;
	const struct trace *trace;
	const struct jobcomm_options *options;
	int kind; /* of the current line; -1: as drawn */
	struct mesh_pattern told;
	double percent; /* negative: that of all jobs */
};

static int take_text(void *data, const char *rest, struct mesh_err *err)
{
	struct file *f = data;
	char name[64], percent[64] = "-1", more[2], *end;
	int found = sscanf(rest, "%63s %63s %1s", name, percent, more);

	f->percent = strtod(percent, &end);
	if (found < 1 || found > 2 || *end ||
		(found == 2 && !(f->percent >= 0 && f->percent <= 100)))
		return -1;
	f->kind = find(name);
	f->told = (struct mesh_pattern){.kind = told_of(f->kind)};
	if (f->kind >= 0)
		return 0;
	if (mesh_pattern_parse(name, &f->told, err))
		return -1;
	f->kind = f->told.kind == MESH_PATTERN_MIX ? -1 : f->told.kind;
	return 0;
}

static void take_job(void *data, int job)
{
	const struct file *f = data;

	f->job[job].told = f->told;
	f->job[job].kind = f->kind >= 0 ? f->kind : draw(f->options, f->trace, job);
	f->job[job].share = f->percent >= 0 ? f->percent / 100 : f->options->share;
}

struct jobcomm *jobcomm_make(const struct trace *trace, const struct jobcomm_options *options,
	struct trace_byjob *lines, struct arena *arena, struct mesh_err *err)
{
	struct jobcomm *job = need_get(arena, trace->njobs, sizeof(*job));
	struct file f = {.job = job, .trace = trace, .options = options};
	const struct byjob file = {
		options->file, "ID PATTERN [PERCENT]", take_text, take_job, &f};

	for (int i = 0; i < trace->njobs; i++) {
		int kind = draw(options, trace, i);

		job[i] = (struct jobcomm){kind, options->share,
			{.kind = kind == COMM_NONE ? MESH_PATTERN_MIX : told_of(kind)}};
	}
	return options->file && byjob_read(trace, &file, lines, err) ? NULL : job;
}
