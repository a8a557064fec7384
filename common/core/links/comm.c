/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

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

/* The least divisor of count that is not below its root of this degree. */
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

/* Which steps of an all-to-all are sent: all, or one out of each of so many equal parts. */
static void send_all(struct comm_round *round, const struct comm_spec *spec)
{
	int n = spec->count, steps = round->start[1];
	uint64_t state = random_stream(spec->seed, (uint64_t)n);

	for (int i = 0; i < steps; i++) {
		int low = (int)((int64_t)(n - 1) * i / steps);
		int high = (int)((int64_t)(n - 1) * (i + 1) / steps);
		int step = 1 + low + (int)random_below(&state, (uint64_t)(high - low));

		for (int rank = 0; rank < n; rank++)
			round->to[round->start[rank] + i] = (rank + step) % n;
	}
}

/* One cycle through all ranks (Sattolo): nobody sends to himself. */
static void send_random(struct comm_round *round, const struct comm_spec *spec)
{
	int n = spec->count;
	uint64_t state = random_stream(spec->seed, (uint64_t)n);

	for (int i = 0; i < n; i++)
		round->to[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int other = (int)random_below(&state, (uint64_t)i), rank = round->to[i];

		round->to[i] = round->to[other];
		round->to[other] = rank;
	}
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

static void send_grid(struct comm_round *round, const struct comm_spec *spec)
{
	int side[MESH_MAX_DIMS], n = 0;

	comm_grid_sides(spec->count, spec->ndims, side);
	for (int rank = 0; rank < spec->count; rank++) {
		round->start[rank] = n;
		n += comm_grid_neighbours(rank, spec->ndims, side, &round->to[n]);
	}
	round->start[spec->count] = n;
}

/* The most messages that a rank can have. */
static int most_messages(const struct comm_spec *spec)
{
	if (spec->count < 2 || spec->pattern == COMM_NONE)
		return 0;
	if (spec->pattern == COMM_GRID)
		return 2 * spec->ndims;
	if (spec->pattern == COMM_ALL_TO_ALL)
		return spec->peers && spec->peers < spec->count ? spec->peers : spec->count - 1;
	return 1;
}

int comm_round_init(struct comm_round *round, const struct comm_spec *spec)
{
	size_t n = (size_t)spec->count, most = (size_t)most_messages(spec);

	*round = (struct comm_round){.count = spec->count};
	round->start = calloc(n + 1, sizeof(int));
	round->to = malloc((n * most + 1) * sizeof(int));
	if (!round->start || !round->to)
		return -1;
	for (size_t rank = 0; rank <= n; rank++)
		round->start[rank] = (int)(rank * most);
	if (!most)
		return 0;
	switch (spec->pattern) {
	case COMM_ALL_TO_ALL: send_all(round, spec); break;
	case COMM_GRID: send_grid(round, spec); break;
	case COMM_RANDOM: send_random(round, spec); break;
	default:
		for (int rank = 0; rank < spec->count; rank++)
			round->to[rank] = (rank + 1) % spec->count;
	}
	return 0;
}

void comm_round_release(struct comm_round *round)
{
	free(round->start);
	free(round->to);
	memset(round, 0, sizeof(*round));
}
