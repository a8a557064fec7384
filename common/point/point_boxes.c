/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by shells of boxes: the cost of every centre comes from the counts of its
 * boxes; only ties for the least cost have their totals worked out.
 */
#include <stddef.h>

#include "point/point.h"

/* Centres x..x+n-1 of a row. */
struct centres {
	int x, n;
	int count[BALL_CENTRES];
	bool open[BALL_CENTRES]; /* still of interest */
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

/* The costs of these centres; those that are no more than the least so far are kept. */
static void cost_centres(struct point *point, struct point_search *search, int first, struct centres *centres)
{
	int64_t cost[BALL_CENTRES];
	int open = 0, vertex = first + centres->x;

	for (int l = 0; l < centres->n; l++) {
		centres->open[l] = point_is_centre(point, search, vertex + l);
		cost[l] = centres->open[l] ? required_shells(point, vertex + l) : 0;
		open += centres->open[l];
	}
	for (int radius = 0; open; radius++) {
		ball_count(&point->space, radius, centres->x, centres->n, centres->count);
		for (int l = 0; l < centres->n; l++) {
			if (!centres->open[l])
				continue;
			if (centres->count[l] < point->wanted)
				cost[l] += point->wanted - centres->count[l];
			bool over = cost[l] > search->cost;

			if (!over && centres->count[l] < point->wanted)
				continue;
			centres->open[l] = false;
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
				vertex + l, radius, centres->count[l]};
		}
	}
}

/* As point_look(). */
static void look(struct point *point, struct point_search *search, const struct point_bound *b)
{
	int64_t limit = point_limit(search, b->vertex), total, *known;
	bool cube = point_cube_serves(point, b->radius);

	known = cube ? NULL : point_alike(point, b);
	if (cube)
		total = point_cube_total(point, b->vertex, limit);
	else if (!point_alike_total(known, limit, &total))
		total = point_total(point, b->vertex, b->radius, limit);
	point_alike_keep(known, total, limit);
	point_improve(point, search, b->vertex, total);
}

/* No set of so many nodes has less: only a lower vertex can do better. */
static bool is_lost(const struct point *point, const struct point_search *search, int vertex)
{
	return vertex > search->vertex &&
		search->total <= (int64_t)point->batch.pairs.least[point->wanted + point->nrequired];
}

static void cost_row(struct point *point, struct point_search *search, int row)
{
	const struct mesh *mesh = point->mesh;
	int centre[MESH_MAX_DIMS];

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		centre[d] = mesh->coord[(size_t)row * (size_t)mesh->side[0]][d];
	/* Boxes are counted without lists of rows. */
	ball_row(&point->space, centre, -1);
	for (int x = 0; x < mesh->side[0] && !search->out_of_time; x += BALL_CENTRES) {
		struct centres centres = {.x = x, .n = mesh->side[0] - x};

		centres.n = centres.n < BALL_CENTRES ? centres.n : BALL_CENTRES;
		cost_centres(point, search, row * mesh->side[0], &centres);
		/* One centre is better than none. */
		search->out_of_time = (point->nbound || search->vertex >= 0) && point_late(point);
	}
}

void point_best_boxes(struct point *point, struct point_search *search)
{
	point->nbound = 0;
	for (int row = 0; row < point->space.nrows && !search->out_of_time; row++)
		cost_row(point, search, row);
	if (point->nbound > 1)
		point_alike_begin(point);
	for (int i = 0; i < point->nbound; i++) {
		const struct point_bound *b = &point->bound[i];

		if (search->out_of_time && search->vertex >= 0)
			break;
		if (is_lost(point, search, b->vertex))
			continue;
		look(point, search, b);
		search->out_of_time |= point_late(point);
	}
}
