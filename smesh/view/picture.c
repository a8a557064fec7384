/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/picture.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/metrics_meter.h"
#include "sim/human.h"
#include "sim/need.h"

void picture_init(struct picture *p, const struct mesh *mesh)
{
	p->mesh = mesh;
	need_array(&p->arena, p->state, mesh->nnodes);
	need_array(&p->arena, p->job_of, mesh->nnodes);
	memset(p->job_of, -1, (size_t)mesh->nnodes * sizeof(int));
}

void picture_release(struct picture *p)
{
	topoconf_free(p->conf);
	arena_release(&p->arena);
}

/* A copy of what a user wrote. */
static char *keep(struct picture *p, const char *text)
{
	return human_clean(need_text(&p->arena, text), "");
}

struct picture_job *picture_add(
	struct picture *p, struct picture_owner owner, const int *node, int count)
{
	struct picture_job *job = need_next(&p->arena, &p->job, &p->njobs, sizeof(*job));

	*job = (struct picture_job){.id = keep(p, owner.id),
		.user = keep(p, owner.user), .partition = keep(p, owner.partition),
		.node = need_get(&p->arena, count, sizeof(int)), .count = count, .left = -1,
		.ran = -1};
	for (int i = 0; i < count; i++) {
		job->node[i] = node[i];
		if (p->job_of[node[i]] < 0)
			p->job_of[node[i]] = p->njobs - 1;
	}
	return job;
}

void picture_wish(const struct picture_waiting *w, char *text, size_t size)
{
	char sides[64];

	human_sides(w->shape.ndims, w->shape.side, sides, sizeof(sides));
	if (w->shape.ndims)
		snprintf(text, size, "a box of %s%s", sides, w->shape.chips ? " chips" : "");
	else
		snprintf(text, size, "%s", w->box ? "contiguous" : "");
}

void picture_wait(struct picture *p, const struct picture_waiting *waiting)
{
	struct picture_waiting *w = need_next(&p->arena, &p->waiting, &p->nwaiting, sizeof(*w));

	*w = *waiting;
	/* smesh cannot say what to clear for a ring, so the job waits for nodes. */
	if (w->shape.walk) {
		w->shape = (struct mesh_shape){0};
		w->box = false;
	}
	w->id = keep(p, waiting->id);
	w->user = keep(p, waiting->user);
	w->why = keep(p, waiting->why ? waiting->why : "");
	w->reason = waiting->reason ? keep(p, waiting->reason) : w->why;
}

/* Is task in a list as 2-9:2,11? */
static bool is_in_tasks(const char *list, unsigned long task)
{
	while (*list && *list != '%' && *list != ']') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first, step = 1;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (*end == ':')
			step = strtoul(end + 1, &end, 10);
		if (task >= first && task <= last && step && (task - first) % step == 0)
			return true;
		list = end + (*end == ',');
	}
	return false;
}

bool picture_is_job(const char *id, uint32_t number, const char *asked)
{
	size_t array = strcspn(id, "_+");
	char *end;
	unsigned long n = strtoul(asked, &end, 10);

	if (!strcmp(id, asked))
		return true;
	if (end == asked || strncmp(id, asked, array))
		return number && end != asked && !*end && n == number;
	if (!asked[array])
		return id[array] != '\0';
	if (strncmp(id + array, "_[", 2) || asked[array] != '_' || !asked[array + 1])
		return false;
	n = strtoul(asked + array + 1, &end, 10);
	return !*end && is_in_tasks(id + array + 2, n);
}

void picture_mark(struct picture *p, const struct nodeset *set, enum node_state state)
{
	nodeset_each(node, set)
		p->state[node] = (unsigned char)state;
}

char picture_letter(int job)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	return letters[job % (int)(sizeof(letters) - 1)];
}

/* For one job: count the neighbouring places on the plane with each hue of earlier jobs. */
static void count_beside(const struct picture *p, int job, int beside[PICTURE_HUES])
{
	const struct mesh *mesh = p->mesh;

	for (int i = 0; i < p->job[job].count; i++)
		for (int d = 0; d < 2 && d < mesh->ndims; d++)
			for (int step = -1; step < 2; step++) {
				int v = mesh->vertex_of[p->job[job].node[i]];
				int at = mesh->coord[v][d] + step;

				if (at < 0 || at >= mesh->side[d])
					continue;
				v += step * mesh->stride[d];
				for (int n = mesh->first[v]; n < mesh->first[v + 1]; n++) {
					int other = p->job_of[mesh->node_at[n]];

					if (other >= 0 && other < job)
						beside[p->job[other].hue]++;
				}
			}
}

/*
 * Choose the hue that is least beside the job; of equal ones the first, from another one on per
 * job.
 */
static void choose_hue(struct picture *p, int job)
{
	int beside[PICTURE_HUES] = {0}, best = job * 3 % PICTURE_HUES;

	count_beside(p, job, beside);
	for (int i = 1; i < PICTURE_HUES; i++) {
		int hue = (job + i) * 3 % PICTURE_HUES;

		if (beside[hue] < beside[best])
			best = hue;
	}
	p->job[job].hue = best;
}

void picture_measure(struct picture *p)
{
	struct mesh_meter *meter = need(mesh_meter_new(p->mesh, &p->arena));

	for (int j = 0; j < p->njobs; j++) {
		struct picture_job *job = &p->job[j];

		job->mean_hops =
			mesh_mean_hops(mesh_meter_hops(meter, job->node, job->count), job->count);
		choose_hue(p, j);
	}
}

int picture_hue(const struct picture *p, int job)
{
	return 20 + p->job[job].hue * 32;
}

struct picture_count picture_count(const struct picture *p)
{
	struct picture_count c = {0};

	for (int i = 0; i < p->mesh->nnodes; i++) {
		c.down += p->state[i] == NODE_DOWN;
		c.drained += p->state[i] == NODE_DRAINED;
		c.busy += p->job_of[i] >= 0;
		c.free += p->state[i] == NODE_UP && p->job_of[i] < 0;
	}
	return c;
}

/* --- the walk --------------------------------------------------------------------- */

struct walk {
	const struct picture *picture;
	const struct draw_ops *ops;
	void *out;
	const struct layout *layout;
};

/* Draw the nodes of a vertex in its block; places without a node are holes. */
static void walk_vertex(const struct walk *w, int v)
{
	const struct picture *p = w->picture;
	const struct mesh *mesh = p->mesh;
	int x, y;

	layout_vertex(w->layout, mesh, v, &x, &y);
	for (int i = 0; i < mesh->nodes_per_vertex; i++) {
		struct cell cell = {.kind = CELL_HOLE, .node = -1, .job = -1};

		if (i < mesh_nodes_on(mesh, v)) {
			cell.node = mesh->node_at[mesh->first[v] + i];
			cell.job = p->job_of[cell.node];
			cell.kind = p->state[cell.node] == NODE_DOWN ? CELL_DOWN
				: p->state[cell.node] == NODE_DRAINED ? CELL_DRAINED
				: cell.job >= 0 ? CELL_JOB : CELL_FREE;
		}
		cell.x = x + i % w->layout->block_width * w->layout->step;
		cell.y = y + i / w->layout->block_width * w->layout->step;
		w->ops->cell(w->out, &cell);
	}
}

void picture_draw(const struct picture *picture, const struct layout *layout,
	const struct draw_ops *ops, void *out)
{
	const struct walk w = {picture, ops, out, layout};
	int sides = picture->mesh->nvertices / layout->planes, x, y;
	char text[96];

	for (int plane = 0; plane < layout->planes; plane++) {
		layout_plane(layout, plane, &x, &y);
		layout_name(picture->mesh, plane, text, sizeof(text));
		if (*text)
			ops->label(out, x, y, text);
		if (ops->plane)
			ops->plane(out, x, y + layout->label);
		for (int v = plane * sides; v < (plane + 1) * sides; v++)
			walk_vertex(&w, v);
	}
}
