/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/cubes_rooms.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/box.h"
#include "sim/need.h"

enum { MOST_SPANS = 3 }; /* of a side: in the first cube, between, and in the last */

struct rooms_part {
	int volume, times;
	int mask; /* which */
};

/* --- memory ------------------------------------------------------------------------------- */

/* The vertices of a cube whose coordinate is below k. */
static uint64_t *slab(const struct rooms *r, int d, int k)
{
	for (int i = 0; i < d; i++)
		k += r->side[i] + 1;
	return r->below + (size_t)k * (size_t)r->words;
}

static void fill_slabs(struct rooms *r)
{
	int at[MESH_MAX_DIMS] = {0}, i = 0;

	do {
		for (int d = 0; d < r->ndims; d++)
			for (int k = at[d] + 1; k <= r->side[d]; k++)
				slab(r, d, k)[i / 64] |= UINT64_C(1) << i % 64;
		i++;
	} while (box_next(r->ndims, r->side, at));
}

void rooms_init(struct rooms *r, const struct mesh *mesh, const int *side, struct arena *arena)
{
	int slabs = 0, parts = 1;

	r->mesh = mesh;
	r->ndims = mesh->ndims;
	r->volume = 1;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		r->side[d] = 1;
	for (int d = 0; d < r->ndims; d++) {
		r->volume *= r->side[d] = side[d];
		slabs += side[d] + 1;
		parts *= MOST_SPANS;
	}
	r->count = mesh->nvertices / r->volume;
	r->words = nodeset_words(r->volume);
	need_array(arena, r->vertex, mesh->nvertices);
	need_array(arena, r->free, r->count * r->words);
	need_array(arena, r->nfree, r->count);
	need_array(arena, r->order, r->count);
	need_array(arena, r->taken, r->count);
	need_array(arena, r->below, slabs * r->words);
	need_array(arena, r->part, parts);
	need_array(arena, r->mask, parts * r->words);
	fill_slabs(r);
}

/* --- what is free ------------------------------------------------------------------------- */

static void load_cube(struct rooms *r, int cube, const struct nodeset *set)
{
	uint64_t *word = r->free + (size_t)cube * (size_t)r->words;

	memset(word, 0, (size_t)r->words * sizeof(*word));
	r->nfree[cube] = 0;
	for (int i = 0; i < r->volume; i++)
		if (box_vertex_is_in(r->mesh, r->vertex[cube * r->volume + i], set)) {
			word[i / 64] |= UINT64_C(1) << i % 64;
			r->nfree[cube]++;
		}
}

/* Order cubes by free vertices; cubes with equally many stay in their order. */
void rooms_load(struct rooms *r, const struct nodeset *set)
{
	int at;

	for (int c = 0; c < r->count; c++) {
		load_cube(r, c, set);
		for (at = c; at && r->nfree[r->order[at - 1]] > r->nfree[c]; at--)
			r->order[at] = r->order[at - 1];
		r->order[at] = c;
	}
}

/* --- a box in parts ----------------------------------------------------------------------- */

struct span {
	int low, side, times;
};

/* Cut a side that begins at `at` of a cube's side. Returns how many kinds of spans. */
static int cut(int side, int cube, int at, struct span *span)
{
	int n = 0, first = at + side < cube ? side : at ? cube - at : 0;

	if (first)
		span[n++] = (struct span){at, first, 1};
	side -= first;
	if (side >= cube)
		span[n++] = (struct span){0, cube, side / cube};
	if (side % cube)
		span[n++] = (struct span){0, side % cube, 1};
	return n;
}

/* Add the part of these spans, ordered by volume. */
static void add_part(struct rooms *r, struct span (*span)[MOST_SPANS], const int *which)
{
	struct rooms_part part = {.volume = 1, .times = 1, .mask = r->nparts};
	uint64_t *mask = r->mask + (size_t)part.mask * (size_t)r->words;
	int at = r->nparts++;

	memset(mask, -1, (size_t)r->words * sizeof(*mask));
	for (int d = 0; d < r->ndims; d++) {
		const struct span *s = &span[d][which[d]];
		const uint64_t *low = slab(r, d, s->low), *high = slab(r, d, s->low + s->side);

		part.volume *= s->side;
		part.times *= s->times;
		for (int w = 0; w < r->words; w++)
			mask[w] &= high[w] & ~low[w];
	}
	for (; at && r->part[at - 1].volume < part.volume; at--)
		r->part[at] = r->part[at - 1];
	r->part[at] = part;
}

static void make_parts(struct rooms *r, const struct rooms_box *box, const int *at)
{
	struct span span[MESH_MAX_DIMS][MOST_SPANS];
	int which[MESH_MAX_DIMS] = {0}, nspans[MESH_MAX_DIMS];

	for (int d = 0; d < r->ndims; d++)
		nspans[d] = cut(box->side[d], r->side[d], at[d], span[d]);
	r->nparts = 0;
	do {
		add_part(r, span, which);
	} while (box_next(r->ndims, nspans, which));
}

static bool has_free(const struct rooms *r, int cube, int mask)
{
	const uint64_t *want = r->mask + (size_t)mask * (size_t)r->words;
	const uint64_t *have = r->free + (size_t)cube * (size_t)r->words;

	for (int w = 0; w < r->words; w++)
		if (want[w] & ~have[w])
			return false;
	return true;
}

/* Find cubes for one part. Returns how many of them were wholly free; or -1. */
static int lay_part(struct rooms *r, int p)
{
	const struct rooms_part *part = &r->part[p];
	int left = part->times, opened = 0;

	for (int i = 0; i < r->count && left; i++) {
		int cube = r->order[i];

		if (r->taken[cube] || r->nfree[cube] < part->volume ||
			!has_free(r, cube, part->mask))
			continue;
		r->taken[cube] = p + 1;
		opened += r->nfree[cube] == r->volume;
		left--;
	}
	return left ? -1 : opened;
}

static int lay(struct rooms *r, const struct rooms_box *box, const int *at)
{
	int opened = 0;

	make_parts(r, box, at);
	memset(r->taken, 0, (size_t)r->count * sizeof(*r->taken));
	for (int p = 0; p < r->nparts; p++) {
		int more = lay_part(r, p);

		if (more < 0)
			return -1;
		opened += more;
	}
	return opened;
}

int rooms_best(struct rooms *r, const struct rooms_box *box, int *best_at)
{
	int at[MESH_MAX_DIMS] = {0}, places[MESH_MAX_DIMS], least = -1;

	for (int d = 0; d < r->ndims; d++) {
		int over = box->side[d] % r->side[d];

		places[d] = over ? r->side[d] - over + 1 : 1;
	}
	do {
		int opened = lay(r, box, at);

		if (opened < 0 || (least >= 0 && opened >= least))
			continue;
		least = opened;
		memcpy(best_at, at, sizeof(at));
	} while (least && box_next(r->ndims, places, at));
	return least;
}

void rooms_take(struct rooms *r, const struct rooms_box *box, const int *at,
	struct mesh_answer *answer)
{
	const struct mesh *mesh = r->mesh;

	lay(r, box, at);
	answer->count = 0;
	for (int cube = 0; cube < r->count; cube++) {
		const uint64_t *mask = r->taken[cube]
			? r->mask + (size_t)r->part[r->taken[cube] - 1].mask * (size_t)r->words
			: NULL;

		for (int i = 0; mask && i < r->volume; i++) {
			int v = r->vertex[cube * r->volume + i];

			if (mask[i / 64] >> i % 64 & 1)
				for (int k = mesh->first[v]; k < mesh->first[v + 1]; k++)
					answer->node[answer->count++] = mesh->node_at[k];
		}
	}
}
