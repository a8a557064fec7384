/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/graphorder.h"

#include <stdlib.h>

struct point {
	int vertex, pod, key; /* key: of its pod */
	int own;	      /* its own key: hops from one end less hops from the other */
};

struct halving {
	const struct mesh *mesh;
	struct point *point;
	int *order, n;	    /* the order so far */
	int64_t *sum;	    /* [npods] 0 between calls */
	int *members;	    /* [npods] 0 between calls */
};

static int by_key(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->pod != y->pod)
		return x->pod - y->pod;
	return x->own != y->own ? x->own - y->own : x->vertex - y->vertex;
}

/* The point of n that is nearest to a vertex, or farthest from it. */
static int extreme(const struct halving *h, const struct point *p, int n, int from, bool farthest)
{
	int best = 0, found = -1;

	for (int i = 0; i < n; i++) {
		int far = linkgraph_mesh_hops(h->mesh, from, p[i].vertex);

		if (found < 0 || (farthest ? far > best : far < best)) {
			best = far;
			found = p[i].vertex;
		}
	}
	return found;
}

/* Sort n points by where they are between two ends; points of a pod stay together. */
static void sort_between(struct halving *h, struct point *p, int n, int near, int far)
{
	for (int i = 0; i < n; i++)
		p[i].own = linkgraph_mesh_hops(h->mesh, near, p[i].vertex);
	for (int i = 0; i < n; i++) {
		p[i].own -= linkgraph_mesh_hops(h->mesh, far, p[i].vertex);
		h->sum[p[i].pod] += p[i].own;
		h->members[p[i].pod]++;
	}
	for (int i = 0; i < n; i++)
		p[i].key = (int)(16 * h->sum[p[i].pod] / h->members[p[i].pod]);
	for (int i = 0; i < n; i++)
		h->sum[p[i].pod] = h->members[p[i].pod] = 0;
	qsort(p, (size_t)n, sizeof(*p), by_key);
}

/* Where to cut: in the middle, or at the nearest end of the pod that is there. */
static int middle_of(const struct point *p, int n)
{
	int low = n / 2, high = low;

	while (low > 0 && p[low - 1].pod == p[n / 2].pod)
		low--;
	while (high < n && p[high].pod == p[n / 2].pod)
		high++;
	if (!low && high == n)
		return n / 2;
	return low && (high == n || n / 2 - low <= high - n / 2) ? low : high;
}

/*
 * Halve the points. Recursion is as deep as there are halves, plus once where a pod is most of
 * them.
 */
static void halve(struct halving *h, struct point *p, int n)
{
	int last = h->n ? h->order[h->n - 1] : p[0].vertex;
	int near = extreme(h, p, n, last, !h->n);

	while (n > 2) {
		int middle;

		sort_between(h, p, n, near, extreme(h, p, n, near, true));
		middle = middle_of(p, n);
		halve(h, p, middle);
		p += middle;
		n -= middle;
		near = extreme(h, p, n, h->order[h->n - 1], false);
	}
	for (int i = 0; i < n; i++)
		h->order[h->n++] = p[p[0].vertex == near ? i : n - 1 - i].vertex;
}

int graphorder_fill(const struct mesh *mesh, int *order)
{
	const struct linkgraph *g = mesh->graph;
	struct arena arena = {0};
	struct halving h = {.mesh = mesh, .order = order};

	arena_array(&arena, h.point, mesh->nvertices);
	arena_array(&arena, h.sum, g->npods);
	if (arena_array(&arena, h.members, g->npods)) {
		for (int v = 0; v < mesh->nvertices; v++)
			h.point[v] = (struct point){
				.vertex = v, .pod = g->pod[mesh->graph_first + v]};
		halve(&h, h.point, mesh->nvertices);
	}
	arena_release(&arena);
	return h.n == mesh->nvertices ? 0 : -1;
}
