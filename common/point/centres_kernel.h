/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of point_centres.c over centres, for one width of vectors, and the table of all loops
 * of this width: included after cells_kernel.h.
 */
/* The first n lanes. */
static void centres_open(struct point_centres *centres)
{
	STORE(centres->open) = simd_numbers() < centres->n;
}

static bool centres_filled(const struct point_centres *centres, int wanted)
{
	return simd_bits(LOAD(centres->open) & (LOAD(centres->count) >= wanted)) != 0;
}

static bool centres_ends(struct point_centres *centres, int wanted)
{
	vint ends = LOAD(centres->open) & (LOAD(centres->next) >= wanted);

	STORE(centres->ends) = ends;
	return simd_bits(ends) != 0;
}

/* Those that cannot win are closed; is one left? */
INLINE bool close_lost(struct point_centres *centres, vfloat least)
{
	vint open = LOAD(centres->open) & (least <= centres->limit);

	STOREF(centres->least) = least;
	STORE(centres->open) = open;
	STORE(centres->ends) &= open;
	return simd_bits(open) != 0;
}

/* What t nodes have among themselves at least. */
INLINE vfloat least_pairs(const struct batch *batch, const struct point_centres *centres, vint t)
{
	return simd_gather(
		batch->least_pairs, simd_between(0, t, batch->mesh->nnodes) & LOAD(centres->open));
}

/* What batch_measure() will need. */
static void centres_begin(const struct point *point, const int *count, struct batch_spread *spread)
{
	vfloat n = simd_floats(LOAD(count) + point->nrequired);

	STOREF(spread->n) = n;
	STOREF(spread->slope) = n * point->slope;
}

/* Rounding of sums over a ball, and to the u nodes that it lacks or has too many. */
static void centres_slack(const struct point *point, const int *count, struct point_sphere *sphere)
{
	vint u = point->wanted - LOAD(count), minus = u < 0;
	vfloat apart = simd_floats((u ^ minus) - minus) * LOADF(sphere->spread.n);

	STOREF(sphere->slack) = (LOADF(sphere->spread.total) + apart * (float)point->sides) *
		point->rounding;
}

/*
 * The nodes to go are no nearer to the ball than its nearest vertex, and what the next shell
 * does not have is one hop more away at least.
 */
static bool centres_bound(const struct point *point, struct point_centres *centres)
{
	const struct point_sphere *sphere = &centres->sphere[0];
	vfloat zero = {0}, slope = LOADF(sphere->spread.slope);
	vfloat far = LOADF(sphere->spread.nearest) + slope * (float)(centres->radius + 1);
	vint togo = point->wanted - LOAD(centres->count);
	vint beyond = simd_between(0, point->wanted - LOAD(centres->next), INT32_MAX);
	vfloat least = LOADF(sphere->spread.total) - LOADF(sphere->slack);

	far = -simd_min(-far, zero);
	least += far * simd_floats(togo) + slope * simd_floats(beyond);
	return close_lost(centres, least) &&
		close_lost(centres, least + least_pairs(&point->batch, centres, togo));
}

/* Of the next shell, centres that end take t nodes of all, and leave others; is there one? */
static bool centres_shares(
	const struct point_centres *centres, int wanted, struct point_shares *shares)
{
	vint ends = LOAD(centres->ends), taken = ends & (wanted - LOAD(centres->count));
	vint left = ends & (LOAD(centres->next) - wanted);

	STORE(shares->taken) = taken;
	STORE(shares->left) = left;
	STORE(shares->all) = taken + left;
	shares->fewer_left = simd_sum(left - taken) < 0;
	return simd_bits(taken > 0) != 0;
}

/* With nothing to take, the bound is that of the ball alone: right for centres that go on. */
static bool centres_raise(const struct point *point, struct point_centres *centres,
	const struct batch_take *take, const struct point_sphere *sphere, const float *added)
{
	vfloat slack = LOADF(centres->sphere[0].slack) + LOADF(sphere->slack);
	vfloat bound = LOADF(sphere->spread.total) + LOADF(added) - 2 * slack +
		least_pairs(&point->batch, centres, LOAD(take->t));

	return close_lost(centres, -simd_min(-bound, -LOADF(centres->least)));
}

static unsigned centres_settle(struct point_centres *centres, bool *open)
{
	vint ends = LOAD(centres->ends), rest = LOAD(centres->open) & ~ends;

	STORE(centres->open) = rest;
	*open = simd_bits(rest) != 0;
	return simd_bits(ends);
}

const struct point_kernel PASTE(point_kernel_, LANES) = {
	.width = LANES,
	.marginals = marginals,
	.spread = spread,
	.shell = shell,
	.open = centres_open,
	.filled = centres_filled,
	.ends = centres_ends,
	.shares = centres_shares,
	.settle = centres_settle,
	.begin = centres_begin,
	.slack = centres_slack,
	.bound = centres_bound,
	.raise = centres_raise,
	.choose = choose,
};
