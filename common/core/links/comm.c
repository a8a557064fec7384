/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/comm.h"

#include <string.h>

static const char *const pattern_name[COMM_PATTERNS] = {
	[COMM_NONE] = "none",
	[COMM_ALL_TO_ALL] = "all-to-all",
	[COMM_RING] = "ring",
	[COMM_GRID] = "grid",
	[COMM_RANDOM] = "random",
};

const char *comm_pattern_name(int pattern)
{
	return pattern >= 0 && pattern < COMM_PATTERNS ? pattern_name[pattern] : NULL;
}

int comm_pattern_find(const char *name)
{
	for (int i = 0; i < COMM_PATTERNS; i++)
		if (!strcmp(name, pattern_name[i]))
			return i;
	return -1;
}

/* The least divisor of count that is at least the root of count of this degree. */
static int longest_side(int count, int degree)
{
	for (int side = 1; side < count; side++) {
		int64_t volume = 1;

		if (count % side)
			continue;
		for (int d = 0; d < degree && volume < count; d++)
			volume *= side;
		if (volume >= count)
			return side;
	}
	return count;
}

void comm_grid_sides(int count, int ndims, int *side)
{
	for (int d = 0; d < ndims; d++) {
		side[d] = longest_side(count, ndims - d);
		count /= side[d];
	}
}

int comm_grid_ranks(const struct comm_grid *grid)
{
	int64_t ranks = grid->ndims > 0;

	for (int d = 0; d < grid->ndims && ranks <= COMM_GRID_RANKS; d++)
		ranks *= grid->side[d];
	return ranks <= COMM_GRID_RANKS ? (int)ranks : 0;
}

int comm_grid_of(const struct comm_grid *given, int count, int ndims, struct comm_grid *grid)
{
	int ranks = given ? comm_grid_ranks(given) : 0;

	if (ranks > 0 && ranks % count == 0) {
		*grid = *given;
		return ranks / count;
	}
	grid->ndims = ndims;
	comm_grid_sides(count, ndims, grid->side);
	return 1;
}

int comm_grid_neighbours(int rank, int ndims, const int *side, int *to)
{
	int n = 0;

	for (int d = ndims - 1, stride = 1; d >= 0; stride *= side[d], d--) {
		int c = rank / stride % side[d];

		if (c > 0)
			to[n++] = rank - stride;
		if (c < side[d] - 1)
			to[n++] = rank + stride;
	}
	return n;
}
