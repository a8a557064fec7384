/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds, our own, of the sum of hops over all pairs of any t nodes, and of any t nodes of the shell
 * r hops from a vertex: what the bounds of point_centres.h add for the nodes still to be chosen.
 *
 * With T(t) the least total of t of the shell's nodes:
 *   - each pair of t nodes is in t-2 of the sets that one of them has left:
 *     T(t) >= T(t-1) * t / (t-2);
 *   - each node is at least as far from the others as from the t-1 nearest to it:
 *     T(t) >= t/2 * the least such sum;
 *   - in any order of the nodes one is first, and the others come after it:
 *     T(t) >= T(t-1) + the least sum from a node to the t-1 nearest that come after it;
 *   - t nodes are all N without the others: T(t) >= T(N) - what these have to all + T(N-t);
 *   - for small shells T(t) itself, by branch and bound.
 *
 * Memory: no more than 5 numbers a node and 4,096.
 */
#ifndef MESH_SHELL_PAIRS_H
#define MESH_SHELL_PAIRS_H

#include "base/mesh.h"

struct shell_pairs {
	float *least; /* [nnodes+1] of any t nodes; then the shells' */
	int nshells, *at; /* shell r has least[at[r] .. at[r+1]-1], by t */
};

/* For shells up to `most` hops. 0, or -1 when memory is out; shell_pairs_release() either way. */
int shell_pairs_init(struct shell_pairs *pairs, const struct mesh *mesh, int most);
void shell_pairs_release(struct shell_pairs *pairs);

/* The bounds of a shell's nodes, by t, for t < *n; *n is 0 where there is no table of it. Borrowed. */
static inline const float *shell_pairs_of(const struct shell_pairs *pairs, int radius, int *n)
{
	*n = radius < pairs->nshells ? pairs->at[radius + 1] - pairs->at[radius] : 0;
	return &pairs->least[*n ? pairs->at[radius] : 0];
}

/* No t nodes of the shell have a lower total over their pairs. */
static inline float shell_pairs_least(const struct shell_pairs *pairs, int radius, int t)
{
	int n;
	const float *table = shell_pairs_of(pairs, radius, &n);

	return t < n ? table[t] : pairs->least[t];
}

#endif
