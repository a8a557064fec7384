/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of point_run.c over the centres of a run, and of point_scan.c over the vertices of a
 * shell, for one width of vectors: included after lanes_kernel.h. A lane's mark is -1, or 0.
 */
#include "point/point_run.h"

/* A bit for each lane marked. */
INLINE unsigned bits(vint marks)
{
#if LANES == 16 && defined(__AVX512DQ__)
	return (unsigned short)__builtin_ia32_cvtd2mask512(marks);
#elif LANES == 8 && defined(__AVX__)
	return (unsigned)__builtin_ia32_movmskps256((vfloat)marks);
#elif LANES == 4 && defined(__SSE__)
	return (unsigned)__builtin_ia32_movmskps((vfloat)marks);
#else
	unsigned found = 0;

	for (int l = 0; l < LANES; l++)
		found |= (marks[l] ? 1u : 0) << l;
	return found;
#endif
}

INLINE int sum_of(vint v)
{
	int sum = 0;

	for (int l = 0; l < LANES; l++)
		sum += v[l];
	return sum;
}

INLINE vint all_lanes(int value)
{
	vint none = {0};

	return none + value;
}

INLINE vint between(int low, vint v, int high)
{
	vint over = v > high, under = v < low;

	v = (v & ~over) | (all_lanes(high) & over);
	return (v & ~under) | (all_lanes(low) & under);
}

INLINE vfloat gather(const float *from, vint at)
{
#if LANES == 16 && defined(__AVX512F__)
	return __builtin_ia32_gathersiv16sf((vfloat){0}, from, at, -1, 4);
#elif LANES == 8 && defined(__AVX2__)
	return __builtin_ia32_gathersiv8sf((vfloat){0}, from, at, (vfloat)all_lanes(-1), 4);
#else
	vfloat found;

	for (int l = 0; l < LANES; l++)
		found[l] = from[at[l]];
	return found;
#endif
}

/* 0, 1, 2, ... */
INLINE vint lane_numbers(void)
{
	vint lane;

	for (int l = 0; l < LANES; l++)
		lane[l] = l;
	return lane;
}

/* The first n lanes. */
static void run_open(struct point_run *run)
{
	*(loose *)run->open = lane_numbers() < run->n;
}

static bool run_filled(const struct point_run *run, int wanted)
{
	return bits(LOAD(run->open) & (LOAD(run->count) >= wanted)) != 0;
}

static bool run_ends(struct point_run *run, int wanted)
{
	vint ends = LOAD(run->open) & (LOAD(run->next) >= wanted);

	*(loose *)run->ends = ends;
	return bits(ends) != 0;
}

/* Those that cannot win are closed; is one left? */
INLINE bool close_lost(struct point_run *run, vfloat least)
{
	vint open = LOAD(run->open) & (least <= run->limit);

	*(loosef *)run->least = least;
	*(loose *)run->open = open;
	*(loose *)run->ends &= open;
	return bits(open) != 0;
}

/* What t nodes have among themselves at least: on the next shell where centres end there. */
INLINE vfloat least_pairs(const struct lanes *lanes, const struct point_run *run, vint t)
{
	int n;
	const float *table = shell_pairs_of(&lanes->pairs, run->radius + 1, &n);
	vint here = between(0, t, lanes->mesh->nnodes) & LOAD(run->open);
	vint shell = LOAD(run->ends) & (here < n);

	return gather(lanes->pairs.least, here + (shell & (int)(table - lanes->pairs.least)));
}

/* What run_spread() will need. */
static void run_begin(const struct point *point, const int *count, struct lanes_spread *spread)
{
	vfloat n = as_floats(LOAD(count) + point->nrequired);

	*(loosef *)spread->n = n;
	*(loosef *)spread->slope = n * point->slope;
}

/* Rounding of sums over a ball, and to the u nodes that it lacks or has too many. */
static void run_slack(const struct point *point, const int *count, struct point_sphere *sphere)
{
	vint u = point->wanted - LOAD(count), minus = u < 0;
	vfloat apart = as_floats((u ^ minus) - minus) * LOADF(sphere->spread.n);

	*(loosef *)sphere->slack = (LOADF(sphere->spread.total) + apart * (float)point->sides) *
		point->rounding;
}

/*
 * The nodes to go are no nearer to the ball than its nearest vertex, and what the next shell
 * does not have is one hop more away at least.
 */
static bool run_bound(const struct point *point, struct point_run *run)
{
	const struct point_sphere *sphere = &run->sphere[0];
	vfloat zero = {0}, slope = LOADF(sphere->spread.slope);
	vfloat far = LOADF(sphere->spread.nearest) + slope * (float)(run->radius + 1);
	vint togo = point->wanted - LOAD(run->count);
	vint beyond = between(0, point->wanted - LOAD(run->next), INT32_MAX);
	vfloat least = LOADF(sphere->spread.total) - LOADF(sphere->slack);

	far = -lesser(-far, zero);
	least += far * as_floats(togo) + slope * as_floats(beyond);
	return close_lost(run, least) && close_lost(run, least + least_pairs(&point->lanes, run, togo));
}

/* Of the next shell, centres that end take t nodes of all, and leave others; is there one? */
static bool run_shares(const struct point_run *run, int wanted, struct point_shares *shares)
{
	vint ends = LOAD(run->ends), taken = ends & (wanted - LOAD(run->count));
	vint left = ends & (LOAD(run->next) - wanted);

	*(loose *)shares->taken = taken;
	*(loose *)shares->left = left;
	*(loose *)shares->all = taken + left;
	shares->fewer_left = sum_of(left - taken) < 0;
	return bits(taken > 0) != 0;
}

/* With nothing to take, the bound is that of the ball alone: right for centres that go on. */
static bool run_raise(const struct point *point, struct point_run *run,
	const struct lanes_take *take, const struct point_sphere *sphere, const float *added)
{
	vfloat slack = LOADF(run->sphere[0].slack) + LOADF(sphere->slack);
	vfloat bound = LOADF(sphere->spread.total) + LOADF(added) - 2 * slack +
		least_pairs(&point->lanes, run, LOAD(take->t));

	return close_lost(run, -lesser(-bound, -LOADF(run->least)));
}

static unsigned run_settle(struct point_run *run, bool *open)
{
	vint ends = LOAD(run->ends), rest = LOAD(run->open) & ~ends;

	*(loose *)run->open = rest;
	*open = bits(rest) != 0;
	return bits(ends);
}

/* ---- the last shell ---- */

INLINE vint lesser_int(vint a, vint b)
{
#if LANES == 16 && defined(__AVX512F__)
	return __builtin_ia32_pminsd512_mask(a, b, a, 0xffff);
#elif LANES == 8 && defined(__AVX2__)
	return __builtin_ia32_pminsd256(a, b);
#else
	vint less = a < b;

	return (a & less) | (b & ~less);
#endif
}

INLINE vint absolute(vint a)
{
#if LANES == 16 && defined(__AVX512F__)
	return __builtin_ia32_pabsd512_mask(a, a, 0xffff);
#elif LANES == 8 && defined(__AVX2__)
	return __builtin_ia32_pabsd256(a);
#else
	vint minus = a >> 31;

	return (a ^ minus) - minus;
#endif
}

/* Lane l becomes the lesser of it and lane l ^ by. */
INLINE vint fold(vint v, int by)
{
#ifdef __clang__ /* has no shuffle by a vector of its own width */
	vint other = v;

	for (int l = 0; l < LANES; l++)
		other[l] = v[l ^ by];
	return lesser_int(v, other);
#else
	return lesser_int(v, __builtin_shuffle(v, lane_numbers() ^ by));
#endif
}

INLINE int least_of(vint v)
{
	for (int by = LANES / 2; by; by /= 2)
		v = fold(v, by);
	return v[0];
}

/* One vertex is chosen: what it is from others along a dimension, in hops times POINT_SCAN. */
struct from_chosen {
	const int *at;
	vint chosen, around; /* the way around the ring and back, or more than any */
};

INLINE struct from_chosen from_chosen(const struct point_scan *scan, const struct mesh *mesh, int d,
	int chosen)
{
	bool wrap = mesh->wrap[d];

	return (struct from_chosen){scan->at[d], all_lanes(scan->at[d][chosen]),
		all_lanes(wrap ? mesh->side[d] * POINT_SCAN : INT32_MAX)};
}

INLINE vint hops_along(const struct from_chosen *from, int i)
{
	vint hops = absolute(LOAD(from->at + i) - from->chosen);

	return lesser_int(hops, from->around - hops);
}

/* What is written in less than vectors would keep the next step waiting. */
INLINE int add_hops(struct point_scan *scan, const struct mesh *mesh, int n, int chosen, int gone,
	int ndims)
{
	vint least = all_lanes(INT32_MAX), lane = lane_numbers() - gone;
	struct from_chosen from[MESH_MAX_DIMS];

	for (int d = 0; d < ndims; d++)
		from[d] = from_chosen(scan, mesh, d, chosen);
	for (int i = 0; i < n; i += LANES) {
		vint key = LOAD(scan->key + i) + ((lane == -i) & POINT_TAKEN);

		for (int d = 0; d < ndims; d++)
			key += hops_along(&from[d], i);
		*(loose *)(scan->key + i) = key;
		least = lesser_int(least, key);
	}
	return least_of(least);
}

INLINE vint load_bytes(const uint8_t *at)
{
#if LANES == 16 && defined(__AVX512F__)
	typedef char bytes __attribute__((vector_size(16), aligned(1), may_alias));

	return __builtin_ia32_pmovzxbd512_mask(*(const bytes *)at, (vint){0}, 0xffff);
#else
	typedef uint8_t bytes __attribute__((vector_size(LANES), aligned(1), may_alias));

	return __builtin_convertvector(*(const bytes *)at, vint);
#endif
}

INLINE int add_known_hops(struct point_scan *scan, int n, int chosen, int gone)
{
	vint least = all_lanes(INT32_MAX), lane = lane_numbers() - gone;
	const uint8_t *hops = scan->hops + (size_t)chosen * (size_t)scan->pitch;

	for (int i = 0; i < n; i += LANES) {
		vint key = LOAD(scan->key + i) + ((lane == -i) & POINT_TAKEN) +
			load_bytes(hops + i) * POINT_SCAN;

		*(loose *)(scan->key + i) = key;
		least = lesser_int(least, key);
	}
	return least_of(least);
}

INLINE int least_key(const struct point_scan *scan, int n)
{
	vint least = all_lanes(INT32_MAX);

	for (int i = 0; i < n; i += LANES)
		least = lesser_int(least, LOAD(scan->key + i));
	return least_of(least);
}

/* ndims is 0 where hops are known. */
INLINE int64_t choose(struct point_scan *scan, const struct mesh *mesh,
	const struct point_choice *choice, int ndims)
{
	int64_t added = 0;
	int n = choice->n, key = least_key(scan, n), *chosen = choice->chosen;

	for (int take = choice->take;;) {
		int hops = key / POINT_SCAN, i = key % POINT_SCAN, gone;
		float pairs = take < choice->nshell ? choice->shell[take] : choice->least[take];

		/* All that come later are no nearer. */
		if (added + (int64_t)hops * take + (int64_t)pairs > choice->limit)
			return choice->limit + 1;
		added += hops;
		i = ndims ? i : scan->order[i];
		if (chosen)
			*chosen++ = i;
		gone = --scan->rest[i] ? -1 : i;
		if (!--take)
			return added;
		key = ndims ? add_hops(scan, mesh, n, i, gone, ndims) : add_known_hops(scan, n, i, gone);
	}
}

static int64_t choose_keys(struct point_scan *scan, const struct mesh *mesh,
	const struct point_choice *choice)
{
	if (scan->hops)
		return choose(scan, mesh, choice, 0);
	switch (mesh->ndims) {
	case 1:
		return choose(scan, mesh, choice, 1);
	case 2:
		return choose(scan, mesh, choice, 2);
	case 3:
		return choose(scan, mesh, choice, 3);
	default:
		return choose(scan, mesh, choice, mesh->ndims);
	}
}

/* ---- a glance first ---- */

/* So many nodes at most are in the balls of lanes that are open: those of others are none. */
INLINE int glance_begin(const struct point *point, const struct point_run *run, const int *count,
	struct point_sphere *sphere)
{
	vint n = LOAD(count) & LOAD(run->open);
	vfloat all = as_floats(n);

	*(loosef *)sphere->spread.n = all;
	*(loosef *)sphere->spread.slope = all * point->slope;
	return -least_of(-n);
}

/* Hops that open centres' nodes are beyond this radius, more than one each; as far as is known. */
INLINE vfloat hops_beyond(const struct point *point, const struct point_run *run, int radius)
{
	const struct levels_view *view = &point->lanes.levels.ball;
	const uint16_t *at = view->at + (size_t)run->row * view->pitch + run->x;
	vint sum = {0}, open = LOAD(run->open);

	for (int r = radius + 1; r < point->lanes.levels.n; r++) {
		vint inside = __builtin_convertvector(*(const counts *)(at + (size_t)r * view->size), vint);
		vint more = between(0, point->wanted - inside, INT32_MAX) & open;

		if (!bits(more > 0))
			break;
		sum += more;
	}
	return as_floats(sum);
}

/*
 * The ball with the next shell, too: centres that end there leave some of the farthest, and
 * others go on from it.
 */
static bool bound_outer(const struct point *point, struct point_run *run, vfloat farthest)
{
	const struct point_sphere *sphere = &run->glanced;
	vint ends = LOAD(run->ends), togo = point->wanted - LOAD(run->next), apart = (togo ^ ends) - ends;
	vfloat zero = {0}, far = LOADF(sphere->spread.nearest) +
		LOADF(sphere->spread.slope) * (float)(run->radius + 2), bound;

	far = (vfloat)(((vint)greater(far, zero) & ~ends) | ((vint)-farthest & ends));
	bound = LOADF(sphere->spread.total) + far * as_floats(apart) - 2 * LOADF(sphere->slack) +
		least_pairs(&point->lanes, run, apart) +
		LOADF(sphere->spread.slope) * hops_beyond(point, run, run->radius + 1);
	return close_lost(run, greater(bound, LOADF(run->least)));
}

/* As run_bound(), and more, without what lanes_measure() leaves; false: it cannot. */
static bool run_glance(const struct point *point, struct point_run *run, bool *open)
{
	const struct lanes *lanes = &point->lanes;
	vfloat farthest;
	int most;

	if (run->glanced_at == run->radius) {
		run->sphere[0] = run->glanced;
	} else {
		most = glance_begin(point, run, run->count, &run->sphere[0]);
		if (!glance_serves(lanes, run->radius, most))
			return false;
		glance(lanes, run->radius, run->x, &run->sphere[0].spread, &farthest);
		run_slack(point, run->count, &run->sphere[0]);
	}
	*open = run_bound(point, run);
	if (!*open)
		return true;
	most = glance_begin(point, run, run->next, &run->glanced);
	if (!glance_serves(lanes, run->radius + 1, most))
		return true;
	glance(lanes, run->radius + 1, run->x, &run->glanced.spread, &farthest);
	run_slack(point, run->next, &run->glanced);
	run->glanced_at = run->radius + 1;
	*open = bound_outer(point, run, farthest);
	return true;
}

const struct point_kernel PASTE(point_kernel_, LANES) = {
	.open = run_open, .filled = run_filled, .ends = run_ends, .begin = run_begin, .slack = run_slack,
	.bound = run_bound, .glance = run_glance, .shares = run_shares, .raise = run_raise,
	.settle = run_settle, .choose = choose_keys,
};
