/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cli/smesh.h"
#include "sim/report.h"
#include "view/picture_json.h"
#include "view/reason.h"

/* A time; null if it is negative, which means unknown. */
static json_t *known(double value)
{
	return value < 0 || isnan(value) ? json_null() : json_real(value);
}

static json_t *hosts_of(const struct picture *p, const struct picture_job *job)
{
	char *text = smesh_nodes_to_hosts(p->mesh, job->node, job->count);
	json_t *hosts = json_string(text);

	free(text);
	return hosts;
}

json_t *picture_json_job(const struct picture *p, const struct picture_job *job)
{
	return json_pack("{s:s, s:s, s:s?, s:s?, s:i, s:o, s:o, s:o, s:o, s:s}", "state", "running",
		"job", job->id, "user", job->user, "partition", job->partition, "count", job->count,
		"nodes", hosts_of(p, job),
		"mean_hops", job->count > 1 ? known(job->mean_hops) : json_null(),
		"seconds_left", known(job->left), "seconds_run", known(job->ran), "pattern",
		job->pattern);
}

json_t *picture_json_waiting(const struct picture *p, const struct picture_waiting *w)
{
	struct reason reason;
	bool is_known = reason_explain(w->reason, &reason);

	return json_pack("{s:s, s:s, s:s?, s:i, s:b, s:o, s:s, s:s, s:s?, s:s?, s:o, s:o, s:s}",
		"state", "waiting", "job", w->id, "user", w->user, "count", w->nodes,
		"contiguous", (int)w->box, "shape", w->shape.ndims
			? report_ints(w->shape.side, w->shape.ndims) : json_null(),
		"mesh", p->mesh->name, "reason", w->why, "means", is_known ? reason.means : NULL,
		"helps", is_known ? reason.helps : NULL, "seconds_since", known(w->since),
		"seconds_to_start", known(w->start), "pattern", w->pattern);
}

static json_t *node_json(const struct picture *p, int node)
{
	static const char *const states[] = {"up", "drained", "down"};
	const struct mesh *mesh = p->mesh;
	int at[MESH_MAX_DIMS], v = mesh->vertex_of[node], job = p->job_of[node];

	for (int d = 0; d < mesh->ndims; d++)
		at[d] = mesh->coord[v][d];
	return json_pack("{s:s, s:o, s:s, s:s?}", "name", mesh->node_name[node],
		"at", mesh->cabled ? json_null() : report_ints(at, mesh->ndims),
		"state", states[p->state[node]], "job", job < 0 ? NULL : p->job[job].id);
}

/* Running jobs, then those that wait. */
static json_t *rows_of(const struct picture *p, bool running, bool waiting)
{
	json_t *rows = json_array();
	int bad = 0;

	for (int i = 0; running && i < p->njobs; i++)
		bad |= json_array_append_new(rows, picture_json_job(p, &p->job[i]));
	for (int i = 0; waiting && i < p->nwaiting; i++)
		bad |= json_array_append_new(rows, picture_json_waiting(p, &p->waiting[i]));
	if (bad)
		json_decref(rows);
	return bad ? NULL : rows;
}

json_t *picture_json(const struct picture *p)
{
	json_t *nodes = json_array();

	for (int i = 0; i < p->mesh->nnodes; i++)
		json_array_append_new(nodes, node_json(p, i));
	return json_pack("{s:{s:s, s:o, s:o}, s:s, s:o, s:o, s:o}", "mesh", "name", p->mesh->name,
		"dims", report_ints(p->mesh->side, p->mesh->ndims), "wrap", report_wrap(p->mesh),
		"title", p->title, "nodes", nodes, "jobs", rows_of(p, true, false), "waiting",
		rows_of(p, false, true));
}

const struct table picture_table = {
	.columns = "state|job|user|partition|count|nodes|mean_hops|seconds_left|seconds_run|"
		"seconds_since|seconds_to_start|pattern|contiguous|shape|mesh|reason|means|helps",
	.usual = "state,job,user,count,mean_hops,nodes,reason"};

int picture_json_print(const struct picture *p, const struct table_form *form)
{
	return table_print(&picture_table, form,
		form->json ? picture_json(p) : rows_of(p, true, true));
}
