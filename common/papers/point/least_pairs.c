/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/least_pairs.h"

#include <math.h>

/* A float that is not above a sum of whole numbers. */
static float rounded_down(double sum)
{
	return (float)(sum < 16777216 ? sum : sum * 0.9999999);
}

/* The first two bounds: star is the least sum from one node to t-1 others. */
static double least_total(double star, double before, int t)
{
	double stars = star * t / 2, shrunk = t > 2 ? before * t / (t - 2) : 0;

	/* Totals are whole numbers. */
	return ceil((stars > shrunk ? stars : shrunk) * (1 - 1e-12));
}

/* The number of vertices at exactly `radius` hops in an endless mesh of so many dimensions. */
static double shell_volume(int dims, int radius)
{
	double ways = 1, out = 0;

	for (int i = 1; i <= dims && i <= radius; i++) {
		/* choose i dimensions, signs, and a way to split the radius */
		double split = 1;

		ways = ways * (dims - i + 1) / i;
		for (int j = 1; j < i; j++)
			split = split * (radius - j) / j;
		out += ways * (double)(1 << i) * split;
	}
	return out;
}

/* Are no three nodes each one hop from the others, and no two nodes on one vertex? */
static bool has_no_triangles(const struct mesh *mesh)
{
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] == 3)
			return false;
	return mesh->nodes_per_vertex == 1;
}

/*
 * The others of t nodes at best fill the shells of an endless mesh around any one of them. Without
 * triangles at most a quarter of t*t pairs are one hop apart (Mantel), and the others two or more.
 */
static void fill_least(float *least, const struct mesh *mesh)
{
	int dims = 0, radius = 0;
	double room = mesh->nodes_per_vertex, star = 0, total = 0;
	bool apart = has_no_triangles(mesh);

	for (int d = 0; d < mesh->ndims; d++)
		dims += mesh->side[d] > 1;
	for (int t = 1; t <= mesh->nnodes; t++, room--) {
		while (room < 1)
			room += dims ? shell_volume(dims, ++radius) * mesh->nodes_per_vertex : 1;
		star += radius;
		total = least_total(star, total, t);
		if (apart)
			total = fmax(total, (double)t * (t - 1) - floor((double)t * t / 4));
		least[t] = rounded_down(total);
	}
}

float *least_pairs_new(const struct mesh *mesh, struct arena *arena)
{
	float *least = arena_get(arena, mesh->nnodes + 1, sizeof(*least));

	if (least)
		fill_least(least, mesh);
	return least;
}
