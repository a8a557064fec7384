/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/plain_point.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

struct work {
	const struct mesh *mesh;
	const struct nodeset *free_set, *required;
	int k;
	const int *box; /* sides of shell 0, or NULL: shells by hops */
	bool free_only;
	int *chosen, *shell; /* [nnodes] */
	bool *taken;
};

static bool is_required(const struct work *w, int i)
{
	return w->required && nodeset_has(w->required, i);
}

/* How far q is outside of the box around c along one dimension, the nearer way round. */
static int outside(const struct mesh *mesh, int d, int c, int q, int side)
{
	int below = (side - 1) / 2, above = side - 1 - below, least = INT32_MAX;

	for (int turn = -1; turn <= 1; turn++) {
		int at = q + turn * mesh->side[d];

		if (turn && !mesh->wrap[d])
			continue;
		int out = at > c + above ? at - c - above : at < c - below ? c - below - at : 0;

		least = out < least ? out : least;
	}
	return least;
}

static int shell_of(const struct work *w, int c, int v)
{
	int most = 0;

	if (!w->box)
		return mesh_hops(w->mesh, c, v);
	for (int d = 0; d < w->mesh->ndims; d++) {
		int out =
			outside(w->mesh, d, w->mesh->coord[c][d], w->mesh->coord[v][d], w->box[d]);

		most = out > most ? out : most;
	}
	return most;
}

static int64_t hops_to_chosen(const struct work *w, int i, int count)
{
	int64_t sum = 0;

	for (int j = 0; j < count; j++)
		sum += mesh_hops(w->mesh, w->mesh->vertex_of[i], w->mesh->vertex_of[w->chosen[j]]);
	return sum;
}

/* The k nodes around centre c, and the sum of their shell numbers. */
static int64_t collect(struct work *w, int c)
{
	int n = w->mesh->nnodes, count = 0;
	int64_t cost = 0;

	for (int i = 0; i < n; i++) {
		w->shell[i] = shell_of(w, c, w->mesh->vertex_of[i]);
		w->taken[i] = is_required(w, i);
		if (w->taken[i])
			w->chosen[count++] = i;
	}
	for (int shell = 0; count < w->k; shell++) {
		int there = 0;

		for (int i = 0; i < n; i++)
			there +=
				nodeset_has(w->free_set, i) && !w->taken[i] && w->shell[i] == shell;
		bool whole = there <= w->k - count;

		while (there-- && count < w->k) {
			int best = -1;
			int64_t least = INT64_MAX;

			for (int i = 0; i < n; i++) {
				if (!nodeset_has(w->free_set, i) || w->taken[i] ||
					w->shell[i] != shell)
					continue;
				int64_t sum = whole ? 0 : hops_to_chosen(w, i, count);

				if (sum < least) {
					least = sum;
					best = i;
				}
			}
			w->taken[best] = true;
			w->chosen[count++] = best;
		}
	}
	for (int i = 0; i < w->k; i++)
		cost += w->shell[w->chosen[i]];
	return cost;
}

static bool is_centre(const struct work *w, int v)
{
	const struct mesh *mesh = w->mesh;
	unsigned seen = 0;

	nodeset_each(i, w->free_set) {
		int u = mesh->vertex_of[i];

		if (w->free_only && u == v)
			return true;
		for (int d = 0; d < mesh->ndims; d++)
			seen |= mesh->coord[u][d] == mesh->coord[v][d] ? 1U << d : 0;
	}
	return !w->free_only && seen == (1U << mesh->ndims) - 1;
}

static int up(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Every centre, and every box around it. */
static void best_centre(struct work *w, int boxes, int (*box)[MESH_MAX_DIMS],
	struct plain_answer *answer)
{
	for (int v = 0; v < w->mesh->nvertices; v++)
		for (int b = 0; is_centre(w, v) && b < boxes; b++) {
			w->box = box ? box[b] : NULL;
			int64_t cost = collect(w, v);
			int64_t total = plain_pairwise_hops(w->mesh, w->chosen, w->k);

			cost = box ? cost : total;
			if (cost > answer->cost || (cost == answer->cost && total >= answer->total))
				continue;
			answer->cost = cost;
			answer->total = total;
			memcpy(answer->node, w->chosen, (size_t)w->k * sizeof(int));
		}
}

static void improve(struct work *w, struct plain_answer *answer)
{
	int *node = answer->node, k = w->k;

	for (;;) {
		int64_t best = 0;
		int from = -1, to = -1;

		qsort(node, (size_t)k, sizeof(int), up);
		memset(w->taken, 0, (size_t)w->mesh->nnodes * sizeof(bool));
		for (int i = 0; i < k; i++)
			w->taken[node[i]] = true;
		for (int i = 0; i < k; i++)
			for (int j = 0; !is_required(w, node[i]) && j < w->mesh->nnodes; j++) {
				if (w->taken[j] || !nodeset_has(w->free_set, j))
					continue;
				int64_t gain = 0;

				for (int l = 0; l < k; l++)
					if (l != i) {
						int at = w->mesh->vertex_of[node[l]];

						gain += mesh_hops(w->mesh, at,
							w->mesh->vertex_of[node[i]]);
						gain -= mesh_hops(
							w->mesh, at, w->mesh->vertex_of[j]);
					}
				if (gain > best) {
					best = gain;
					from = i;
					to = j;
				}
			}
		if (from < 0)
			return;
		node[from] = to;
		answer->total -= best;
		answer->cost = answer->total;
	}
}

/* All distinct orders of the sides that fit, ascending; the order given if none does. */
static int list_boxes(const struct mesh *mesh, const struct mesh_request *request,
	int (*box)[MESH_MAX_DIMS])
{
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, n = 0;
	int64_t room = 1,
		need = (request->count + mesh->nodes_per_vertex - 1) / mesh->nodes_per_vertex;

	for (int d = 0; d < request->shape.ndims; d++)
		side[d] = request->shape.side[d];
	while (!request->shape.ndims && room < need) {
		int grow = -1;

		for (int d = mesh->ndims - 1; d >= 0; d--)
			if (side[d] < mesh->side[d] && (grow < 0 || side[d] <= side[grow]))
				grow = d;
		if (grow < 0)
			break;
		side[grow]++;
		room = 1;
		for (int d = 0; d < mesh->ndims; d++)
			room *= side[d];
	}
	for (int code = 0; !request->shape.norotate && code < 46656; code++) {
		int pick[MESH_MAX_DIMS], seen = 0, rest = code, at = n;
		bool fine = true;

		for (int d = MESH_MAX_DIMS - 1; d >= 0; d--, rest /= 6) {
			pick[d] = rest % 6;
			seen |= 1 << pick[d];
		}
		if (seen != 63)
			continue;
		for (int d = 0; d < MESH_MAX_DIMS; d++) {
			box[n][d] = side[pick[d]];
			fine &= box[n][d] <= mesh->side[d];
		}
		for (int b = 0; b < n; b++)
			fine &= memcmp(box[b], box[n], sizeof(*box)) != 0;
		if (!fine)
			continue;
		while (at > 0) { /* keep them ascending */
			int d = 0, swap[MESH_MAX_DIMS];

			while (box[at - 1][d] == box[at][d])
				d++;
			if (box[at - 1][d] < box[at][d])
				break;
			memcpy(swap, box[at], sizeof(swap));
			memcpy(box[at], box[at - 1], sizeof(swap));
			memcpy(box[at - 1], swap, sizeof(swap));
			at--;
		}
		n++;
	}
	if (!n)
		memcpy(box[n++], side, sizeof(side));
	return n;
}

void plain_point(const char *name, const struct mesh *mesh, const struct nodeset *free_set,
	const struct mesh_request *request, struct plain_answer *answer)
{
	size_t n = (size_t)mesh->nnodes;
	int boxes = 1, (*box)[MESH_MAX_DIMS] = calloc(721, sizeof(*box));
	struct work w = {.mesh = mesh, .free_set = free_set, .required = request->required,
		.k = request->count, .free_only = !strcmp(name, "gen-alg") || name[1] == 'c',
		.chosen = malloc(n * sizeof(int)), .shell = malloc(n * sizeof(int)),
		.taken = malloc(n * sizeof(bool))};

	assert_true(w.chosen && w.shell && w.taken && box);
	answer->cost = answer->total = INT64_MAX;
	if (name[1] == 'c') {
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			box[0][d] = 1;
		if (!strcmp(name, "mc"))
			boxes = list_boxes(mesh, request, box);
		best_centre(&w, boxes, box, answer);
	} else {
		best_centre(&w, 1, NULL, answer);
	}
	if (!strcmp(name, "mm+inc"))
		improve(&w, answer);
	qsort(answer->node, (size_t)w.k, sizeof(int), up);
	free(w.chosen);
	free(w.shell);
	free(w.taken);
	free(box);
}

/* Choose `left` more of the free nodes from `next` on. */
static int64_t try_all(const struct work *w, int next, int count)
{
	int64_t least = INT64_MAX, total;

	if (count == w->k) {
		for (int i = 0; w->required && i < w->mesh->nnodes; i++) {
			bool there = !nodeset_has(w->required, i);

			for (int j = 0; j < count; j++)
				there |= w->chosen[j] == i;
			if (!there)
				return INT64_MAX;
		}
		return plain_pairwise_hops(w->mesh, w->chosen, count);
	}
	for (int i = nodeset_next(w->free_set, next); i >= 0;
		i = nodeset_next(w->free_set, i + 1)) {
		w->chosen[count] = i;
		total = try_all(w, i + 1, count + 1);
		least = total < least ? total : least;
	}
	return least;
}

int64_t plain_least_total(const struct mesh *mesh, const struct nodeset *free_set,
	const struct mesh_request *request)
{
	struct work w = {.mesh = mesh, .free_set = free_set, .required = request->required,
		.k = request->count, .chosen = malloc((size_t)mesh->nnodes * sizeof(int))};
	int64_t least;

	assert_non_null(w.chosen);
	least = try_all(&w, 0, 0);
	free(w.chosen);
	return least;
}
