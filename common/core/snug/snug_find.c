/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_find.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

#ifndef SNUG_LEFT
#define SNUG_LEFT 0.5 /* links exposed per node that is trimmed off a box, in estimates */
#endif

/*
 * Later chains only have boxes of up to this many times the largest of the best boxes so far. What
 * is left out is rarely among the best (doc/lab/costs.md).
 */
static const double LARGER = 1.4;

enum { FEW = 12 }; /* bases that take less time one by one than a block */

int snug_find_init(
	struct snug_find *find, const struct snug_trial *trial, struct arena *arena)
{
	const struct mesh *mesh = trial->mesh;

	*find = (struct snug_find){.trial = trial};
	for (int d = 0; d < mesh->ndims; d++) {
		arena_array(arena, find->allowed[d], mesh->side[d]);
		nodeset_get(&find->needs[d], mesh->side[d], arena);
	}
	return snug_sweep_init(&find->sweep, mesh, arena);
}

void snug_find_pinned(struct snug_find *find, const struct nodeset *required)
{
	const struct mesh *mesh = find->trial->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		nodeset_clear_all(&find->needs[d]);
	if (!required)
		return;
	nodeset_each(i, required)
		for (int d = 0; d < mesh->ndims; d++)
			nodeset_add(&find->needs[d], mesh->coord[mesh->vertex_of[i]][d]);
}

void snug_find_load(struct snug_find *find, const int *reach, struct mesh_budget *budget)
{
	find->sweep.budget = budget;
	snug_sweep_load(&find->sweep, find->trial->nfree, find->trial->weight, reach);
}

void snug_find_begin(struct snug_find *find, int limit)
{
	find->count = 0;
	find->limit = limit;
}

/*
 * Mark the bases along each dimension from which a box of these sides holds all pinned
 * coordinates.
 */
static void allow_bases(struct snug_find *find, const int *side)
{
	const struct mesh *mesh = find->trial->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		for (int base = 0; base < mesh->side[d]; base++) {
			find->allowed[d][base] = 1;
			nodeset_each(c, &find->needs[d])
				if ((c - base + mesh->side[d]) % mesh->side[d] >= side[d])
					find->allowed[d][base] = 0;
		}
}

/* --- the best boxes --------------------------------------------------------------------- */

static bool same_box(
	const struct snug_candidate *c, const int *base, const struct snug_level *level)
{
	return !memcmp(c->base, base, sizeof(c->base)) &&
		!memcmp(c->level->side, level->side, sizeof(level->side));
}

/* Keep a candidate if it is among the best; the worst leaves a full list. */
static void keep_candidate(struct snug_find *find, double score, const int *base,
	const struct snug_level *level)
{
	int at = find->count;

	while (at > 0 && find->list[at - 1].score > score)
		at--;
	/* Equal boxes have equal scores. */
	for (int i = at; i > 0 && find->list[i - 1].score >= score; i--)
		if (same_box(&find->list[i - 1], base, level))
			return;
	find->count += find->count < find->limit;
	memmove(&find->list[at + 1], &find->list[at],
		(size_t)(find->count - 1 - at) * sizeof(find->list[0]));
	find->list[at] = (struct snug_candidate){.score = score, .level = level};
	memcpy(find->list[at].base, base, sizeof(find->list[at].base));
}

/* The parts of an estimate, for one level. */
struct estimate {
	float want, hops, trimmed, face, left;
};

static float score_of(const struct estimate *e, float nodes, float weight)
{
	return e->hops * (1 - e->trimmed * (1 - e->want / nodes)) + e->face * weight +
		e->left * (nodes - e->want);
}

struct finder {
	struct snug_find *find;
	const struct snug_level *level;
	struct estimate estimate;
	float limit; /* only boxes with a lower score are of use */
};

/* List the marked ones of n. mark[] continues with zeros to a multiple of 8. */
static int list_marks(const uint8_t *mark, int n, int16_t *list)
{
	int marks = 0;

	for (int at = 0; at < n; at += 8) {
		uint64_t any;

		memcpy(&any, mark + at, sizeof(any));
		if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
			any = __builtin_bswap64(any);
		for (; any; any &= any - 1)
			list[marks++] = (int16_t)(at + __builtin_ctzll(any) / 8);
	}
	return marks;
}

static bool pinned_fit(const struct finder *f, const int *base)
{
	for (int d = 0; f->find->trial->npinned && d < f->find->trial->mesh->ndims; d++)
		if (!f->find->allowed[d][base[d]])
			return false;
	return true;
}

/* The score of the worst candidate that would still be kept. */
static double score_limit(const struct snug_find *find)
{
	return find->count < find->limit ? HUGE_VAL : find->list[find->limit - 1].score;
}

static void take_base(struct finder *f, int64_t number, double score)
{
	int base[MESH_MAX_DIMS] = {0};
	struct snug_find *find = f->find;

	if (!find->trial->npinned && score >= score_limit(find))
		return;
	snug_sweep_base(&find->sweep, number, base);
	if (!pinned_fit(f, base))
		snug_sweep_reopen(&find->sweep, number); /* a larger box may do */
	else if (score < score_limit(find))
		keep_candidate(find, score, base, f->level);
}

/* How many bases from `at` on are looked at together. */
static int block_size(const struct snug_bases *bases, int at)
{
	return bases->n - at < SNUG_BLOCK ? bases->n - at : SNUG_BLOCK;
}

/* Of a block with these weights on faces, keep those marks whose score is below the limit. */
MESH_VECTORISE static void mark_better(const struct finder *f, const struct snug_bases *bases,
	int at, const uint32_t *restrict weight, uint8_t *restrict mark)
{
	const struct estimate e = f->estimate;
	float limit = f->limit;
	int32_t nodes[SNUG_BLOCK];
	int n = block_size(bases, at);

	for (int i = 0; i < n; i++)
		nodes[i] = snug_bases_count(bases, at + i);
	for (int i = 0; i < n; i++)
		mark[i] &= score_of(&e, (float)nodes[i], (float)(int32_t)weight[i]) < limit;
}

/* Look at a block. Where many are marked, faces and scores are computed in vectors. */
static void take_block(struct finder *f, const struct snug_bases *bases, int at)
{
	struct snug_sweep *sweep = &f->find->sweep;
	int64_t first = bases->first + at;
	uint32_t weight[SNUG_BLOCK];
	int16_t list[SNUG_BLOCK + 1];
	uint8_t mark[SNUG_BLOCK + 8];
	int n = block_size(bases, at), marked, marks;

	marked = snug_bases_mark(bases, at, n, f->find->trial->count, mark);
	if (!marked)
		return;
	if (marked > FEW) {
		f->limit = f->find->trial->npinned ? HUGE_VALF : (float)score_limit(f->find);
		snug_sweep_faces(sweep, first, n, weight);
		mark_better(f, bases, at, weight, mark);
	}
	memset(mark + n, 0, 8);
	marks = list_marks(mark, n, list);
	for (int m = 0; m < marks; m++) {
		int i = list[m];
		uint32_t faces = marked > FEW ? weight[i] : snug_sweep_face(sweep, first + i);

		take_base(f, first + i, score_of(&f->estimate,
			(float)snug_bases_count(bases, at + i), (float)faces));
	}
}

static void take_bases(void *data, struct snug_bases *bases)
{
	for (int at = 0; at < bases->n; at += SNUG_BLOCK)
		take_block(data, bases, at);
}

/*
 * Look through level l of the open chain; levels up to `last` may follow. False: it was the last.
 */
static bool sweep_level(struct snug_find *find, int l, int last)
{
	const struct snug_level *level = &find->sweep.chain->level[l];
	struct finder f = {.find = find, .level = level};
	struct snug_search search = {.want = (uint32_t)find->trial->count, .last = last};

	f.estimate.want = (float)find->trial->count;
	f.estimate.hops = (float)(find->trial->hop_weight * level->hops);
	f.estimate.trimmed = 1.0f / (float)find->trial->mesh->ndims;
	f.estimate.face = (float)find->trial->exposure_weight;
	f.estimate.left = (float)(find->trial->exposure_weight * SNUG_LEFT);
	if (find->trial->npinned)
		allow_bases(find, level->side);
	snug_sweep_level(&find->sweep, l);
	return snug_sweep_each(&find->sweep, &search, take_bases, &f);
}

/*
 * The least score of a box of level l. One level before the box had less than k nodes, so less is
 * trimmed than was added.
 */
static double least_score(const struct snug_find *find,
	const struct snug_chain *chain, int l)
{
	double k = find->trial->count, per_vertex = find->trial->mesh->nodes_per_vertex;
	double added = l ? chain->level[l].volume - chain->level[l - 1].volume : 0;
	double spare = l ? added * per_vertex : chain->level[l].volume * per_vertex - k;

	return find->trial->hop_weight * chain->level[l].hops *
		(1 - (1 - k / (k + spare)) / find->trial->mesh->ndims);
}

/* The volume of the largest boxes worth a look; no limit while the list is not full. */
static double largest_volume(const struct snug_find *find)
{
	double volume = 0;

	for (int i = 0; i < find->count; i++)
		volume = fmax(volume, find->list[i].level->volume);
	return find->count < find->limit ? HUGE_VAL : LARGER * volume;
}

void snug_find_chain(struct snug_find *find, const struct snug_chain *chain)
{
	double largest = largest_volume(find);
	bool more = true;
	int last = -1;

	while (last + 1 < chain->nlevels && chain->level[last + 1].volume <= largest &&
		least_score(find, chain, last + 1) < score_limit(find))
		last++;
	if (last < 0)
		return;
	snug_sweep_open(&find->sweep, chain);
	for (int l = 0; more && l <= last && least_score(find, chain, l) < score_limit(find); l++)
		more = sweep_level(find, l, last);
}
