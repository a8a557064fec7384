/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prices.h"

#include <math.h>

#include "links/forecast.h"

enum { PRICES_MOST = 64 };

double prices_of(struct load_meter *meter, const struct mesh *mesh, const int *node, int count)
{
	static const struct comm_grid none;
	int vertex[PRICES_MOST];
	const struct forecast_job job = {vertex, count, COMM_NONE, &none};

	for (int i = 0; i < count; i++)
		vertex[i] = mesh->vertex_of[node[i]];
	return forecast_time(meter, &job);
}

/* The next of the sets of `count` of 0..n-1, each ascending. False: it was the last. */
static bool next_set(int *at, int n, int count)
{
	int i = count - 1;

	while (i >= 0 && at[i] == n - count + i)
		i--;
	if (i < 0)
		return false;
	at[i]++;
	while (++i < count)
		at[i] = at[i - 1] + 1;
	return true;
}

int prices_find(const struct prices *p, int count, double *least)
{
	int at[PRICES_MOST], set[PRICES_MOST];
	double sets = 1;

	for (int i = 0; i < count; i++)
		sets *= (double)(p->n - i) / (i + 1);
	if (sets > p->most || count > PRICES_MOST)
		return 1;
	for (int i = 0; i < count; i++)
		at[i] = i;
	*least = HUGE_VAL;
	do {
		for (int i = 0; i < count; i++)
			set[i] = p->node[at[i]];
		*least = fmin(*least, prices_of(p->meter, p->mesh, set, count));
	} while (next_set(at, p->n, count));
	return 0;
}
