/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Buddies: V. Lo et al., "Noncontiguous processor allocation algorithms for mesh-connected
 * multicomputers" (1997), section 4.3 (MBS), for any sides and dimensions.
 *
 * The machine is cut into cells with powers of two as sides (10 = 8 + 2), and each cell into
 * blocks. In gmbs a block is half of the next larger one, and the dimensions are halved in turn.
 * In mbs a block is a square or cube, a quarter or an eighth of the next larger one. A request for
 * k nodes is split into as few blocks as possible. The largest come first. If no block of a size
 * is free, the smallest larger one is split; if there is none, several smaller blocks take its
 * place.
 *
 * Free buddies always are one block. So the blocks follow from the set of free nodes, and nothing
 * has to be remembered. Nodes get ranks such that every block is an aligned run of 2^e ranks (the
 * cells one after another, the largest first, each in the order of its halvings). The bitmap of
 * the blocks of one size then follows from that of the next smaller size by shift and AND.
 *
 * On a cabled machine the cells are pieces of each pod along the machine's order
 * (graph/graphorder.h).
 *
 * Of several blocks of a size the first by rank is taken. Nodes on one vertex are one more
 * dimension, the first. Required nodes come before all else: the largest blocks around them that
 * leave enough nodes for the others.
 *
 * O(n/64 + k + changes) for one decision.
 */
#include "ask/strategy.h"

#include <stdlib.h>

#include "geometry/curve.h"
#include "graph/linkgraph.h"
#include "pack/ranked.h"

enum {
	AXES = MESH_MAX_DIMS + 1, /* the first axis: nodes on a vertex */
	EXPONENTS = 32,
	MAX_RANKS = 1 << 26,
	WORD_BITS = 6,
};

struct preset {
	bool cubes;
};

/* A box with powers of two as sides. */
struct cell {
	int start[AXES], log[AXES];
	int exponent; /* of the whole cell */
	int first;    /* the cell's first rank */
};

/* The blocks of 2^exponent ranks: bit (rank >> shift) stands for the block that begins at rank. */
struct level {
	struct nodeset legal; /* where such blocks may be */
	struct nodeset free;
	int shift;
	bool used;
	int low; /* no free block begins before this rank */
};

struct scratch {
	struct cell *cell;
	int ncells;
	int *order; /* of the vertices of a cabled mesh: cells are pieces of it; else NULL */
	struct ranked ranked;
	struct level level[EXPONENTS];
	int nlevels;
	struct nodeset runs; /* of the level in progress, whether they are blocks or not */
	struct nodeset need; /* ranks of required nodes that are not covered yet */
};

static bool is_free(const struct level *level, int e, int rank)
{
	return nodeset_has(&level->free, (rank >> e << e) >> level->shift);
}

static int count_range(const struct nodeset *set, int from, int count)
{
	int n = 0;

	for (int w = from >> 6; w <= (from + count - 1) >> 6; w++)
		n += __builtin_popcountll(set->word[w] & nodeset_range(from, count, w));
	return n;
}

/* ---- the cells ---- */

static int axis_side(const struct mesh *mesh, int axis)
{
	return axis ? mesh->side[axis - 1] : mesh->nodes_per_vertex;
}

/* Cut a side into pieces, the largest first: one for each bit that is set. */
static int pieces(int side, int *start, int *log)
{
	int n = 0, at = 0;

	for (int bit = 30; bit >= 0; bit--)
		if (side >> bit & 1) {
			start[n] = at;
			log[n++] = bit;
			at += 1 << bit;
		}
	return n;
}

static int by_size(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->exponent != y->exponent)
		return y->exponent - x->exponent;
	/* the order in which they were made, which qsort() does not keep */
	return x->first - y->first;
}

/* Rank the cells, the largest first, so that each begins at a multiple of its size. */
static void rank_cells(struct scratch *s)
{
	int rank = 0;

	qsort(s->cell, (size_t)s->ncells, sizeof(*s->cell), by_size);
	for (int i = 0; i < s->ncells; i++) {
		s->cell[i].first = rank;
		rank += 1 << s->cell[i].exponent;
	}
}

/* Cut each pod into pieces along the order. */
static int cut_order(const struct mesh *mesh, struct scratch *s, struct arena *arena)
{
	const int *pod = mesh->graph->pod + mesh->graph_first;
	int start[32], log[32], end;

	if (!arena_array(arena, s->order, mesh->nvertices) ||
		curve_fill(mesh, CURVE_HILBERT, s->order))
		return -1;
	for (int from = 0; from < mesh->nvertices; from = end) {
		int n;

		for (end = from + 1; end < mesh->nvertices &&
			pod[s->order[end]] == pod[s->order[from]]; end++)
			;
		n = pieces(end - from, start, log);
		for (int i = 0; i < n; i++) {
			struct cell *cell =
				arena_grow(arena, &s->cell, s->ncells, sizeof(*cell));

			if (!cell)
				return -1;
			cell->first = s->ncells++;
			cell->start[1] = from + start[i];
			cell->log[1] = cell->exponent = log[i];
		}
	}
	rank_cells(s);
	return 0;
}

/* Make a cell of each combination of pieces. */
static int make_cells(const struct mesh *mesh, struct scratch *s, struct arena *arena)
{
	int start[AXES][32], log[AXES][32], count[AXES], total = 1;

	if (mesh->cabled)
		return cut_order(mesh, s, arena);
	for (int axis = 0; axis < AXES; axis++) {
		count[axis] = pieces(axis_side(mesh, axis), start[axis], log[axis]);
		total *= count[axis];
	}
	if (!arena_array(arena, s->cell, total))
		return -1;
	s->ncells = total;
	for (int i = 0; i < total; i++) {
		struct cell *cell = &s->cell[i];

		cell->first = i;
		for (int axis = 0, rest = i; axis < AXES; rest /= count[axis++]) {
			cell->start[axis] = start[axis][rest % count[axis]];
			cell->log[axis] = log[axis][rest % count[axis]];
			cell->exponent += cell->log[axis];
		}
	}
	rank_cells(s);
	return 0;
}

/* Set axis_of[] to the axis that each bit of a rank in the cell doubles. */
static void doublings(const struct cell *cell, int *axis_of)
{
	int n = 0;

	while (n < cell->log[0])
		axis_of[n++] = 0;
	for (int bit = 0; n < cell->exponent; bit++)
		for (int axis = 1; axis < AXES; axis++)
			if (bit < cell->log[axis])
				axis_of[n++] = axis;
}

/* Give the nodes of a cell their ranks. */
static void rank_cell(const struct mesh *mesh, struct scratch *s, const struct cell *cell)
{
	int axis_of[EXPONENTS];

	doublings(cell, axis_of);
	for (int i = 0; i < 1 << cell->exponent; i++) {
		int at[AXES] = {0}, bit[AXES] = {0}, v;

		for (int j = 0; j < cell->exponent; j++)
			at[axis_of[j]] |= (i >> j & 1) << bit[axis_of[j]]++;
		for (int axis = 0; axis < AXES; axis++)
			at[axis] += cell->start[axis];
		v = s->order ? s->order[at[1]] : mesh_vertex(mesh, at + 1);
		if (at[0] < mesh_nodes_on(mesh, v))
			ranked_put(&s->ranked, cell->first + i,
				mesh->node_at[mesh->first[v] + at[0]]);
	}
}

/* Are the blocks of 2^e nodes of this cell squares or cubes (or nodes of one vertex)? */
static bool is_cube(const struct mesh *mesh, const struct cell *cell, int e)
{
	int wide = 0, least = EXPONENTS;

	if (e <= cell->log[0])
		return true;
	for (int axis = 1; axis < AXES; axis++)
		if (axis_side(mesh, axis) > 1) {
			wide++;
			least = cell->log[axis] < least ? cell->log[axis] : least;
		}
	e -= cell->log[0];
	return e % wide == 0 && e / wide <= least;
}

static void mark_legal(const struct mesh *mesh, struct scratch *s, bool cubes)
{
	for (int i = 0; i < s->ncells; i++)
		for (int e = 0; e <= s->cell[i].exponent; e++) {
			struct level *level = &s->level[e];

			if (cubes && !is_cube(mesh, &s->cell[i], e))
				continue;
			level->used = true;
			for (int at = 0; at < 1 << s->cell[i].exponent; at += 1 << e)
				nodeset_add(&level->legal, (s->cell[i].first + at) >> level->shift);
		}
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct scratch *s = strategy->scratch = arena_get(arena, 1, sizeof(*s));
	int64_t ranks = (int64_t)mesh->nvertices * mesh->nodes_per_vertex;

	if (ranks > MAX_RANKS)
		return err_printf(err, "%s: %d vertices of up to %d nodes are too many",
			strategy->ops->name, mesh->nvertices, mesh->nodes_per_vertex);
	if (!s || make_cells(mesh, s, arena) || ranked_init(&s->ranked, mesh, (int)ranks, arena))
		return err_printf(err, "out of memory");
	nodeset_get(&s->runs, (int)ranks, arena);
	nodeset_get(&s->need, (int)ranks, arena);
	s->nlevels = s->cell[0].exponent + 1;
	for (int e = 0; e < s->nlevels; e++) {
		int shift = e / WORD_BITS * WORD_BITS, n = (((int)ranks - 1) >> shift) + 1;

		s->level[e].shift = shift;
		nodeset_get(&s->level[e].legal, n, arena);
		nodeset_get(&s->level[e].free, n, arena);
	}
	if (arena->out)
		return -1;
	for (int i = 0; i < s->ncells; i++)
		rank_cell(mesh, s, &s->cell[i]);
	mark_legal(mesh, s, preset->cubes && !mesh->cabled);
	return 0;
}

/* ---- one decision ---- */

/* From runs of 32 to runs of whole words: one bit for each word, set if all of it is free. */
static void next_shift(struct nodeset *runs, int words)
{
	for (int w = 0; w < words; w++) {
		uint64_t bit = runs->word[w] & runs->word[w] >> 32 & 1;

		if (w % 64 == 0)
			runs->word[w / 64] = 0;
		runs->word[w / 64] |= bit << (w % 64);
	}
}

/* Find the free blocks of all sizes. */
static void find_blocks(struct scratch *s)
{
	int words = nodeset_words(s->ranked.nranks);

	nodeset_copy(&s->runs, &s->ranked.free);
	for (int e = 0; e < s->nlevels; e++) {
		struct level *level = &s->level[e];

		level->low = 0;
		for (int w = 0; level->used && w < words; w++)
			level->free.word[w] = s->runs.word[w] & level->legal.word[w];
		if (e % WORD_BITS == WORD_BITS - 1) {
			next_shift(&s->runs, words);
			words = (words + 63) / 64;
			continue;
		}
		for (int w = 0; w < words; w++)
			s->runs.word[w] &= s->runs.word[w] >> (1 << e % WORD_BITS);
	}
}

/*
 * The rank of the first free block of 2^e that is not part of a larger one and can be split into
 * blocks of 2^part; or -1.
 */
static int first_block(struct scratch *s, int e, int part)
{
	struct level *level = &s->level[e];
	const struct level *parts = &s->level[part];
	int at = level->low >> level->shift;
	bool passed = false;

	if (!level->used)
		return -1;
	while ((at = nodeset_next(&level->free, at)) >= 0) {
		int rank = at << level->shift, up = s->nlevels - 1;

		while (up > e && !(s->level[up].used && is_free(&s->level[up], up, rank)))
			up--;
		if (up == e) {
			if (!passed)
				level->low = rank;
			if (nodeset_has(&parts->legal, rank >> parts->shift))
				return rank;
			passed = true;
		}
		rank = ((rank >> up) + 1) << up;
		if (rank >= s->ranked.nranks)
			break;
		at = rank >> level->shift;
	}
	if (!passed)
		level->low = (level->free.n - 1) << level->shift;
	return -1;
}

/* Split a block larger than 2^e, which is then no block any more. False: there is none. */
static bool split_larger(struct scratch *s, int e)
{
	for (int up = e + 1; up < s->nlevels; up++) {
		int rank = first_block(s, up, e);

		if (rank < 0)
			continue;
		nodeset_del(&s->level[up].free, rank >> s->level[up].shift);
		for (int i = 0; i < up; i++)
			s->level[i].low = rank < s->level[i].low ? rank : s->level[i].low;
		return true;
	}
	return false;
}

/* Take a block: it is free no more, nor is any block that it is part of or made of. */
static void take(struct scratch *s, int e, int rank, struct mesh_answer *answer)
{
	for (int i = 0; i < s->nlevels; i++) {
		struct level *level = &s->level[i];
		int first = (rank >> i << i) >> level->shift;

		if (!level->used)
			continue;
		if (i >= e)
			nodeset_del(&level->free, first);
		else
			nodeset_del_range(&level->free, first, 1 << (e - level->shift));
	}
	for (int i = rank; i < rank + (1 << e); i++)
		answer->node[answer->count++] = s->ranked.node[i];
	answer->cost++;
}

/* Take the largest block around each required node that leaves enough nodes for the others. */
static int cover_required(struct scratch *s, const struct nodeset *required, int count,
	struct mesh_answer *answer)
{
	int uncovered = 0;

	nodeset_clear_all(&s->need);
	nodeset_each(i, required) {
		nodeset_add(&s->need, s->ranked.rank[i]);
		uncovered++;
	}
	for (int rank = 0; (rank = nodeset_next(&s->need, rank)) >= 0;)
		for (int e = s->nlevels - 1; e >= 0; e--) {
			int first = rank >> e << e, size = 1 << e, inside;

			if (!s->level[e].used || size > count || !is_free(&s->level[e], e, rank))
				continue;
			inside = count_range(&s->need, first, size);
			if (count - size < uncovered - inside)
				continue;
			take(s, e, first, answer);
			nodeset_del_range(&s->need, first, size);
			count -= size;
			uncovered -= inside;
			break;
		}
	return count;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct scratch *s = strategy->scratch;
	int left = request->count;

	ranked_read(&s->ranked, state->free);
	find_blocks(s);
	if (request->required)
		left = cover_required(s, request->required, left, answer);
	for (int e = s->nlevels - 1; e >= 0; e--) {
		/* A larger block that was not free is replaced by several of these. */
		while (s->level[e].used && left >> e) {
			int rank = first_block(s, e, e);

			if (rank >= 0) {
				take(s, e, rank, answer);
				left -= 1 << e;
			} else if (!split_larger(s, e))
				break;
		}
	}
	return MESH_OK;
}

#define SOURCE "Lo et al. 1997"
#define TIME "O(n/64 + k + nodes changed)"

const struct strategy_ops strategy_buddy_family[] = {
	{
		.name = "mbs",
		.summary = "Multiple Buddy: squares or cubes of powers of two",
		.source = SOURCE,
		.time = TIME,
		.preset = &(const struct preset){.cubes = true},
		.init = init,
		.decide = decide,
	},
	{
		.name = "gmbs",
		.summary = "granular Multiple Buddy: blocks doubled one dimension at a time",
		.source = SOURCE,
		.time = TIME,
		.preset = &(const struct preset){.cubes = false},
		.init = init,
		.decide = decide,
	},
	{0},
};
