/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by shells of boxes: the cost of every centre comes from the counts of its
 * boxes; only ties for the least cost have their totals worked out.
 */
#include <stddef.h>

#include "point.h"

#define LANES BALL_LANES

/* Centres x..x+n-1 of a row. */
struct run {
	int x, n;
	int count[LANES];
	bool open[LANES]; /* still of interest */
};

/* Sum of the required nodes' shell numbers. */
static int64_t required_shells(const struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1)) {
		int shell = 0;

		for (int d = 0; d < mesh->ndims; d++) {
			int used = ball_axis(&point->space, d, mesh->coord[centre][d],
				mesh->coord[mesh->vertex_of[i]][d]);

			shell = used > shell ? used : shell;
		}
		sum += shell;
	}
	return sum;
}

/* The costs of a run of centres; those that are no more than the least so far are kept. */
static void cost_run(struct point *point, struct point_search *search, int first, struct run *run)
{
	int64_t cost[LANES];
	int open = 0, vertex = first + run->x;

	for (int l = 0; l < run->n; l++) {
		run->open[l] = point_is_centre(point, search, vertex + l);
		cost[l] = run->open[l] ? required_shells(point, vertex + l) : 0;
		open += run->open[l];
	}
	for (int radius = 0; open; radius++) {
		ball_count(&point->space, radius, run->x, run->n, run->count);
		for (int l = 0; l < run->n; l++) {
			if (!run->open[l])
				continue;
			if (run->count[l] < point->wanted)
				cost[l] += point->wanted - run->count[l];
			bool over = cost[l] > search->cost;

			if (!over && run->count[l] < point->wanted)
				continue;
			run->open[l] = false;
			open--;
			if (over)
				continue;
			if (cost[l] < search->cost) {
				search->cost = cost[l];
				search->total = INT64_MAX;
				search->vertex = -1;
				point->nbound = 0;
			}
			point->bound[point->nbound++] = (struct point_bound){
				(double)cost[l], vertex + l, radius, 0};
		}
	}
}

/* ---- ties among small cubes ---- */

/*
 * Requests of a few nodes end in the first shell around very many centres. Then the ball is the
 * centre, hops to it are those of the offset, and the shell is its neighbours.
 */
static bool is_small_cube(const struct point *point, const struct point_bound *b)
{
	const struct mesh *mesh = point->mesh;

	if (b->radius > 1 || mesh->ndims > 3 || !point->ordered || point->nrequired ||
		!point_keys_serve(point))
		return false;
	for (int d = 0; d < mesh->ndims; d++)
		if (point->space.below[d] || point->space.above[d] ||
			(mesh->wrap[d] && mesh->side[d] < 3))
			return false;
	return true;
}

/* Along one dimension: offsets in the order of coordinates, and steps in vertex numbers. */
struct beside {
	int n, offset[3], step[3];
};

static struct beside beside(const struct mesh *mesh, int d, int centre)
{
	struct beside to = {.n = 0};
	int c = mesh->coord[centre][d], last = mesh->side[d] - 1, step = mesh->stride[d];

	if (c && c < last)
		return (struct beside){3, {-1, 0, 1}, {-step, 0, step}};
	/* Around a ring the first coordinate comes after the last, and is the lowest. */
	int first = mesh->wrap[d] && !c ? 0 : mesh->wrap[d] && c == last ? 1 : -1;

	for (int i = 0; i < 3; i++) {
		int by = first + i > 1 ? first + i - 3 : first + i, q = c + by;

		if (!mesh->wrap[d] && (q < 0 || q > last))
			continue;
		q += q < 0 ? last + 1 : q > last ? -last - 1 : 0;
		to.offset[to.n] = by;
		to.step[to.n++] = (q - c) * step;
	}
	return to;
}

/* The vertices with free nodes around the centre into the scan; how many. */
static int load_cube(struct point *point, int centre)
{
	const int *weight = point->space.weight + centre;
	struct point_scan *scan = point->scan;
	struct beside to[3] = {{1, {0}, {0}}, {1, {0}, {0}}, {1, {0}, {0}}};
	int n = 0;

	scan->hops = NULL;
	for (int d = 0; d < point->mesh->ndims; d++)
		to[d] = beside(point->mesh, d, centre);
	for (int k = 0; k < to[2].n; k++)
		for (int j = 0; j < to[1].n; j++) {
			int y = to[1].offset[j], z = to[2].offset[k];
			const int *row = weight + to[1].step[j] + to[2].step[k];

			for (int i = 0; i < to[0].n; i++) {
				int x = to[0].offset[i], here = row[to[0].step[i]];
				int hops = x * x + y * y + z * z;

				scan->key[n] = *weight * hops * POINT_SCAN + n;
				scan->rest[n] = here;
				scan->at[0][n] = x * POINT_SCAN;
				scan->at[1][n] = y * POINT_SCAN;
				scan->at[2][n] = z * POINT_SCAN;
				n += here > 0 && hops;
			}
		}
	return n;
}

/* As point_look(). */
static void look(struct point *point, struct point_search *search, const struct point_bound *b)
{
	int64_t limit = search->total, total = 0;
	int take = point->wanted - point->space.weight[b->vertex];

	if (!is_small_cube(point, b)) {
		point_look(point, search, b);
		return;
	}
	if (search->vertex >= 0 && b->vertex >= search->vertex)
		limit--;
	if (take > 0)
		total = point_choose_keys(point, 1, load_cube(point, b->vertex), take, limit, NULL);
	if (total > limit)
		return;
	search->total = search->cost = total;
	search->vertex = b->vertex;
}

void point_best_boxes(struct point *point, struct point_search *search)
{
	const struct mesh *mesh = point->mesh;
	bool late = false;

	point->nbound = 0;
	for (int row = 0; row < point->space.nrows && !late; row++) {
		int centre[MESH_MAX_DIMS];

		for (int d = 0; d < MESH_MAX_DIMS; d++)
			centre[d] = mesh->coord[(size_t)row * (size_t)mesh->side[0]][d];
		/* Boxes are counted without lists of rows. */
		ball_row(&point->space, centre, -1);
		for (int x = 0; x < mesh->side[0]; x += LANES) {
			struct run run = {.x = x, .n = mesh->side[0] - x};

			run.n = run.n < LANES ? run.n : LANES;
			cost_run(point, search, row * mesh->side[0], &run);
		}
		late = (point->nbound || search->vertex >= 0) && point_late(point);
	}
	for (int i = 0; i < point->nbound; i++) {
		const struct point_bound *b = &point->bound[i];
		int64_t cost = search->cost;

		if (late && search->vertex >= 0)
			break;
		look(point, search, b);
		search->cost = cost;
		late |= point_late(point);
	}
	search->out_of_time |= late;
}
