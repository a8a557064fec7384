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
	refine->active = malloc(n * sizeof(int));
	refine->give = malloc(n * sizeof(*refine->give));
	refine->take = malloc(n * sizeof(*refine->take));
	fine = refine->can_give && refine->can_take && refine->active && refine->give && refine->take &&
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
	free(refine->active);
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

/* The longest way in the machine. */
static int across(const struct mesh *mesh)
{
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	return sum;
}

/* Of some vertices, the most hops from one that could give a node, the least to one that could take. */
static void find_limits(const struct refine *refine, const int *vertex, int n, int64_t *farthest,
	int64_t *nearest)
{
	*farthest = INT64_MIN;
	*nearest = INT64_MAX;
	for (int i = 0; i < n; i++) {
		int v = vertex ? vertex[i] : i;
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
 * A swap gains far(from) - far(to) + hops(from, to), so that far(from) > nearest - across when
 * it gains, and far(to) < farthest + across. A swap of nodes h hops apart changes every sum by h
 * at most; what it gives back has more than nearest - h, and what it takes less than farthest +
 * h: nearest falls, and farthest rises, by 2 h at most. So a vertex cannot become worth a look
 * before swaps have moved nodes by a third of what it is away from that.
 */
static void find_active(struct refine *refine, int count)
{
	const struct mesh *mesh = refine->mesh;
	int64_t farthest, nearest, margin;

	refine->room = 8 * across(mesh) + count / 8;
	refine->nactive = 0;
	find_limits(refine, NULL, mesh->nvertices, &farthest, &nearest);
	if (farthest == INT64_MIN || nearest == INT64_MAX)
		return; /* nothing to give or nothing to take */
	margin = across(mesh) + 3 * refine->room;
	for (int v = 0; v < mesh->nvertices; v++) {
		int64_t far = far_sum(refine, v);

		if ((refine->can_give[v] && far > nearest - margin) ||
			(refine->can_take[v] && far < farthest + margin))
			refine->active[refine->nactive++] = v;
	}
}

/*
 * Chosen nodes far from the others and free ones near them: those ends of swaps that could gain
 * with the best partner at the longest way.
 */
static void list_ends(struct refine *refine, int *ngive, int *ntake)
{
	int64_t farthest, nearest, most = across(refine->mesh);

	*ngive = *ntake = 0;
	find_limits(refine, refine->active, refine->nactive, &farthest, &nearest);
	if (farthest == INT64_MIN || nearest == INT64_MAX)
		return;
	for (int i = 0; i < refine->nactive; i++) {
		int v = refine->active[i];
		int64_t far = far_sum(refine, v);

		if (refine->can_give[v] && far - nearest + most > 0)
			refine->give[(*ngive)++] = (struct refine_end){far, v};
		if (refine->can_take[v] && farthest - far + most > 0)
			refine->take[(*ntake)++] = (struct refine_end){far, v};
	}
}

/*
 * Ends in order, sorted only as far as they are asked for: a heap in front, and behind it what
 * has been taken from its top, the first at the very end.
 */
struct pile {
	struct refine_end *end;
	int n, left; /* in all; in the heap */
	int sign;    /* 1: the least far first; -1: the most */
};

static bool before(const struct pile *pile, const struct refine_end *x, const struct refine_end *y)
{
	return pile->sign > 0 ? x->far < y->far : x->far > y->far;
}

/* Put one into the heap of `left` in the place of number i, and down to where it belongs. */
static void sift(struct pile *pile, int i, struct refine_end moving)
{
	struct refine_end *end = pile->end;

	for (int child; (child = 2 * i + 1) < pile->left; i = child) {
		child += child + 1 < pile->left && before(pile, &end[child + 1], &end[child]);
		if (!before(pile, &end[child], &moving))
			break;
		end[i] = end[child];
	}
	end[i] = moving;
}

static struct pile make_pile(struct refine_end *end, int n, int sign)
{
	struct pile pile = {end, n, n, sign};

	for (int i = n / 2; i-- > 0;)
		sift(&pile, i, end[i]);
	return pile;
}

/* Number i in order, NULL past the last. */
static const struct refine_end *nth(struct pile *pile, int i)
{
	if (i >= pile->n)
		return NULL;
	while (pile->n - pile->left <= i) {
		struct refine_end first = pile->end[0], last = pile->end[--pile->left];

		if (pile->left)
			sift(pile, 0, last);
		pile->end[pile->left] = first;
	}
	return &pile->end[pile->n - 1 - i];
}

static struct swap best_swap(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required)
{
	struct swap best = {0, -1, -1};
	int64_t most = across(refine->mesh);
	const struct refine_end *give, *take;
	struct pile gives, takes;
	int ngive, ntake;

	list_ends(refine, &ngive, &ntake);
	gives = make_pile(refine->give, ngive, -1);
	takes = make_pile(refine->take, ntake, 1);
	/* The farthest goes for the nearest: later pairs gain less but for their own hops. */
	for (int i = 0; ntake && (give = nth(&gives, i)); i++) {
		if (give->far - nth(&takes, 0)->far + most < best.gain)
			break;
		for (int j = 0; (take = nth(&takes, j)) && give->far - take->far + most >= best.gain; j++) {
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
	refine->room -= mesh_hops(refine->mesh, from, to);
}

bool refine_run(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required, int *node, int count, int64_t *total,
	bool (*late)(void *data), void *data)
{
	bool stopped = false;

	load(refine, state, required, node, count);
	refine->room = -1;
	for (;;) {
		struct swap swap;

		if (refine->room < 0)
			find_active(refine, count);
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
