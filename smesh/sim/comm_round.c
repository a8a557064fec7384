/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/comm_round.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* The steps of an all-to-all: all steps, or one drawn from each of `peers` equal parts. */
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

/* One cycle through all ranks (Sattolo), so no rank sends to itself. */
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

/* The most messages of a rank. */
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
