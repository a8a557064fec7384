/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the benchmarks share.
 */
#ifndef MESH_BENCH_H
#define MESH_BENCH_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"

/* Processor time in microseconds: other programs may be running. */
static inline double bench_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static inline int bench_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts. */
static inline double bench_median(double *value, int count)
{
	qsort(value, (size_t)count, sizeof(*value), bench_by_value);
	return value[count / 2];
}

#endif
