/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "refine.h"

#include <stdlib.h>
#include <string.h>

int refine_init(struct refine *refine, const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nvertices;
	bool fine;

	memset(refine, 0, sizeof(*refine));
	refine->mesh = mesh;
	refine->can_give = malloc(n * sizeof(int));
	refine->can_take = malloc(n * sizeof(int));
	refine->give = malloc(n * sizeof(*refine->give));
	refine->take = malloc(n * sizeof(*refine->take));
	fine = refine->can_give && refine->can_take && refine->give && refine->take &&
		!nodeset_init(&refine->chosen, mesh->nnodes);
	for (int d = 0; fine && d < mesh->ndims; d++) {
		refine->far[d] = calloc((size_t)mesh->side[d], sizeof(int64_t));
		refine->count[d] = calloc((size_t)mesh->side[d], sizeof(int));
		fine = refine->far[d] && refine->count[d];
	}
	return fine ? 0 : -1;
}

void refine_release(struct refine *refine)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(refine->far[d]);
		free(refine->count[d]);
	}
	free(refine->can_give);
	free(refine->can_take);
	free(refine->give);
	free(refine->take);
	nodeset_release(&refine->chosen);
}

/* One node more or less (sign) at vertex v. */
static void shift_far(struct refine *refine, int v, int sign)
{
	const struct mesh *mesh = refine->mesh;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d];
		int64_t *far = refine->far[d];

		if (mesh->wrap[d])
			for (int q = 0; q < side; q++)
				far[q] += sign * mesh_axis_hops(mesh, d, c, q);
		else
			for (int q = 0; q < side; q++)
				far[q] += sign * (q < c ? c - q : q - c);
	}
}

static void load(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required, const int *node, int count)
{
	const struct mesh *mesh = refine->mesh;

	nodeset_clear_all(&refine->chosen);
	memset(refine->can_give, 0, (size_t)mesh->nvertices * sizeof(int));
	memset(refine->can_take, 0, (size_t)mesh->nvertices * sizeof(int));
	for (int d = 0; d < mesh->ndims; d++)
		memset(refine->count[d], 0, (size_t)mesh->side[d] * sizeof(int));
	for (int i = 0; i < count; i++) {
		int v = mesh->vertex_of[node[i]];

		nodeset_add(&refine->chosen, node[i]);
		refine->can_give[v] += !required || !nodeset_has(required, node[i]);
		for (int d = 0; d < mesh->ndims; d++)
			refine->count[d][mesh->coord[v][d]]++;
	}
	for (int w = 0; w < nodeset_words(mesh->nnodes); w++)
		for (uint64_t bits = state->free->word[w] & ~refine->chosen.word[w]; bits;
			bits &= bits - 1)
			refine->can_take[mesh->vertex_of[w * 64 + __builtin_ctzll(bits)]]++;
	for (int d = 0; d < mesh->ndims; d++)
		for (int q = 0; q < mesh->side[d]; q++) {
			int64_t sum = 0;

			for (int p = 0; p < mesh->side[d]; p++)
				sum += (int64_t)refine->count[d][p] * mesh_axis_hops(mesh, d, p, q);
			refine->far[d][q] = sum;
		}
}

static int64_t far_sum(const struct refine *refine, int v)
{
	int64_t sum = 0;

	for (int d = 0; d < refine->mesh->ndims; d++)
		sum += refine->far[d][refine->mesh->coord[v][d]];
	return sum;
}

/* The lowest node on v that can go (chosen, not required), or come (free, not chosen). */
static int lowest(const struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required, int v, bool goes)
{
	const struct mesh *mesh = refine->mesh;

	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
		int node = mesh->node_at[i];

		if (goes ? nodeset_has(&refine->chosen, node) &&
				(!required || !nodeset_has(required, node))
			 : nodeset_has(state->free, node) && !nodeset_has(&refine->chosen, node))
			return node;
	}
	return -1;
}

struct swap {
	int64_t gain; /* > 0 */
	int from, to; /* nodes */
};

/*
 * Chosen nodes far from the others and free ones near them, as a swap gains
 * far(from) - far(to) + hops(from, to): only ends that could gain `least` or more with the
 * best partner at the longest way are kept.
 */
static int64_t list_ends(struct refine *refine, int *ngive, int *ntake)
{
	const struct mesh *mesh = refine->mesh;
	int64_t farthest = INT64_MIN, nearest = INT64_MAX;
	int across = 0;

	*ngive = *ntake = 0;
	for (int v = 0; v < mesh->nvertices; v++) {
		if (!refine->can_give[v] && !refine->can_take[v])
			continue;
		int64_t far = far_sum(refine, v);

		if (refine->can_give[v]) {
			refine->give[(*ngive)++] = (struct refine_end){far, v};
			farthest = far > farthest ? far : farthest;
		}
		if (refine->can_take[v]) {
			refine->take[(*ntake)++] = (struct refine_end){far, v};
			nearest = far < nearest ? far : nearest;
		}
	}
	for (int d = 0; d < mesh->ndims; d++)
		across += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	if (!*ngive || !*ntake) {
		*ngive = *ntake = 0; /* no swap, and no distance to compare with */
		return across;
	}
	int kept = 0;

	for (int i = 0; i < *ngive; i++)
		if (refine->give[i].far - nearest + across > 0)
			refine->give[kept++] = refine->give[i];
	*ngive = kept;
	kept = 0;
	for (int i = 0; i < *ntake; i++)
		if (farthest - refine->take[i].far + across > 0)
			refine->take[kept++] = refine->take[i];
	*ntake = kept;
	return across;
}

static int by_far_up(const void *a, const void *b)
{
	int64_t x = ((const struct refine_end *)a)->far, y = ((const struct refine_end *)b)->far;

	return (x > y) - (x < y);
}

/* In place and without memory of its own: a heap sort, ascending by far. */
static void sort_ends(struct refine_end *end, int n)
{
	for (int start = n / 2 - 1, last = n - 1; last > 0;) {
		struct refine_end moving;
		int i, child, size;

		if (start >= 0) {
			i = start--;
			size = n;
			moving = end[i];
		} else {
			i = 0;
			size = last;
			moving = end[last];
			end[last--] = end[0];
		}
		for (; (child = 2 * i + 1) < size; i = child) {
			child += child + 1 < size && by_far_up(&end[child + 1], &end[child]) > 0;
			if (by_far_up(&end[child], &moving) <= 0)
				break;
			end[i] = end[child];
		}
		end[i] = moving;
	}
}

static struct swap best_swap(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required)
{
	struct swap best = {0, -1, -1};
	int ngive, ntake;
	int64_t across = list_ends(refine, &ngive, &ntake);

	sort_ends(refine->give, ngive);
	sort_ends(refine->take, ntake);
	/* The farthest goes for the nearest: later pairs gain less but for their own hops. */
	for (int i = ngive - 1; i >= 0; i--) {
		const struct refine_end *give = &refine->give[i];

		if (!ntake || give->far - refine->take[0].far + across < best.gain)
			break;
		for (int j = 0; j < ntake; j++) {
			const struct refine_end *take = &refine->take[j];

			if (give->far - take->far + across < best.gain)
				break;
			int64_t gain = give->far - take->far +
				mesh_hops(refine->mesh, give->vertex, take->vertex);

			if (gain < best.gain || gain <= 0)
				continue;
			int from = lowest(refine, state, required, give->vertex, true);
			int to = lowest(refine, state, required, take->vertex, false);

			if (gain > best.gain || from < best.from ||
				(from == best.from && to < best.to))
				best = (struct swap){gain, from, to};
		}
	}
	return best;
}

static void apply(struct refine *refine, const struct swap *swap)
{
	const int *vertex_of = refine->mesh->vertex_of;
	int from = vertex_of[swap->from], to = vertex_of[swap->to];

	nodeset_del(&refine->chosen, swap->from);
	nodeset_add(&refine->chosen, swap->to);
	refine->can_give[from]--;
	refine->can_take[from]++;
	refine->can_give[to]++;
	refine->can_take[to]--;
	shift_far(refine, from, -1);
	shift_far(refine, to, 1);
}

bool refine_run(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required, int *node, int count, int64_t *total,
	bool (*late)(void *data), void *data)
{
	bool stopped = false;

	load(refine, state, required, node, count);
	for (;;) {
		struct swap swap;

		if ((stopped = late && late(data)))
			break;
		swap = best_swap(refine, state, required);
		if (swap.gain <= 0)
			break;
		apply(refine, &swap);
		*total -= swap.gain;
	}
	nodeset_members(&refine->chosen, node);
	return stopped;
}
