/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* So many moments, or fewer on machines of so many nodes that they would fill the page. */
enum { MOST_MOMENTS = 300, LEAST_MOMENTS = 60, CELLS = 2000000 };

int *record_cells(const struct mesh *mesh)
{
	int *cell = malloc((size_t)mesh->nnodes * sizeof(*cell));

	for (int v = 0; cell && v < mesh->nvertices; v++)
		for (int i = 0; i < mesh_nodes_on(mesh, v); i++)
			cell[mesh->node_at[mesh->first[v] + i]] = v * mesh->nodes_per_vertex + i;
	return cell;
}

/* Evenly over the submissions and the longest job after them. */
static int64_t choose_step(const struct record *r)
{
	int moments = CELLS / r->mesh->nnodes;
	int64_t longest = 0, last = 0;

	for (int i = 0; i < r->trace->njobs; i++) {
		longest = r->trace->job[i].run > longest ? r->trace->job[i].run : longest;
		last = r->trace->job[i].submit;
	}
	moments = moments > MOST_MOMENTS ? MOST_MOMENTS
		: moments < LEAST_MOMENTS ? LEAST_MOMENTS : moments;
	/* One job of a week must not make a day's log a blur. */
	longest = last && longest > last / 2 ? last / 2 : longest;
	return (last + longest) / moments + 1;
}

int record_init(struct record *r, const struct mesh *mesh, const struct trace *trace,
	const int *cell_of)
{
	memset(r, 0, sizeof(*r));
	r->mesh = mesh;
	r->trace = trace;
	r->cell_of = cell_of;
	r->step = choose_step(r);
	r->slot = malloc(((size_t)trace->njobs + 1) * sizeof(*r->slot));
	r->start = malloc(((size_t)trace->njobs + 1) * sizeof(*r->start));
	r->out_since = malloc((size_t)mesh->nnodes * sizeof(*r->out_since));
	if (!r->slot || !r->start || !r->out_since)
		return -1;
	for (int i = 0; i < trace->njobs; i++)
		r->slot[i] = -1;
	for (int i = 0; i < mesh->nnodes; i++)
		r->out_since[i] = -1;
	return 0;
}

void record_release(struct record *r)
{
	for (int i = 0; i < r->njobs; i++)
		free(r->job[i].range);
	free(r->job);
	free(r->slot);
	free(r->free_slot);
	free(r->waiting);
	free(r->busy);
	free(r->running);
	free(r->out.at);
	free(r->cut.at);
	free(r->runs.at);
	free(r->start);
	free(r->out_since);
	memset(r, 0, sizeof(*r));
}

/* The cells of the nodes as ranges; 0, or -1 when memory is out. */
static int take_ranges(struct record *r, struct record_job *j, const int *node, int count)
{
	int *cell = malloc(((size_t)count + 1) * sizeof(*cell)), n = 0;

	j->range = malloc((2 * (size_t)count + 2) * sizeof(*j->range));
	if (!cell || !j->range) {
		free(cell);
		return -1;
	}
	for (int i = 0; i < count; i++)
		cell[i] = r->cell_of[node[i]];
	sort_ints(cell, count);
	for (int i = 0; i < count; i++) {
		if (!n || cell[i] != j->range[2 * n - 2] + j->range[2 * n - 1]) {
			j->range[2 * n] = cell[i];
			j->range[2 * n++ + 1] = 0;
		}
		j->range[2 * n - 1]++;
	}
	free(cell);
	j->nranges = n;
	int *fit = realloc(j->range, (2 * (size_t)n + 1) * sizeof(*j->range));

	j->range = fit ? fit : j->range;
	return 0;
}

static int new_slot(struct record *r)
{
	if (r->nfree)
		return r->free_slot[--r->nfree];
	if (r->njobs == r->room) {
		int room = r->room * 2 + 256;
		void *jobs = realloc(r->job, (size_t)room * sizeof(*r->job));
		void *slots = jobs ? realloc(r->free_slot, (size_t)room * sizeof(int)) : NULL;

		r->job = jobs ? jobs : r->job;
		r->free_slot = slots ? slots : r->free_slot;
		if (!slots)
			return -1;
		r->room = room;
	}
	return r->njobs++;
}

void record_span(struct record *r, struct record_spans *spans, struct record_span span)
{
	if (spans->n == spans->room) {
		int room = spans->room * 2 + 256;
		void *more = realloc(spans->at, (size_t)room * sizeof(*spans->at));

		if (!more) {
			r->failed = true;
			return;
		}
		spans->at = more;
		spans->room = room;
	}
	spans->at[spans->n++] = span;
}

void record_placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct record *r = data;
	int at = r->failed ? -1 : new_slot(r);

	r->start[job] = now;
	if (at >= 0) {
		r->job[at] = (struct record_job){.job = job, .start = now, .end = -1};
		r->slot[job] = at;
	}
	if (at < 0 || take_ranges(r, &r->job[at], node, count))
		r->failed = true;
}

void record_ended(void *data, int job, int64_t now)
{
	struct record *r = data;
	int at = r->failed ? -1 : r->slot[job];

	record_span(r, &r->runs, (struct record_span){job, r->start[job], now});
	if (at < 0)
		return;
	r->slot[job] = -1;
	r->job[at].end = now;
	if (record_moment_from(r, r->job[at].start) < now)
		return;
	free(r->job[at].range);
	r->job[at] = (struct record_job){.job = -1};
	r->free_slot[r->nfree++] = at;
}

void record_turned(void *data, int node, bool up, int64_t now)
{
	struct record *r = data;
	int64_t since = r->out_since[node];

	r->out_since[node] = up ? -1 : now;
	if (up && since >= 0 && record_moment_from(r, since) < now)
		record_span(r, &r->out, (struct record_span){node, since, now});
}

int64_t record_moment(const struct record *r)
{
	double most = 0;
	int best = 0;

	for (int i = 0; !r->failed && i < r->moments; i++)
		if ((double)r->busy[i] * r->running[i] > most) {
			most = (double)r->busy[i] * r->running[i];
			best = i;
		}
	return best * r->step;
}

int *record_nodes_of_cells(const struct record *r)
{
	size_t cells = (size_t)r->mesh->nvertices * (size_t)r->mesh->nodes_per_vertex;
	int *node = malloc(cells * sizeof(*node));

	for (size_t i = 0; node && i < cells; i++)
		node[i] = -1;
	for (int i = 0; node && i < r->mesh->nnodes; i++)
		node[r->cell_of[i]] = i;
	return node;
}

int *record_nodes(const struct record *r, const struct record_job *j, const int *node_of, int *n)
{
	int count = r->trace->job[j->job].count;
	int *node = node_of ? malloc(((size_t)count + 1) * sizeof(*node)) : NULL;

	*n = 0;
	for (int i = 0; node && i < j->nranges; i++)
		for (int k = 0; k < j->range[2 * i + 1] && *n < count; k++)
			node[(*n)++] = node_of[j->range[2 * i] + k];
	return node;
}

static int draw_job(const struct record *r, const struct record_job *j, const int *node_of,
	struct picture *picture)
{
	const struct trace_job *job = &r->trace->job[j->job];
	struct picture_owner owner = {.user = job->user >= 0 ? r->trace->user[job->user] : NULL};
	int n, *node = record_nodes(r, j, node_of, &n), code;
	struct mesh_err err;
	char id[32];

	snprintf(id, sizeof(id), "%lld", (long long)job->id);
	owner.id = id;
	code = node ? picture_add(picture, owner, node, n, &err) : -1;
	free(node);
	return code < 0 ? -1 : 0;
}

int record_picture(const struct record *r, int64_t at, struct picture *picture)
{
	int *node_of = record_nodes_of_cells(r), code = 0;

	if (!node_of || picture_init(picture, r->mesh))
		code = -1;
	for (int i = 0; !code && i < r->njobs; i++)
		if (r->job[i].job >= 0 && r->job[i].start <= at && at < r->job[i].end)
			code = draw_job(r, &r->job[i], node_of, picture);
	for (int i = 0; !code && i < r->out.n; i++)
		if (r->out.at[i].from <= at && at < r->out.at[i].to)
			picture->state[r->out.at[i].of] = NODE_DOWN;
	free(node_of);
	return code;
}
