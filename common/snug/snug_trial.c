/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"

static int neighbours(const struct mesh *mesh, int v, int *to)
{
	int n = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d], stride = mesh->stride[d];

		if (side == 1)
			continue;
		if (c > 0)
			to[n++] = v - stride;
		else if (mesh->wrap[d] && side > 2)
			to[n++] = v + (side - 1) * stride;
		if (c < side - 1)
			to[n++] = v + stride;
		else if (mesh->wrap[d] && side > 2)
			to[n++] = v - (side - 1) * stride;
	}
	return n;
}

static int init_links(struct snug_trial *t, const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nvertices;
	int links = 0;

	t->first_link = malloc((n + 1) * sizeof(*t->first_link));
	t->link = malloc(n * 2 * (size_t)mesh->ndims * sizeof(*t->link));
	if (!t->first_link || !t->link)
		return -1;
	for (int v = 0; v < mesh->nvertices; v++) {
		t->first_link[v] = links;
		links += neighbours(mesh, v, t->link + links);
	}
	t->first_link[n] = links;
	return 0;
}

int snug_trial_init(struct snug_trial *t, const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nvertices, sides = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sides += (size_t)mesh->side[d];
	t->mesh = mesh;
	t->nfree = malloc(n * sizeof(*t->nfree));
	t->weight = malloc(n * sizeof(*t->weight));
	t->pinned = calloc(n, sizeof(*t->pinned));
	t->vertex = malloc(n * sizeof(*t->vertex));
	t->taken = calloc(n, sizeof(*t->taken));
	t->gain = malloc(n * sizeof(*t->gain));
	t->heap = malloc(n * sizeof(*t->heap));
	t->place = malloc(n * sizeof(*t->place));
	t->marginal = malloc(sides * sizeof(*t->marginal));
	t->axis = malloc(sides * sizeof(*t->axis));
	if (!t->nfree || !t->weight || !t->pinned || !t->vertex || !t->taken || !t->gain ||
		!t->heap || !t->place || !t->marginal || !t->axis)
		return -1;
	for (int i = 0; i < SNUG_KEPT; i++) {
		t->kept[i].vertex = malloc(n * sizeof(int));
		t->kept[i].taken = malloc(n * sizeof(int));
		if (!t->kept[i].vertex || !t->kept[i].taken)
			return -1;
	}
	return init_links(t, mesh);
}

void snug_trial_release(struct snug_trial *t)
{
	free(t->first_link);
	free(t->link);
	free(t->nfree);
	free(t->weight);
	free(t->pinned);
	free(t->vertex);
	free(t->taken);
	free(t->gain);
	free(t->heap);
	free(t->place);
	free(t->marginal);
	free(t->axis);
	for (int i = 0; i < SNUG_KEPT; i++) {
		free(t->kept[i].vertex);
		free(t->kept[i].taken);
	}
}

/* for (each_link(t, j, v)): j goes through the links of v. */
#define each_link(t, j, v) int j = (t)->first_link[v]; j < (t)->first_link[(v) + 1]; j++

static void count_marginals(const struct mesh *mesh, struct snug_trial *t, int n)
{
	int *marginal[MESH_MAX_DIMS], *next = t->marginal;

	for (int d = 0; d < mesh->ndims; next += mesh->side[d], d++)
		marginal[d] = next;
	memset(t->marginal, 0, (size_t)(next - t->marginal) * sizeof(*next));
	for (int i = 0; i < n; i++) {
		int v = t->vertex[i], taken = t->taken[v];

		for (int d = 0; d < mesh->ndims; d++)
			marginal[d][mesh->coord[v][d]] += taken;
	}
}

/* Hops to all that is taken, by coordinate. One coordinate on, what is ahead comes nearer. */
static void line_hops(const int *marginal, int side, double *axis)
{
	int all = 0, below = 0;
	int64_t hops = 0;

	for (int c = 0; c < side; c++) {
		all += marginal[c];
		hops += (int64_t)c * marginal[c];
	}
	for (int c = 0; c < side; c++) {
		axis[c] = (double)hops;
		below += marginal[c];
		hops += below - (all - below);
	}
}

/*
 * On a ring that is the half ring ahead. With an odd side the coordinate behind it stays as far
 * away, and comes nearer with the next step.
 */
static void ring_hops(const int *marginal, int side, double *axis)
{
	int all = 0, ahead = 0, half = side / 2, enters = half + 1 < side ? half + 1 : 0;
	int64_t hops = 0;

	for (int c = 0; c < side; c++) {
		all += marginal[c];
		ahead += c > 0 && c <= half ? marginal[c] : 0;
		hops += (int64_t)(c <= half ? c : side - c) * marginal[c];
	}
	for (int c = 0; c < side; c++) {
		axis[c] = (double)hops;
		hops += all - 2 * ahead - (side % 2 ? marginal[enters] : 0);
		ahead += marginal[enters] - marginal[c + 1 < side ? c + 1 : 0];
		enters = enters + 1 < side ? enters + 1 : 0;
	}
}

static void count_hops(const struct mesh *mesh, struct snug_trial *t)
{
	const int *marginal = t->marginal;
	double *axis = t->axis;

	for (int d = 0; d < mesh->ndims; d++) {
		(mesh->wrap[d] ? ring_hops : line_hops)(marginal, mesh->side[d], axis);
		axis += mesh->side[d];
		marginal += mesh->side[d];
	}
}

static double hops_from(const struct mesh *mesh, const struct snug_trial *t, int v)
{
	const double *axis = t->axis;
	double sum = 0;

	for (int d = 0; d < mesh->ndims; axis += mesh->side[d], d++)
		sum += axis[mesh->coord[v][d]];
	return sum;
}

static double total_hops(const struct mesh *mesh, const struct snug_trial *t)
{
	const int *marginal = t->marginal;
	double total = 0;

	for (int d = 0; d < mesh->ndims; marginal += mesh->side[d], d++)
		total += (double)mesh_axis_total(marginal, mesh->side[d], mesh->wrap[d]);
	return total;
}

/* SNUG_UNITs of links to outside that are not taken. */
static double exposure(const struct snug_trial *t, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		for (each_link(t, j, t->vertex[i]))
			sum += (uint64_t)t->weight[t->link[j]] * !t->taken[t->link[j]];
	return (double)sum;
}

/* What the score falls by when v is given back, as far as links go. */
static double link_gain(const struct snug_trial *t, int v)
{
	int64_t gain = 0;

	for (each_link(t, j, v))
		gain += t->taken[t->link[j]] ? -(int64_t)SNUG_UNIT : t->weight[t->link[j]];
	return (double)gain * t->exposure_weight;
}

/* A heap of vertices, most gain on top, lowest number among equals. */
static bool above(const struct snug_trial *t, int v, int w)
{
	return t->gain[v] > t->gain[w] || (t->gain[v] == t->gain[w] && v < w);
}

static void heap_put(struct snug_trial *t, int at, int v)
{
	t->heap[at] = v;
	t->place[v] = at;
}

static void heap_up(struct snug_trial *t, int v)
{
	int at = t->place[v];

	for (; at > 0 && above(t, v, t->heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap_put(t, at, t->heap[(at - 1) / 2]);
	heap_put(t, at, v);
}

static void heap_down(struct snug_trial *t, int size, int v)
{
	int at = t->place[v];

	for (;;) {
		int child = 2 * at + 1;

		if (child + 1 < size && above(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (child >= size || !above(t, t->heap[child], v))
			break;
		heap_put(t, at, t->heap[child]);
		at = child;
	}
	heap_put(t, at, v);
}

/*
 * Give back `spare` nodes, one vertex after another, the one that the score falls most by.
 * Hops are to the whole box, links to what is left.
 */
static int trim(const struct mesh *mesh, struct snug_trial *t, int n, int spare)
{
	double per_hop = t->hop_weight * 2 / t->count / t->count;
	int size = n, kept = 0;

	/* Around what is pinned, if anything is. */
	for (int i = 0; t->npinned && i < n; i++)
		t->taken[t->vertex[i]] = t->pinned[t->vertex[i]];
	count_marginals(mesh, t, n);
	count_hops(mesh, t);
	for (int i = 0; t->npinned && i < n; i++)
		t->taken[t->vertex[i]] = (int)t->nfree[t->vertex[i]];
	for (int i = 0; i < n; i++) {
		int v = t->vertex[i];

		t->gain[v] = per_hop * hops_from(mesh, t, v) + link_gain(t, v);
		if (t->pinned[v])
			t->gain[v] = -INFINITY; /* last, and not below the nodes pinned */
		heap_put(t, i, v);
	}
	for (int i = n / 2; i-- > 0;)
		heap_down(t, size, t->heap[i]);
	while (spare > 0) {
		int v = t->heap[0];

		if (t->taken[v] - t->pinned[v] > spare) {
			t->taken[v] -= spare;
			break;
		}
		spare -= t->taken[v] - t->pinned[v];
		t->taken[v] = t->pinned[v];
		heap_put(t, 0, t->heap[--size]);
		if (size)
			heap_down(t, size, t->heap[0]);
		if (t->taken[v])
			continue;
		for (each_link(t, j, v)) {
			int w = t->link[j];

			if (t->taken[w] && !t->pinned[w]) {
				t->gain[w] += 2 * SNUG_UNIT * t->exposure_weight;
				heap_up(t, w);
			}
		}
	}
	for (int i = 0; i < n; i++)
		if (t->taken[t->vertex[i]])
			t->vertex[kept++] = t->vertex[i];
	return kept;
}

/* Free vertices of a box into t->vertex[], all their nodes taken. How many vertices. */
static int collect(const struct mesh *mesh, struct snug_trial *t, const int *base, const int *side,
	int *nodes)
{
	int offset[MESH_MAX_DIMS] = {0};
	int n = 0, d;

	*nodes = 0;
	do {
		int row = 0;

		for (d = 1; d < mesh->ndims; d++) {
			int x = base[d] + offset[d];

			row += (x < mesh->side[d] ? x : x - mesh->side[d]) * mesh->stride[d];
		}
		for (int x = base[0]; x < base[0] + side[0]; x++) {
			int v = row + (x < mesh->side[0] ? x : x - mesh->side[0]);
			int has = (int)t->nfree[v];

			/* Without a branch, which would mostly be guessed wrong. */
			t->vertex[n] = v;
			t->taken[v] = has;
			*nodes += has;
			n += has > 0;
		}
		for (d = 1; d < mesh->ndims && ++offset[d] == side[d]; d++)
			offset[d] = 0;
	} while (d < mesh->ndims);
	return n;
}

/* --- sets ------------------------------------------------------------------------------ */

/* Is the set at hand, of n vertices, this one? */
static bool alike(const struct snug_trial *t, const struct snug_kept *set, int n)
{
	if (set->n != n)
		return false;
	for (int i = 0; i < n; i++)
		if (t->taken[set->vertex[i]] != set->taken[i])
			return false;
	return true;
}

/* One of the best so far? The first of several alike in score stays ahead. */
static void keep(struct snug_trial *t, int n, double score)
{
	int at = t->nkept;
	struct snug_kept set;

	while (at > 0 && score < t->kept[at - 1].score)
		at--;
	if (at == t->limit || (at > 0 && alike(t, &t->kept[at - 1], n)))
		return;
	t->nkept += t->nkept < t->limit;
	set = t->kept[t->nkept - 1];
	memmove(&t->kept[at + 1], &t->kept[at], (size_t)(t->nkept - 1 - at) * sizeof(set));
	set.score = score;
	set.n = n;
	for (int i = 0; i < n; i++) {
		set.vertex[i] = t->vertex[i];
		set.taken[i] = t->taken[t->vertex[i]];
	}
	t->kept[at] = set;
}

/* The score of what is taken now, n vertices; then nothing is. */
static void measure(const struct mesh *mesh, struct snug_trial *t, int n)
{
	double k = t->count, pairs = k > 1 ? k * (k - 1) / 2 : 1;

	count_marginals(mesh, t, n);
	keep(t, n, t->hop_weight * total_hops(mesh, t) / pairs +
		t->exposure_weight * exposure(t, n));
	for (int i = 0; i < n; i++)
		t->taken[t->vertex[i]] = 0;
}

void snug_trial_box(struct snug_trial *t, const int *base, const int *side)
{
	int nodes, n = collect(t->mesh, t, base, side, &nodes);

	if (nodes > t->count)
		n = trim(t->mesh, t, n, nodes - t->count);
	measure(t->mesh, t, n);
}

void snug_trial_nodes(struct snug_trial *t, const int *node)
{
	int n = 0;

	for (int i = 0; i < t->count; i++) {
		int v = t->mesh->vertex_of[node[i]];

		if (!t->taken[v]++)
			t->vertex[n++] = v;
	}
	measure(t->mesh, t, n);
}

void snug_trial_answer(const struct snug_trial *t, const struct snug_kept *set,
	const struct nodeset *free, const struct nodeset *required, int *node)
{
	const struct mesh *mesh = t->mesh;

	for (int i = 0; i < set->n; i++) {
		int v = set->vertex[i], left = set->taken[i] - t->pinned[v];

		for (int j = mesh->first[v]; j < mesh->first[v + 1]; j++) {
			int at = mesh->node_at[j];
			bool must = t->pinned[v] && nodeset_has(required, at);

			if (!nodeset_has(free, at) || (!must && !left))
				continue;
			left -= !must;
			*node++ = at;
		}
	}
}

void snug_trial_scatter(struct snug_trial *t)
{
	const struct mesh *mesh = t->mesh;
	struct snug_kept *set = &t->kept[0];
	int size = 0, left = t->count;

	t->exposure_weight = 1;
	for (int v = 0; v < mesh->nvertices; v++)
		if (t->nfree[v]) {
			/* taken is 0 everywhere: the links to all that is free or will be. */
			t->gain[v] = t->pinned[v] ? INFINITY : -link_gain(t, v);
			heap_put(t, size++, v);
		}
	for (int i = size / 2; i-- > 0;)
		heap_down(t, size, t->heap[i]);
	set->n = 0;
	left -= t->npinned;
	while (size && (left > 0 || t->pinned[t->heap[0]])) {
		int v = t->heap[0], more = (int)t->nfree[v] - t->pinned[v];

		more = more < left ? more : left;
		left -= more;
		set->vertex[set->n] = v;
		set->taken[set->n++] = t->pinned[v] + more;
		t->place[v] = -1;
		t->nfree[v] = 0;
		heap_put(t, 0, t->heap[--size]);
		if (size)
			heap_down(t, size, t->heap[0]);
		for (each_link(t, j, v))
			if (t->nfree[t->link[j]]) {
				t->gain[t->link[j]] += SNUG_UNIT;
				heap_up(t, t->link[j]);
			}
	}
	set->score = 0;
	t->nkept = 1;
}
