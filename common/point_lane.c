/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A close look at one centre with what the lanes know of its run: the total of the ball, and
 * the hops to all of it from each vertex of the last shell, as whole numbers in floats.
 */
#include "point.h"

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

static int vertex_at(const struct mesh *mesh, int centre, int64_t place)
{
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int q = mesh->coord[centre][d] + offset_of(place, d) - (int)LANES_PLACE(1) / 2;

		q += q < 0 ? mesh->side[d] : q >= mesh->side[d] ? -mesh->side[d] : 0;
		v += q * mesh->stride[d];
	}
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

/* The shell's vertices with free nodes, from this lane's cells; how many, POINT_SCAN: too many. */
static int load_cells(struct point *point, int centre, int lane, int radius)
{
	const struct mesh *mesh = point->mesh;
	struct point_scan *scan = &point->scan;
	int64_t place[POINT_SCAN];
	int n = gather_cells(scan, &point->lanes, lane, place);
	bool sorted = !begins_anew(mesh, centre, radius);

	for (int i = 0; !sorted && i < n; i++)
		scan->vertex[i] = vertex_at(mesh, centre, place[i]);
	point_order_scan(point, n, sorted);
	for (int d = 0; d < mesh->ndims; d++)
		for (int i = 0; i < n; i++)
			scan->at[d][i] = offset_of(place[scan->order[i]], d) * POINT_SCAN;
	return n;
}

bool point_lane_exact(const struct point *point, const struct lanes_spread *spread, int lane)
{
	return point->uniform && spread->total[lane] < EXACT && point_keys_serve(point);
}

int64_t point_lane_choose(struct point *point, int centre, int lane, int radius, int take,
	int64_t inside, int64_t limit)
{
	int n = POINT_SCAN;

	if (radius < LANES_PLACE(1) / 2)
		n = load_cells(point, centre, lane, radius);
	if (n == POINT_SCAN)
		return point_total(point, centre, radius - 1, limit);
	return inside + point_choose_keys(point, radius, n, take, limit - inside, NULL);
}

int64_t point_lane_total(struct point *point, const struct point_bound *b, int64_t limit)
{
	struct lanes *lanes = &point->lanes;
	struct lanes_spread spread = {.n = {0}};
	int side = point->mesh->side[0], l = b->vertex % side % lanes->width;
	int x = b->vertex % side - l, count[LANES];

	if (!point->uniform)
		return point_total(point, b->vertex, b->radius, limit);
	if (lanes->row_at != b->vertex / side)
		point_turn(point, b->vertex);
	lanes_count(lanes, b->radius, x, count);
	for (int i = 0; i < LANES; i++)
		spread.n[i] = (float)(count[i] + point->nrequired);
	lanes_measure(lanes, &lanes->ball[0], b->radius, x, point->beyond, &spread);
	if (!point_lane_exact(point, &spread, l))
		return point_total(point, b->vertex, b->radius, limit);
	if ((int64_t)spread.total[l] > limit)
		return limit + 1;
	lanes_walk(lanes, &lanes->ball[0], b->radius + 1, x);
	return point_lane_choose(point, b->vertex, l, b->radius + 1, point->wanted - count[l],
		(int64_t)spread.total[l], limit);
}
