/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int traffic_grid_size(const struct traffic_grid *grid, struct mesh_err *err)
{
	int64_t n = 1;

	if (grid->ndims < 1 || grid->ndims > MESH_MAX_DIMS)
		return err_printf(err, "a grid has 1 to %d sides", MESH_MAX_DIMS);
	for (int d = 0; d < grid->ndims; d++) {
		if (grid->side[d] < 1)
			return err_printf(err, "a grid with a side of %d", grid->side[d]);
		n *= grid->side[d];
		if (n > TRAFFIC_MAX_RANKS)
			return err_printf(err, "a grid of more than %d ranks", TRAFFIC_MAX_RANKS);
		if (!(grid->weight[d] >= 0) || !isfinite(grid->weight[d]))
			return err_printf(err, "a weight of %g", grid->weight[d]);
	}
	return (int)n;
}

/* Parse the stencil's points behind a grid of n sides: 2 n + 1 or 3^n. */
static int parse_points(
	struct traffic_grid *grid, const char *text, size_t length, struct mesh_err *err)
{
	int star = 2 * grid->ndims + 1, full = 1;
	char *end;
	long points = strtol(text, &end, 10);

	for (int d = 0; d < grid->ndims; d++)
		full *= 3;
	if (*text < '0' || *text > '9' || end != text + length ||
		(points != star && points != full))
		return grid->ndims == 1 ? err_printf(err, "expected :3, the points of a stencil,"
			" behind one side") : err_printf(err, "expected :%d or :%d, the points of a"
			" stencil, behind %d sides", star, full, grid->ndims);
	grid->diagonal = points == full && full > star;
	return 0;
}

/* Parse POINTS, torus, or POINTS:torus. */
static int parse_stencil(struct traffic_grid *grid, const char *text, struct mesh_err *err)
{
	size_t length = strcspn(text, ":");

	if (strcmp(text, "torus") != 0) {
		if (parse_points(grid, text, length, err))
			return -1;
		return text[length] ? parse_stencil(grid, text + length + 1, err) : 0;
	}
	for (int d = 0; d < grid->ndims; d++)
		grid->wrap[d] = grid->side[d] > 2;
	return 0;
}

/* Parse a side, or SIDE*WEIGHT, as the grid's next one. Returns what follows, or NULL. */
static const char *parse_side(struct traffic_grid *grid, const char *text)
{
	char *end;
	long side = strtol(text, &end, 10), weight = 1;

	if (*end == '*' && end[1] >= '0' && end[1] <= '9')
		weight = strtol(end + 1, &end, 10);
	if (side < 1 || side > TRAFFIC_MAX_RANKS || weight < 1 || weight > TRAFFIC_MAX_WEIGHT ||
		(*end && *end != 'x' && *end != ':'))
		return NULL;
	grid->weight[grid->ndims] = (double)weight;
	grid->side[grid->ndims++] = (int)side;
	return end;
}

int traffic_grid_parse(struct traffic_grid *grid, const char *text, struct mesh_err *err)
{
	*grid = (struct traffic_grid){0};
	while (grid->ndims < MESH_MAX_DIMS && *text >= '0' && *text <= '9') {
		const char *end = parse_side(grid, text);

		if (!end)
			break;
		if (*end == ':' && parse_stencil(grid, end + 1, err))
			return -1;
		if (*end != 'x')
			return traffic_grid_size(grid, err) < 0 ? -1 : 0;
		text = end + 1;
	}
	return err_printf(err, "expected 1 to %d sides like 8x8x16, or 8x8x16*4 for"
		" 4 times as much along that side", MESH_MAX_DIMS);
}

void traffic_grid_coord(const struct traffic_grid *grid, int rank, int *coord)
{
	for (int i = 0; i < grid->ndims; i++) {
		int d = grid->first_fastest ? i : grid->ndims - 1 - i;

		coord[d] = rank % grid->side[d];
		rank /= grid->side[d];
	}
}

struct stencil {
	const struct traffic_grid *grid;
	int stride[MESH_MAX_DIMS];
	struct traffic_edge *edge;
	size_t count;
};

/*
 * Add the edges from a rank at coord[]. `to` so far is a neighbour along the dimensions before d;
 * go on with one further, or one back, along d and the later ones. The first step is one further,
 * so that each pair is met once. weight: the least so far.
 */
static void add_neighbours(struct stencil *s, const int *coord, int d, struct traffic_edge so_far)
{
	const struct traffic_grid *grid = s->grid;

	if (d == grid->ndims) {
		if (so_far.a != so_far.b)
			s->edge[s->count++] = so_far;
		return;
	}
	add_neighbours(s, coord, d + 1, so_far);
	if (so_far.a != so_far.b && !grid->diagonal)
		return;
	for (int step = 1; step >= (so_far.a == so_far.b ? 1 : -1); step -= 2) {
		int side = grid->side[d], at = coord[d] + step;
		struct traffic_edge next = so_far;

		if (side == 1 || ((at < 0 || at == side) && !grid->wrap[d]))
			continue;
		next.b += ((at + side) % side - coord[d]) * s->stride[d];
		if (so_far.a == so_far.b || grid->weight[d] < next.weight)
			next.weight = grid->weight[d];
		add_neighbours(s, coord, d + 1, next);
	}
}

static void grid_edges(struct stencil *s, int n)
{
	const struct traffic_grid *grid = s->grid;

	for (int i = 0, stride = 1; i < grid->ndims; i++) {
		int d = grid->first_fastest ? i : grid->ndims - 1 - i;

		s->stride[d] = stride;
		stride *= grid->side[d];
	}
	for (int rank = 0; rank < n; rank++) {
		int coord[MESH_MAX_DIMS];

		traffic_grid_coord(grid, rank, coord);
		add_neighbours(s, coord, 0, (struct traffic_edge){rank, rank, 0});
	}
}

int traffic_init_grid(
	struct traffic *traffic, const struct traffic_grid *grid, struct mesh_err *err)
{
	struct stencil stencil = {.grid = grid};
	int n = traffic_grid_size(grid, err), result;
	size_t each = 1;

	memset(traffic, 0, sizeof(*traffic));
	if (n < 0)
		return -1;
	for (int d = 0; d < grid->ndims; d++)
		each = grid->diagonal ? 3 * each : (size_t)d + 1;
	stencil.edge = malloc((size_t)n * each * sizeof(*stencil.edge));
	if (!stencil.edge)
		return err_printf(err, "out of memory");
	grid_edges(&stencil, n);
	result = traffic_init(traffic, n, stencil.edge, stencil.count, err);
	free(stencil.edge);
	return result;
}
