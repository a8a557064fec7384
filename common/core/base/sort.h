/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sorts numbers and texts in place, ascending, by qsort(). qsort() may allocate: not for the inner
 * loop of a decision.
 */
#ifndef MESH_SORT_H
#define MESH_SORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int sort_compare_int(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Is each value above the one before? */
static inline bool sort_ascends(const int *value, int n)
{
	for (int i = 1; i < n; i++)
		if (value[i - 1] >= value[i])
			return false;
	return true;
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

static inline int sort_compare_double(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
		(*(const double *)a < *(const double *)b);
}

/* Sort value[n]; none is NAN. */
static inline void sort_doubles(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), sort_compare_double);
}

static inline int sort_compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort n texts, char *text[n]. It may be NULL where n is 0. */
static inline void sort_texts(void *text, int n)
{
	if (n)
		qsort(text, (size_t)n, sizeof(char *), sort_compare_text);
}

/* Is a text among char *text[n], which are sorted? */
static inline bool sort_has(const void *text, int n, const char *wanted)
{
	return n && bsearch(&wanted, text, (size_t)n, sizeof(char *), sort_compare_text);
}

#endif
