/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The least sum of distances over pairs of `count` of n points, proved by branch and bound: on or
 * off for the point that is most likely in, and for each point at hand half of its least distances
 * to others as a bound.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stdint.h>

enum { PROOF_MOST = 512 }; /* points */

struct proof {
	int n, count;
	const uint16_t *far; /* [n * n] */
	int64_t nodes; /* of the tree: the most */
	/* In: what is known to be possible. Out: the least. */
	int64_t least;
	int64_t bound; /* no set has less */
	bool proved; /* false: nodes were not enough, and `least` is only the best known */
};

/* 0, or -1 when memory is out. */
int proof_find(struct proof *proof);

#endif
