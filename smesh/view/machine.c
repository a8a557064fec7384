/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/machine.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "geometry/curve.h"
#include "links/links.h"
#include "sim/need.h"
#include "sim/report.h"

/* The most bytes of all maps together; and up to how many cells these have names and ranks. */
enum { MOST_BYTES = 3000000, NAMED = 4096, RANKED = 70000 };

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* Append to a list of an object; the list is made if there is none. */
static void push(json_t *object, const char *list, json_t *value)
{
	if (!json_object_get(object, list))
		json_object_set_new(object, list, json_array());
	json_array_append_new(json_object_get(object, list), value);
}

/* A JSON string; text that is not UTF-8 has no place in JSON. */
static json_t *text_json(const char *text)
{
	json_t *out = json_string(text ? text : "-");

	return out ? out : json_string("?");
}

/* A page shows two decimals. */
static json_t *number(double value)
{
	return json_real(round(value * 1000) / 1000);
}

/* Tenths of a second are enough for a page. */
static json_t *seconds(int64_t time)
{
	int64_t tenths = time / (SIM_SECOND / 10);

	return tenths % 10 ? json_real((double)tenths / 10) : json_integer(tenths / 10);
}

/* --- cells -------------------------------------------------------------------------- */

/* A cell is a place for a node: vertex * nodes_per_vertex + its number there. */
struct cells {
	const struct mesh *mesh;
	int all;
	int *of;   /* [mesh->nnodes] the cell of each node */
	int *node; /* [all] the node of each cell, or -1 */
	int *list; /* [all] scratch */
};

static void cells_init(struct cells *c, const struct mesh *mesh, struct arena *arena)
{
	int per = mesh->nodes_per_vertex;

	*c = (struct cells){.mesh = mesh, .all = mesh->nvertices * per};
	need_array(arena, c->of, mesh->nnodes);
	need_array(arena, c->node, c->all);
	need_array(arena, c->list, c->all);
	for (int i = 0; i < c->all; i++) {
		int v = i / per, at = i % per;

		c->node[i] = at < mesh_nodes_on(mesh, v) ? mesh->node_at[mesh->first[v] + at] : -1;
		if (c->node[i] >= 0)
			c->of[c->node[i]] = i;
	}
}

static char *put36(char *to, int value)
{
	if (value >= 36)
		to = put36(to, value / 36);
	*to++ = digits[value % 36];
	return to;
}

/*
 * Encode list[n], ascending: "gap*length gap ..." in base 36, with gaps from the end of the range
 * before, and only lengths above 1.
 */
static json_t *ranges_json(const int *list, int n)
{
	char *text = need(malloc(16 * (size_t)n + 1)), *to = text;
	json_t *out;

	for (int i = 0, end = 0, length; i < n; i += length) {
		for (length = 1; i + length < n && list[i + length] == list[i] + length; length++)
			;
		if (i)
			*to++ = ' ';
		to = put36(to, list[i] - end);
		if (length > 1) {
			*to++ = '*';
			to = put36(to, length);
		}
		end = list[i] + length;
	}
	out = json_stringn(text, (size_t)(to - text));
	free(text);
	return out;
}

static json_t *nodes_json(const struct cells *c, const int *node, int n)
{
	for (int i = 0; i < n; i++)
		c->list[i] = c->of[node[i]];
	sort_ints(c->list, n);
	return ranges_json(c->list, n);
}

static json_t *holes_json(const struct cells *c)
{
	int n = 0;

	for (int i = 0; i < c->all; i++)
		if (c->node[i] < 0)
			c->list[n++] = i;
	return ranges_json(c->list, n);
}

/* --- the mesh ----------------------------------------------------------------------- */

/* Add for each cell its rank in the machine's order. */
static void add_ranks(json_t *out, const struct cells *c)
{
	struct arena arena = {0};
	int *order = need_get(&arena, c->mesh->nvertices, sizeof(int));
	int *rank = need_get(&arena, c->mesh->nnodes, sizeof(int));

	need_done(curve_fill(c->mesh, CURVE_MESH, order));
	curve_nodes(c->mesh, order, NULL, rank);
	for (int i = 0; i < c->all; i++)
		push(out, "rank", json_integer(c->node[i] < 0 ? -1 : rank[c->node[i]]));
	arena_release(&arena);
}

static json_t *mesh_json(const struct cells *c, const struct layout *l)
{
	const struct mesh *mesh = c->mesh;
	json_t *plan = json_pack("{s:b, s:i, s:i, s:i, s:i}", "turned", l->turned, "fold", l->fold,
		"perRow", l->per_row, "planes", l->planes, "block", l->block_width);
	json_t *out = json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:{}, s:[], s:[]}", "dims",
		report_ints(mesh->side, mesh->ndims), "wrap", report_wrap(mesh), "npv",
		mesh->nodes_per_vertex, "nodes", mesh->nnodes, "holes", holes_json(c), "layout",
		plan, "jobs", "views", "broken");

	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (mesh_is_down(mesh, v, d)) {
				push(out, "broken", json_integer(v));
				push(out, "broken", json_integer(d));
			}
	/* For each cell the node's name, or "". */
	for (int i = 0; i < c->all && c->all <= NAMED && mesh->node_name; i++)
		push(out, "names", text_json(c->node[i] < 0 ? "" : mesh->node_name[c->node[i]]));
	if (c->all <= RANKED)
		add_ranks(out, c);
	return out;
}

/* --- jobs and views ----------------------------------------------------------------- */

/*
 * Add runs. Returns how many bytes. job_at[trace->njobs]: a job's index in the page's list, or -1.
 */
static size_t add_runs(
	json_t *page, json_t *view, const struct cells *c, const struct timeline *t, int *job_at)
{
	json_t *jobs = json_object_get(page, "jobs");
	size_t bytes = 0;

	for (int i = 0; i < t->nruns; i++) {
		const struct timeline_run *run = &t->run[i];
		const struct trace_job *j = &t->trace->job[run->job];
		json_t *cells = nodes_json(c, run->node, run->count);
		int *at = &job_at[run->job];

		if (*at < 0) {
			*at = (int)json_array_size(json_object_get(jobs, "id"));
			push(jobs, "id", j->name ? json_string(j->name) : json_integer(j->id));
			push(jobs, "user", text_json(j->user < 0 ? NULL : t->trace->user[j->user]));
			push(jobs, "nodes", json_integer(j->count));
			push(jobs, "submit", seconds(j->submit));
		}
		bytes += json_string_length(cells) + 32;
		push(view, "job", json_integer(*at));
		push(view, "hops", number(run->mean_hops));
		push(view, "cells", cells);
		push(view, "start", seconds(run->start));
		push(view, "end", seconds(run->end));
	}
	return bytes;
}

/* How many messages one step of two digits in base 36 stands for. */
static double messages_unit(const struct machine *m)
{
	double most = 0;

	for (int i = 0; i < m->nviews; i++)
		for (int l = 0; m->view[i].messages && l < links_count(m->mesh); l++)
			most = fmax(most, m->view[i].messages[l]);
	return most / (36 * 36 - 1);
}

/* Two digits for each vertex and dimension: the fuller direction to the next vertex. */
static json_t *messages_json(const struct mesh *mesh, const double *messages, double unit)
{
	size_t n = 2 * (size_t)mesh->nvertices * (size_t)mesh->ndims, at = 0;
	char *text = need(malloc(n));
	json_t *out;

	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int link = (v * mesh->ndims + d) * 2 + 1, next = links_to(mesh, link);
			double most = fmax(messages[link], next < 0 ? 0
				: messages[(next * mesh->ndims + d) * 2]);
			int value = unit > 0 ? (int)(most / unit + 0.5) : 0;

			text[at++] = digits[value / 36];
			text[at++] = digits[value % 36];
		}
	out = json_stringn(text, n);
	free(text);
	return out;
}

static json_t *numbers(const double *value, int n)
{
	json_t *out = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(out, number(value[i]));
	return out;
}

/* Figures of all jobs, not only of those on maps. */
static json_t *series_json(const struct machine_view *view)
{
	const struct timeline *t = view->timeline;
	json_t *out = json_pack("{s:s, s:o, s:o, s:[]}", "name", view->name, "waiting",
		report_ints(t->waiting, t->moments), "busy", report_ints(t->busy, t->moments),
		"size");

	if (t->box)
		json_object_set_new(out, "box", report_ints(t->box, t->moments));
	for (int k = 0; k < t->nkinds; k++) {
		push(out, "kinds", json_string(t->kind[k].name));
		push(out, "boxes", report_ints(t->kind[k].boxes, t->moments));
		push(out, "loss", numbers(t->kind[k].loss, t->moments));
	}
	json_object_set_new(out, "slowdowns", numbers(view->profile->slowdown, PROFILE_SHARES));
	json_object_set_new(out, "waits", numbers(view->profile->wait, PROFILE_SHARES));
	for (int i = 0; i < PROFILE_SIZES; i++) {
		const struct profile_size *size = &view->profile->size[i];

		if (!size->jobs)
			continue;
		push(out, "size", json_integer(1 << i));
		push(out, "hops", number(size->hops));
		push(out, "wait", number(size->wait));
		push(out, "stretch", number(size->stretch));
		push(out, "slowdown", numbers(size->slowdown, PROFILE_QUARTILES));
		push(out, "variation", numbers(size->variation, PROFILE_QUARTILES));
	}
	return out;
}

static void add_views(json_t *page, const struct machine *m, const struct cells *c, int *job_at)
{
	double unit = messages_unit(m);
	size_t bytes = 0;

	json_object_set_new(page, "unit", json_real(unit));
	for (int i = 0; i < m->nviews; i++) {
		const struct machine_view *from = &m->view[i];
		json_t *view;

		push(page, "series", series_json(from));
		if (i > 1 && bytes > MOST_BYTES)
			continue;
		view = json_pack("{s:s, s:[], s:[]}", "name", from->name, "job", "cells");
		bytes += add_runs(page, view, c, from->timeline, job_at);
		if (from->messages)
			json_object_set_new(view, "messages",
				messages_json(m->mesh, from->messages, unit));
		push(page, "views", view);
	}
}

json_t *machine_json(const struct machine *m)
{
	const struct timeline *t = m->view[0].timeline;
	struct arena arena = {0};
	int *job_at = need_get(&arena, t->trace->njobs, sizeof(int));
	struct cells c;
	json_t *out;

	cells_init(&c, m->mesh, &arena);
	for (int i = 0; i < t->trace->njobs; i++)
		job_at[i] = -1;
	out = mesh_json(&c, m->layout);
	if (m->down)
		json_object_set_new(out, "down",
			nodes_json(&c, c.list, nodeset_members(m->down, c.list)));
	json_object_set_new(out, "step", json_real(sim_seconds(t->step)));
	json_object_set_new(out, "at", json_real(sim_seconds(m->at)));
	add_views(out, m, &c, job_at);
	arena_release(&arena);
	return out;
}
