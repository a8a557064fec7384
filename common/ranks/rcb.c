/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recursive coordinate bisection (M. Berger and S. Bokhari, "A partitioning strategy for
 * nonuniform problems on multiprocessors", 1987), of one set of points or of two in step.
 * O(n log^2 n): each level sorts.
 */
#include "ranks/rcb.h"

#include <stdlib.h>
#include <string.h>

int rcb_points_init(struct rcb_points *set, int n, int ndims)
{
	set->n = n;
	set->ndims = ndims;
	set->pos = calloc((size_t)n + 1, sizeof(*set->pos));
	return set->pos ? 0 : -1;
}

void rcb_points_release(struct rcb_points *set)
{
	free(set->pos);
	set->pos = NULL;
}

int rcb_points_init_grid(struct rcb_points *set, const struct traffic_grid *grid)
{
	if (rcb_points_init(set, traffic_grid_size(grid, NULL), grid->ndims))
		return -1;
	for (int i = 0; i < set->n; i++)
		traffic_grid_coord(grid, i, set->pos[i]);
	return 0;
}

/* --- any graph -------------------------------------------------------------------- */

/* Edges from `from` to every rank; what cannot be reached is n away. The last one reached. */
static int breadth_first(const struct traffic *t, int from, int *distance, int *queue)
{
	int head = 0, tail = 0;

	for (int i = 0; i < t->n; i++)
		distance[i] = t->n;
	distance[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		int i = queue[head++];

		for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
			if (distance[t->to[e]] == t->n) {
				distance[t->to[e]] = distance[i] + 1;
				queue[tail++] = t->to[e];
			}
	}
	return queue[tail - 1];
}

/*
 * Per dimension two far points a, b and the coordinate d(a) - d(b) + n >= 0; the next pair
 * begins as far as can be from all points before.
 */
int rcb_points_init_traffic(struct rcb_points *set, const struct traffic *traffic)
{
	enum { NDIMS = 3 };
	int n = traffic->n;
	int *scratch = malloc(4 * (size_t)n * sizeof(*scratch));
	int *from_a = scratch, *from_b = scratch + n, *queue = scratch + 2 * (size_t)n;
	int *nearest = scratch + 3 * (size_t)n;

	if (!scratch || rcb_points_init(set, n, NDIMS)) {
		free(scratch);
		return -1;
	}
	for (int i = 0; i < n; i++)
		nearest[i] = n;
	for (int d = 0, a = breadth_first(traffic, 0, from_a, queue); d < NDIMS; d++) {
		int b = breadth_first(traffic, a, from_a, queue);

		breadth_first(traffic, b, from_b, queue);
		for (int i = 0; i < n; i++) {
			int near = from_a[i] < from_b[i] ? from_a[i] : from_b[i];

			set->pos[i][d] = from_a[i] - from_b[i] + n;
			nearest[i] = near < nearest[i] ? near : nearest[i];
			if (!i || nearest[i] > nearest[a])
				a = i;
		}
	}
	free(scratch);
	return 0;
}

/* --- nodes and groups ------------------------------------------------------------- */

/* Where to cut a ring of `side` open: behind the longest run of coordinates nobody has. */
static int ring_start(const char *used, int side)
{
	int start = 0, longest = 0, run = 0;

	for (int i = 0; i < 2 * side; i++) {
		if (used[i % side]) {
			if (run > longest) {
				longest = run;
				start = i % side;
			}
			run = 0;
		} else {
			run++;
		}
	}
	return start;
}

int rcb_points_init_nodes(struct rcb_points *set, const struct mesh *mesh, const int *node, int n)
{
	if (rcb_points_init(set, n, mesh->ndims))
		return -1;
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], start = 0;
		char *used = calloc((size_t)side, 1);

		if (!used) {
			rcb_points_release(set);
			return -1;
		}
		for (int i = 0; i < n; i++)
			used[mesh->coord[mesh->vertex_of[node[i]]][d]] = 1;
		if (mesh->wrap[d])
			start = ring_start(used, side);
		for (int i = 0; i < n; i++)
			set->pos[i][d] =
				(mesh->coord[mesh->vertex_of[node[i]]][d] - start + side) % side;
		free(used);
	}
	return 0;
}

int rcb_points_init_groups(
	struct rcb_points *set, const struct rcb_points *members, const int *group, int ngroups)
{
	int64_t (*sum)[MESH_MAX_DIMS + 1] = calloc((size_t)ngroups, sizeof(*sum));

	if (!sum || rcb_points_init(set, ngroups, members->ndims)) {
		free(sum);
		return -1;
	}
	for (int i = 0; i < members->n; i++) {
		for (int d = 0; d < members->ndims; d++)
			sum[group[i]][d] += members->pos[i][d];
		sum[group[i]][MESH_MAX_DIMS]++;
	}
	for (int g = 0; g < ngroups; g++)
		for (int d = 0; d < members->ndims && sum[g][MESH_MAX_DIMS]; d++)
			set->pos[g][d] = (int)(2 * sum[g][d] / sum[g][MESH_MAX_DIMS]);
	free(sum);
	return 0;
}

/* --- halving ---------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct rcb_key *x = a, *y = b;

	if (x->along != y->along)
		return x->along < y->along ? -1 : 1;
	if (x->rest != y->rest)
		return x->rest < y->rest ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

struct box {
	int low[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
};

static void find_box(const struct rcb_points *set, const int *point, int n, struct box *box)
{
	for (int d = 0; d < set->ndims; d++) {
		int low = set->pos[point[0]][d], high = low;

		for (int i = 1; i < n; i++) {
			int x = set->pos[point[i]][d];

			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		box->low[d] = low;
		box->side[d] = high - low + 1;
	}
}

static int longest_side(const struct rcb_points *set, const struct box *box)
{
	int longest = 0;

	for (int d = 1; d < set->ndims; d++)
		if (box->side[d] > box->side[longest])
			longest = d;
	return longest;
}

/* Points about to be cut. */
struct piece {
	const struct rcb_points *set;
	int *point, n;
	struct rcb_key *scratch; /* [n] */
};

/* Sort the points of a box along dimension `along`. */
static void sort_along(const struct piece *piece, const struct box *box, int along)
{
	const struct rcb_points *set = piece->set;
	struct rcb_key *scratch = piece->scratch;
	int *point = piece->point, n = piece->n;

	for (int i = 0; i < n; i++) {
		const int *pos = set->pos[point[i]];
		uint64_t rest = 0; /* may wrap round far beyond any real machine: then only the
				      order among equals suffers */

		for (int d = set->ndims - 1; d >= 0; d--)
			if (d != along)
				rest = rest * (uint64_t)box->side[d] +
					(uint64_t)(pos[d] - box->low[d]);
		scratch[i] = (struct rcb_key){pos[along], rest, point[i]};
	}
	qsort(scratch, (size_t)n, sizeof(*scratch), by_key);
	for (int i = 0; i < n; i++)
		point[i] = scratch[i].point;
}

/* Where to halve sorted points: whole units, about the middle, between two planes if one is
 * within a sixth of it. */
static int cut_at(const struct piece *piece, int unit, int d)
{
	const struct rcb_points *set = piece->set;
	const int *point = piece->point;
	int n = piece->n, units = n / unit, half = units / 2;

	for (int off = 0; off <= units / 6; off++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int at = (half + sign * off) * unit;

			if (at > 0 && at < n &&
				set->pos[point[at - 1]][d] != set->pos[point[at]][d])
				return at;
		}
	return half * unit;
}

static int halve(const struct piece *piece, int unit)
{
	struct box box;
	int d;

	find_box(piece->set, piece->point, piece->n, &box);
	d = longest_side(piece->set, &box);
	sort_along(piece, &box, d);
	return cut_at(piece, unit, d);
}

int rcb_halve(const struct rcb_points *set, int *point, int n, struct rcb_key *scratch)
{
	return halve(&(struct piece){set, point, n, scratch}, 1);
}

static void split(const struct piece *piece, int unit)
{
	struct piece first = *piece, second = *piece;

	if (piece->n <= unit)
		return;
	first.n = halve(piece, unit);
	second.point += first.n;
	second.n -= first.n;
	split(&first, unit);
	split(&second, unit);
}

/* Two sets halved in step. partner[d]: the dimension of b that d of a goes with, -1 = none
 * yet; one that changed on the way down would turn the halves against each other. */
struct pair {
	const struct rcb_points *a, *b;
	struct rcb_key *scratch;
};

/* The side of b to cut when a is cut along d: d's partner while that is long enough, otherwise
 * the longest, rather one that has no partner. */
static int partner_side(const struct pair *pair, const struct box *box, int d, const int *partner)
{
	int longest = longest_side(pair->b, box), best = -1;

	for (int e = 0; e < pair->b->ndims; e++) {
		bool taken = false;

		if (3 * box->side[e] < 2 * box->side[longest])
			continue;
		if (partner[d] == e)
			return e;
		for (int i = 0; i < pair->a->ndims; i++)
			taken = taken || partner[i] == e;
		if (!taken && (best < 0 || box->side[e] > box->side[best]))
			best = e;
	}
	return best < 0 ? longest : best;
}

static void split_both(const struct pair *pair, int *from, int *to, int n, const int *partner)
{
	int mine[MESH_MAX_DIMS];
	struct box box;

	if (n <= 1)
		return;
	find_box(pair->a, from, n, &box);
	int d = longest_side(pair->a, &box);

	struct piece a = {pair->a, from, n, pair->scratch}, b = {pair->b, to, n, pair->scratch};

	sort_along(&a, &box, d);
	int at = cut_at(&a, 1, d);

	find_box(pair->b, to, n, &box);
	memcpy(mine, partner, sizeof(mine));
	mine[d] = partner_side(pair, &box, d, partner);
	sort_along(&b, &box, mine[d]);
	split_both(pair, from, to, at, mine);
	split_both(pair, from + at, to + at, n - at, mine);
}

int rcb_split(const struct rcb_points *set, int unit, int *part)
{
	size_t n = (size_t)set->n;
	struct rcb_key *scratch = malloc((n + 1) * sizeof(*scratch));
	int *point = malloc((n + 1) * sizeof(*point));
	int result = scratch && point ? 0 : -1;

	if (!result) {
		for (int i = 0; i < set->n; i++)
			point[i] = i;
		split(&(struct piece){set, point, set->n, scratch}, unit);
		for (int i = 0; i < set->n; i++)
			part[point[i]] = i / unit;
	}
	free(point);
	free(scratch);
	return result;
}

int rcb_match(const struct rcb_points *a, const struct rcb_points *b, int *match)
{
	size_t n = (size_t)a->n;
	struct rcb_key *scratch = malloc((n + 1) * sizeof(*scratch));
	int *from = malloc((2 * n + 1) * sizeof(*from)), *to = from ? from + n : NULL;
	int result = scratch && from ? 0 : -1;
	int partner[MESH_MAX_DIMS];

	if (!result) {
		for (int i = 0; i < a->n; i++)
			from[i] = to[i] = i;
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			partner[d] = -1;
		split_both(&(struct pair){a, b, scratch}, from, to, a->n, partner);
		for (int i = 0; i < a->n; i++)
			match[from[i]] = to[i];
	}
	free(from);
	free(scratch);
	return result;
}
