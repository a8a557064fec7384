/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Draws for workloads, from the random numbers of base/random.h: random_stream() makes the state,
 * and random_unit() is a draw too.
 */
#ifndef SMESH_RANDOM_H
#define SMESH_RANDOM_H

#include "base/random.h"

/* An integer in low..high, both included. */
int64_t sim_random_int(uint64_t *random, int64_t low, int64_t high);
double sim_random_exponential(uint64_t *random, double mean);
double sim_random_normal(uint64_t *random, double mean, double deviation);
/* Gamma(shape, scale), mean shape*scale (Marsaglia and Tsang 2000). */
double sim_random_gamma(uint64_t *random, double shape, double scale);

#endif
