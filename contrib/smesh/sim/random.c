/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random.h"

#include <math.h>

uint64_t sim_random_bits(struct sim_random *random)
{
	uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void sim_random_init(struct sim_random *random, uint64_t seed, uint64_t stream)
{
	struct sim_random a = {seed}, b = {stream ^ UINT64_C(0x5851f42d4c957f2d)};

	random->state = sim_random_bits(&a) ^ sim_random_bits(&b);
}

double sim_random_unit(struct sim_random *random)
{
	return (double)(sim_random_bits(random) >> 11) * 0x1p-53;
}

int64_t sim_random_int(struct sim_random *random, int64_t low, int64_t high)
{
	uint64_t span = (uint64_t)(high - low) + 1;

	/* The bias is below span / 2^64. */
	return low + (int64_t)(span ? sim_random_bits(random) % span : sim_random_bits(random));
}

double sim_random_exponential(struct sim_random *random, double mean)
{
	return -mean * log1p(-sim_random_unit(random));
}

/* Marsaglia's polar method; the second value is thrown away, so that no state is hidden. */
double sim_random_normal(struct sim_random *random, double mean, double deviation)
{
	double u, v, s;

	do {
		u = 2 * sim_random_unit(random) - 1;
		v = 2 * sim_random_unit(random) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s <= 0);
	return mean + deviation * u * sqrt(-2 * log(s) / s);
}

double sim_random_gamma(struct sim_random *random, double shape, double scale)
{
	double boost = 1;

	if (shape < 1) {
		boost = pow(1 - sim_random_unit(random), 1 / shape);
		shape += 1;
	}
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = sim_random_normal(random, 0, 1), v = 1 + c * x;

		if (v <= 0)
			continue;
		v = v * v * v;
		if (log(1 - sim_random_unit(random)) < 0.5 * x * x + d - d * v + d * log(v))
			return boost * d * v * scale;
	}
}
