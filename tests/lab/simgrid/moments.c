/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "moments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodeset.h"
#include "base/random.h"
#include "base/textfile.h"
#include "base/hostlist.h"

/* ---- Placements ---- */

struct name {
	const char *text;
	int node;
};

struct reader {
	struct placements *out;
	const struct mesh *mesh;
	struct name *name; /* [nnodes], sorted */
	struct nodeset set;
	struct mesh_err *err;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static int by_id(const void *a, const void *b)
{
	const struct placed_job *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* The nodes of a host list, ascending as Slurm has them, into the job. */
static int take_hosts(struct reader *r, struct placed_job *job, const char *hosts)
{
	struct arena arena = {0};
	char **host;
	int count = hostlist_check(hosts, r->err) < 0
		? -1
		: hostlist_libslurm.expand(hosts, &arena, &host, r->err);

	if (count < 0)
		return -1;
	nodeset_clear_all(&r->set);
	for (int i = 0; i < count; i++) {
		const struct name key = {host[i], 0};
		const struct name *found = bsearch(&key, r->name, (size_t)r->mesh->nnodes,
			sizeof(key), by_text);

		if (found)
			nodeset_add(&r->set, found->node);
	}
	arena_release(&arena);
	job->node = malloc(((size_t)r->mesh->nnodes + 1) * sizeof(int));
	if (!job->node)
		return err_printf(r->err, "out of memory");
	job->count = nodeset_members(&r->set, job->node);
	if (job->count != count)
		return err_printf(r->err, "'%s' has nodes that the mesh does not have", hosts);
	void *fit = realloc(job->node, ((size_t)count + 1) * sizeof(int));

	job->node = fit ? fit : job->node;
	return 0;
}

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	struct placements *out = r->out;
	struct placed_job job = {0};
	int at = -1;

	if (sscanf(text, "%lld %lf %lf %n", &job.id, &job.start, &job.end, &at) < 3 || at < 0)
		return err_printf(r->err, "line %d: not ID START END NODES", line);
	if (out->njobs == out->room) {
		int room = out->room * 2 + 1024;
		void *bigger = realloc(out->job, (size_t)room * sizeof(*out->job));

		if (!bigger)
			return err_printf(r->err, "out of memory");
		out->job = bigger;
		out->room = room;
	}
	out->job[out->njobs++] = job;
	return take_hosts(r, &out->job[out->njobs - 1], text + at);
}

int placements_read(struct placements *placements, const struct mesh *mesh, const char *path,
	struct mesh_err *err)
{
	struct reader r = {.out = placements, .mesh = mesh, .err = err};
	int code = -1;

	r.name = calloc((size_t)mesh->nnodes + 1, sizeof(*r.name));
	if (!r.name || nodeset_init(&r.set, mesh->nnodes)) {
		err_printf(err, "out of memory");
	} else {
		for (int i = 0; i < mesh->nnodes; i++)
			r.name[i] = (struct name){mesh->node_name[i], i};
		qsort(r.name, (size_t)mesh->nnodes, sizeof(*r.name), by_text);
		code = textfile_read(path, take_line, &r, err);
		qsort(placements->job, (size_t)placements->njobs, sizeof(*placements->job), by_id);
	}
	nodeset_release(&r.set);
	free(r.name);
	return code;
}

void placements_release(struct placements *placements)
{
	for (int i = 0; i < placements->njobs; i++)
		free(placements->job[i].node);
	free(placements->job);
}

/* ---- Moments ---- */

/* Do the same jobs run at this moment under both? */
static bool alike(const struct placements *a, const struct placements *b, double at)
{
	if (a->njobs != b->njobs)
		return false;
	for (int i = 0; i < a->njobs; i++) {
		const struct placed_job *x = &a->job[i], *y = &b->job[i];
		bool runs = x->start <= at && at < x->end;

		if (runs != (y->start <= at && at < y->end) ||
			(runs && (x->id != y->id || x->count != y->count)))
			return false;
	}
	return true;
}

/* The jobs of more than one node at this moment into *out (room for all); nodes in use. */
static int running(const struct placements *p, double at, struct moment *out)
{
	int nodes = 0;

	*out = (struct moment){.at = at, .job = out->job};
	for (int i = 0; i < p->njobs; i++) {
		const struct placed_job *job = &p->job[i];

		if (job->start > at || job->end <= at)
			continue;
		nodes += job->count;
		if (job->count > 1)
			out->job[out->njobs++] = i;
	}
	return nodes;
}

enum { MOST_DRAWS = 20000 };

int moments_draw(struct moment *moment, const struct placements *of, int count,
	const struct moment_rules *rules, struct mesh_err *err)
{
	double first = 1e300, last = 0;
	uint64_t state = random_stream(rules->seed, 0);
	int n = 0, full = 0;

	for (int i = 0; i < of[0].njobs; i++) {
		first = of[0].job[i].start < first ? of[0].job[i].start : first;
		last = of[0].job[i].end > last ? of[0].job[i].end : last;
	}
	for (int draw = 0; draw < MOST_DRAWS && n < rules->moments; draw++) {
		double at = first + (last - first) * random_unit(&state);
		struct moment *m = &moment[n];
		bool same = true;

		if (!m->job && !(m->job = calloc((size_t)of[0].njobs + 1, sizeof(int))))
			return err_printf(err, "out of memory");
		if (running(&of[0], at, m) < rules->busy * rules->nodes || m->njobs < rules->jobs)
			continue;
		full++;
		for (int i = 1; same && i < count; i++)
			same = alike(&of[0], &of[i], at);
		n += same;
	}
	if (!full)
		return err_printf(err, "at no moment are there %d jobs on %.0f%% of the nodes",
			rules->jobs, 100 * rules->busy);
	if (!n)
		return err_printf(err, "the strategies never run the same jobs: contiguous ones "
				       "and a log with contention have schedules of their own");
	return n;
}
