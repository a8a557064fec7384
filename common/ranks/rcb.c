/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A level of the bisection sorts its points.
 */
#include "ranks/rcb.h"

#include <stdlib.h>

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
	set->n = n;
	set->ndims = mesh->ndims;
	set->pos = calloc((size_t)n + 1, sizeof(*set->pos));
	if (!set->pos)
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
	return (x->point > y->point) - (x->point < y->point);
}

static int longest_side(const struct rcb_points *set, const int *point, int n)
{
	int longest = 0, most = -1;

	for (int d = 0; d < set->ndims; d++) {
		int low = set->pos[point[0]][d], high = low;

		for (int i = 1; i < n; i++) {
			int x = set->pos[point[i]][d];

			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		if (high - low > most) {
			most = high - low;
			longest = d;
		}
	}
	return longest;
}

/* Where to halve sorted points: about the middle, between two planes if one is within a sixth of
 * it. */
static int cut_at(const struct rcb_key *key, int n)
{
	int half = n / 2;

	for (int off = 0; off <= n / 6; off++)
		for (int sign = -1; sign <= 1; sign += 2) {
			int at = half + sign * off;

			if (at > 0 && at < n && key[at - 1].along != key[at].along)
				return at;
		}
	return half;
}

int rcb_halve(const struct rcb_points *set, int *point, int n, struct rcb_key *scratch)
{
	int along = longest_side(set, point, n);

	for (int i = 0; i < n; i++)
		scratch[i] = (struct rcb_key){set->pos[point[i]][along], point[i]};
	qsort(scratch, (size_t)n, sizeof(*scratch), by_key);
	for (int i = 0; i < n; i++)
		point[i] = scratch[i].point;
	return cut_at(scratch, n);
}
