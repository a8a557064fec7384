/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sorts numbers in place, ascending, by qsort(). qsort() may allocate: not for the inner loop of a
 * decision.
 */
#ifndef MESH_SORT_H
#define MESH_SORT_H

#include <stdint.h>
#include <stdlib.h>

static inline int sort_compare_int(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Sort value[n]. */
static inline void sort_ints(int *value, int n)
{
	qsort(value, (size_t)n, sizeof(*value), sort_compare_int);
}

static inline int sort_compare_u64(const void *a, const void *b)
{
	return (*(const uint64_t *)a > *(const uint64_t *)b) -
		(*(const uint64_t *)a < *(const uint64_t *)b);
}

/* Sort value[n]. */
static inline void sort_u64(uint64_t *value, int n)
{
	qsort(value, (size_t)n, sizeof(*value), sort_compare_u64);
}

#endif
