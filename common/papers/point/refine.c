/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/refine.h"

#include <string.h>

#include "base/axis.h"

int refine_init(struct refine *refine, const struct mesh *mesh, struct arena *arena)
{
	int n = mesh->nvertices;

	*refine = (struct refine){.mesh = mesh, .give.gives = true};
	arena_array(arena, refine->can_give, n);
	arena_array(arena, refine->can_take, n);
	arena_array(arena, refine->active, n);
	arena_array(arena, refine->give.heap.item, n + 1);
	arena_array(arena, refine->take.heap.item, n + 1);
	for (int d = 0; d < mesh->ndims; d++) {
		arena_array(arena, refine->far[d], mesh->side[d]);
		arena_array(arena, refine->count[d], mesh->side[d]);
	}
	return nodeset_get(&refine->chosen, mesh->nnodes, arena);
}

/* Count one node more or less (sign) at vertex v. */
static void shift_far(struct refine *refine, int v, int sign)
{
	const struct mesh *mesh = refine->mesh;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d];

		for (int q = 0; q < mesh->side[d]; q++)
			refine->far[d][q] += sign * mesh_axis_hops(mesh, d, c, q);
	}
}

static bool stays(const struct refine *refine, int node)
{
	return refine->set->required && nodeset_has(refine->set->required, node);
}

static void load(struct refine *refine)
{
	const struct mesh *mesh = refine->mesh;
	const struct nodeset *free_set = refine->set->state->free;
	const int *node = refine->set->node;

	nodeset_clear_all(&refine->chosen);
	memset(refine->can_give, 0, (size_t)mesh->nvertices * sizeof(int));
	memset(refine->can_take, 0, (size_t)mesh->nvertices * sizeof(int));
	for (int d = 0; d < mesh->ndims; d++)
		memset(refine->count[d], 0, (size_t)mesh->side[d] * sizeof(int));
	for (int i = 0; i < refine->set->count; i++) {
		int v = mesh->vertex_of[node[i]];

		nodeset_add(&refine->chosen, node[i]);
		refine->can_give[v] += !stays(refine, node[i]);
		for (int d = 0; d < mesh->ndims; d++)
			refine->count[d][mesh->coord[v][d]]++;
	}
	for (int w = 0; w < nodeset_words(mesh->nnodes); w++)
		for (uint64_t bits = free_set->word[w] & ~refine->chosen.word[w]; bits;
			bits &= bits - 1)
			refine->can_take[mesh->vertex_of[w * 64 + __builtin_ctzll(bits)]]++;
	for (int d = 0; d < mesh->ndims; d++)
		axis_star_hops(refine->count[d], mesh->side[d], mesh->wrap[d], refine->far[d]);
}

static int64_t far_sum(const struct refine *refine, int v)
{
	int64_t sum = 0;

	for (int d = 0; d < refine->mesh->ndims; d++)
		sum += refine->far[d][refine->mesh->coord[v][d]];
	return sum;
}

/* The lowest node on v that can leave (chosen, not required), or come (free, not chosen). */
static int lowest(const struct refine *refine, int v, bool goes)
{
	const struct mesh *mesh = refine->mesh;

	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
		int node = mesh->node_at[i];

		if (goes ? nodeset_has(&refine->chosen, node) && !stays(refine, node)
			 : nodeset_has(refine->set->state->free, node) &&
					!nodeset_has(&refine->chosen, node))
			return node;
	}
	return -1;
}

struct swap {
	int64_t gain; /* > 0 */
	int from, to; /* nodes */
};

/* The most hops in the machine. */
static int across(const struct mesh *mesh)
{
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	return sum;
}

/* The most hops from a vertex that could give a node, and the least to one that could take one. */
static void find_limits(const struct refine *refine, int64_t *farthest, int64_t *nearest)
{
	*farthest = INT64_MIN;
	*nearest = INT64_MAX;
	for (int v = 0; v < refine->mesh->nvertices; v++) {
		int64_t far;

		if (!refine->can_give[v] && !refine->can_take[v])
			continue;
		far = far_sum(refine, v);
		if (refine->can_give[v] && far > *farthest)
			*farthest = far;
		if (refine->can_take[v] && far < *nearest)
			*nearest = far;
	}
}

/*
 * A swap gains far(from) - far(to) + hops(from, to). So if it gains, far(from) > nearest - across,
 * and far(to) < farthest + across. A swap of nodes h hops apart changes every sum by at most h.
 * The node it gives back has more than nearest - h, and the node it takes less than farthest + h:
 * nearest falls, and farthest rises, by at most 2 h. So a vertex becomes active only after swaps
 * have moved nodes by a third of its distance from these limits.
 */
static void find_active(struct refine *refine, int count)
{
	const struct mesh *mesh = refine->mesh;
	int64_t farthest, nearest, margin;

	refine->room = 8 * across(mesh) + count / 8;
	refine->nactive = 0;
	find_limits(refine, &farthest, &nearest);
	if (farthest == INT64_MIN || nearest == INT64_MAX)
		return; /* there is nothing to give, or nothing to take */
	margin = across(mesh) + 3 * refine->room;
	for (int v = 0; v < mesh->nvertices; v++) {
		int64_t far = far_sum(refine, v);

		if ((refine->can_give[v] && far > nearest - margin) ||
			(refine->can_take[v] && far < farthest + margin))
			refine->active[refine->nactive++] = v;
	}
}

/* ---- the ends of swaps ---- */

/* The best givers come first, and the best takers: the farthest and the nearest vertices. */
static int64_t key_of(const struct refine *refine, const struct refine_ends *ends, int v)
{
	return ends->gives ? -far_sum(refine, v) : far_sum(refine, v);
}

static int left_at(const struct refine *refine, const struct refine_ends *ends, int v)
{
	return ends->gives ? refine->can_give[v] : refine->can_take[v];
}

/*
 * But for the hops between its ends, the best swap is not better than the best giver and the best
 * taker together. So the keys of its ends are within these hops of the least key.
 */
static void list_ends(const struct refine *refine, struct refine_ends *ends)
{
	struct heap_item *end = ends->heap.item;
	int64_t least = INT64_MAX, most = across(refine->mesh);
	int n = 0, nearby = 0;

	for (int i = 0; i < refine->nactive; i++) {
		int v = refine->active[i];

		if (!left_at(refine, ends, v))
			continue;
		end[n] = (struct heap_item){(double)key_of(refine, ends, v), v, v};
		least = (int64_t)end[n].key < least ? (int64_t)end[n].key : least;
		n++;
	}
	for (int i = 0; i < n; i++)
		if ((int64_t)end[i].key <= least + most)
			end[nearby++] = end[i];
	ends->n = ends->heap.size = nearby;
	heap_make(&ends->heap);
}

/* The i-th end in order, or NULL past the last. */
static const struct heap_item *nth_end(struct refine_ends *ends, int i)
{
	if (i >= ends->n)
		return NULL;
	while (ends->n - ends->heap.size <= i)
		heap_pop(&ends->heap);
	return &ends->heap.item[ends->n - 1 - i];
}

static bool is_late(const struct refine *refine)
{
	return refine->set->budget && mesh_budget_late(refine->set->budget);
}

static struct swap best_swap(struct refine *refine)
{
	struct swap best = {0, -1, -1};
	int64_t most = across(refine->mesh);
	const struct heap_item *give, *take, *nearest;

	list_ends(refine, &refine->give);
	list_ends(refine, &refine->take);
	nearest = nth_end(&refine->take, 0);
	/*
	 * The farthest is exchanged for the nearest. Later pairs gain less, except by their own
	 * hops.
	 */
	for (int i = 0; nearest && !is_late(refine) && (give = nth_end(&refine->give, i)); i++) {
		int64_t key = (int64_t)give->key;

		if (most - key - (int64_t)nearest->key < best.gain)
			break;
		for (int j = 0; (take = nth_end(&refine->take, j)) &&
			most - key - (int64_t)take->key >= best.gain;
			j++) {
			int64_t gain = mesh_hops(refine->mesh, give->id, take->id) - key -
				(int64_t)take->key;

			if (gain < best.gain || gain <= 0)
				continue;
			int from = lowest(refine, give->id, true);
			int to = lowest(refine, take->id, false);

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
	int hops = mesh_hops(refine->mesh, from, to);

	nodeset_del(&refine->chosen, swap->from);
	nodeset_add(&refine->chosen, swap->to);
	shift_far(refine, from, -1);
	shift_far(refine, to, 1);
	refine->room -= hops;
	refine->can_give[from]--;
	refine->can_take[to]--;
	refine->can_give[to]++;
	refine->can_take[from]++;
}

bool refine_run(struct refine *refine, struct refine_set *set)
{
	bool stopped;

	refine->set = set;
	if (is_late(refine))
		return false;
	load(refine);
	refine->room = -1;
	for (;;) {
		struct swap swap;

		if (refine->room < 0)
			find_active(refine, set->count);
		swap = best_swap(refine);
		if ((stopped = is_late(refine)) || swap.gain <= 0)
			break;
		apply(refine, &swap);
		set->total -= swap.gain;
	}
	nodeset_members(&refine->chosen, set->node);
	return !stopped;
}
