/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of lanes.h for one width of vectors: included by lanes_4.c, lanes_8.c and
 * lanes_16.c, which set LANES. Vectors are the compiler's own, so that any machine can compile
 * each of them; a width that the machine has no registers for is only slow.
 */
#include <float.h>
#include <string.h>

#include "lanes.h"

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define INLINE static inline __attribute__((always_inline))

typedef int vint __attribute__((vector_size(4 * LANES)));
typedef float vfloat __attribute__((vector_size(4 * LANES)));
/* Anywhere in an array of int. */
typedef int loose __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float loosef __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#define LOAD(AT) (*(const loose *)(AT))
#define LOADF(AT) (*(const loosef *)(AT))

/* ---- 3-D: an octahedron is a pile of diamonds, whichever way it is cut ---- */

/* a, b: the tables at the centre's coordinates on this plane. */
INLINE vint diamond(const int *a, const int *b, const struct lanes_corners *at)
{
	return LOAD(a + at->top) + LOAD(a + at->bottom) - LOAD(b + at->left) - LOAD(b + at->right);
}

/* Planes across dimension d, 1 or 2: the marginal into to[] if that is not NULL; the sum. */
INLINE vint cut(const struct lanes *lanes, int d, int radius, int x, vint *to)
{
	const struct cone_planes *p = &lanes->cones.planes[d];
	const struct lanes_corners *corners = lanes->corners[d];
	int side = lanes->mesh->side[d], centre = lanes->centre[d];
	int first = -radius, last = radius;
	vint sum = {0};

	if (!lanes->mesh->wrap[d]) {
		first = first < -centre ? -centre : first;
		last = last > side - 1 - centre ? side - 1 - centre : last;
	}
	int at = centre + first + (centre + first < 0 ? side : 0);
	const int *a = p->a + (size_t)at * p->plane_a + x, *b = p->b + (size_t)at * p->plane_b + x;

	for (int by = first; by <= last; by++) {
		vint here = diamond(a, b, &corners[radius - (by < 0 ? -by : by)]);

		if (to)
			to[by] = here;
		sum += here;
		a += p->plane_a;
		b += p->plane_b;
		if (++at == side) {
			at = 0;
			a = p->a + x;
			b = p->b + x;
		}
	}
	return sum;
}

/* Planes across dimension 0: the lanes are one beside the other. */
INLINE void cut_first(const struct lanes *lanes, const struct lanes_ball *ball, int x, vint *to)
{
	const struct cone_planes *p = &lanes->cones.planes[0];
	int middle = lanes->middle[0], radius = ball->radius;
	int first = radius < middle - ball->from[0] ? radius : middle - ball->from[0];
	int last = radius < ball->to[0] - middle ? radius : ball->to[0] - middle;

	for (int by = -first; by <= last; by++)
		to[by] = diamond(p->a + x + by, p->b + x + by,
			&lanes->corners[0][radius - (by < 0 ? -by : by)]);
}

static void count_cut(const struct lanes *lanes, int radius, int x, int *to)
{
	*(loose *)to = cut(lanes, 2, radius, x, NULL);
}

/* ---- any mesh: rows ---- */

static void count(const struct lanes *lanes, int radius, int x, int *to)
{
	const struct ball_space *space = lanes->space;
	const int *table = space->along + space->mesh->side[0] + x;
	const struct lanes_near *near = lanes->row.near;
	vint sum = {0};

	for (int i = 0, n = lanes->row.upto[radius]; i < n; i++) {
		const int *at = table + (size_t)near[i].at * (size_t)space->pitch;
		int left = radius - near[i].by.used;

		sum += LOAD(at + lanes->high[left]) - LOAD(at - lanes->low[left]);
	}
	*(loose *)to = sum;
}

/* Rows along dimension 0 give the marginals of all others. */
static void marginals_beyond(const struct lanes *lanes, struct lanes_ball *ball, int x)
{
	const struct ball_space *space = lanes->space;
	const int *table = space->along + space->mesh->side[0] + x;
	const struct lanes_near *near = lanes->row.near;
	int ndims = lanes->mesh->ndims, radius = ball->radius;

	for (int i = 0, n = lanes->row.upto[radius]; i < n; i++) {
		const int *at = table + (size_t)near[i].at * (size_t)space->pitch;
		int left = radius - near[i].by.used;
		vint here = LOAD(at + lanes->high[left]) - LOAD(at - lanes->low[left]);

		for (int d = 1; d < ndims; d++)
			((vint *)ball->marginal[d])[near[i].by.place[d]] += here;
	}
}

/* Rows along dimension 1 give the marginal of dimension 0. */
static void marginal_first(const struct lanes *lanes, struct lanes_ball *ball, int x)
{
	const struct ball_space *space = lanes->space;
	const struct lanes_near *near = lanes->plane.near;
	int side = space->mesh->side[1], middle = lanes->middle[0], radius = ball->radius;
	size_t pitch = (size_t)space->pitch, whole = (size_t)side * pitch;
	vint *to = (vint *)ball->marginal[0] + middle;

	for (int i = 0, n = lanes->plane.upto[radius]; i < n; i++) {
		const int *table = space->across + space->mesh->side[0] + x +
			(size_t)near[i].at * (whole + pitch);
		int left = radius - near[i].by.used;
		int first = left < middle - ball->from[0] ? left : middle - ball->from[0];
		int last = left < ball->to[0] - middle ? left : ball->to[0] - middle;

		for (int dx = -first; dx <= last; dx++) {
			int rest = left - (dx < 0 ? -dx : dx);
			const int *at = table + dx;
			vint here = LOAD(at + lanes->yhigh[rest]) - LOAD(at + lanes->ylow[rest]);

			if (lanes->ywrap[rest])
				here += LOAD(at + whole);
			to[dx] += here;
		}
	}
}

static void marginals(struct lanes *lanes, struct lanes_ball *ball, int x)
{
	int radius = ball->radius;

	for (int d = 0; d < lanes->mesh->ndims; d++)
		memset((vint *)ball->marginal[d] + ball->from[d], 0,
			(size_t)(ball->to[d] - ball->from[d] + 1) * sizeof(vint));
	if (radius < 0)
		return;
	if (cones_serve(&lanes->cones, radius)) {
		for (int d = 1; d < 3; d++)
			cut(lanes, d, radius, x, (vint *)ball->marginal[d] + lanes->middle[d]);
		cut_first(lanes, ball, x, (vint *)ball->marginal[0] + lanes->middle[0]);
		return;
	}
	marginals_beyond(lanes, ball, x);
	marginal_first(lanes, ball, x);
}

INLINE vfloat lesser(vfloat a, vfloat b)
{
	vint less = a < b;

	return (vfloat)((less & (vint)a) | (~less & (vint)b));
}

INLINE vfloat as_floats(vint v)
{
	return __builtin_convertvector(v, vfloat);
}

struct sums {
	vfloat n, slope;	     /* in */
	vfloat total, nearest;
	vfloat base; /* what far[] lacks, all dimensions together */
};

/*
 * With n nodes in all and m up to and with place q, hops to all of them grow by 2m - n from q to
 * the next place, and n's pairs are m(n-m) hops apart across that step.
 */
INLINE void spread_line(const struct lanes *lanes, struct lanes_ball *ball, int d, struct sums *s)
{
	const vint *marginal = (const vint *)ball->marginal[d];
	vfloat *to = (vfloat *)ball->far[d];
	int from = ball->from[d], last = ball->to[d], middle = lanes->middle[d];
	vfloat below = {0}, far = {0}, first = {0}, total = s->total, n = s->n, least;

	least = far - s->slope * (float)(from < middle ? middle - from : from - middle);
	for (int q = from; q <= last; q++) {
		vfloat here = as_floats(marginal[q]);

		to[q] = far;
		first += here * (float)(q - from);
		least = lesser(far - s->slope * (float)(q < middle ? middle - q : q - middle), least);
		below += here;
		total += below * (n - below);
		far += below + below - n;
	}
	s->total = total;
	s->base += first;
	s->nearest += least + first;
}

INLINE void spread_ring(const struct lanes *lanes, struct lanes_ball *ball, int d, struct sums *s)
{
	const vint *marginal = (const vint *)ball->marginal[d];
	int side = lanes->places[d], half = side / 2, middle = lanes->middle[d];
	vfloat n = {0}, far = {0}, ahead = {0}, total = s->total, least;
	float stays = (float)(side % 2);

	for (int q = 0; q < side; q++) {
		vfloat here = as_floats(marginal[q]);

		n += here;
		far += here * (float)(2 * q > side ? side - q : q);
		if (q && q <= half)
			ahead += here;
	}
	least = far - s->slope * (float)middle;
	for (int q = 0; q < side; q++) {
		vfloat here = as_floats(marginal[q]), next = as_floats(marginal[(q + 1) % side]);
		vfloat in = as_floats(marginal[(q + 1 + half) % side]);

		((vfloat *)ball->far[d])[q] = far;
		total += here * far * 0.5f;
		least = lesser(far - s->slope * (float)(q < middle ? middle - q : q - middle), least);
		/* Ahead up to half the ring comes nearer; with an odd side one stays. */
		far += n - 2 * ahead - stays * in;
		ahead += in - next;
	}
	s->total = total;
	s->nearest += least;
}

static void spread(struct lanes *lanes, struct lanes_ball *ball, struct lanes_spread *spread)
{
	struct sums s = {.n = LOADF(spread->n), .slope = LOADF(spread->slope)};

	for (int d = 0; d < lanes->mesh->ndims; d++)
		if (ball->ring[d])
			spread_ring(lanes, ball, d, &s);
		else
			spread_line(lanes, ball, d, &s);
	*(loosef *)spread->total = s.total;
	*(loosef *)spread->nearest = s.nearest;
	*(loosef *)ball->base = s.base;
}

/*
 * Quantiles of the normal distribution by (part * QUANTILES): where among a shell's nodes the
 * t-th is expected. Only a guess: any would give a lower bound.
 */
#define QUANTILES 16
static const float quantile[QUANTILES + 1] = {-2.2f, -1.53f, -1.15f, -0.89f, -0.67f, -0.49f,
	-0.32f, -0.16f, 0, 0.16f, 0.32f, 0.49f, 0.67f, 0.89f, 1.15f, 1.53f, 2.2f};

/* Values with how many nodes have each, and their sums. */
struct heap {
	vfloat n, sum, square;
	vfloat *far, *here;
	int ncells;
};

INLINE void add_value(struct heap *s, vfloat here, vfloat far)
{
	vfloat part = here * far;

	s->far[s->ncells] = far;
	s->here[s->ncells++] = here;
	s->n += here;
	s->sum += part;
	s->square += part * far;
}

/*
 * The t least of the values w add at least  t * g + sum of min(0, w - g), whatever g; most where
 * g is about the t-th least.
 */
INLINE vfloat least_sum(struct heap *s, vfloat t)
{
	vfloat zero = {0}, n = -lesser(-s->n, zero - 1), mean = s->sum / n, guess, sum = zero;
	float part[LANES], variance[LANES];

	*(loosef *)part = t / n;
	*(loosef *)variance = s->square / n - mean * mean;
	for (int l = 0; l < LANES; l++) {
		float p = !(part[l] > 0) ? 0 : part[l] < 1 ? part[l] : 1;

		part[l] = quantile[(int)(p * QUANTILES + 0.5f)] *
			(variance[l] > 0 ? __builtin_sqrtf(variance[l]) : 0);
	}
	guess = mean + LOADF(part);
	for (int i = 0; i < s->ncells; i++) {
		vfloat over = s->far[i] - guess;

		sum += s->here[i] * (vfloat)((vint)over & (over < zero));
	}
	return t * guess + sum;
}

/*
 * On a shell r = sum of |q-c|, so that the hops from its vertices to a ball are slope * r and
 * the sum over the dimensions of f_d(q) - slope * |q-c|; each of these is at least what it would be
 * were t nodes chosen for it alone.
 */
static void slices(struct lanes *lanes, const struct lanes_take *take, float *added)
{
	const struct lanes_ball *inner = &lanes->ball[0], *outer = &lanes->ball[1];
	vfloat t = as_floats(LOAD(take->t)), slope = LOADF(take->slope), sum;

	sum = (LOADF(take->from->base) + slope * (float)outer->radius) * take->sign * t;
	for (int d = 0; d < lanes->mesh->ndims; d++) {
		struct heap s = {.far = (vfloat *)lanes->cell_far, .here = (vfloat *)lanes->cell_here};
		const vint *in = (const vint *)inner->marginal[d];
		const vint *out = (const vint *)outer->marginal[d];
		const vfloat *far = (const vfloat *)take->from->far[d];
		int middle = lanes->middle[d];
		vfloat base = far[middle] * take->sign;

		for (int q = inner->from[d]; q <= inner->to[d]; q++)
			add_value(&s, as_floats(out[q] - in[q]), (far[q] -
				slope * (float)(q < middle ? middle - q : q - middle)) *
				take->sign - base);
		sum += least_sum(&s, t) + t * base;
	}
	*(loosef *)added = sum;
}

/* Cells at one offset: free nodes are the difference of the sums before and after. */
INLINE void add_cell(struct heap *s, const int *before, vfloat far)
{
	add_value(s, as_floats(LOAD(before + 1) - LOAD(before)), far);
}

static void shell(struct lanes *lanes, const struct lanes_take *take, int x, float *added)
{
	const struct ball_space *space = lanes->space;
	const struct lanes_ball *ball = take->from;
	const struct lanes_near *near = lanes->row.near;
	const vfloat *first = (const vfloat *)ball->far[0];
	int middle = lanes->middle[0], ndims = lanes->mesh->ndims, radius = lanes->ball[1].radius;
	int from = ball->from[0], to = ball->to[0];
	struct heap s = {.far = (vfloat *)lanes->cell_far, .here = (vfloat *)lanes->cell_here};
	vfloat base = first[middle];
	float sign = take->sign;

	/* All less the hops from one place, so that sums stay small. */
	for (int d = 1; d < ndims; d++)
		base += ((const vfloat *)ball->far[d])[lanes->middle[d]];
	for (int i = 0, n = lanes->row.upto[radius]; i < n; i++) {
		int out = radius - near[i].by.used;
		const int *at = space->along + space->mesh->side[0] + x +
			(size_t)near[i].at * (size_t)space->pitch;
		vfloat row = -base;

		if (middle - out < from && middle + out > to)
			continue;
		for (int d = 1; d < ndims; d++)
			row += ((const vfloat *)ball->far[d])[near[i].by.place[d]];
		if (middle - out >= from)
			add_cell(&s, at - out, (first[middle - out] + row) * sign);
		if (out && middle + out <= to)
			add_cell(&s, at + out, (first[middle + out] + row) * sign);
	}
	vfloat t = as_floats(LOAD(take->t));

	*(loosef *)added = least_sum(&s, t) + t * (base + LOADF(ball->base)) * sign;
}

const struct lanes_kernel PASTE(lanes_kernel_, LANES) = {
	.width = LANES, .count = count, .count_cut = count_cut, .marginals = marginals,
	.spread = spread, .slices = slices,
	.shell = shell,
};
