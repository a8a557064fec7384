/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A close look at one centre with what the lanes know of its run: the total of the ball, and
 * the hops to all of it from each vertex of the last shell. While these are small they are whole
 * numbers in floats; otherwise they are worked out anew from the marginals.
 */
#include <string.h>

#include "point/point.h"
#include "base/simd.h"

#define LANES LANES_MAX

/* Sums below this are exact in a float, halves too. */
#define EXACT 4194304

void point_turn(struct point *point, int vertex)
{
	int centre[MESH_MAX_DIMS] = {0};

	for (int d = 1; d < point->mesh->ndims; d++)
		centre[d] = point->mesh->coord[vertex][d];
	lanes_turn(&point->lanes, centre);
}

/* Offsets from the centre in all dimensions, as numbers that are not negative. */
static int64_t no_offset(void)
{
	int64_t place = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		place += LANES_PLACE(d) * (LANES_PLACE(1) / 2);
	return place;
}

static int offset_of(int64_t place, int d)
{
	return (int)(place >> (LANES_PLACE_BITS * d)) & ((1 << LANES_PLACE_BITS) - 1);
}

/* Does a ring begin anew within this radius? Then cells are not in the order of vertices. */
static bool begins_anew(const struct mesh *mesh, int centre, int radius)
{
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[centre][d];

		if (mesh->wrap[d] && (c < radius || c + radius >= mesh->side[d]))
			return true;
	}
	return false;
}

/* Offsets of cells in the order of vertices. */
MESH_VECTORISE
static void offsets(const int64_t *restrict place, int d, int *restrict at, int n)
{
	int shift = LANES_PLACE_BITS * d;

	for (int i = 0; i < n; i++)
		at[i] = ((int)(place[i] >> shift) & ((1 << LANES_PLACE_BITS) - 1)) * POINT_SCAN;
}

static int coordinate_at(const struct mesh *mesh, int d, int centre, int64_t place)
{
	int q = mesh->coord[centre][d] + offset_of(place, d) - (int)LANES_PLACE(1) / 2;

	return q + (q < 0 ? mesh->side[d] : q >= mesh->side[d] ? -mesh->side[d] : 0);
}

static int vertex_at(const struct mesh *mesh, int centre, int64_t place)
{
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++)
		v += coordinate_at(mesh, d, centre, place) * mesh->stride[d];
	return v;
}

/* Of one lane, those with free nodes; how many, or POINT_SCAN when there are too many. */
static int gather_cells(struct point_scan *scan, const struct lanes *lanes, int lane, int64_t *place)
{
	const struct lanes_shell *shell = &lanes->shell;
	const float *cell = shell->cells + lane;
	size_t width = (size_t)lanes->width;
	float base = shell->base[lane];
	int64_t none = no_offset();
	int n = 0;

	for (int i = 0; i < shell->n && n < POINT_SCAN; i++, cell += 2 * width) {
		scan->far[n] = (int)(cell[0] + base);
		scan->left[n] = (int)cell[width];
		place[n] = shell->place[i] + none;
		n += cell[width] > 0;
	}
	return n;
}

/* The ball's total, and point->far[] by coordinate, in whole numbers however large. */
static int64_t spread_lane(struct point *point, int centre, int lane)
{
	const struct lanes *lanes = &point->lanes;
	const struct lanes_ball *ball = &lanes->ball[0];
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], from = mesh->coord[centre][d] - lanes->middle[d];

		memset(point->count[d], 0, (size_t)side * sizeof(int));
		for (int p = ball->from[d]; p <= ball->to[d]; p++) {
			int q = from + p, here = (int)ball->marginal[d][p * lanes->width + lane];

			if (here) /* places outside the mesh have none */
				point->count[d][q < 0 ? q + side : q >= side ? q - side : q] = here;
		}
		total += point_spread(point->count[d], side, mesh->wrap[d], point->far[d]);
	}
	return total;
}

/*
 * The shell's vertices with free nodes, from this lane's cells; how many, POINT_SCAN: too many.
 * whole: their hops are those of spread_lane().
 */
static int load_cells(struct point *point, const struct point_lane *at, bool whole)
{
	const struct mesh *mesh = point->mesh;
	struct point_scan *scan = point->scan;
	int64_t place[POINT_SCAN];
	int n = gather_cells(scan, &point->lanes, at->lane, place);
	bool sorted = point->ordered && !begins_anew(mesh, at->centre, at->radius + 1);

	for (int i = 0; !sorted && i < n; i++)
		scan->vertex[i] = vertex_at(mesh, at->centre, place[i]);
	for (int i = 0; whole && i < n; i++) {
		int64_t sum = 0;

		for (int d = 0; d < mesh->ndims; d++)
			sum += point->far[d][coordinate_at(mesh, d, at->centre, place[i])];
		scan->far[i] = (int)sum;
	}
	point_order_scan(point, n, sorted);
	for (int d = 0; sorted && d < mesh->ndims; d++)
		offsets(place, d, scan->at[d], n);
	for (int d = 0; !sorted && d < mesh->ndims; d++)
		for (int i = 0; i < n; i++)
			scan->at[d][i] = offset_of(place[scan->order[i]], d) * POINT_SCAN;
	return n;
}

int64_t point_lane_choose(struct point *point, struct point_lane *at, int64_t limit)
{
	const struct lanes_spread *spread = at->spread;
	bool whole = spread->total[at->lane] >= EXACT ||
		spread->n[at->lane] * (float)point->lanes.most >= EXACT;
	bool small = point->ordered && lanes_small_shell(&point->lanes, at->radius + 1);
	int64_t inside;
	int n;

	if (!point_scans(point) || !point_keys_serve(point) || at->radius + 1 >= LANES_PLACE(1) / 2)
		return point_total(point, at->centre, at->radius, limit);
	inside = whole ? spread_lane(point, at->centre, at->lane)
		       : (int64_t)spread->total[at->lane];
	if (inside > limit)
		return limit + 1;
	if (!at->walked && !small) {
		lanes_walk(&point->lanes, &point->lanes.ball[0], at->radius + 1, at->x);
		at->walked = true;
	}
	n = small ? point_load_near(point, at, whole) : load_cells(point, at, whole);
	if (n == POINT_SCAN)
		return point_total(point, at->centre, at->radius, limit);
	return inside + point_choose_keys(point, at->radius + 1, n, at->take, limit - inside, NULL);
}

int64_t point_lane_total(struct point *point, const struct point_bound *b, int64_t limit)
{
	struct lanes *lanes = &point->lanes;
	struct lanes_spread spread = {.n = {0}};
	int side = point->mesh->side[0], l = b->vertex % side % lanes->width;
	int x = b->vertex % side - l, count[LANES];

	if (!point_scans(point))
		return point_total(point, b->vertex, b->radius, limit);
	if (lanes->row_at != b->vertex / side)
		point_turn(point, b->vertex);
	lanes_count(lanes, b->radius, x, count);
	for (int i = 0; i < LANES; i++)
		spread.n[i] = (float)(count[i] + point->nrequired);
	lanes_measure(lanes, &lanes->ball[0], b->radius, x, point->beyond, &spread);
	return point_lane_choose(point, &(struct point_lane){b->vertex, l, x, b->radius,
		point->wanted - count[l], &spread, false}, limit);
}
