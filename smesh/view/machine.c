/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "links/links.h"
#include "geometry/curve.h"
#include "sim/report.h"
#include "view/script.h"

/* Bytes of all views together, and cells up to which they have names and ranks. */
enum { MOST_BYTES = 3000000, NAMED = 4096, RANKED = 70000 };

/* --- ranges ------------------------------------------------------------------------- */

static char *put36(char *to, int value)
{
	char digits[8];
	int n = 0;

	do
		digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
	while ((value /= 36));
	while (n)
		*to++ = digits[--n];
	return to;
}

/* "gap*length gap ..." in base 36: gaps from the end of the range before, lengths above 1. */
static json_t *ranges_json(const int *range, int nranges)
{
	char *text = malloc(16 * (size_t)nranges + 1), *to = text;
	int end = 0;
	json_t *out;

	if (!text)
		return NULL;
	for (int i = 0; i < nranges; i++) {
		if (i)
			*to++ = ' ';
		to = put36(to, range[2 * i] - end);
		if (range[2 * i + 1] > 1) {
			*to++ = '*';
			to = put36(to, range[2 * i + 1]);
		}
		end = range[2 * i] + range[2 * i + 1];
	}
	out = json_stringn(text, (size_t)(to - text));
	free(text);
	return out;
}

/* Of the cells for which take() is true. */
struct cells {
	const struct mesh *mesh;
	const struct nodeset *set;
	const unsigned char *state;
	const int *job_of;
	int wanted;
};

static json_t *cells_json(const struct cells *c, bool (*take)(const struct cells *, int node))
{
	const struct mesh *mesh = c->mesh;
	int per = mesh->nodes_per_vertex, cells = mesh->nvertices * per, n = 0;
	int *range = malloc((2 * (size_t)cells + 2) * sizeof(*range));
	json_t *out;

	for (int i = 0; range && i < cells; i++) {
		bool there = i % per < mesh_nodes_on(mesh, i / per);

		if (!take(c, there ? mesh->node_at[mesh->first[i / per] + i % per] : -1))
			continue;
		if (n && range[2 * n - 2] + range[2 * n - 1] == i) {
			range[2 * n - 1]++;
		} else {
			range[2 * n] = i;
			range[2 * n++ + 1] = 1;
		}
	}
	out = range ? ranges_json(range, n) : NULL;
	free(range);
	return out;
}

static bool is_hole(const struct cells *c, int node)
{
	(void)c;
	return node < 0;
}

static bool is_in_set(const struct cells *c, int node)
{
	return node >= 0 && c->set && nodeset_has(c->set, node);
}

static bool has_state(const struct cells *c, int node)
{
	return node >= 0 && c->state[node] == c->wanted;
}

static bool has_job(const struct cells *c, int node)
{
	return node >= 0 && c->job_of[node] == c->wanted;
}

/* --- the mesh ----------------------------------------------------------------------- */

/* By cell: the node's name, empty where there is none. */
static json_t *names_json(const struct mesh *mesh)
{
	int per = mesh->nodes_per_vertex;
	json_t *out = json_array();

	for (int i = 0; i < mesh->nvertices * per; i++) {
		bool there = i % per < mesh_nodes_on(mesh, i / per);

		json_array_append_new(out,
			json_string(there && mesh->node_name
					? mesh->node_name[mesh->node_at[mesh->first[i / per] +
						  i % per]]
					: ""));
	}
	return out;
}

/* By cell: its rank in the machine's order. */
static json_t *ranks_json(const struct mesh *mesh)
{
	int *order = malloc((size_t)mesh->nvertices * sizeof(int));
	int *rank = malloc((size_t)mesh->nnodes * sizeof(int));
	int per = mesh->nodes_per_vertex;
	json_t *out = json_array();

	if (order && rank && !curve_fill(mesh, CURVE_MESH, order)) {
		curve_nodes(mesh, order, NULL, rank);
		for (int i = 0; i < mesh->nvertices * per; i++)
			json_array_append_new(out,
				json_integer(i % per < mesh_nodes_on(mesh, i / per)
						? rank[mesh->node_at[mesh->first[i / per] +
							  i % per]]
						: -1));
	}
	free(order);
	free(rank);
	return out;
}

static json_t *mesh_json(const struct mesh *mesh)
{
	struct cells cells = {.mesh = mesh};
	int all = mesh->nvertices * mesh->nodes_per_vertex;
	json_t *out = json_object();

	json_object_set_new(out, "dims", report_ints(mesh->side, mesh->ndims));
	json_object_set_new(out, "wrap", report_wrap(mesh));
	json_object_set_new(out, "npv", json_integer(mesh->nodes_per_vertex));
	json_object_set_new(out, "nodes", json_integer(mesh->nnodes));
	json_object_set_new(out, "holes", cells_json(&cells, is_hole));
	if (all <= NAMED)
		json_object_set_new(out, "names", names_json(mesh));
	if (all <= RANKED)
		json_object_set_new(out, "rank", ranks_json(mesh));
	return out;
}

/* --- jobs and views ----------------------------------------------------------------- */

struct jobs {
	int *at; /* [trace->njobs] where a job is in the page's list, or -1 */
	int n;
	json_t *id, *user, *nodes, *submit;
};

/* Tenths of a second are enough for a page. */
static json_t *seconds(int64_t time)
{
	int64_t tenths = time / (SIM_SECOND / 10);

	return tenths % 10 ? json_real((double)tenths / 10) : json_integer(tenths / 10);
}

static int job_at(struct jobs *jobs, const struct trace *trace, int job)
{
	const struct trace_job *j = &trace->job[job];

	if (jobs->at[job] < 0) {
		jobs->at[job] = jobs->n++;
		json_array_append_new(jobs->id, json_integer(j->id));
		json_array_append_new(jobs->user, json_integer(j->user));
		json_array_append_new(jobs->nodes, json_integer(j->count));
		json_array_append_new(jobs->submit, seconds(j->submit));
	}
	return jobs->at[job];
}

/* A page shows two decimals. */
static json_t *hops_json(double hops)
{
	return json_real(round(hops * 1000) / 1000);
}

/* The links between a vertex and the next along d: what is on the fuller of both directions. */
static double messages_between(const struct mesh *mesh, const double *messages, int v, int d)
{
	int link = (v * mesh->ndims + d) * 2 + 1, next = links_to(mesh, link);
	double down = next < 0 ? 0 : messages[(next * mesh->ndims + d) * 2];

	return messages[link] > down ? messages[link] : down;
}

/* Messages that stand for one step of two digits in base 36. */
static double messages_unit(const struct machine *m)
{
	double most = 0;

	for (int i = 0; m->messages && i < m->nviews; i++)
		for (int l = 0; l < links_count(m->mesh); l++)
			most = m->messages[i][l] > most ? m->messages[i][l] : most;
	return most / (36 * 36 - 1);
}

/* Two digits for each vertex and dimension; adds to *bytes. */
static json_t *messages_json(
	const struct mesh *mesh, const double *messages, double unit, size_t *bytes)
{
	static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	size_t n = 2 * (size_t)mesh->nvertices * (size_t)mesh->ndims, at = 0;
	char *text = malloc(n);
	json_t *out;

	for (int v = 0; text && v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int value = unit > 0
				? (int)(messages_between(mesh, messages, v, d) / unit + 0.5)
				: 0;

			text[at++] = digit[value / 36];
			text[at++] = digit[value % 36];
		}
	out = text ? json_stringn(text, n) : NULL;
	free(text);
	*bytes += n;
	return out;
}

/* When which cells were out of service. */
static json_t *out_json(const struct record *r, size_t *bytes)
{
	json_t *start = json_array(), *end = json_array(), *cell = json_array();

	for (int i = 0; i < r->out.n; i++) {
		json_array_append_new(start, seconds(r->out.at[i].from));
		json_array_append_new(end, seconds(r->out.at[i].to));
		json_array_append_new(cell, json_integer(r->cell_of[r->out.at[i].of]));
	}
	*bytes += 24 * (size_t)r->out.n;
	return json_pack("{s:o, s:o, s:o}", "start", start, "end", end, "cell", cell);
}

/* How much later than in the log the jobs of the view came; NULL: none did. */
static json_t *moved_json(const struct record *r)
{
	json_t *out = json_array();
	bool any = false;

	for (int i = 0; i < r->njobs; i++) {
		if (r->job[i].job < 0)
			continue;
		any |= r->job[i].moved != 0;
		json_array_append_new(out, seconds(r->job[i].moved));
	}
	if (any)
		return out;
	json_decref(out);
	return NULL;
}

/* Adds to *bytes what the view takes. */
static json_t *view_json(const struct record *r, const char *name, struct jobs *jobs, size_t *bytes)
{
	json_t *job = json_array(), *start = json_array(), *end = json_array(),
	       *hops = json_array(), *cells = json_array();

	for (int i = 0; i < r->njobs; i++) {
		const struct record_job *j = &r->job[i];
		json_t *ranges = j->job < 0 ? NULL : ranges_json(j->range, j->nranges);

		if (!ranges)
			continue;
		*bytes += json_string_length(ranges) + 32;
		json_array_append_new(job, json_integer(job_at(jobs, r->trace, j->job)));
		json_array_append_new(start, seconds(j->start));
		json_array_append_new(end, seconds(j->end));
		json_array_append_new(hops, hops_json(j->mean_hops));
		json_array_append_new(cells, ranges);
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", name, "job", job,
		"start", start, "end", end, "hops", hops, "cells", cells, "waiting",
		report_ints(r->waiting, r->moments), "busy", report_ints(r->busy, r->moments));
}

static json_t *users_json(const struct trace *trace)
{
	json_t *out = json_array();

	for (int i = 0; i < trace->nusers; i++) {
		json_t *name = json_string(trace->user[i]);

		json_array_append_new(out, name ? name : json_string("?"));
	}
	return out;
}

static json_t *jobs_json(struct jobs *jobs)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "id", jobs->id, "user", jobs->user, "nodes",
		jobs->nodes, "submit", jobs->submit);
}

json_t *machine_json(const struct machine *m)
{
	const struct trace *trace = m->record[0]->trace;
	struct jobs jobs = {.at = malloc(((size_t)trace->njobs + 1) * sizeof(int)),
		.id = json_array(),
		.user = json_array(),
		.nodes = json_array(),
		.submit = json_array()};
	struct cells down = {.mesh = m->mesh, .set = m->down};
	json_t *out = mesh_json(m->mesh), *views = json_array();
	double unit = messages_unit(m);
	size_t bytes = 0;

	for (int i = 0; jobs.at && i < trace->njobs; i++)
		jobs.at[i] = -1;
	for (int i = 0; jobs.at && i < m->nviews && (i < 2 || bytes < MOST_BYTES); i++)
		if (!m->record[i]->failed) {
			json_t *view = view_json(m->record[i], m->name[i], &jobs, &bytes);
			json_t *moved = moved_json(m->record[i]);

			if (m->messages)
				json_object_set_new(view, "messages",
					messages_json(m->mesh, m->messages[i], unit, &bytes));
			if (m->record[i]->out.n)
				json_object_set_new(view, "out", out_json(m->record[i], &bytes));
			if (moved)
				json_object_set_new(view, "moved", moved);
			json_array_append_new(views, view);
		}
	json_object_set_new(out, "down", cells_json(&down, is_in_set));
	json_object_set_new(out, "step", json_real((double)m->record[0]->step / SIM_SECOND));
	json_object_set_new(out, "at", json_real((double)m->at / SIM_SECOND));
	json_object_set_new(out, "unit", json_real(unit));
	json_object_set_new(out, "users", users_json(trace));
	json_object_set_new(out, "jobs", jobs_json(&jobs));
	json_object_set_new(out, "views", views);
	free(jobs.at);
	return out;
}

json_t *machine_json_picture(const struct picture *p, const char *name)
{
	struct jobs jobs = {.id = json_array(), .user = json_array(), .nodes = json_array(),
		.submit = json_array()};
	struct cells cells = {.mesh = p->mesh, .state = p->state, .job_of = p->job_of};
	json_t *out = mesh_json(p->mesh), *users = json_array(), *job = json_array(),
	       *ranges = json_array(), *hops = json_array();

	cells.wanted = NODE_DOWN;
	json_object_set_new(out, "down", cells_json(&cells, has_state));
	cells.wanted = NODE_DRAINED;
	json_object_set_new(out, "drained", cells_json(&cells, has_state));
	for (int i = 0; i < p->njobs; i++) {
		json_t *id = json_string(p->job[i].id),
		       *user = json_string(p->job[i].user ? p->job[i].user : "-");

		cells.wanted = i;
		json_array_append_new(jobs.id, id ? id : json_string("?"));
		json_array_append_new(users, user ? user : json_string("?"));
		json_array_append_new(jobs.user, json_integer(i));
		json_array_append_new(jobs.nodes, json_integer(p->job[i].count));
		json_array_append_new(job, json_integer(i));
		json_array_append_new(hops, hops_json(p->job[i].mean_hops));
		json_array_append_new(ranges, cells_json(&cells, has_job));
	}
	json_object_set_new(out, "users", users);
	json_object_set_new(out, "jobs", jobs_json(&jobs));
	json_object_set_new(out, "views",
		json_pack("[{s:s, s:o, s:o, s:o}]", "name", name, "job", job, "hops", hops, "cells",
			ranges));
	return out;
}

/* --- into the page -------------------------------------------------------------------- */

/* A < in a string must not end the element that the data is in. */
static int write_safely(const char *text, size_t size, void *data)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] == '<')
			fputs("\\u003c", data);
		else
			fputc(text[i], data);
	return ferror((FILE *)data) ? -1 : 0;
}

void machine_write(FILE *file, json_t *data)
{
	if (!data)
		return;
	fputs("<script type=\"application/json\" id=\"machine-data\">", file);
	json_dump_callback(data, write_safely, file, JSON_COMPACT | JSON_REAL_PRECISION(14));
	fputs("</script>\n<script>\n", file);
	for (const char *const *line = script_machine; *line; line++)
		fputs(*line, file);
	fputs("</script>\n", file);
	json_decref(data);
}
