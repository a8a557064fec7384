/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of batch.h over vectors of BATCH lanes. The vectors are the compiler's own, so every
 * machine can compile them; one without registers for them is only slow. Vectors of 8 lanes gave
 * no more (doc/lab/point.md).
 */
#include <string.h>

#include "point/batch.h"

#if defined(__SSE2__) && !defined(MESH_PLAIN)
#include <xmmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef int vint __attribute__((vector_size(4 * BATCH)));
typedef float vfloat __attribute__((vector_size(4 * BATCH)));
/* The same types for any element of an array, not aligned to a whole vector. */
typedef int vint_loose __attribute__((vector_size(4 * BATCH), aligned(4), may_alias));
typedef float vfloat_loose __attribute__((vector_size(4 * BATCH), aligned(4), may_alias));
typedef uint16_t vcount_loose __attribute__((vector_size(2 * BATCH), aligned(2), may_alias));

#define LOADF(AT) (*(const vfloat_loose *)(AT))
#define STOREF(AT) (*(vfloat_loose *)(AT))

/* Consecutive counts of ball_counts.h. */
INLINE vfloat load_counts(const uint16_t *at)
{
	return __builtin_convertvector(
		__builtin_convertvector(*(const vcount_loose *)at, vint), vfloat);
}

INLINE vfloat load_ints(const int *at)
{
	return __builtin_convertvector(*(const vint_loose *)at, vfloat);
}

INLINE vfloat least(vfloat a, vfloat b)
{
#if defined(__SSE2__) && !defined(MESH_PLAIN)
	return (vfloat)_mm_min_ps((__m128)a, (__m128)b); /* C has no operator for it */
#else
	vint less = a < b;

	return (vfloat)((less & (vint)a) | (~less & (vint)b));
#endif
}

/* Hops from place q to the centre's. */
INLINE int hops_to(int q, int middle)
{
	return q < middle ? middle - q : q - middle;
}

/* ---- marginals: balls' slices (ball_counts.h) ---- */

/*
 * Goes through slices across dimension d: with each step the radius left is one more or one less.
 */
struct slice_walk {
	const uint16_t *at;
	ptrdiff_t inward, outward, pitch;
	int c, side; /* coordinate; and where it begins anew */
	ptrdiff_t round;
};

/* Begin at place q, within the radius. */
INLINE struct slice_walk slices_from(const struct batch *batch, int radius, int d, int x, int q)
{
	const struct ball_counts_view *view = &batch->balls.slice[d];
	ptrdiff_t step =
		d ? (ptrdiff_t)view->pitch * (batch->mesh->stride[d] / batch->mesh->side[0]) : 1;
	int by = q - batch->middle[d], left = radius - hops_to(q, batch->middle[d]);

	struct slice_walk walk = {
		.at = view->at + (ptrdiff_t)view->pitch * batch->row_at + x + step * by +
			(ptrdiff_t)view->size * left,
		.inward = step + (ptrdiff_t)view->size,
		.outward = step - (ptrdiff_t)view->size,
		.pitch = (ptrdiff_t)view->pitch,
		/* Rows go on at both ends. */
		.side = d ? batch->mesh->side[d] : INT32_MAX,
		.c = d ? batch->centre[d] + by : 0,
		.round = step * batch->mesh->side[d],
	};

	if (walk.c < 0) {
		walk.c += walk.side;
		walk.at += walk.round;
	}
	return walk;
}

INLINE vfloat slice_next(struct slice_walk *walk, ptrdiff_t further)
{
	vfloat here = load_counts(walk->at);

	/* Prefetch the row to come: there are more streams than processors follow. */
	__builtin_prefetch(walk->at + walk->pitch);
	walk->at += further;
	if (++walk->c == walk->side) {
		walk->c = 0;
		walk->at -= walk->round;
	}
	return here;
}

/* The places within the radius: *low .. *high. */
INLINE void places_within(const struct batch *batch, const struct batch_ball *ball, int d, int *low,
	int *high)
{
	*low = batch->middle[d] - ball->radius;
	*high = batch->middle[d] + ball->radius;
	*low = *low > ball->from[d] ? *low : ball->from[d];
	*high = *high < ball->to[d] ? *high : ball->to[d];
}

INLINE void load_slices(const struct batch *batch, struct batch_ball *ball, int d, int x)
{
	vfloat *marginal = (vfloat *)ball->marginal[d], zero = {0};
	struct slice_walk walk;
	int low, high;

	places_within(batch, ball, d, &low, &high);
	walk = slices_from(batch, ball->radius, d, x, low);
	for (int q = ball->from[d]; q < low; q++)
		marginal[q] = zero;
	for (int q = low; q < batch->middle[d]; q++)
		marginal[q] = slice_next(&walk, walk.inward);
	for (int q = batch->middle[d]; q <= high; q++)
		marginal[q] = slice_next(&walk, walk.outward);
	for (int q = high + 1; q <= ball->to[d]; q++)
		marginal[q] = zero;
}

void batch_marginals(const struct batch *batch, struct batch_ball *ball, int x)
{
	for (int d = 0; d < batch->mesh->ndims; d++)
		if (ball->radius >= 0)
			load_slices(batch, ball, d, x);
		else
			memset((vfloat *)ball->marginal[d] + ball->from[d], 0,
				(size_t)(ball->to[d] - ball->from[d] + 1) * sizeof(vfloat));
}

struct sums {
	vfloat n, slope, steep;	     /* in */
	vfloat total, nearest, farthest;
	vfloat base; /* what far[] lacks, all dimensions together */
};

/*
 * With n nodes in all and m of them up to place q (included), the hops to all of them grow by
 * 2m - n from q to the next place, and m(n-m) pairs of them cross that step. The hops from the
 * first place and from the place behind the last add up to n * (last + 1 - from), which gives
 * those from the first.
 */
INLINE void spread_line(const struct batch *batch, struct batch_ball *ball, int d, struct sums *s)
{
	const vfloat *marginal = (vfloat *)ball->marginal[d];
	int from = ball->from[d], last = ball->to[d], middle = batch->middle[d], q = from;
	vfloat *to = (vfloat *)ball->far[d], below = {0}, far = {0}, first;
	vfloat away = s->slope * (float)hops_to(from, middle), low = far - away;
	vfloat up = s->steep * (float)hops_to(from, middle), high = up - far;

	for (int part = 0; part < 2; part++) {
		vfloat step = part ? s->slope : -s->slope, steep = part ? s->steep : -s->steep;

		for (int end = part ? last + 1 : middle; q < end; q++) {
			to[q] = far;
			low = least(far - away, low);
			high = least(up - far, high);
			away += step;
			up += steep;
			below += marginal[q];
			s->total -= below * (below - s->n);
			far += 2 * below - s->n;
		}
	}
	first = (s->n * (float)(last - from + 1) - far) * 0.5f;
	s->base += first;
	s->nearest += low + first;
	s->farthest += first - high;
}

/* marginal[] is doubled, to go round twice. */
INLINE void spread_ring(const struct batch *batch, struct batch_ball *ball, int d, struct sums *s)
{
	vfloat *marginal = (vfloat *)ball->marginal[d], *to = (vfloat *)ball->far[d];
	int side = batch->places[d], half = side / 2, middle = batch->middle[d];
	vfloat n = s->n, far = {0}, ahead = {0}, twice = {0}, low, high;
	float stays = (float)(side % 2);

	for (int q = 0; q < side; q++) {
		vfloat here = marginal[q];

		marginal[side + q] = here;
		far += here * (float)(2 * q > side ? side - q : q);
		if (q && q <= half)
			ahead += here;
	}
	low = far - s->slope * (float)middle;
	high = s->steep * (float)middle - far;
	for (int q = 0; q < side; q++) {
		to[q] = far;
		twice += marginal[q] * far;
		low = least(far - s->slope * (float)hops_to(q, middle), low);
		high = least(s->steep * (float)hops_to(q, middle) - far, high);
		/* The half ring ahead comes nearer; with an odd side one place stays as far. */
		far += n - 2 * ahead - stays * marginal[q + 1 + half];
		ahead += marginal[q + 1 + half] - marginal[q + 1];
	}
	s->total += twice * 0.5f;
	s->nearest += low;
	s->farthest -= high;
}

void batch_spread(const struct batch *batch, struct batch_ball *ball, struct batch_spread *spread)
{
	struct sums s = {.n = LOADF(spread->n), .slope = LOADF(spread->slope),
		.steep = LOADF(spread->steep)};

	for (int d = 0; d < batch->mesh->ndims; d++)
		if (ball->ring[d])
			spread_ring(batch, ball, d, &s);
		else
			spread_line(batch, ball, d, &s);
	STOREF(spread->total) = s.total;
	STOREF(spread->nearest) = s.nearest;
	STOREF(spread->farthest) = s.farthest;
	STOREF(ball->base) = s.base;
}

/* A value, and how many nodes have it. */
struct cell {
	vfloat far, here;
};

/* About 1/sqrt(v), within a few percent: for guesses only. */
INLINE vfloat rough_rsqrt(vfloat v)
{
	vfloat half = v * 0.5f, y = (vfloat)(0x5f3759df - ((vint)v >> 1));

	return y * (1.5f - half * y * y);
}

struct cells {
	int n;
	const struct cell *cell;
};

/* The mean of the values and so many standard deviations; of many values from every third one. */
INLINE vfloat typical(const struct cells *cells, vfloat deviations)
{
	vfloat zero = {0}, n = zero, total = zero, square = zero;
	int step = cells->n < 40 ? 1 : 3;

	for (int i = 0; i < cells->n; i += step) {
		struct cell c = cells->cell[i];
		vfloat part = c.here * c.far;

		n += c.here;
		total += part;
		square += part * c.far;
	}
	n = 1 / -least(-n, zero - 1);
	total *= n;
	square = -least(total * total - square * n, zero - 1e-6f);
	return total + deviations * square * rough_rsqrt(square);
}

/*
 * The least t of n values w add at least t * g + sum of min(0, w - g), for any g; the bound is
 * best if g is about the t-th least. The guess assumes that values are spread evenly about their
 * mean.
 */
INLINE vfloat least_sum(const struct cells *cells, vfloat t, vfloat n)
{
	vfloat zero = {0}, sum = zero;
	vfloat guess = typical(cells, (t / -least(-n, zero - 1) - 0.5f) * 3.4f);

	for (int i = 0; i < cells->n; i++)
		sum += cells->cell[i].here * least(cells->cell[i].far - guess, zero);
	return t * guess + sum;
}

/*
 * Sign times the hops to all of the ball: `far` and those from the row's place in all dimensions
 * but the first.
 */
INLINE vfloat hops_across(const struct batch *batch, const struct batch_take *take,
	const struct batch_row *row, vfloat far)
{
	for (int d = 1; d < batch->mesh->ndims; d++)
		far += ((const vfloat *)take->ball->far[d])[batch->place[d][row->coord[d]]];
	return far * take->sign;
}

/* List the cells of the shell with nodes around the centres from x on. Returns how many. */
INLINE int list_cells(const struct batch *batch, const struct batch_take *take, vfloat less)
{
	const struct batch_ball *ball = take->ball;
	int radius = take->radius, middle = batch->middle[0];
	int below = middle - ball->from[0], above = ball->to[0] - middle;
	int used = radius - (below > above ? below : above);
	const vfloat *along = (const vfloat *)ball->far[0] + middle;
	struct cell *cells = (struct cell *)batch->cells, *end = cells;
	const uint16_t *weight = batch->balls.weight.at + take->x;

	for (used = used > 0 ? used : 0; used <= radius && used <= batch->most; used++) {
		int left = radius - used;
		bool low = left <= below, high = left && left <= above;

		for (int i = batch->near[used]; i < batch->near[used + 1]; i++) {
			const struct batch_row *row = &batch->rows[batch->listed[i]];
			const uint16_t *at = weight + row->at;

			if (low)
				*end++ = (struct cell){
					hops_across(batch, take, row, along[-left] - less),
					load_counts(at - left)};
			if (high)
				*end++ = (struct cell){
					hops_across(batch, take, row, along[left] - less),
					load_counts(at + left)};
		}
	}
	return (int)(end - cells);
}

/*
 * Cells hold sign times the hops to all of the ball, less the hops from one place, so that sums
 * stay small.
 */
void batch_least_of_shell(
	const struct batch *batch, const struct batch_take *take, float *added)
{
	const struct batch_ball *ball = take->ball;
	vfloat base = {0}, t = load_ints(take->t);
	struct cells cells = {.cell = (const struct cell *)batch->cells};

	for (int d = 0; d < batch->mesh->ndims; d++)
		base += ((const vfloat *)ball->far[d])[batch->middle[d]];
	cells.n = list_cells(batch, take, base);
	STOREF(added) = least_sum(&cells, t, load_ints(take->all)) +
		t * (base + LOADF(ball->base)) * take->sign;
}
