/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/simd.h"

/* ---- which kernel ---- */

/* The widest that the machine has registers for and that rows of this length fill. */
static const struct lanes_kernel *choose_kernel(int side)
{
	(void)side;
#ifdef MESH_WIDE
	__builtin_cpu_init();
	if (side > 12 && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		return &lanes_kernel_16;
	if (side > 4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return &lanes_kernel_8;
#endif
	return &lanes_kernel_4;
}

/* ---- memory ---- */

static void *vectors(size_t n)
{
	size_t bytes = (n ? n : 1) * LANES_MAX * sizeof(int);
	void *memory = aligned_alloc(sizeof(int) * LANES_MAX, bytes);

	if (memory)
		memset(memory, 0, bytes);
	return memory;
}

static bool allocate_across(struct lanes *lanes)
{
	const struct mesh *mesh = lanes->mesh;

	lanes->across_hops = lanes->most - lanes->middle[0];
	lanes->across_pitch = 3 * (size_t)mesh->side[0] + 2 * LANES_MAX;
	lanes->across = malloc((size_t)(lanes->across_hops + 1) * lanes->across_pitch * sizeof(int));
	return lanes->across;
}

int lanes_init(struct lanes *lanes, struct ball_space *space)
{
	const struct mesh *mesh = space->mesh;
	size_t shell = 1;
	int longest = 0;

	memset(lanes, 0, sizeof(*lanes));
	lanes->mesh = mesh;
	lanes->space = space;
	lanes->kernel = choose_kernel(mesh->side[0]);
	lanes->width = lanes->kernel->width;
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d];

		lanes->places[d] = mesh->wrap[d] ? side : 2 * side - 1;
		lanes->middle[d] = mesh->wrap[d] ? side / 2 : side - 1;
		lanes->most += lanes->middle[d];
		shell *= d ? (size_t)lanes->places[d] : 2;
		for (int b = 0; b < 2; b++) {
			struct lanes_ball *ball = &lanes->ball[b];

			ball->marginal[d] = vectors(2 * (size_t)lanes->places[d]);
			ball->far[d] = vectors((size_t)lanes->places[d]);
			if (!ball->marginal[d] || !ball->far[d])
				return -1;
		}
		longest = lanes->places[d] > longest ? lanes->places[d] : longest;
	}
	/* A shell has two vertices in a row at most. */
	shell = shell > (size_t)longest ? shell : (size_t)longest;
	lanes->cells = vectors(2 * (shell + 1));
	if (!lanes->cells || !allocate_across(lanes) || shell_pairs_init(&lanes->pairs, mesh, lanes->most))
		return -1;
	return ball_counts_init(&lanes->balls, mesh);
}

void lanes_release(struct lanes *lanes)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		for (int b = 0; b < 2; b++) {
			free(lanes->ball[b].marginal[d]);
			free(lanes->ball[b].far[d]);
		}
	}
	ball_counts_release(&lanes->balls);
	free(lanes->cells);
	free(lanes->across);
	shell_pairs_release(&lanes->pairs);
	memset(lanes, 0, sizeof(*lanes));
}

/* ---- a row of centres ---- */

void lanes_load(struct lanes *lanes, const int *weight)
{
	ball_counts_load(&lanes->balls, weight);
	lanes->across_row = -1;
}

void lanes_turn(struct lanes *lanes, const int *centre)
{
	const struct mesh *mesh = lanes->mesh;

	memcpy(lanes->centre, centre, sizeof(lanes->centre));
	lanes->row_at = 0;
	for (int d = 1; d < mesh->ndims; d++)
		lanes->row_at += centre[d] * (mesh->stride[d] / mesh->side[0]);
}

/* ---- balls that are not in tables ---- */

MESH_VECTORISE
static void add_row(int *restrict to, const int *restrict row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += row[i];
}

/* Around a ring once at both ends; nothing beyond a line's. */
static void extend_row(const struct mesh *mesh, int *row)
{
	size_t side = (size_t)mesh->side[0];

	if (!mesh->wrap[0])
		return;
	memcpy(row - side, row, side * sizeof(*row));
	memcpy(row + side, row, side * sizeof(*row));
}

static void load_across(struct lanes *lanes)
{
	const struct ball_space *space = lanes->space;
	size_t side = (size_t)lanes->mesh->side[0], pitch = lanes->across_pitch;
	int *at = lanes->across + LANES_MAX + side;

	memset(lanes->across, 0, (size_t)(lanes->across_hops + 1) * pitch * sizeof(int));
	for (int i = 0; i < space->nnear; i++)
		add_row(at + (size_t)space->near[i].used * pitch,
			space->weight + (size_t)space->near[i].row * side, side);
	for (int hops = 0; hops <= lanes->across_hops; hops++) {
		if (hops)
			add_row(at + (size_t)hops * pitch, at + (size_t)(hops - 1) * pitch, side);
		extend_row(lanes->mesh, at + (size_t)hops * pitch);
	}
	lanes->across_row = lanes->row_at;
}

/* All rows, as seen from the row of centres: a close look at one of them lists others. */
static void list_rows(struct lanes *lanes)
{
	struct ball_space *space = lanes->space;

	if (space->cap < lanes->most || memcmp(space->centre, lanes->centre, sizeof(space->centre)))
		ball_row(space, lanes->centre, lanes->most);
	if (lanes->across_row != lanes->row_at)
		load_across(lanes);
}

/* The sum of a ball's slices across dimension 0. */
MESH_VECTORISE
static void count_across(const struct lanes *lanes, int radius, int x, int *count)
{
	const struct mesh *mesh = lanes->mesh;
	int side = mesh->side[0], first = mesh->wrap[0] ? -(side / 2) : -x - LANES_MAX + 1;
	int last = mesh->wrap[0] ? (side - 1) / 2 : side - 1 - x;
	int sum[LANES_MAX] = {0};

	first = first > -radius ? first : -radius;
	last = last < radius ? last : radius;
	for (int by = first; by <= last; by++) {
		int left = radius - abs(by);
		const int *at = lanes->across + LANES_MAX + side + x + by +
			(ptrdiff_t)lanes->across_pitch * (left < lanes->across_hops ? left : lanes->across_hops);

		for (int l = 0; l < LANES_MAX; l++)
			sum[l] += at[l];
	}
	memcpy(count, sum, sizeof(sum));
}

/* The sum of a ball's slices across the last dimension. */
static void count_slices(const struct lanes *lanes, int radius, int x, int *count)
{
	const struct mesh *mesh = lanes->mesh;
	int d = mesh->ndims - 1, side = mesh->side[d], c = lanes->centre[d];
	int first = mesh->wrap[d] ? -(side / 2) : -c, last = mesh->wrap[d] ? (side - 1) / 2 : side - 1 - c;
	const struct ball_counts_view *view = &lanes->balls.slice[d];
	ptrdiff_t step = (ptrdiff_t)view->pitch * (mesh->stride[d] / mesh->side[0]);

	memset(count, 0, LANES_MAX * sizeof(*count));
	for (int by = first > -radius ? first : -radius; by <= last && by <= radius; by++) {
		int q = c + by, ahead = q < 0 ? by + side : q >= side ? by - side : by;
		const uint16_t *at = view->at + (ptrdiff_t)view->pitch * lanes->row_at + x + step * ahead +
			(ptrdiff_t)view->size * (radius - abs(by));

		for (int l = 0; l < LANES_MAX; l++)
			count[l] += at[l];
	}
}

void lanes_count(struct lanes *lanes, int radius, int x, int *count)
{
	const struct ball_counts_view *ball = &lanes->balls.ball;
	const uint16_t *at = ball->at + (size_t)lanes->row_at * ball->pitch + x;

	if (radius < 0) {
		memset(count, 0, (size_t)lanes->width * sizeof(*count));
		return;
	}
	if (!ball_counts_serve(&lanes->balls, radius)) {
		list_rows(lanes);
		count_across(lanes, radius, x, count);
		return;
	}
	ball_counts_extend(&lanes->balls, radius);
	if (radius >= lanes->balls.whole_to) {
		count_slices(lanes, radius, x, count);
		return;
	}
	at += (size_t)radius * ball->size;
	for (int l = 0; l < LANES_MAX; l++)
		count[l] = at[l];
}

/* Places that the ball and its next shell can reach; all of them where nodes lie beyond. */
static void set_windows(const struct lanes *lanes, struct lanes_ball *ball, int x, bool beyond)
{
	const struct mesh *mesh = lanes->mesh;
	int reach = ball->radius + 1;

	for (int d = 0; d < mesh->ndims; d++) {
		int middle = lanes->middle[d], last = lanes->places[d] - 1, side = mesh->side[d];
		int from = middle - reach, to = middle + reach;

		ball->ring[d] = mesh->wrap[d] && (beyond || 4 * reach > side);
		if (beyond || ball->ring[d]) {
			from = 0;
			to = last;
		}
		if (!mesh->wrap[d]) {
			/* Nothing is outside the mesh. */
			int low = middle - (d ? lanes->centre[d] : x + lanes->width - 1);
			int high = middle + side - 1 - (d ? lanes->centre[d] : x);

			from = from > low ? from : low;
			to = to < high ? to : high;
		}
		ball->from[d] = from > 0 ? from : 0;
		ball->to[d] = to < last ? to : last;
	}
}

/* Nodes that are in every set, by coordinate: seen from each lane's centre. */
static void add_fixed(const struct lanes *lanes, struct lanes_ball *ball, int x, int *const *fixed)
{
	const struct mesh *mesh = lanes->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		for (int q = 0; q < mesh->side[d]; q++)
			for (int l = 0; l < lanes->width && fixed[d][q]; l++) {
				int p = q - (d ? lanes->centre[d] : x + l) + lanes->middle[d];

				if (mesh->wrap[d])
					p = (p + mesh->side[d]) % mesh->side[d];
				if (p >= 0 && p < lanes->places[d])
					ball->marginal[d][p * lanes->width + l] += (float)fixed[d][q];
			}
}

void lanes_measure(struct lanes *lanes, struct lanes_ball *ball, const struct lanes_where *where,
	struct lanes_spread *spread)
{
	ball->radius = where->radius;
	set_windows(lanes, ball, where->x, where->fixed != NULL);
	if (ball->radius >= 0)
		ball_counts_extend(&lanes->balls, ball->radius);
	if (where->fixed || ball->radius < 0 || !ball_counts_serve(&lanes->balls, ball->radius)) {
		if (ball_counts_serve(&lanes->balls, ball->radius)) {
			lanes->kernel->marginals(lanes, ball, where->x);
		} else {
			list_rows(lanes);
			lanes->kernel->rows(lanes, ball, where->x);
		}
		if (where->fixed)
			add_fixed(lanes, ball, where->x, where->fixed);
		lanes->kernel->spread(lanes, ball, spread);
		return;
	}
	lanes->kernel->measure(lanes, ball, where->x, spread);
}

void lanes_slices(struct lanes *lanes, const struct lanes_take *take, float *added)
{
	lanes->kernel->slices(lanes, take, added);
}

void lanes_shell(struct lanes *lanes, const struct lanes_take *take, int x, float *added)
{
	lanes->kernel->shell(lanes, take, x, added);
}
