/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random numbers for workloads: one seed, one stream, the same on every machine.
 */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

struct sim_random {
	uint64_t state;
};

/* Streams of different `stream` numbers under one seed are independent. */
void sim_random_init(struct sim_random *random, uint64_t seed, uint64_t stream);
/* 64 random bits (splitmix64). */
uint64_t sim_random_bits(struct sim_random *random);
/* In [0, 1). */
double sim_random_unit(struct sim_random *random);
/* In low..high, both included. */
int64_t sim_random_int(struct sim_random *random, int64_t low, int64_t high);
double sim_random_exponential(struct sim_random *random, double mean);
double sim_random_normal(struct sim_random *random, double mean, double deviation);
/* Gamma(shape, scale), mean shape*scale (Marsaglia and Tsang 2000). */
double sim_random_gamma(struct sim_random *random, double shape, double scale);

#endif
