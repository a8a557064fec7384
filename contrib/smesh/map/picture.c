/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"

int picture_init(struct picture *p, const struct mesh *mesh)
{
	memset(p, 0, sizeof(*p));
	p->mesh = mesh;
	p->job_of = malloc((size_t)mesh->nnodes * sizeof(int));
	p->state = calloc((size_t)mesh->nnodes, 1);
	for (int i = 0; p->job_of && i < mesh->nnodes; i++)
		p->job_of[i] = -1;
	return p->job_of && p->state ? 0 : -1;
}

void picture_release(struct picture *p)
{
	for (int i = 0; i < p->njobs; i++) {
		free(p->job[i].id);
		free(p->job[i].user);
	}
	free(p->job);
	free(p->job_of);
	free(p->state);
	memset(p, 0, sizeof(*p));
}

static struct picture_job *new_job(struct picture *p)
{
	if (p->njobs == p->room) {
		int room = p->room * 2 + 64;
		void *bigger = realloc(p->job, (size_t)room * sizeof(*p->job));

		if (!bigger)
			return NULL;
		p->job = bigger;
		p->room = room;
	}
	return memset(&p->job[p->njobs++], 0, sizeof(*p->job));
}

int picture_add(struct picture *p, const char *id, const char *user, const int *node, int count,
	struct mesh_err *err)
{
	struct picture_job *job;

	for (int i = 0; i < count; i++)
		if (p->job_of[node[i]] >= 0)
			return err_printf(err, "a node of job %.32s is already in job %.32s", id,
				p->job[p->job_of[node[i]]].id);
	if (!(job = new_job(p)))
		return err_printf(err, "out of memory");
	job->id = strdup(id);
	job->user = user ? strdup(user) : NULL;
	job->count = count;
	for (int i = 0; i < count; i++)
		p->job_of[node[i]] = p->njobs - 1;
	return job->id && (job->user || !user) ? p->njobs - 1 : err_printf(err, "out of memory");
}

void picture_clear(struct picture *p, int job)
{
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->job_of[i] == job)
			p->job_of[i] = -1;
	p->job[job].count = 0;
}

int picture_measure(struct picture *p)
{
	struct mesh_meter *meter = mesh_meter_new(p->mesh);
	int *node = malloc((size_t)p->mesh->nnodes * sizeof(int));
	int *first = calloc((size_t)p->njobs + 2, sizeof(int));
	int code = meter && node && first ? 0 : -1;

	/* Counting sort: the nodes job by job. */
	for (int i = 0; !code && i < p->mesh->nnodes; i++)
		first[p->job_of[i] + 2]++;
	for (int j = 0; !code && j <= p->njobs; j++)
		first[j + 1] += first[j];
	for (int i = 0; !code && i < p->mesh->nnodes; i++)
		node[first[p->job_of[i] + 1]++] = i;
	/* first[j + 1] is now the end of job j. */
	for (int j = 0; !code && j < p->njobs; j++) {
		int count = first[j + 1] - first[j];
		int64_t hops = mesh_meter_hops(meter, node + first[j], count);

		p->job[j].count = count;
		p->job[j].mean_hops = mesh_mean_hops(hops, count);
	}
	mesh_meter_free(meter);
	free(node);
	free(first);
	return code;
}

char picture_letter(int job)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	return letters[job % (int)(sizeof(letters) - 1)];
}

/* Steps of the golden angle: neighbours in number are far apart in colour. Red is for down. */
int picture_hue(int job)
{
	return 20 + (int)((200 + (long long)job * 137508 / 1000) % 360 * 320 / 360);
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
	int plane_width, plane_height, planes, per_row;
};

static struct cell cell_of(const struct picture *p, int node)
{
	struct cell cell = {.node = node, .job = p->job_of[node], .kind = CELL_FREE};

	if (cell.job >= 0)
		cell.kind = CELL_JOB;
	if (p->state[node] == NODE_DRAINED)
		cell.kind = CELL_DRAINED;
	if (p->state[node] == NODE_DOWN)
		cell.kind = CELL_DOWN;
	return cell;
}

/* The nodes of a vertex side by side from (x, y); places without a node are holes. */
static void walk_vertex(const struct walk *w, int v, int x, int y)
{
	const struct mesh *mesh = w->picture->mesh;

	for (int i = 0; i < mesh->nodes_per_vertex; i++) {
		struct cell cell = {.kind = CELL_HOLE, .node = -1, .job = -1};

		if (i < mesh_nodes_on(mesh, v))
			cell = cell_of(w->picture, mesh->node_at[mesh->first[v] + i]);
		cell.x = x + i;
		cell.y = y;
		w->ops->cell(w->out, &cell);
	}
}

/* "z=1 u=0": the coordinates that a plane has in common. */
static void name_plane(const struct mesh *mesh, int plane, char *text, size_t size)
{
	static const char names[MESH_MAX_DIMS + 1] = "xyzuvw";
	size_t used = 0;

	*text = '\0';
	for (int d = 2; d < mesh->ndims && used < size; d++) {
		used += (size_t)snprintf(text + used, size - used, "%s%c=%d", d > 2 ? " " : "",
			names[d], plane % mesh->side[d]);
		plane /= mesh->side[d];
	}
}

static void walk_plane(const struct walk *w, int plane)
{
	const struct mesh *mesh = w->picture->mesh;
	int left = plane % w->per_row * (w->plane_width + 2);
	int top = plane / w->per_row * w->plane_height, sides = mesh->side[0] * mesh->side[1];
	bool named = mesh->ndims > 2;
	char text[96];

	if (named) {
		name_plane(mesh, plane, text, sizeof(text));
		w->ops->label(w->out, left, top, text);
	}
	for (int y = 0; y < mesh->side[1]; y++)
		for (int x = 0; x < mesh->side[0]; x++)
			walk_vertex(w, plane * sides + y * mesh->side[0] + x,
				left + x * mesh->nodes_per_vertex, top + named + y);
}

void picture_draw(const struct picture *picture, int width, const struct draw_ops *ops, void *out)
{
	const struct mesh *mesh = picture->mesh;
	struct walk w = {.picture = picture, .ops = ops, .out = out};
	int rows, gap = mesh->ndims > 2 ? 2 : 0;

	w.plane_width = mesh->side[0] * mesh->nodes_per_vertex;
	w.plane_height = mesh->side[1] + gap;
	w.planes = mesh->nvertices / (mesh->side[0] * mesh->side[1]);
	w.per_row = (width + 2) / (w.plane_width + 2);
	w.per_row = w.per_row < 1 ? 1 : w.per_row > w.planes ? w.planes : w.per_row;
	rows = (w.planes - 1) / w.per_row + 1;
	ops->begin(out, picture, w.per_row * (w.plane_width + 2) - 2, rows * w.plane_height);
	for (int plane = 0; plane < w.planes; plane++)
		walk_plane(&w, plane);
	ops->end(out);
}
