/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

/*
 * On a line, the link between coordinates c and c+1 is crossed by below*(all-below) pairs.
 * On a ring the link c, c+1 is crossed by the pairs whose short way leads over it; that is
 * summed pair of coordinates by pair, with a window that holds the half ring ahead of c:
 * `ahead` nodes at `weight` hops in all. With an even side the antipode counts once.
 */
static int64_t line_total(const int *marginal, int side)
{
	int64_t all = 0, below = 0, total = 0;

	for (int c = 0; c < side; c++)
		all += marginal[c];
	for (int c = 0; c < side; c++) {
		below += marginal[c];
		total += below * (all - below);
	}
	return total;
}

static int64_t ring_total(const int *marginal, int side)
{
	int half = (side - 1) / 2;
	int64_t ahead = 0, weight = 0, total = 0, antipodes = 0;

	for (int j = 1; j <= half; j++) {
		ahead += marginal[j % side];
		weight += (int64_t)j * marginal[j % side];
	}
	for (int c = 0; c < side; c++) {
		total += marginal[c] * weight;
		if (side % 2 == 0)
			antipodes += (int64_t)marginal[c] * marginal[(c + side / 2) % side];
		/* Step: everything ahead comes one hop nearer, one coordinate enters the window. */
		int in = marginal[(c + 1 + half) % side];

		weight += (int64_t)half * in - ahead;
		ahead += in - marginal[(c + 1) % side];
	}
	return total + antipodes / 2 * (side / 2);
}

int64_t mesh_axis_total(const int *marginal, int side, bool wrap)
{
	return wrap && side > 2 ? ring_total(marginal, side) : line_total(marginal, side);
}

/* Marginals of all dimensions side by side; marginal[] has room for the sum of sides. */
static void count_marginals(const struct mesh *mesh, const int *node, int count, int *marginal)
{
	int *base = marginal;

	for (int d = 0; d < mesh->ndims; d++) {
		memset(base, 0, (size_t)mesh->side[d] * sizeof(*base));
		for (int i = 0; i < count; i++)
			base[mesh->coord[mesh->vertex_of[node[i]]][d]]++;
		base += mesh->side[d];
	}
}

static int sum_of_sides(const struct mesh *mesh)
{
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += mesh->side[d];
	return sum;
}

static int64_t total_of(const struct mesh *mesh, const int *marginal)
{
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		total += mesh_axis_total(marginal, mesh->side[d], mesh->wrap[d]);
		marginal += mesh->side[d];
	}
	return total;
}

int64_t mesh_pairwise_hops(const struct mesh *mesh, const int *node, int count)
{
	/* Strategies ask in the middle of a decision: no allocation on machines of usual size. */
	int small[512];
	int sides = sum_of_sides(mesh);
	int *marginal = sides <= 512 ? small : malloc((size_t)sides * sizeof(*marginal));
	int64_t total;

	if (!marginal)
		return -1;
	count_marginals(mesh, node, count, marginal);
	total = total_of(mesh, marginal);
	if (marginal != small)
		free(marginal);
	return total;
}

/* The shortest stretch of a line or ring that covers every used coordinate. */
static int stretch(const int *marginal, int side, bool wrap)
{
	int first = -1, last = -1, widest = 0;

	for (int c = 0; c < side; c++) {
		if (!marginal[c])
			continue;
		if (first < 0)
			first = c;
		else if (c - last - 1 > widest)
			widest = c - last - 1;
		last = c;
	}
	if (first < 0)
		return 0;
	int around = first + side - last - 1;

	return wrap && around < widest ? side - widest : last - first + 1;
}

/* Most hops along one dimension between used coordinates: with the bits of the sum, a bound. */
static int axis_diameter(const struct mesh *mesh, int d, const int *marginal)
{
	int most = 0;

	for (int a = 0; a < mesh->side[d]; a++)
		for (int b = a + 1; marginal[a] && b < mesh->side[d]; b++)
			if (marginal[b] && mesh_axis_hops(mesh, d, a, b) > most)
				most = mesh_axis_hops(mesh, d, a, b);
	return most;
}

/*
 * Without wrap the farthest pair differs most in one of the 2^(d-1) signed sums of
 * coordinates. With wrap pairs are compared until one reaches the bound.
 */
static int diameter_signed(const struct mesh *mesh, const int *vertex, int count)
{
	int most = 0;

	for (int signs = 0; signs < 1 << (mesh->ndims - 1); signs++) {
		int low = INT32_MAX, high = INT32_MIN;

		for (int i = 0; i < count; i++) {
			int sum = 0;

			for (int d = 0; d < mesh->ndims; d++) {
				int c = mesh->coord[vertex[i]][d];

				sum += signs >> d & 1 ? -c : c;
			}
			low = sum < low ? sum : low;
			high = sum > high ? sum : high;
		}
		most = high - low > most ? high - low : most;
	}
	return most;
}

static int diameter_pairs(const struct mesh *mesh, const int *vertex, int count, int bound)
{
	int most = 0;

	for (int i = 0; i < count && most < bound; i++)
		for (int j = i + 1; j < count; j++) {
			int hops = mesh_hops(mesh, vertex[i], vertex[j]);

			most = hops > most ? hops : most;
		}
	return most;
}

/* The vertices in use, each once; mark[v] is set to 1 + its place in vertex[]. */
static int distinct(const struct mesh *mesh, const int *node, int count, int *vertex, int *mark)
{
	int used = 0;

	for (int i = 0; i < count; i++) {
		int v = mesh->vertex_of[node[i]];

		if (!mark[v]) {
			vertex[used++] = v;
			mark[v] = used;
		}
	}
	return used;
}

/* Marked vertices joined to v, unmarked on the way; vertex[] from *top on is the stack. */
static void flood(const struct mesh *mesh, int *mark, int *stack, int v)
{
	int top = 0;

	stack[top++] = v;
	mark[v] = 0;
	while (top) {
		v = stack[--top];
		for (int d = 0; d < mesh->ndims; d++)
			for (int step = -1; step <= 1; step += 2) {
				int c = mesh->coord[v][d] + step;

				if ((c < 0 || c >= mesh->side[d]) && !mesh->wrap[d])
					continue;
				c = (c + mesh->side[d]) % mesh->side[d];
				int w = v + (c - mesh->coord[v][d]) * mesh->stride[d];

				if (mark[w]) {
					mark[w] = 0;
					stack[top++] = w;
				}
			}
	}
}

static int count_components(const struct mesh *mesh, const int *vertex, int used, int *mark,
	int *stack)
{
	int components = 0;

	for (int i = 0; i < used; i++)
		if (mark[vertex[i]]) {
			flood(mesh, mark, stack, vertex[i]);
			components++;
		}
	return components;
}

int mesh_measure(const struct mesh *mesh, const int *node, int count, struct mesh_metrics *out)
{
	int *marginal = malloc((size_t)sum_of_sides(mesh) * sizeof(*marginal));
	int *vertex = malloc(((size_t)count + 1) * sizeof(*vertex));
	int *stack = malloc(((size_t)count + 1) * sizeof(*stack));
	int *mark = calloc((size_t)mesh->nvertices, sizeof(*mark));
	bool fine = marginal && vertex && stack && mark;

	memset(out, 0, sizeof(*out));
	if (fine && count > 0) {
		bool wraps = false;
		int bound = 0, used = distinct(mesh, node, count, vertex, mark);
		const int *base = marginal;

		count_marginals(mesh, node, count, marginal);
		for (int d = 0; d < mesh->ndims; base += mesh->side[d], d++) {
			out->box[d] = stretch(base, mesh->side[d], mesh->wrap[d]);
			bound += axis_diameter(mesh, d, base);
			wraps |= mesh->wrap[d];
		}
		out->pairwise_hops = total_of(mesh, marginal);
		out->mean_hops = count > 1 ? (double)out->pairwise_hops * 2 / count / (count - 1) : 0;
		out->diameter = wraps ? diameter_pairs(mesh, vertex, used, bound)
				      : diameter_signed(mesh, vertex, used);
		out->components = count_components(mesh, vertex, used, mark, stack);
	}
	free(marginal);
	free(vertex);
	free(stack);
	free(mark);
	return fine ? 0 : -1;
}
