/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random numbers, the same on every machine: splitmix64 (G. Steele, D. Lea and C. Flood, "Fast
 * splittable pseudorandom number generators", 2014). The state is one number, which the caller
 * keeps. It begins as the seed; any number will do.
 */
#ifndef MESH_RANDOM_H
#define MESH_RANDOM_H

#include <stdint.h>

/* 64 random bits. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A number from 0..n-1, n >= 1. The bias is below n / 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

/* The first state of one of many independent streams with the same seed. */
static inline uint64_t random_stream(uint64_t seed, uint64_t stream)
{
	stream ^= UINT64_C(0x5851f42d4c957f2d);
	return random_next(&seed) ^ random_next(&stream);
}

/* A number from 0 to just below 1. */
static inline double random_unit(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

#endif
