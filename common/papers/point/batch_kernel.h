/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of batch.h for one width of vectors, LANES: batch_lanes.c includes this. The vectors
 * are the compiler's own, so every machine can compile each width; a width without registers for
 * it is only slow.
 */
#include <string.h>

#include "point/batch.h"
#include "point/simd_lanes.h"

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define INLINE SIMD_INLINE

/* Consecutive counts of ball_counts.h. */
INLINE vfloat load_counts(const uint16_t *at)
{
	return simd_floats(simd_counts(at));
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
	for (int q = low; q <= high; q++)
		marginal[q] = slice_next(&walk, q < batch->middle[d] ? walk.inward : walk.outward);
	for (int q = high + 1; q <= ball->to[d]; q++)
		marginal[q] = zero;
}

static void marginals(struct batch *batch, struct batch_ball *ball, int x)
{
	for (int d = 0; d < batch->mesh->ndims; d++)
		if (ball->radius >= 0)
			load_slices(batch, ball, d, x);
		else
			memset((vfloat *)ball->marginal[d] + ball->from[d], 0,
				(size_t)(ball->to[d] - ball->from[d] + 1) * sizeof(vfloat));
}

struct sums {
	vfloat n, slope;	     /* in */
	vfloat total, nearest;
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
	int from = ball->from[d], last = ball->to[d], middle = batch->middle[d];
	vfloat *to = (vfloat *)ball->far[d], below = {0}, far = {0}, first;
	vfloat least = far - s->slope * (float)hops_to(from, middle);

	for (int q = from; q <= last; q++) {
		to[q] = far;
		least = simd_min(far - s->slope * (float)hops_to(q, middle), least);
		below += marginal[q];
		s->total -= below * (below - s->n);
		far += 2 * below - s->n;
	}
	first = (s->n * (float)(last - from + 1) - far) * 0.5f;
	s->base += first;
	s->nearest += least + first;
}

/* marginal[] is doubled, to go round twice. */
INLINE void spread_ring(const struct batch *batch, struct batch_ball *ball, int d, struct sums *s)
{
	vfloat *marginal = (vfloat *)ball->marginal[d], *to = (vfloat *)ball->far[d];
	int side = batch->places[d], half = side / 2, middle = batch->middle[d];
	vfloat n = s->n, far = {0}, ahead = {0}, twice = {0}, least;
	float stays = (float)(side % 2);

	for (int q = 0; q < side; q++) {
		vfloat here = marginal[q];

		marginal[side + q] = here;
		far += here * (float)(2 * q > side ? side - q : q);
		if (q && q <= half)
			ahead += here;
	}
	least = far - s->slope * (float)middle;
	for (int q = 0; q < side; q++) {
		to[q] = far;
		twice += marginal[q] * far;
		least = simd_min(far - s->slope * (float)hops_to(q, middle), least);
		/* The half ring ahead comes nearer; with an odd side one place stays as far. */
		far += n - 2 * ahead - stays * marginal[q + 1 + half];
		ahead += marginal[q + 1 + half] - marginal[q + 1];
	}
	s->total += twice * 0.5f;
	s->nearest += least;
}

static void spread(struct batch *batch, struct batch_ball *ball, struct batch_spread *spread)
{
	struct sums s = {.n = LOADF(spread->n), .slope = LOADF(spread->slope)};

	for (int d = 0; d < batch->mesh->ndims; d++)
		if (ball->ring[d])
			spread_ring(batch, ball, d, &s);
		else
			spread_line(batch, ball, d, &s);
	STOREF(spread->total) = s.total;
	STOREF(spread->nearest) = s.nearest;
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
	n = 1 / -simd_min(-n, zero - 1);
	total *= n;
	square = -simd_min(total * total - square * n, zero - 1e-6f);
	return total + deviations * square * rough_rsqrt(square);
}

/*
 * The least t of n values w add at least t * g + sum of min(0, w - g), for any g; the bound is
 * best if g is about the t-th least. The guess assumes that values are spread evenly about their
 * mean. Two sums at a time.
 */
INLINE vfloat least_sum(const struct cells *cells, vfloat t, vfloat n)
{
	vfloat zero = {0}, sum[2] = {zero, zero};
	vfloat guess = typical(cells, (t / -simd_min(-n, zero - 1) - 0.5f) * 3.4f);
	int i = 0;

	for (; i + 1 < cells->n; i += 2)
		for (int k = 0; k < 2; k++) {
			struct cell c = cells->cell[i + k];

			sum[k] += c.here * simd_min(c.far - guess, zero);
		}
	if (i < cells->n) {
		struct cell c = cells->cell[i];

		sum[0] += c.here * simd_min(c.far - guess, zero);
	}
	return t * guess + (sum[0] + sum[1]);
}

struct shell_walk {
	const struct batch *batch;
	const struct batch_ball *ball;
	const uint16_t *at; /* free nodes around the first centre, row 0 */
	vfloat sign;
	struct cell *end;
};

/* Both ends of each row along dimension 0: rows from the q-th of `side` on, `step` apart. */
struct shell_rows {
	const uint16_t *at;
	size_t step;
	int q, side, first, last, left;
	const vfloat *along, *across; /* far[] of dimensions 0 and 1, at the centre */
	int below, above; /* how far rows reach */
};

INLINE void walk_rows(struct shell_walk *walk, const struct shell_rows *rows, vfloat far)
{
	const uint16_t *at = rows->at + (size_t)rows->q * rows->step;
	const vfloat *along = rows->along;
	int q = rows->q, below = rows->below, above = rows->above;
	struct cell *end = walk->end;
	vfloat sign = walk->sign;

	for (int by = -rows->first; by <= rows->last; by++) {
		int left = rows->left - (by < 0 ? -by : by);
		vfloat row = far + rows->across[by];

		if (left <= below)
			*end++ = (struct cell){(along[-left] + row) * sign, load_counts(at - left)};
		if (left && left <= above)
			*end++ = (struct cell){(along[left] + row) * sign, load_counts(at + left)};
		at += rows->step;
		if (++q == rows->side) {
			q = 0;
			at = rows->at;
		}
	}
	walk->end = end;
}

/* The part of the shell at one place of the dimensions beyond d, `left` hops from it. */
static void walk_shell(struct shell_walk *walk, int d, const uint16_t *at, int left,
	const vfloat *far)
{
	const struct batch *batch = walk->batch;
	const struct batch_ball *ball = walk->ball;
	size_t step = batch->balls.weight.pitch *
		(size_t)(batch->mesh->stride[d] / batch->mesh->side[0]);
	const vfloat *there = (const vfloat *)ball->far[d] + batch->middle[d];
	int first = batch->middle[d] - ball->from[d], last = ball->to[d] - batch->middle[d];
	int side = batch->mesh->side[d], q;

	first = left < first ? left : first;
	last = left < last ? left : last;
	q = batch->centre[d] - first;
	q += q < 0 ? side : 0;
	if (d == 1) {
		struct shell_rows rows = {at, step, q, side, first, last, left,
			(const vfloat *)ball->far[0] + batch->middle[0], there,
			batch->middle[0] - ball->from[0], ball->to[0] - batch->middle[0]};

		walk_rows(walk, &rows, *far);
		return;
	}
	for (int by = -first; by <= last; by++) {
		vfloat here = *far + there[by];

		walk_shell(walk, d - 1, at + (size_t)q * step, left - (by < 0 ? -by : by), &here);
		q = q + 1 < side ? q + 1 : 0;
	}
}

/* A mesh of one dimension has one row. */
INLINE void walk_line(struct shell_walk *walk, int left, vfloat far)
{
	static const vfloat none;
	struct shell_rows rows = {walk->at, 0, 0, 1, 0, 0, left,
		(const vfloat *)walk->ball->far[0] + walk->batch->middle[0], &none,
		walk->batch->middle[0] - walk->ball->from[0],
		walk->ball->to[0] - walk->batch->middle[0]};

	walk_rows(walk, &rows, far);
}

/*
 * The shell's vertices as seen from take->from, those with the lowest coordinates first (the last
 * dimension counts most; on rings as seen from the centre). Cells hold sign times the hops to all
 * of the ball, less the hops from one place, so that sums stay small.
 */
static void shell(struct batch *batch, const struct batch_take *take, int x, float *added)
{
	const struct batch_ball *ball = take->from;
	struct cell *cells = (struct cell *)batch->cells;
	vfloat zero = {0}, base = zero, t = simd_floats(LOAD(take->t));
	struct shell_walk walk = {
		batch, ball, batch->balls.weight.at + x, zero + take->sign, cells};
	int ndims = batch->mesh->ndims, radius = batch->ball[1].radius;

	for (int d = 0; d < ndims; d++)
		base += ((const vfloat *)ball->far[d])[batch->middle[d]];
	vfloat less = -base;

	if (ndims > 1)
		walk_shell(&walk, ndims - 1, walk.at, radius, &less);
	else
		walk_line(&walk, radius, less);
	STOREF(added) = least_sum(&(struct cells){(int)(walk.end - cells), cells}, t,
				simd_floats(LOAD(take->all))) +
		t * (base + LOADF(ball->base)) * take->sign;
}
