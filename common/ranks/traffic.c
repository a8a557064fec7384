/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 22 }; /* of all steps together */

/* Fill both rows of each edge, duplicates included. */
static void fill_rows(struct traffic *traffic, const struct traffic_edge *edge, size_t count,
	bool directed, size_t *next)
{
	memcpy(next, traffic->start, (size_t)traffic->n * sizeof(*next));
	for (size_t e = 0; e < count; e++) {
		if (edge[e].a == edge[e].b || edge[e].weight <= 0)
			continue;
		size_t at = next[edge[e].a]++, back = next[edge[e].b]++;

		traffic->to[at] = edge[e].b;
		traffic->to[back] = edge[e].a;
		traffic->weight[at] = edge[e].weight;
		traffic->weight[back] = directed ? -edge[e].weight : edge[e].weight;
	}
}

/*
 * Add up equal neighbours, row by row. seen[2 b] is the place of b in the row being written, and
 * seen[2 b + 1] its place with a weight below 0.
 */
static void merge_rows(struct traffic *traffic, size_t *seen)
{
	size_t end = 0, from = 0;

	for (int i = 0; i < 2 * traffic->n; i++)
		seen[i] = SIZE_MAX;
	for (int i = 0; i < traffic->n; i++) {
		size_t row = end, to = traffic->start[i + 1];

		for (; from < to; from++) {
			size_t *at = &seen[2 * traffic->to[from] + (traffic->weight[from] < 0)];

			if (*at != SIZE_MAX && *at >= row) {
				traffic->weight[*at] += traffic->weight[from];
				continue;
			}
			*at = end;
			traffic->to[end] = traffic->to[from];
			traffic->weight[end++] = traffic->weight[from];
		}
		traffic->start[i] = row;
	}
	traffic->start[traffic->n] = end;
}

static int check_edges(int n, const struct traffic_edge *edge, size_t count,
	struct mesh_err *err)
{
	if (n < 1 || n > TRAFFIC_MAX_RANKS)
		return err_printf(
			err, "%d ranks: from 1 to %d can be mapped", n, TRAFFIC_MAX_RANKS);
	for (size_t e = 0; e < count; e++) {
		int a = edge[e].a, b = edge[e].b;

		if (a < 0 || a >= n || b < 0 || b >= n)
			return err_printf(err, "rank %d: there are 0 to %d",
				a < 0 || a >= n ? a : b, n - 1);
		if (!(edge[e].weight >= 0) || !isfinite(edge[e].weight))
			return err_printf(err, "ranks %d and %d: a weight of %g", a, b,
				edge[e].weight);
	}
	return 0;
}

/* Make the graph of edges that have been checked. */
static int init_sums(struct traffic *traffic, int n, const struct traffic_edge *edge, size_t count,
	bool directed)
{
	size_t *scratch = malloc(2 * (size_t)n * sizeof(*scratch));

	*traffic = (struct traffic){.n = n};
	traffic->start = calloc((size_t)n + 1, sizeof(*traffic->start));
	traffic->to = malloc((2 * count + 1) * sizeof(*traffic->to));
	traffic->weight = malloc((2 * count + 1) * sizeof(*traffic->weight));
	if (!traffic->start || !traffic->to || !traffic->weight || !scratch) {
		free(scratch);
		return -1;
	}
	for (size_t e = 0; e < count; e++)
		if (edge[e].a != edge[e].b && edge[e].weight > 0) {
			traffic->start[edge[e].a + 1]++;
			traffic->start[edge[e].b + 1]++;
		}
	for (int i = 0; i < n; i++)
		traffic->start[i + 1] += traffic->start[i];
	fill_rows(traffic, edge, count, directed, scratch);
	merge_rows(traffic, scratch);
	free(scratch);
	return 0;
}

/* Number the steps from 0 on, at most `room` of them. Returns how many. */
static int number_steps(const struct traffic_edge *edge, size_t count, int room, uint8_t *number)
{
	int64_t name[TRAFFIC_STEPS];
	int n = 0;

	for (size_t e = 0; e < count; e++) {
		int k = 0;

		while (k < n && name[k] != edge[e].step)
			k++;
		if (k == n && n < room)
			name[n++] = edge[e].step;
		number[e] = (uint8_t)(k < n ? k : edge[e].step % n);
	}
	return n;
}

/* Make traffic->step[], if there are several steps. */
static int init_steps(struct traffic *traffic, const struct traffic_edge *edge, size_t count)
{
	struct traffic_edge *part = malloc((count + 1) * sizeof(*part));
	uint8_t *number = malloc(count + 1);
	int room = MOST_ROWS / traffic->n, steps = 0, bad = !part || !number;

	room = room < 1 ? 1 : room < TRAFFIC_STEPS ? room : TRAFFIC_STEPS;
	if (!bad)
		steps = number_steps(edge, count, room, number);
	if (steps > 1)
		bad = !(traffic->step = calloc((size_t)steps, sizeof(*traffic->step)));
	while (!bad && steps > 1 && traffic->steps < steps) {
		size_t n = 0;

		for (size_t e = 0; e < count; e++)
			if (number[e] == traffic->steps)
				part[n++] = edge[e];
		bad = init_sums(&traffic->step[traffic->steps++], traffic->n, part, n, true);
	}
	free(part);
	free(number);
	return bad;
}

int traffic_init(struct traffic *traffic, int n, const struct traffic_edge *edge, size_t count,
	struct mesh_err *err)
{
	memset(traffic, 0, sizeof(*traffic));
	if (check_edges(n, edge, count, err))
		return -1;
	if (!init_sums(traffic, n, edge, count, false) && !init_steps(traffic, edge, count))
		return 0;
	traffic_release(traffic);
	return err_printf(err, "out of memory");
}

int traffic_init_groups(struct traffic *traffic, const struct traffic *ranks, const int *group,
	int ngroups, struct mesh_err *err)
{
	struct traffic_edge *edge = malloc((ranks->start[ranks->n] + 1) * sizeof(*edge));
	size_t count = 0;
	int result;

	memset(traffic, 0, sizeof(*traffic));
	if (!edge)
		return err_printf(err, "out of memory");
	for (int i = 0; i < ranks->n; i++)
		for (size_t e = ranks->start[i]; e < ranks->start[i + 1]; e++)
			if (i < ranks->to[e] && group[i] != group[ranks->to[e]])
				edge[count++] = (struct traffic_edge){group[i],
					group[ranks->to[e]], ranks->weight[e]};
	result = traffic_init(traffic, ngroups, edge, count, err);
	free(edge);
	return result;
}

void traffic_release(struct traffic *traffic)
{
	free(traffic->start);
	free(traffic->to);
	free(traffic->weight);
	for (int step = 0; step < traffic->steps; step++)
		traffic_release(&traffic->step[step]);
	free(traffic->step);
	memset(traffic, 0, sizeof(*traffic));
}

double traffic_total(const struct traffic *traffic)
{
	double total = 0;

	for (size_t e = 0; e < traffic->start[traffic->n]; e++)
		total += traffic->weight[e];
	return total / 2;
}

double traffic_common(const struct traffic *a, const struct traffic *b)
{
	double all_a = traffic_total(a), all_b = traffic_total(b), sum = 0;
	double *row = a->n == b->n ? calloc((size_t)a->n, sizeof(*row)) : NULL;

	for (int i = 0; row && i < a->n && all_a > 0 && all_b > 0; i++) {
		for (size_t e = a->start[i]; e < a->start[i + 1]; e++)
			row[a->to[e]] = a->weight[e] / all_a;
		for (size_t e = b->start[i]; e < b->start[i + 1]; e++)
			sum += fmin(row[b->to[e]], b->weight[e] / all_b);
		for (size_t e = a->start[i]; e < a->start[i + 1]; e++)
			row[a->to[e]] = 0;
	}
	free(row);
	return sum / 2; /* each pair is in two rows */
}
