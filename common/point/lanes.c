/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/lanes.h"

#include <stdlib.h>
#include <string.h>

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

/* A step out of the mesh: no steps within it make up for it, and all dimensions' have room. */
#define OUTSIDE (INT32_MIN / MESH_MAX_DIMS)

/* ---- offsets of rows and planes ---- */

/* All places of the dimensions from list->first on, by hops: a counting sort. */
static bool init_list(struct lanes *lanes, struct lanes_list *list, int first)
{
	const struct mesh *mesh = lanes->mesh;
	int place[MESH_MAX_DIMS] = {0}, *start, used = 0, d;
	size_t n = 1;

	list->first = first;
	for (d = first; d < mesh->ndims; d++)
		n *= (size_t)lanes->places[d];
	list->nall = (int)n;
	list->all = malloc(n * sizeof(*list->all));
	list->near = malloc((n + 1) * sizeof(*list->near)); /* one too many is written */
	list->upto = start = calloc((size_t)lanes->most + 2, sizeof(int));
	if (!list->all || !list->near || !list->upto)
		return false;
	for (int pass = 0; pass < 2; pass++) {
		for (d = first; d < mesh->ndims; d++)
			place[d] = 0;
		do {
			used = 0;
			for (d = first; d < mesh->ndims; d++)
				used += abs(place[d] - lanes->middle[d]);
			if (!pass) {
				start[used + 1]++;
			} else {
				struct lanes_offset *to = &list->all[start[used]++];

				to->used = used;
				for (d = 0; d < MESH_MAX_DIMS; d++)
					to->place[d] = (uint16_t)place[d];
			}
			for (d = first; d < mesh->ndims && ++place[d] == lanes->places[d]; d++)
				place[d] = 0;
		} while (d < mesh->ndims);
		for (int r = 0; !pass && r <= lanes->most; r++)
			start[r + 1] += start[r];
	}
	return true;
}

static void release_list(struct lanes_list *list)
{
	free(list->all);
	free(list->near);
	free(list->upto);
}

/* Those inside the mesh, seen from the row of centres. */
static void turn_list(struct lanes *lanes, struct lanes_list *list)
{
	struct lanes_near *near = list->near;
	int ndims = lanes->mesh->ndims, r = 0, n = 0;

	for (int i = 0; i < list->nall; i++) {
		const struct lanes_offset *offset = &list->all[i];
		int at = 0;

		if (offset->used > lanes->cap)
			break;
		while (r < offset->used)
			list->upto[r++] = n;
		for (int d = list->first; d < ndims; d++)
			at += lanes->step[d][offset->place[d]];
		near[n].by = *offset;
		near[n].at = at;
		n += at >= 0;
	}
	list->n = n;
	for (int i = 0; list->first > 1 && i < n; i++)
		near[i].at /= lanes->mesh->side[1];
	while (r <= lanes->cap)
		list->upto[r++] = n;
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

/* What a row reaches, by the hops left for it: all of a ring at most. */
static bool init_reach(struct lanes *lanes)
{
	const struct mesh *mesh = lanes->mesh;
	size_t n = (size_t)lanes->most + 1;
	int side = mesh->side[0];

	lanes->low = malloc(n * sizeof(int));
	lanes->high = malloc(n * sizeof(int));
	lanes->ylow = malloc(n * sizeof(size_t));
	lanes->yhigh = malloc(n * sizeof(size_t));
	lanes->ywrap = malloc(n * sizeof(bool));
	if (!lanes->low || !lanes->high || !lanes->ylow || !lanes->yhigh || !lanes->ywrap)
		return false;
	for (int left = 0; left <= lanes->most; left++) {
		bool whole = mesh->wrap[0] && 2 * left + 1 >= side;

		lanes->low[left] = whole ? side / 2 : left < side ? left : side;
		lanes->high[left] = whole ? side - side / 2 : (left < side ? left : side - 1) + 1;
	}
	return true;
}

int lanes_init(struct lanes *lanes, const struct mesh *mesh, struct ball_space *space)
{
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
		lanes->step[d] = malloc((size_t)lanes->places[d] * sizeof(int));
		for (int b = 0; b < 2; b++) {
			struct lanes_ball *ball = &lanes->ball[b];

			ball->marginal[d] = vectors(2 * (size_t)lanes->places[d]);
			ball->far[d] = vectors((size_t)lanes->places[d]);
			if (!ball->marginal[d] || !ball->far[d])
				return -1;
		}
		if (!lanes->step[d])
			return -1;
		longest = lanes->places[d] > longest ? lanes->places[d] : longest;
	}
	if (shell_pairs_init(&lanes->pairs, mesh, lanes->most) || !init_list(lanes, &lanes->row, 1) ||
		!init_list(lanes, &lanes->plane, 2) || !init_reach(lanes))
		return -1;
	longest = 2 * lanes->row.nall > longest ? 2 * lanes->row.nall : longest;
	lanes->cells = vectors(2 * (size_t)(longest + 1));
	if (!lanes->cells)
		return -1;
	return levels_init(&lanes->levels, mesh);
}

void lanes_release(struct lanes *lanes)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(lanes->step[d]);
		for (int b = 0; b < 2; b++) {
			free(lanes->ball[b].marginal[d]);
			free(lanes->ball[b].far[d]);
		}
	}
	levels_release(&lanes->levels);
	release_list(&lanes->row);
	release_list(&lanes->plane);
	free(lanes->low);
	free(lanes->high);
	free(lanes->ylow);
	free(lanes->yhigh);
	free(lanes->ywrap);
	free(lanes->cells);
	shell_pairs_release(&lanes->pairs);
	memset(lanes, 0, sizeof(*lanes));
}

/* ---- a row of centres ---- */

/* Rows of the table of sums along dimension 1 that a window takes, by the hops left for it. */
static void turn_windows(struct lanes *lanes, int from, int to)
{
	const struct mesh *mesh = lanes->mesh;
	int side = mesh->side[1], y = lanes->centre[1];
	size_t pitch = (size_t)lanes->space->pitch;

	for (int left = from; left <= to; left++) {
		int low = y - left, high = y + left + 1;
		bool wrap = mesh->wrap[1] && high - low < side && (low < 0 || high > side);

		if (wrap) { /* two pieces: from low to the end, and from 0 to high */
			low += low < 0 ? side : 0;
			high -= high > side ? side : 0;
		} else if (low < 0 || high > side || high - low >= side) {
			bool whole = mesh->wrap[1];

			low = whole || low < 0 ? 0 : low;
			high = whole || high > side ? side : high;
		}
		lanes->ylow[left] = (size_t)low * pitch;
		lanes->yhigh[left] = (size_t)high * pitch;
		lanes->ywrap[left] = wrap;
	}
}

static void turn_steps(struct lanes *lanes)
{
	const struct mesh *mesh = lanes->mesh;

	for (int d = 1; d < mesh->ndims; d++)
		for (int p = 0; p < lanes->places[d]; p++) {
			int side = mesh->side[d], q = lanes->centre[d] + p - lanes->middle[d];

			if (mesh->wrap[d])
				q = q < 0 ? q + side : q >= side ? q - side : q;
			lanes->step[d][p] = q < 0 || q >= side ? OUTSIDE
							       : q * (mesh->stride[d] / mesh->side[0]);
		}
}

/* The lists as far as this radius, and a little farther. */
static void reach(struct lanes *lanes, int radius)
{
	int cap = radius + 2 < lanes->most ? radius + 2 : lanes->most;

	if (radius <= lanes->cap)
		return;
	if (lanes->cap < 0)
		turn_steps(lanes);
	turn_windows(lanes, lanes->cap + 1, cap);
	lanes->cap = cap;
	turn_list(lanes, &lanes->row);
	turn_list(lanes, &lanes->plane);
}

void lanes_load(struct lanes *lanes)
{
	levels_load(&lanes->levels, lanes->space->weight);
}

void lanes_turn(struct lanes *lanes, const int *centre)
{
	const struct mesh *mesh = lanes->mesh;

	memcpy(lanes->centre, centre, sizeof(lanes->centre));
	lanes->row_at = 0;
	for (int d = 1; d < mesh->ndims; d++)
		lanes->row_at += centre[d] * (mesh->stride[d] / mesh->side[0]);
	/* What larger balls need is made when they are asked for. */
	lanes->cap = -1;
}

/* How balls of this radius are looked up. */
static bool small(struct lanes *lanes, int radius)
{
	if (!levels_serve(&lanes->levels, radius))
		return false;
	levels_extend(&lanes->levels, radius);
	return true;
}

void lanes_count(struct lanes *lanes, int radius, int x, int *count)
{
	radius = radius < lanes->most ? radius : lanes->most;
	if (radius < 0) {
		memset(count, 0, (size_t)lanes->width * sizeof(*count));
	} else if (small(lanes, radius)) {
		const struct levels_view *ball = &lanes->levels.ball;
		const uint16_t *at = ball->at + (size_t)radius * ball->size +
			(size_t)lanes->row_at * ball->pitch + x;

		for (int l = 0; l < LANES_MAX; l++)
			count[l] = at[l];
	} else {
		reach(lanes, radius);
		lanes->kernel->count(lanes, radius, x, count);
	}
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

void lanes_marginals(struct lanes *lanes, struct lanes_ball *ball, int radius, int x,
	int *const *fixed)
{
	ball->radius = radius < lanes->most ? radius : lanes->most;
	set_windows(lanes, ball, x, fixed != NULL);
	if (!small(lanes, ball->radius))
		reach(lanes, ball->radius);
	lanes->kernel->marginals(lanes, ball, x);
	if (fixed)
		add_fixed(lanes, ball, x, fixed);
}

void lanes_spread(struct lanes *lanes, struct lanes_ball *ball, struct lanes_spread *spread)
{
	lanes->kernel->spread(lanes, ball, spread);
}

void lanes_measure(struct lanes *lanes, struct lanes_ball *ball, int radius, int x,
	int *const *fixed, struct lanes_spread *spread)
{
	if (fixed || radius < 0 || !small(lanes, radius)) {
		lanes_marginals(lanes, ball, radius, x, fixed);
		lanes_spread(lanes, ball, spread);
		return;
	}
	ball->radius = radius;
	set_windows(lanes, ball, x, false);
	lanes->kernel->measure(lanes, ball, x, spread);
}

void lanes_slices(struct lanes *lanes, const struct lanes_take *take, float *added)
{
	lanes->kernel->slices(lanes, take, added);
}

void lanes_shell(struct lanes *lanes, const struct lanes_take *take, int x, float *added)
{
	lanes->kernel->shell(lanes, take, x, added);
}
