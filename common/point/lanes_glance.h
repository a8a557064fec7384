/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A glance at small balls: what lanes_measure() finds, but nothing kept, in 16-bit numbers, which take
 * half the room of the others. Included by lanes_kernel.h.
 *
 * With n nodes in all, g = 2m - n where m of them are up to and with a place: hops to all of them
 * grow by g from there to the next place, and n's pairs are m(n-m) = (n*n - g*g)/4 hops apart
 * across that step.
 */

typedef short vshort __attribute__((vector_size(2 * LANES)));
/* Sums in lanes that are not asked for may go round. */
typedef unsigned short vword __attribute__((vector_size(2 * LANES)));
typedef unsigned vuint __attribute__((vector_size(4 * LANES)));

INLINE vfloat word_floats(vword v)
{
	return as_floats(__builtin_convertvector((vshort)v, vint));
}

INLINE vword lesser_word(vword v, vword w)
{
	vshort a = (vshort)v, b = (vshort)w;

#if LANES == 16 && defined(__AVX2__) && !defined(__clang__)
	return (vword)__builtin_ia32_pminsw256(a, b);
#elif LANES == 8 && defined(__SSE2__) && !defined(__clang__)
	return (vword)__builtin_ia32_pminsw128(a, b);
#else
	vshort less = a < b;

	return (vword)((a & less) | (b & ~less));
#endif
}

/* Sums of squares, of two numbers a time. */
#if LANES == 16 && defined(__AVX2__) && !defined(__clang__)
#define UNPACK(WHICH, A, B) __builtin_ia32_punpck##WHICH##wd256((vshort)(A), (vshort)(B))
#define SQUARE_PAIRS(V) (vhalf) __builtin_ia32_pmaddwd256(V, V)
#elif LANES == 8 && defined(__SSE2__) && !defined(__clang__)
#define UNPACK(WHICH, A, B) __builtin_ia32_punpck##WHICH##wd128((vshort)(A), (vshort)(B))
#define SQUARE_PAIRS(V) (vhalf) __builtin_ia32_pmaddwd128(V, V)
#endif

#ifdef UNPACK
typedef unsigned vhalf __attribute__((vector_size(2 * LANES)));
struct squares {
	vhalf low, high; /* of each 128 bits */
};
#else
struct squares {
	vuint sum;
};
#endif

INLINE void add_squares(struct squares *squares, vword a, vword b)
{
#ifdef UNPACK
	vshort low = UNPACK(l, a, b), high = UNPACK(h, a, b);

	squares->low += SQUARE_PAIRS(low);
	squares->high += SQUARE_PAIRS(high);
#else
	vuint x = __builtin_convertvector((vshort)a, vuint), y = __builtin_convertvector((vshort)b, vuint);

	squares->sum += x * x + y * y;
#endif
}

INLINE vuint sum_squares(const struct squares *squares)
{
#ifndef UNPACK
	return squares->sum;
#elif LANES == 16
	return __builtin_shufflevector(squares->low, squares->high, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6,
		7, 12, 13, 14, 15);
#else
	return __builtin_shufflevector(squares->low, squares->high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* Along one dimension, hops to all of the ball, less those from where the walk begins. */
struct glance {
	vword n, slope; /* in */
	vword grows; /* g */
	vword far;   /* less slope * hops to the centre */
	vword least; /* of these, at all places */
	struct squares squares;
};

INLINE vword glance_step(struct glance *g, struct slice_walk *walk, ptrdiff_t further, vword slope)
{
	vword here = *(const counts *)walk->at;

	/* As slice_next() does. */
	__builtin_prefetch(walk->at + walk->pitch);
	walk->at += further;
	if (++walk->c == walk->side) {
		walk->c = 0;
		walk->at -= walk->round;
	}
	g->least = lesser_word(g->far, g->least);
	g->grows += here + here;
	g->far += g->grows + slope;
	return g->grows;
}

/* So many steps towards the centre's place, or away from it. */
INLINE void glance_along(struct glance *g, struct slice_walk *walk, int steps, bool inward)
{
	ptrdiff_t further = inward ? walk->inward : walk->outward;
	vword slope = inward ? g->slope : -g->slope, none = {0};

	for (; steps > 1; steps -= 2) {
		vword first = glance_step(g, walk, further, slope);

		add_squares(&g->squares, first, glance_step(g, walk, further, slope));
	}
	if (steps)
		add_squares(&g->squares, glance_step(g, walk, further, slope), none);
}

/* Places within the radius that a lane has in the mesh, below and above the centre's. */
struct glance_reach {
	int below, above; /* of any lane */
	vfloat first, last; /* of each */
};

INLINE void reach_lanes(const struct lanes *lanes, int d, int radius, int x, struct glance_reach *reach)
{
	int side = lanes->mesh->side[d], c = d ? lanes->centre[d] : x, more = d ? 0 : LANES - 1;
	vfloat zero = {0};

	reach->below = reach->above = radius;
	reach->first = reach->last = zero + (float)radius;
	if (lanes->mesh->wrap[d])
		return;
	reach->below = c + more < radius ? c + more : radius;
	reach->above = side - 1 - c < radius ? side - 1 - c : radius;
	vfloat q = zero + (float)c;

	for (int l = 0; !d && l < LANES; l++)
		q[l] += (float)l;
	reach->first = lesser(reach->first, q);
	reach->last = lesser(reach->last, (float)(side - 1) - q);
}

struct glance_sums {
	vfloat n, slope;
	vfloat nearest, middle; /* less slope * hops from the centre; from the centre */
	vfloat steepest; /* hops on the way to where a dimension ends, for a hop */
	vword n_word, slope_word;
	struct squares squares;
	int places;
};

INLINE vfloat greater(vfloat a, vfloat b)
{
	return -lesser(-a, -b);
}

INLINE void glance_dimension(const struct lanes *lanes, int radius, int d, int x, struct glance_sums *s)
{
	struct glance g = {.n = s->n_word, .slope = s->slope_word, .grows = -s->n_word,
		.squares = s->squares};
	struct glance_reach reach;
	struct slice_walk walk;
	vfloat first, middle, least, end, zero = {0}, one = zero + 1;

	reach_lanes(lanes, d, radius, x, &reach);
	slice_begin(&walk, lanes, radius, d, x, lanes->middle[d] - reach.below);
	g.least = g.far = g.slope * (unsigned short)-reach.below;
	glance_along(&g, &walk, reach.below, true);
	least = word_floats(g.least);
	middle = word_floats(g.far);
	/* From the centre on, anew: sums stay small. */
	g.least = g.far = (vword){0};
	glance_along(&g, &walk, reach.above + 1, false);
	least = lesser(least, middle + word_floats(g.least));
	/* One step out of the ball, which the first place and this one together are as far from. */
	end = word_floats(g.far) + s->slope * (float)(reach.above + 1);
	first = (s->n * (float)(reach.below + reach.above + 1) - middle - end) * 0.5f;
	s->nearest += first + least;
	s->middle += first + middle;
	/* Nothing is beyond where the mesh ends for a lane. */
	s->steepest = greater(s->steepest, ((reach.first - (float)reach.below) * s->n - middle) /
		greater(reach.first, one));
	s->steepest = greater(s->steepest, (end - ((float)(reach.above + 1) - reach.last) * s->n) /
		greater(reach.last, one));
	s->squares = g.squares;
	s->places += reach.below + reach.above + 1;
}

/*
 * Can it serve? In balls of so many nodes at most, for no number is more than nodes + slope times the
 * steps; rings must be longer than they reach.
 */
INLINE bool glance_serves(const struct lanes *lanes, int radius, int nodes)
{
	if (radius < 0 || radius >= lanes->levels.n || (int64_t)nodes * 2 * (radius + 1) > INT16_MAX)
		return false;
	for (int d = 0; d < lanes->mesh->ndims; d++)
		if (lanes->mesh->wrap[d] && 4 * (radius + 1) > lanes->mesh->side[d])
			return false;
	return true;
}

/*
 * As measure(), in lanes with as many nodes as said at most; slopes become whole numbers.
 * farthest: hops to all of the ball from where it ends are as many at most, as they are convex.
 */
INLINE void glance(const struct lanes *lanes, int radius, int x, struct lanes_spread *spread,
	vfloat *farthest)
{
	vint n = __builtin_convertvector(LOADF(spread->n), vint);
	vuint pairs = (vuint)(n * n);
	vint slope = __builtin_convertvector(LOADF(spread->slope) + 0.5f, vint);
	struct glance_sums s = {.n = as_floats(n), .slope = as_floats(slope),
		.n_word = __builtin_convertvector(n, vword),
		.slope_word = __builtin_convertvector(slope, vword)};

	for (int d = 0; d < lanes->mesh->ndims; d++)
		glance_dimension(lanes, radius, d, x, &s);
	*(loosef *)spread->total = as_floats((vint)(pairs * (unsigned)s.places - sum_squares(&s.squares))) * 0.25f;
	*(loosef *)spread->nearest = s.nearest;
	*(loosef *)spread->slope = s.slope;
	*farthest = s.middle + s.steepest * (float)radius;
}
