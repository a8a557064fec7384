/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by shells of boxes. The counts of its boxes give the cost of every centre; only
 * ties for the least cost have their totals computed.
 */

#include "base/simd.h"
#include "point/point.h"

/* The cost of a vertex that is no centre, or is kept already: above all others. */
#define NONE (INT64_MAX / 2)

/* The sum of the required nodes' shell numbers. */
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

/* The least costs: of centres whose boxes have all nodes wanted, and of those that go on. */
struct least_costs {
	int64_t ended, open;
};

/* Add a shell to the cost for each node wanted that is not among the `count` in the boxes. */
MESH_VECTORISE
static struct least_costs add_shell(
	const int *restrict count, int wanted, int64_t *restrict cost, int n)
{
	struct least_costs least = {NONE, NONE};

	for (int l = 0; l < n; l++) {
		int64_t lacking = wanted - count[l], sum = cost[l] + (lacking > 0 ? lacking : 0);
		int64_t ended = lacking > 0 ? NONE : sum, open = lacking > 0 ? sum : NONE;

		cost[l] = sum;
		least.ended = ended < least.ended ? ended : least.ended;
		least.open = open < least.open ? open : least.open;
	}
	return least;
}

/* The most that a centre may cost to be kept. */
static int64_t most_cost(const struct point_search *search)
{
	return search->cost < NONE ? search->cost : NONE - 1;
}

/* Keep a centre of least cost so far, with others or alone. */
static void keep(
	struct point *point, struct point_search *search, const struct point_bound *b, int64_t cost)
{
	if (cost < search->cost) {
		search->cost = cost;
		search->total = INT64_MAX;
		search->vertex = -1;
		point->nbound = 0;
	}
	point->bound[point->nbound++] = *b;
}

/* The costs of the required nodes around the centres vertex..vertex+n-1. */
static void start_costs(const struct point *point, const struct point_search *search, int vertex,
	int64_t *cost, int n)
{
	const int *weight = point->space.weight + vertex;

	for (int l = 0; l < n; l++)
		cost[l] = weight[l] ? 0 : NONE;
	for (int l = 0; point->nrequired && l < n; l++)
		cost[l] = point_is_centre(point, search, vertex + l)
			? required_shells(point, vertex + l)
			: NONE;
}

/*
 * Is every node of the boxes free, and no border of the mesh in the way? Around all such centres
 * the same nodes are chosen, as seen from the centre, if nodes are numbered along the mesh.
 */
static bool is_full(const struct point *point, int vertex, int radius, int count)
{
	const struct mesh *mesh = point->mesh;
	int64_t nodes = mesh->nodes_per_vertex;

	if (!point->ordered || point->nrequired)
		return false;
	for (int d = 0; d < mesh->ndims; d++) {
		int low = mesh->coord[vertex][d] - point->space.below[d] - radius;
		int high = mesh->coord[vertex][d] + point->space.above[d] + radius;

		if (low < 0 || high >= mesh->side[d])
			return false;
		nodes *= high - low + 1;
	}
	return count == nodes;
}

/*
 * Compute the costs of the centres x..x+n-1 of a row, and keep those that are not above the least
 * so far.
 */
static void cost_centres(struct point *point, struct point_search *search, int first, int x, int n)
{
	int64_t cost[BALL_CENTRES];
	int count[BALL_CENTRES];

	start_costs(point, search, first + x, cost, n);
	for (int radius = 0;; radius++) {
		struct least_costs least;

		ball_count(&point->space, radius, x, n, count);
		least = add_shell(count, point->wanted, cost, n);
		for (int l = 0; least.ended <= most_cost(search) && l < n; l++)
			if (count[l] >= point->wanted && cost[l] <= most_cost(search)) {
				keep(point, search, &(struct point_bound){first + x + l, radius,
					is_full(point, first + x + l, radius, count[l])}, cost[l]);
				cost[l] = NONE;
			}
		if (least.open > most_cost(search))
			return;
	}
}

/* No set of that many nodes has a lower total, so only a lower vertex could do better. */
static bool is_lost(const struct point *point, const struct point_search *search, int vertex)
{
	return vertex > search->vertex &&
		search->total <=
		(int64_t)point->batch.least_pairs[point->wanted + point->nrequired];
}

static void cost_row(struct point *point, struct point_search *search, int row)
{
	int side = point->mesh->side[0];

	/* Boxes are counted without lists of near rows. */
	ball_row(&point->space, row, -1);
	for (int x = 0; x < side && !search->out_of_time; x += BALL_CENTRES) {
		int n = side - x;

		cost_centres(point, search, row * side, x, n < BALL_CENTRES ? n : BALL_CENTRES);
		/* One centre is better than none. */
		search->out_of_time = (point->nbound || search->vertex >= 0) && point_late(point);
	}
}

void point_best_boxes(struct point *point, struct point_search *search)
{
	bool seen_full = false;

	point->nbound = 0;
	for (int row = 0; row < point->space.nrows && !search->out_of_time; row++)
		cost_row(point, search, row);
	for (int i = 0; i < point->nbound; i++) {
		const struct point_bound *b = &point->bound[i];

		if (search->out_of_time && search->vertex >= 0)
			break;
		/* Full boxes have the same total, and the first of them wins a tie. */
		if (is_lost(point, search, b->vertex) || (b->full && seen_full))
			continue;
		seen_full |= b->full;
		point_look(point, search, b);
		search->out_of_time |= point_late(point);
	}
}
