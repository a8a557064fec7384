/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/slice.h"

#include <stdlib.h>

bool slice_can_twist(const struct slice *slice)
{
	int least = slice->side[0], equal = 0, doubled = 0;

	for (int d = 1; d < 3; d++)
		least = slice->side[d] < least ? slice->side[d] : least;
	for (int d = 0; d < 3; d++) {
		equal += slice->side[d] == least;
		doubled += slice->side[d] == 2 * least;
	}
	return slice->ndims == 3 && least > 1 && equal + doubled == 3 && equal && doubled;
}

/* Hops along each side by themselves: ordered pairs of a ring of n are n n^2/4 hops apart in all,
 * those of a line n (n^2 - 1) / 3; and the link in the middle carries the most. */
static void measure_sides(const struct slice *slice, double vertices, struct slice_network *network)
{
	*network = (struct slice_network){0};
	for (int d = 0; d < slice->ndims; d++) {
		int n = slice->side[d], half = n * n / 4;
		double hops = slice->open[d] ? (n * (double)n - 1) / 3 : half;
		double others = vertices / n, peak = others * half / (slice->open[d] ? 1 : 2);

		network->hops += hops * others;
		network->diameter += slice->open[d] ? n - 1 : n / 2;
		network->peak = peak > network->peak ? peak : network->peak;
	}
}

/* --- twisted ------------------------------------------------------------------------------ */

struct walk {
	const struct slice *slice;
	int n;
	int short_side;
	int *hops, *queue;	/* [n] */
	double *ways, *behind; /* [n] shortest routes; what goes on from there */
};

/* The vertex next to this one along d. */
static int neighbour(const struct walk *w, int vertex, int d, int step)
{
	const int *side = w->slice->side;
	int at[MESH_MAX_DIMS] = {0}, rest = vertex, next = 0;
	bool over;

	for (int i = 0; i < w->slice->ndims; i++) {
		at[i] = rest % side[i];
		rest /= side[i];
	}
	at[d] += step;
	over = at[d] < 0 || at[d] == side[d];
	at[d] = (at[d] + side[d]) % side[d];
	for (int i = 0; over && side[d] == w->short_side && i < w->slice->ndims; i++)
		if (side[i] > w->short_side)
			at[i] = (at[i] + w->short_side) % side[i];
	for (int i = w->slice->ndims; i-- > 0;)
		next = next * side[i] + at[i];
	return next;
}

/* Breadth first from vertex 0. */
static void spread(struct walk *w)
{
	int end = 0;

	for (int v = 0; v < w->n; v++)
		w->hops[v] = -1;
	w->hops[0] = 0;
	w->ways[0] = 1;
	w->queue[end++] = 0;
	for (int i = 0; i < end; i++)
		for (int k = 0; k < 2 * w->slice->ndims; k++) {
			int from = w->queue[i], to = neighbour(w, from, k / 2, k % 2 ? 1 : -1);

			if (w->hops[to] < 0) {
				w->hops[to] = w->hops[from] + 1;
				w->queue[end++] = to;
			}
			if (w->hops[to] == w->hops[from] + 1)
				w->ways[to] += w->ways[from];
		}
}

/* What vertex 0 sends crosses so many links along each dimension, half of them each way. Every
 * vertex sends as much, and has two links there: that is the load of each. */
static double most_loaded(struct walk *w)
{
	double load[MESH_MAX_DIMS] = {0}, most = 0;

	for (int i = w->n - 1; i > 0; i--) {
		int v = w->queue[i];

		for (int k = 0; k < 2 * w->slice->ndims; k++) {
			int from = neighbour(w, v, k / 2, k % 2 ? 1 : -1);
			double share = (1 + w->behind[v]) * w->ways[from] / w->ways[v];

			if (w->hops[from] != w->hops[v] - 1)
				continue;
			load[k / 2] += share;
			w->behind[from] += share;
		}
	}
	for (int d = 0; d < w->slice->ndims; d++)
		most = load[d] / 2 > most ? load[d] / 2 : most;
	return most;
}

/* All vertices are alike. */
static int measure_twisted(const struct slice *slice, int n, struct slice_network *network)
{
	struct walk w = {.slice = slice, .n = n, .short_side = slice->side[0]};
	int bad;

	for (int d = 0; d < slice->ndims; d++)
		w.short_side = slice->side[d] < w.short_side ? slice->side[d] : w.short_side;
	w.hops = malloc((size_t)w.n * sizeof(int));
	w.queue = malloc((size_t)w.n * sizeof(int));
	w.ways = calloc((size_t)w.n, sizeof(double));
	w.behind = calloc((size_t)w.n, sizeof(double));
	bad = !w.hops || !w.queue || !w.ways || !w.behind;
	if (!bad) {
		spread(&w);
		*network = (struct slice_network){.diameter = w.hops[w.queue[w.n - 1]]};
		for (int v = 0; v < w.n; v++)
			network->hops += w.hops[v];
		network->peak = most_loaded(&w);
	}
	free(w.hops);
	free(w.queue);
	free(w.ways);
	free(w.behind);
	return bad ? -1 : 0;
}

int slice_measure(const struct slice *slice, struct slice_network *network)
{
	int n = 1;

	for (int d = 0; d < slice->ndims; d++)
		n *= slice->side[d];
	if (slice->twisted && slice_can_twist(slice))
		return measure_twisted(slice, n, network);
	measure_sides(slice, n, network);
	return 0;
}
