/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A level of the bisection sorts its points.
 */
#include "ranks/rcb.h"

#include <stdlib.h>

static int points_init(struct rcb_points *set, int n, int ndims)
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

/* --- nodes ------------------------------------------------------------------------ */

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
	if (points_init(set, n, mesh->ndims))
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

/* Where to halve sorted points: about the middle, between two planes if one is within a sixth of
 * it. */
static int cut_at(const struct piece *piece, int d)
{
	const int *point = piece->point;
	int n = piece->n, half = n / 2;

	for (int off = 0; off <= n / 6; off++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int at = half + sign * off;

			if (at > 0 && at < n && piece->set->pos[point[at - 1]][d] !=
				piece->set->pos[point[at]][d])
				return at;
		}
	return half;
}

int rcb_halve(const struct rcb_points *set, int *point, int n, struct rcb_key *scratch)
{
	const struct piece piece = {set, point, n, scratch};
	struct box box;
	int d;

	find_box(set, point, n, &box);
	d = longest_side(set, &box);
	sort_along(&piece, &box, d);
	return cut_at(&piece, d);
}
