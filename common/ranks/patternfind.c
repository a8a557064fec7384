/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/patternfind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/gridfind.h"

/* Of the places of ranks in a grid: how far apart in ranks neighbours along each dimension are. */
static void count_strides(const struct traffic_grid *grid, const int *cell, int n,
	double stride[MESH_MAX_DIMS])
{
	int *rank = malloc((size_t)n * sizeof(*rank)), coord[MESH_MAX_DIMS];

	memset(stride, 0, MESH_MAX_DIMS * sizeof(*stride));
	for (int i = 0; rank && i < n; i++)
		rank[cell[i]] = i;
	for (int c = 0; rank && c < n; c++) {
		traffic_grid_coord(grid, c, coord);
		/* gridfind() has the first dimension fastest. */
		for (int d = 0, step = 1; d < grid->ndims; step *= grid->side[d++])
			if (coord[d] + 1 < grid->side[d])
				stride[d] += (double)abs(rank[c + step] - rank[c]) /
					     (n - n / grid->side[d]);
	}
	free(rank);
}

/* The sides as --mesh-pattern wants them: the one along which ranks are next to each other last. */
static void sort_sides(struct traffic_grid *grid, const int *cell, int n)
{
	double stride[MESH_MAX_DIMS];

	count_strides(grid, cell, n, stride);
	for (int i = 1; i < grid->ndims; i++)
		for (int d = i; d > 0 && stride[d] > stride[d - 1]; d--) {
			double s = stride[d];
			int side = grid->side[d];

			stride[d] = stride[d - 1];
			stride[d - 1] = s;
			grid->side[d] = grid->side[d - 1];
			grid->side[d - 1] = side;
		}
}

static void write_sides(const int *side, int ndims, char pattern[PATTERN_TEXT])
{
	size_t n = (size_t)snprintf(pattern, PATTERN_TEXT, "grid:");

	for (int d = 0; d < ndims && n < PATTERN_TEXT; d++)
		n += (size_t)snprintf(pattern + n, PATTERN_TEXT - n, "%s%d", d ? "x" : "", side[d]);
}

void patternfind(const struct traffic *traffic, int sent, char pattern[PATTERN_TEXT])
{
	int n = traffic->n, *cell = malloc((size_t)n * sizeof(*cell));
	struct traffic_grid grid;

	snprintf(pattern, PATTERN_TEXT, "mix");
	if (cell && n > 2 && sent == n && gridfind(traffic, &grid, cell) == 0) {
		sort_sides(&grid, cell, n);
		if (grid.ndims == 1 && grid.wrap[0])
			snprintf(pattern, PATTERN_TEXT, "ring");
		else if (grid.ndims > 1)
			write_sides(grid.side, grid.ndims, pattern);
	} else if (n > 2 && (double)traffic->start[n] >= ((double)n - 1) * sent / 2) {
		snprintf(pattern, PATTERN_TEXT, "all-to-all");
	}
	free(cell);
}

/* Sides of a grid, from d on, that are nearest to side[] times `factor`; how far they are. */
static double nearest_sides(
	const struct traffic_grid *grid, double factor, int d, int ranks, int *side)
{
	double best = INFINITY;
	int rest[MESH_MAX_DIMS];

	for (int s = 1; s <= ranks; s++) {
		double apart = log(s / (grid->side[d] * factor));

		if (ranks % s || (d == grid->ndims - 1 && s != ranks))
			continue;
		apart *= apart;
		if (apart < best && d < grid->ndims - 1)
			apart += nearest_sides(grid, factor, d + 1, ranks / s, rest);
		if (apart >= best)
			continue;
		best = apart;
		side[d] = s;
		for (int e = d + 1; e < grid->ndims; e++)
			side[e] = rest[e];
	}
	return best;
}

int patternfind_scale(char pattern[PATTERN_TEXT], int from, int to)
{
	struct traffic_grid grid;
	struct mesh_err err;
	int side[MESH_MAX_DIMS];

	if (!strcmp(pattern, "mix") || from < 1 || to < 1)
		return -1;
	if (strncmp(pattern, "grid:", 5) != 0)
		return 0;
	if (traffic_grid_parse(&grid, pattern + 5, &err))
		return -1;
	nearest_sides(&grid, pow((double)to / from, 1.0 / grid.ndims), 0, to, side);
	write_sides(side, grid.ndims, pattern);
	return 0;
}
