/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/random.h"

#include <math.h>

int64_t sim_random_int(uint64_t *random, int64_t low, int64_t high)
{
	uint64_t span = (uint64_t)(high - low) + 1;

	return low + (int64_t)(span ? random_below(random, span) : random_next(random));
}

double sim_random_exponential(uint64_t *random, double mean)
{
	return -mean * log1p(-random_unit(random));
}

/* Marsaglia's polar method. The second value is dropped, so that there is no hidden state. */
double sim_random_normal(uint64_t *random, double mean, double deviation)
{
	double u, v, s;

	do {
		u = 2 * random_unit(random) - 1;
		v = 2 * random_unit(random) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s <= 0);
	return mean + deviation * u * sqrt(-2 * log(s) / s);
}

double sim_random_gamma(uint64_t *random, double shape, double scale)
{
	double boost = 1;

	if (shape < 1) {
		boost = pow(1 - random_unit(random), 1 / shape);
		shape += 1;
	}
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = sim_random_normal(random, 0, 1), v = 1 + c * x;

		if (v <= 0)
			continue;
		v = v * v * v;
		if (log(1 - random_unit(random)) < 0.5 * x * x + d - d * v + d * log(v))
			return boost * d * v * scale;
	}
}
