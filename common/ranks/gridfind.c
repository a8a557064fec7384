/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/gridfind.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

enum { CLASSES = MESH_MAX_DIMS, MAX_DEGREE = 2 * MESH_MAX_DIMS, THRESHOLDS = 4 };

struct find {
	struct arena arena;
	struct traffic heavy; /* an edge is its index in the rows; each edge has two */
	int *forest;	      /* union-find of edges or ranks */
	int *class_of;	      /* [edges] 0..nclasses-1 */
	int nclasses;
	int *layer;	      /* [n] */
	int *pair;	      /* [2 n] the layers next to each layer; -1: none */
	int *coord[CLASSES];  /* [n] each */
	int side[CLASSES];
	bool ring[CLASSES];
};

/* --- the graph of the heavy edges ------------------------------------------------- */

static int find_alloc(struct find *f, const struct traffic *t)
{
	int64_t rows = (int64_t)t->start[t->n];

	arena_array(&f->arena, f->forest, rows + t->n);
	arena_array(&f->arena, f->class_of, rows);
	arena_array(&f->arena, f->layer, t->n);
	arena_array(&f->arena, f->pair, 2 * t->n);
	for (int c = 0; c < CLASSES; c++)
		arena_array(&f->arena, f->coord[c], t->n);
	return f->arena.out ? -1 : 0;
}

static int edge_to(const struct traffic *t, int a, int b)
{
	for (size_t e = t->start[a]; e < t->start[a + 1]; e++)
		if (t->to[e] == b)
			return (int)e;
	return -1;
}

/* Take the edges of at least that weight. 0; 1: a rank has none, or more than a grid has; -1. */
static int take_heavy(struct find *f, const struct traffic *t, double least)
{
	struct traffic_edge *edge = malloc((size_t)t->n * (MAX_DEGREE + 1) * sizeof(*edge));
	size_t count = 0;
	int result = edge ? 0 : -1;

	for (int i = 0; !result && i < t->n; i++) {
		int degree = 0;

		for (size_t e = t->start[i]; e < t->start[i + 1] && degree <= MAX_DEGREE; e++) {
			if (t->weight[e] < least)
				continue;
			if (t->to[e] > i)
				edge[count++] = (struct traffic_edge){i, t->to[e], t->weight[e]};
			degree++;
		}
		result = degree < 1 || degree > MAX_DEGREE;
	}
	traffic_release(&f->heavy);
	if (!result)
		result = traffic_init(&f->heavy, t->n, edge, count, NULL);
	free(edge);
	return result;
}

/* --- classes of edges ------------------------------------------------------------- */

static int root(int *parent, int i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

static void join(int *parent, int a, int b)
{
	parent[root(parent, a)] = root(parent, b);
}

/*
 * Two edges at u: if they are sides of a square, relate each to the side across; else they are of
 * one class.
 */
static void relate(struct find *f, int u, int e, int g)
{
	const struct traffic *t = &f->heavy;
	int v = t->to[e], w = t->to[g], across = -1, squares = 0;

	for (size_t k = t->start[v]; k < t->start[v + 1]; k++)
		if (t->to[k] != u && edge_to(t, w, t->to[k]) >= 0) {
			across = t->to[k];
			squares++;
		}
	if (squares != 1 || edge_to(t, v, w) >= 0) {
		join(f->forest, e, g);
		return;
	}
	join(f->forest, e, edge_to(t, w, across));
	join(f->forest, g, edge_to(t, v, across));
}

static bool make_classes(struct find *f)
{
	const struct traffic *t = &f->heavy;
	int rows = (int)t->start[t->n];

	for (int e = 0; e < rows; e++) {
		f->forest[e] = e;
		f->class_of[e] = -1;
	}
	for (int u = 0; u < t->n; u++)
		for (int e = (int)t->start[u]; e < (int)t->start[u + 1]; e++) {
			join(f->forest, e, edge_to(t, t->to[e], u));
			for (int g = (int)t->start[u]; g < e; g++)
				relate(f, u, e, g);
		}
	f->nclasses = 0;
	for (int e = 0; e < rows; e++) {
		int top = root(f->forest, e);

		if (f->class_of[top] < 0 && f->nclasses == CLASSES)
			return false;
		if (f->class_of[top] < 0)
			f->class_of[top] = f->nclasses++;
		f->class_of[e] = f->class_of[top];
	}
	return true;
}

/* --- coordinates ------------------------------------------------------------------ */

/* Make the layers across class c: the connected parts without its edges. Returns how many. */
static int make_layers(struct find *f, int c)
{
	const struct traffic *t = &f->heavy;
	int count = 0;

	for (int i = 0; i < t->n; i++) {
		f->forest[i] = i;
		f->layer[i] = -1;
	}
	for (int i = 0; i < t->n; i++)
		for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
			if (f->class_of[e] != c)
				join(f->forest, i, t->to[e]);
	for (int i = 0; i < t->n; i++) {
		int top = root(f->forest, i);

		if (f->layer[top] < 0)
			f->layer[top] = count++;
		f->layer[i] = f->layer[top];
	}
	return count;
}

/* Find the layers next to each, in pair[2 * layer]. False: one has more than two. */
static bool next_layers(const struct find *f, int c, int count)
{
	const struct traffic *t = &f->heavy;
	int *pair = f->pair;

	for (int l = 0; l < 2 * count; l++)
		pair[l] = -1;
	for (int i = 0; i < t->n; i++)
		for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
			int *mine = pair + 2 * f->layer[i], other = f->layer[t->to[e]];

			if (f->class_of[e] != c || mine[0] == other || mine[1] == other)
				continue;
			if (other == f->layer[i] || mine[1] >= 0)
				return false;
			mine[mine[0] >= 0] = other;
		}
	return true;
}

/* Number the layers along their path or ring, in place[layer]. False: they are neither. */
static bool number_layers(struct find *f, int c, int count)
{
	const int *pair = f->pair;
	int *place = f->forest; /* no longer needed */
	int at = 0, from = -1, seen = 0;

	for (int l = 0; l < count; l++) {
		place[l] = -1;
		if (pair[2 * l + 1] < 0)
			at = l;
	}
	f->ring[c] = pair[2 * at + 1] >= 0;
	while (at >= 0 && place[at] < 0) {
		int next = pair[2 * at] == from ? pair[2 * at + 1] : pair[2 * at];

		place[at] = seen++;
		from = at;
		at = next;
	}
	for (int i = 0; i < f->heavy.n; i++)
		f->coord[c][i] = place[f->layer[i]];
	f->side[c] = count;
	return seen == count;
}

static bool make_coordinates(struct find *f)
{
	int64_t product = 1;

	for (int c = 0; c < f->nclasses; c++) {
		int count = make_layers(f, c);

		product *= count;
		if (count < 2 || product > f->heavy.n || !next_layers(f, c, count) ||
			!number_layers(f, c, count))
			return false;
	}
	return product == f->heavy.n;
}

/* --- the answer ------------------------------------------------------------------- */

static void fill_grid(const struct find *f, struct traffic_grid *grid)
{
	const struct traffic *t = &f->heavy;
	int count[CLASSES] = {0};

	*grid = (struct traffic_grid){.ndims = f->nclasses, .first_fastest = true};
	for (size_t e = 0; e < t->start[t->n]; e++) {
		grid->weight[f->class_of[e]] += t->weight[e];
		count[f->class_of[e]]++;
	}
	for (int d = 0; d < grid->ndims; d++) {
		grid->side[d] = f->side[d];
		grid->wrap[d] = f->ring[d] && f->side[d] > 2;
		grid->weight[d] /= count[d] ? count[d] : 1;
	}
}

/* Set the places in the grid; false unless each is taken once. */
static bool fill_cells(const struct find *f, int *cell)
{
	int n = f->heavy.n, *taken = f->layer; /* no longer needed */

	memset(taken, 0, (size_t)n * sizeof(*taken));
	for (int i = 0; i < n; i++) {
		cell[i] = 0;
		for (int c = f->nclasses - 1; c >= 0; c--)
			cell[i] = cell[i] * f->side[c] + f->coord[c][i];
		if (taken[cell[i]]++)
			return false;
	}
	return true;
}

static bool find_grid(struct find *f, struct traffic_grid *grid, int *cell)
{
	if (!make_classes(f) || !f->nclasses || !make_coordinates(f) || !fill_cells(f, cell))
		return false;
	fill_grid(f, grid);
	return true;
}

/* --- thresholds ------------------------------------------------------------------- */

/* The weights just above the widest gaps, relative to what is below; first 0, for all. */
static int find_thresholds(const struct traffic *t, double *least)
{
	size_t rows = t->start[t->n];
	double *sorted = malloc((rows + 1) * sizeof(*sorted)), gap[THRESHOLDS] = {0};
	int count = 1;

	if (!sorted)
		return -1;
	memcpy(sorted, t->weight, rows * sizeof(*sorted));
	sort_doubles(sorted, rows);
	least[0] = 0;
	for (size_t i = 1; i < rows; i++) {
		double wide = sorted[i] / sorted[i - 1];
		int at;

		if (wide < 1.1 || (count == THRESHOLDS && wide <= gap[THRESHOLDS - 1]))
			continue;
		for (at = count < THRESHOLDS ? count++ : THRESHOLDS - 1;
			at > 1 && gap[at - 1] < wide; at--) {
			gap[at] = gap[at - 1];
			least[at] = least[at - 1];
		}
		gap[at] = wide;
		least[at] = sorted[i];
	}
	free(sorted);
	return count;
}

int gridfind(const struct traffic *traffic, struct traffic_grid *grid, int *cell)
{
	struct find f = {0};
	double least[THRESHOLDS];
	int count = find_thresholds(traffic, least), result = 1;

	if (count < 0 || find_alloc(&f, traffic))
		result = -1;
	for (int i = 0; i < count && result == 1; i++) {
		result = take_heavy(&f, traffic, least[i]);
		if (!result)
			result = !find_grid(&f, grid, cell);
	}
	traffic_release(&f.heavy);
	arena_release(&f.arena);
	return result;
}
