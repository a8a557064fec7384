/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/batch.h"

#include <stdlib.h>
#include <string.h>

#include "point/least_pairs.h"

/* ---- memory ---- */

static void *vectors(struct arena *arena, int n)
{
	size_t vector = sizeof(int) * BATCH;
	char *room = arena_get(arena, n + 2, vector);

	return room ? room + (vector - (uintptr_t)room % vector) : NULL;
}

static void place_offsets(struct batch *batch, const struct mesh *mesh)
{
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d];

		batch->places[d] = mesh->wrap[d] ? side : 2 * side - 1;
		batch->middle[d] = mesh->wrap[d] ? side / 2 : side - 1;
	}
}

int batch_init(struct batch *batch, const struct mesh *mesh, struct arena *arena)
{
	int shell = 1;

	*batch = (struct batch){.mesh = &batch->balls.grid};
	place_offsets(batch, mesh);
	for (int d = 0; d < mesh->ndims; d++) {
		batch->most += batch->middle[d];
		shell *= d ? batch->places[d] : 2;
		arena_array(arena, batch->place[d], mesh->side[d]);
		arena_array(arena, batch->away[d], mesh->side[d]);
		for (int b = 0; b < 2; b++) {
			batch->ball[b].marginal[d] = vectors(arena, 2 * batch->places[d]);
			batch->ball[b].far[d] = vectors(arena, batch->places[d]);
		}
	}
	/* A shell has at most two vertices in a row. */
	batch->cells = vectors(arena, 2 * (shell + 1));
	arena_array(arena, batch->rows, mesh->nvertices / mesh->side[0]);
	arena_array(arena, batch->used, mesh->nvertices / mesh->side[0]);
	arena_array(arena, batch->listed, mesh->nvertices / mesh->side[0]);
	arena_array(arena, batch->near, batch->most + 2);
	batch->least_pairs = least_pairs_new(mesh, arena);
	return ball_counts_init(&batch->balls, mesh, arena);
}

/* ---- a row of centres ---- */

void batch_load(struct batch *batch, const int *weight, const int *low, const int *high)
{
	const struct ball_counts_view *rows = &batch->balls.weight;
	const struct mesh *mesh = batch->mesh;

	ball_counts_load(&batch->balls, weight, low, high);
	place_offsets(batch, mesh);
	batch->near_row = -1;
	for (int row = 0; row < mesh->nvertices / mesh->side[0]; row++) {
		struct batch_row *r = &batch->rows[row];
		int x = 0, rest = row;

		r->at = row * (int)rows->pitch;
		r->first = ball_counts_vertex(&batch->balls, row);
		while (x < mesh->side[0] && !rows->at[r->at + x])
			x++;
		batch->used[row] = x < mesh->side[0];
		for (int d = 1; d < mesh->ndims; rest /= mesh->side[d++])
			r->coord[d] = (int16_t)(rest % mesh->side[d]);
	}
}

/* ---- rows near to the row of centres ---- */

/* Rows that differ in the dimensions up to d alone, from `row` on, which are `hops` away. */
struct near_line {
	int d, row, hops;
};

/*
 * Count those with nodes at each number of hops, or list them: all within near_cap, and some
 * beyond.
 */
static void near_line(struct batch *batch, const struct near_line *line, bool list)
{
	const struct mesh *mesh = batch->mesh;
	int d = line->d, cap = batch->near_cap - line->hops, c = batch->centre[d];
	int last = mesh->side[d] - 1, step = mesh->stride[d] / mesh->side[0];
	int first = !mesh->wrap[d] && c > cap ? c - cap : 0;
	int *near = batch->near + line->hops, *away = batch->away[d];
	const bool *used = batch->used + line->row;

	last = !mesh->wrap[d] && c + cap < last ? c + cap : last;
	for (int q = first; d > 1 && q <= last; q++)
		if (away[q] <= cap)
			near_line(batch, &(struct near_line){d - 1, line->row + q * step,
				line->hops + away[q]}, list);
	for (int q = first; d == 1 && !list && q <= last; q++)
		near[away[q]] += used[q];
	for (int q = first; d == 1 && list && q <= last; q++)
		if (used[q])
			batch->listed[--near[away[q]]] = line->row + q;
}

/* List the rows that a shell of this radius reaches. */
static void list_rows(struct batch *batch, int radius)
{
	const struct mesh *mesh = batch->mesh;
	struct near_line all = {mesh->ndims - 1, 0, 0};

	if (batch->near_row == batch->row_at && batch->near_cap >= radius)
		return;
	batch->near_cap = radius + radius / 4 + 2;
	if (batch->near_cap > batch->most)
		batch->near_cap = batch->most;
	batch->near_row = batch->row_at;
	for (int d = 1; d < mesh->ndims; d++)
		for (int q = 0, side = mesh->side[d]; q < side; q++) {
			int place = q - batch->centre[d] + batch->middle[d];

			if (mesh->wrap[d])
				place += place < 0 ? side : place >= side ? -side : 0;
			batch->place[d][q] = place;
			batch->away[d][q] = abs(place - batch->middle[d]);
		}
	memset(batch->near, 0, (size_t)(batch->most + 2) * sizeof(*batch->near));
	if (mesh->ndims == 1) {
		batch->near[1] = 1; /* row 0 */
		batch->listed[0] = 0;
		return;
	}
	near_line(batch, &all, false);
	for (int h = 0; h <= batch->most; h++)
		batch->near[h + 1] += batch->near[h];
	near_line(batch, &all, true);
}

void batch_shell(struct batch *batch, const struct batch_take *take, float *added)
{
	list_rows(batch, take->radius);
	batch_least_of_shell(batch, take, added);
}

int batch_list_shell(struct batch *batch, int radius, int x, int *vertex)
{
	int side = batch->mesh->side[0], reach = batch->middle[0], n = 0;
	bool ring = batch->mesh->wrap[0];

	list_rows(batch, radius);
	for (int used = radius > reach ? radius - reach : 0; used <= radius && used <= batch->most;
		used++) {
		int left = radius - used, low = x - left, high = x + left;

		/* Beyond the end of a line there are no nodes. Both ends may be the same. */
		low += low < 0 && ring ? side : 0;
		high -= high >= side && ring ? side : 0;
		for (int i = batch->near[used]; i < batch->near[used + 1]; i++) {
			const struct batch_row *row = &batch->rows[batch->listed[i]];
			const uint16_t *weight = batch->balls.weight.at + row->at;

			vertex[n] = row->first + low;
			n += weight[low] > 0;
			vertex[n] = row->first + high;
			n += weight[high] > 0 && high != low;
		}
	}
	return n;
}

void batch_turn(struct batch *batch, int row)
{
	batch->row_at = row;
	for (int d = 1; d < batch->mesh->ndims; d++) {
		batch->centre[d] = row % batch->mesh->side[d];
		row /= batch->mesh->side[d];
	}
}

/* The sum of a ball's slices across the last dimension. */
static void count_slices(const struct batch *batch, int radius, int x, int *count)
{
	const struct mesh *mesh = batch->mesh;
	int d = mesh->ndims - 1, side = mesh->side[d], c = batch->centre[d];
	int first = mesh->wrap[d] ? -(side / 2) : -c,
	    last = mesh->wrap[d] ? (side - 1) / 2 : side - 1 - c;
	const struct ball_counts_view *view = &batch->balls.slice[d];
	ptrdiff_t step = (ptrdiff_t)view->pitch * (mesh->stride[d] / mesh->side[0]);

	memset(count, 0, BATCH * sizeof(*count));
	for (int by = first > -radius ? first : -radius; by <= last && by <= radius; by++) {
		int q = c + by, ahead = q < 0 ? by + side : q >= side ? by - side : by;
		const uint16_t *at = view->at + (ptrdiff_t)view->pitch * batch->row_at + x +
			step * ahead + (ptrdiff_t)view->size * (radius - abs(by));

		for (int l = 0; l < BATCH; l++)
			count[l] += at[l];
	}
}

void batch_count(struct batch *batch, int radius, int x, int *count)
{
	const struct ball_counts_view *ball = &batch->balls.ball;
	const uint16_t *at = ball->at + (size_t)batch->row_at * ball->pitch + x;

	if (radius < 0) {
		memset(count, 0, (size_t)BATCH * sizeof(*count));
		return;
	}
	ball_counts_extend(&batch->balls, radius);
	if (radius >= batch->balls.whole_to) {
		count_slices(batch, radius, x, count);
		return;
	}
	at += (size_t)radius * ball->size;
	for (int l = 0; l < BATCH; l++)
		count[l] = at[l];
}

/* Set the places that the ball and its next shell can reach; all places where nodes lie beyond. */
static void set_windows(const struct batch *batch, struct batch_ball *ball, int x, bool beyond)
{
	const struct mesh *mesh = batch->mesh;
	int reach = ball->radius + 1;

	for (int d = 0; d < mesh->ndims; d++) {
		int middle = batch->middle[d], last = batch->places[d] - 1, side = mesh->side[d];
		int from = middle - reach, to = middle + reach;

		ball->ring[d] = mesh->wrap[d] && (beyond || 4 * reach > side);
		if (beyond || ball->ring[d]) {
			from = 0;
			to = last;
		}
		if (!mesh->wrap[d]) {
			/* nothing is outside the mesh */
			int low = middle - (d ? batch->centre[d] : x + BATCH - 1);
			int high = middle + side - 1 - (d ? batch->centre[d] : x);

			from = from > low ? from : low;
			to = to < high ? to : high;
		}
		ball->from[d] = from > 0 ? from : 0;
		ball->to[d] = to < last ? to : last;
	}
}

/* Add the nodes that are in every set, by coordinate, as seen from each lane's centre. */
static void add_fixed(const struct batch *batch, struct batch_ball *ball, int x, int *const *fixed)
{
	const struct mesh *mesh = batch->mesh;
	const int *corner = batch->balls.corner;

	for (int d = 0; d < mesh->ndims; d++)
		for (int q = 0; q < mesh->side[d]; q++)
			for (int l = 0; l < BATCH && fixed[d][q + corner[d]]; l++) {
				int p = q - (d ? batch->centre[d] : x + l) + batch->middle[d];

				if (mesh->wrap[d])
					p = (p + mesh->side[d]) % mesh->side[d];
				if (p >= 0 && p < batch->places[d])
					ball->marginal[d][p * BATCH + l] +=
						(float)fixed[d][q + corner[d]];
			}
}

void batch_measure(
	struct batch *batch, const struct batch_where *where, struct batch_spread *spread)
{
	struct batch_ball *ball = batch_ball(batch, where->radius);

	ball->radius = where->radius;
	set_windows(batch, ball, where->x, where->fixed != NULL);
	if (ball->radius >= 0)
		ball_counts_extend(&batch->balls, ball->radius);
	batch_marginals(batch, ball, where->x);
	if (where->fixed)
		add_fixed(batch, ball, where->x, where->fixed);
	batch_spread(batch, ball, spread);
}
