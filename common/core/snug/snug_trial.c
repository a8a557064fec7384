/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_trial.h"

#include <math.h>
#include <string.h>

#include "base/axis.h"
#include "base/simd.h"
#include "geometry/metrics_count.h"
#include "graph/graphset.h"

enum { MANY = 16 }; /* all vertices take as long as this part of them one by one */

int snug_trial_init(struct snug_trial *t, const struct mesh *mesh, struct arena *arena)
{
	int n = mesh->nvertices, sides = mesh_sum_of_sides(mesh);

	t->mesh = mesh;
	arena_array(arena, t->nfree, n);
	arena_array(arena, t->weight, n);
	arena_array(arena, t->pinned, n);
	arena_array(arena, t->vertex, n);
	arena_array(arena, t->taken, n);
	arena_array(arena, t->around, n);
	arena_array(arena, t->heap.item, n);
	arena_array(arena, t->heap.place, n);
	arena_array(arena, t->marginal, sides);
	arena_array(arena, t->axis, sides);
	for (int i = 0; i < SNUG_KEPT; i++) {
		arena_array(arena, t->kept[i].vertex, n);
		arena_array(arena, t->kept[i].taken, n);
	}
	return arena->out ? -1 : 0;
}

/* How many of n vertices, from the first on, are consecutive in a row. */
static int row_length(const struct mesh *mesh, const int *vertex, int n)
{
	int end = vertex[0] - mesh->coord[vertex[0]][0] + mesh->side[0], length = 1;

	n = end - vertex[0] < n ? end - vertex[0] : n;
	while (length < n && vertex[length] == vertex[0] + length)
		length++;
	return length;
}

static void count_marginals(const struct mesh *mesh, struct snug_trial *t, int n)
{
	int *marginal[MESH_MAX_DIMS], *next = t->marginal;

	for (int d = 0; d < mesh->ndims; next += mesh->side[d], d++)
		marginal[d] = next;
	memset(t->marginal, 0, (size_t)(next - t->marginal) * sizeof(*next));
	for (int i = 0, length; i < n; i += length) {
		int v = t->vertex[i], sum = 0;
		const int16_t *c = mesh->coord[v];

		length = row_length(mesh, t->vertex + i, n - i);
		for (int j = 0; j < length; j++) {
			marginal[0][c[0] + j] += t->taken[v + j];
			sum += t->taken[v + j];
		}
		for (int d = 1; d < mesh->ndims; d++)
			marginal[d][c[d]] += sum;
	}
}

/* Count the hops to all taken nodes, by coordinate. */
static void count_hops(const struct mesh *mesh, struct snug_trial *t)
{
	const int *marginal = t->marginal;
	int64_t *axis = t->axis;

	for (int d = 0; d < mesh->ndims; d++) {
		axis_star_hops(marginal, mesh->side[d], mesh->wrap[d], axis);
		axis += mesh->side[d];
		marginal += mesh->side[d];
	}
}

static double hops_from(const struct mesh *mesh, const struct snug_trial *t, int v)
{
	const int64_t *axis = t->axis;
	int64_t sum = 0;

	for (int d = 0; d < mesh->ndims; axis += mesh->side[d], d++)
		sum += axis[mesh->coord[v][d]];
	return (double)sum;
}

MESH_VECTORISE static void add_to(uint32_t *restrict to, const uint32_t *restrict from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] += from[i];
}

/* Set around[] of all vertices to the sum of the weights of their neighbours. */
static void weigh_all(const struct mesh *mesh, uint32_t *around, const uint32_t *weight)
{
	memset(around, 0, (size_t)mesh->nvertices * sizeof(*around));
	for (int d = 0; d < mesh->ndims; d++) {
		int step = mesh->stride[d], rest = (mesh->side[d] - 1) * step;

		for (int v = 0; v < mesh->nvertices; v += rest + step) {
			add_to(around + v, weight + v + step, rest);
			add_to(around + v + step, weight + v, rest);
			if (!mesh->wrap[d] || mesh->side[d] <= 2)
				continue;
			add_to(around + v, weight + v + rest, step);
			add_to(around + v + rest, weight + v, step);
		}
	}
}

/*
 * For the n vertices of the set, set around[] to the sum of the weights of their neighbours, each
 * in the set with the weight `inside`.
 */
static void weigh_around(const struct mesh *mesh, struct snug_trial *t, int n, uint32_t inside)
{
	int beside[2 * MESH_MAX_DIMS];

	for (int i = 0; i < n; i++)
		t->weight[t->vertex[i]] = inside;
	if (n > mesh->nvertices / MANY)
		weigh_all(mesh, t->around, t->weight);
	else
		for (int i = 0; i < n; i++) {
			int v = t->vertex[i];

			t->around[v] = 0;
			for (int j = mesh_neighbours(mesh, v, beside); j-- > 0;)
				t->around[v] += t->weight[beside[j]];
		}
	for (int i = 0; i < n; i++)
		t->weight[t->vertex[i]] = 1;
}

/* The exposure: links from the set to free vertices outside. */
static double exposure(struct snug_trial *t, int n)
{
	uint64_t sum = 0;

	weigh_around(t->mesh, t, n, 0);
	for (int i = 0; i < n; i++)
		sum += t->around[t->vertex[i]];
	return (double)sum;
}

/* Look at the clock once every so many vertices. */
static bool late(const struct snug_trial *t, int i)
{
	return t->budget && i % 1024 == 0 && mesh_budget_late(t->budget);
}

/*
 * Put n vertices on the heap by what giving each back lowers the score: the most first, of equal
 * ones the lowest number. Pinned vertices come last, and keep their pinned nodes. False: there is
 * no time.
 */
static bool fill_heap(const struct mesh *mesh, struct snug_trial *t, int n)
{
	double per_hop = t->hop_weight * 2 / t->count / t->count;

	/* With pinned nodes only hops to these count: the set is trimmed around them. */
	for (int i = 0; t->npinned && i < n; i++)
		t->taken[t->vertex[i]] = t->pinned[t->vertex[i]];
	count_marginals(mesh, t, n);
	count_hops(mesh, t);
	for (int i = 0; t->npinned && i < n; i++)
		t->taken[t->vertex[i]] = (int)t->nfree[t->vertex[i]];
	/* What giving a vertex back lowers the score by its links. */
	weigh_around(mesh, t, n, (uint32_t)-1);
	t->heap.size = n;
	for (int i = 0; i < n; i++) {
		int v = t->vertex[i];
		int32_t links = (int32_t)t->around[v];
		double gain = per_hop * hops_from(mesh, t, v) + links * t->exposure_weight;

		if (late(t, i))
			return false;
		t->heap.item[i] = (struct heap_item){t->pinned[v] ? INFINITY : -gain, v, v};
	}
	heap_make(&t->heap);
	return true;
}

/* A vertex was given back: its neighbours in the set have a link to outside more. */
static void note_given_back(const struct mesh *mesh, struct snug_trial *t, int vertex)
{
	int beside[2 * MESH_MAX_DIMS];

	for (int j = mesh_neighbours(mesh, vertex, beside); j-- > 0;)
		if (t->taken[beside[j]] && !t->pinned[beside[j]])
			heap_rekey(&t->heap, beside[j],
				t->heap.item[t->heap.place[beside[j]]].key -
					2 * t->exposure_weight);
}

/*
 * Give back `spare` nodes, one vertex after another, always the one that lowers the score most.
 * Hops count to the whole box, links to what is left. Returns how many vertices are left; -1:
 * there is no time.
 */
static int trim(const struct mesh *mesh, struct snug_trial *t, int n, int spare)
{
	int kept = 0;

	if (!fill_heap(mesh, t, n))
		return -1;
	while (spare > 0) {
		int v = t->heap.item[0].id;

		if (late(t, t->heap.size))
			return -1;
		if (t->taken[v] - t->pinned[v] > spare) {
			t->taken[v] -= spare;
			break;
		}
		spare -= t->taken[v] - t->pinned[v];
		t->taken[v] = t->pinned[v];
		heap_pop(&t->heap);
		if (!t->taken[v])
			note_given_back(mesh, t, v);
	}
	for (int i = 0; i < n; i++)
		if (t->taken[t->vertex[i]])
			t->vertex[kept++] = t->vertex[i];
	return kept;
}

/* Write the free vertices of a box to t->vertex[], with all their nodes taken. Returns how many. */
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

			/* No branch: it would mostly be mispredicted. */
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

/* Is the set in progress, of n vertices, the same as this one? */
static bool alike(const struct snug_trial *t, const struct snug_kept *set, int n)
{
	if (set->n != n)
		return false;
	for (int i = 0; i < n; i++)
		if (t->taken[set->vertex[i]] != set->taken[i])
			return false;
	return true;
}

/* Keep the set if it is among the best so far; of equal scores the first stays ahead. */
static void keep(struct snug_trial *t, int n, double hops, double border)
{
	int at = t->nkept;
	double score = hops + border;
	struct snug_kept set;

	while (at > t->first && score < t->kept[at - 1].score)
		at--;
	if (at == t->limit || (at > t->first && alike(t, &t->kept[at - 1], n)))
		return;
	t->nkept += t->nkept < t->limit;
	set = t->kept[t->nkept - 1];
	memmove(&t->kept[at + 1], &t->kept[at], (size_t)(t->nkept - 1 - at) * sizeof(set));
	set.score = score;
	set.border = border;
	set.n = n;
	for (int i = 0; i < n; i++) {
		set.vertex[i] = t->vertex[i];
		set.taken[i] = t->taken[t->vertex[i]];
	}
	t->kept[at] = set;
}

/* Is the set among the `most` sets before it? Sets of the same score are neighbours. */
static bool twin(struct snug_trial *t, const struct snug_kept *set, int most)
{
	bool found = false;

	if (!most || set[-1].score < set->score)
		return false;
	for (int i = 0; i < set->n; i++)
		t->taken[set->vertex[i]] = set->taken[i];
	for (int i = 1; i <= most && set[-i].score >= set->score && !found; i++)
		found = alike(t, &set[-i], set->n);
	for (int i = 0; i < set->n; i++)
		t->taken[set->vertex[i]] = 0;
	return found;
}

void snug_trial_order(struct snug_trial *t)
{
	struct snug_kept set;
	int n = 0;

	/* Equal scores stay in order, which qsort() does not promise. */
	for (int i = 1; i < t->nkept; i++)
		for (int at = i; at > 0 && t->kept[at].score < t->kept[at - 1].score; at--) {
			set = t->kept[at];
			t->kept[at] = t->kept[at - 1];
			t->kept[at - 1] = set;
		}
	for (int i = 0; i < t->nkept; i++) {
		set = t->kept[i];
		t->kept[i] = t->kept[n];
		t->kept[n] = set;
		n += !twin(t, &t->kept[n], n);
	}
	t->nkept = n;
}

/* Broken links only lengthen ways: a set that is not among the best without them never is. */
static bool may_be_kept(const struct snug_trial *t, double least)
{
	return t->mesh->graph->ncables || t->nkept < t->limit ||
		least < t->kept[t->limit - 1].score;
}

/* Score the n taken vertices, and take none after that. */
static void measure(const struct mesh *mesh, struct snug_trial *t, int n)
{
	double k = t->count, per_hop = t->hop_weight / (k > 1 ? k * (k - 1) / 2 : 1);
	double border = t->exposure_weight * exposure(t, n);
	const struct graphset set = {mesh->graph, mesh->graph_first, t->vertex, n, t->taken};
	int64_t hops;

	count_marginals(mesh, t, n);
	hops = metrics_total(mesh, t->marginal);
	if (mesh->graph && may_be_kept(t, per_hop * (double)hops + border))
		hops = graphset_hops(&set, hops);
	keep(t, n, per_hop * (double)hops, border);
	for (int i = 0; i < n; i++)
		t->taken[t->vertex[i]] = 0;
}

void snug_trial_group(struct snug_trial *t, int most)
{
	t->first = t->nkept;
	t->limit = t->nkept + most;
}

void snug_trial_box(struct snug_trial *t, const int *base, const int *side)
{
	int nodes, all = collect(t->mesh, t, base, side, &nodes), n = all;

	if (nodes > t->count)
		n = trim(t->mesh, t, n, nodes - t->count);
	if (n >= 0)
		measure(t->mesh, t, n);
	for (int i = 0; n < 0 && i < all; i++)
		t->taken[t->vertex[i]] = 0;
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

void snug_trial_vertices(struct snug_trial *t, const int *vertex, const int *taken, int n)
{
	for (int i = 0; i < n; i++) {
		t->vertex[i] = vertex[i];
		t->taken[vertex[i]] = taken[i];
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
