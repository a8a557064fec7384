/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Earlier contiguous strategies for meshes, for comparison: they are what the later papers
 * measure themselves against. In any number of dimensions; boxes of theirs never go round a
 * ring. Turned unless the request says norotate (which the first two did not do).
 *
 * 2d-buddy: K. Li and K. H. Cheng 1991. Aligned blocks of side 2^p. The job gets its box in
 * the block's corner; the rest of the block stays free, so that there is no internal
 * fragmentation as in the paper, but blocks that are not wholly free are passed over. O(n/64).
 * frame-slide: P.-J. Chuang and N.-F. Tzeng 1991. Frames side by side from the first free
 * vertex on. O(n/64).
 * adaptive-scan: J. Ding and L. N. Bhuyan 1993. Row by row along the mesh, over what a busy
 * box prohibits in one step. O(m n / side).
 * fsl: free sub-list, G. Kim and H. Yoon 1998. Of the corners of all maximal free boxes the
 * one after which the largest free boxes stay largest. O(f^2) for f maximal free boxes.
 */
#include <string.h>

#include "boxes/busyscratch.h"

/* More maximal free boxes than this: too fragmented, first fit instead. */
#define MAX_FREE 512
/* So many of the largest free boxes are compared. */
#define RANKS 8

struct scratch {
	struct busyscratch busy;
	struct mesh_box free[MAX_FREE];
	int frees;
	bool full;
};

static int init(struct contiguous *c)
{
	return busyscratch_init(c, sizeof(struct scratch));
}

/* The last coordinate a box may begin at without going round. */
static int last_base(const struct contiguous *c, const int *side, int d)
{
	return c->mesh->side[d] - side[d];
}

/*
 * The first base of c->bits.base among the coordinates begin[d], begin[d]+step[d], ... for a
 * box of these sides, lowest vertex first.
 */
static bool first_on_grid(const struct contiguous *c, const int *side, const int *begin,
	const int *step, int *at)
{
	int ndims = c->mesh->ndims, d;

	memcpy(at, begin, (size_t)ndims * sizeof(*at));
	for (d = 0; d < ndims; d++)
		if (begin[d] > last_base(c, side, d))
			return false;
	do {
		if (bitbox_is_base(&c->bits, bitbox_bit(&c->bits, at)))
			return true;
		for (d = 0; d < ndims && (at[d] += step[d]) > last_base(c, side, d); d++)
			at[d] = begin[d];
	} while (d < ndims);
	return false;
}

/* ---- 2-D buddy ---- */

static bool buddy_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	for (int i = 0; i < rows; i++) {
		int block[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
		int origin[MESH_MAX_DIMS] = {0}, at[MESH_MAX_DIMS], power = 1;

		for (int d = 0; d < c->mesh->ndims; d++)
			while (power < row[i].side[d])
				power *= 2;
		for (int d = 0; d < c->mesh->ndims; d++)
			block[d] = power < c->mesh->side[d] ? power : c->mesh->side[d];
		bitbox_bases(&c->bits, block);
		if (first_on_grid(c, block, origin, block, at)) {
			*box = box_at(c->mesh->ndims, at, row[i].side);
			return true;
		}
	}
	return false;
}

/* ---- frame slide ---- */

static int first_free(const struct bitbox *bits)
{
	const struct nodeset set = {bits->words * 64, bits->free};

	return nodeset_next(&set, 0);
}

static bool slide_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	int origin[MESH_MAX_DIMS], begin[MESH_MAX_DIMS], at[MESH_MAX_DIMS];
	int first = first_free(&c->bits);

	if (first < 0)
		return false;
	bitbox_coord(&c->bits, first, origin);
	for (int i = 0; i < rows; i++) {
		for (int d = 0; d < c->mesh->ndims; d++)
			begin[d] = origin[d] % row[i].side[d];
		bitbox_bases(&c->bits, row[i].side);
		if (first_on_grid(c, row[i].side, begin, row[i].side, at)) {
			*box = box_at(c->mesh->ndims, at, row[i].side);
			return true;
		}
	}
	return false;
}

/* ---- adaptive scan ---- */

static bool scan(struct contiguous *c, const struct prohibited *p, const int *side,
	int *at)
{
	int ndims = c->mesh->ndims, d;

	memset(at, 0, MESH_MAX_DIMS * sizeof(*at));
	do {
		for (at[0] = 0; at[0] <= last_base(c, side, 0);) {
			int region = prohibited_at(p, at);

			if (region < 0)
				return true;
			at[0] = box_end(&p->region[region], 0);
		}
		for (d = 1; d < ndims && ++at[d] > last_base(c, side, d); d++)
			at[d] = 0;
	} while (d < ndims);
	return false;
}

static bool scan_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct scratch *s = c->own;

	for (int i = 0; i < rows; i++) {
		int at[MESH_MAX_DIMS];

		if (s->busy.list.full || !prohibited_make(&s->busy.prohibited, row[i].side))
			return contiguous_first(c, row, rows, box);
		if (!scan(c, &s->busy.prohibited, row[i].side, at))
			continue;
		*box = box_at(c->mesh->ndims, at, row[i].side);
		return true;
	}
	return false;
}

/* ---- free sub-list ---- */

/* The maximal boxes of a free box without a busy one, into slice[2*ndims]; how many. */
static int slices(int ndims, const struct mesh_box *box, const struct mesh_box *busy,
	struct mesh_box *slice)
{
	int n = 0;

	for (int d = 0; d < ndims; d++) {
		if (busy->base[d] > box->base[d]) {
			slice[n] = *box;
			box_set_end(&slice[n++], d, busy->base[d]);
		}
		if (box_end(busy, d) < box_end(box, d)) {
			slice[n] = *box;
			box_set_base(&slice[n++], d, box_end(busy, d));
		}
	}
	return n;
}

/* Into the list, unless a box of it holds it already; those it holds go. */
static void add_free(struct scratch *s, int ndims, const struct mesh_box *box)
{
	int kept = 0;

	for (int i = 0; i < s->frees; i++)
		if (box_holds(ndims, &s->free[i], box))
			return;
	for (int i = 0; i < s->frees; i++)
		if (!box_holds(ndims, box, &s->free[i]))
			s->free[kept++] = s->free[i];
	s->frees = kept;
	if (s->frees < MAX_FREE)
		s->free[s->frees++] = *box;
	else
		s->full = true;
}

static void take_away(struct scratch *s, int ndims, const struct mesh_box *busy)
{
	struct mesh_box hit[MAX_FREE], slice[2 * MESH_MAX_DIMS];
	int hits = 0, kept = 0;

	for (int i = 0; i < s->frees; i++)
		if (box_meets(ndims, &s->free[i], busy))
			hit[hits++] = s->free[i];
		else
			s->free[kept++] = s->free[i];
	s->frees = kept;
	for (int i = 0; i < hits; i++)
		for (int n = slices(ndims, &hit[i], busy, slice); n--;)
			add_free(s, ndims, &slice[n]);
}

static void load_free(struct contiguous *c, const struct mesh_state *state,
	const struct mesh_request *request)
{
	struct scratch *s = c->own;

	(void)request;
	busylist_load(&s->busy.list, state);
	s->frees = 1;
	s->full = s->busy.list.full;
	s->free[0] = box_of_mesh(c->mesh);
	for (int i = 0; i < s->busy.list.count && !s->full; i++) {
		take_away(s, c->mesh->ndims, &s->busy.list.box[i]);
		/* Half a list would tell of boxes that are not free. */
		s->full |= contiguous_late(c);
	}
}

static void rank(int64_t *ranks, int64_t size)
{
	int at = RANKS - 1;

	if (size <= ranks[at])
		return;
	for (; at && ranks[at - 1] < size; at--)
		ranks[at] = ranks[at - 1];
	ranks[at] = size;
}

/* The largest free boxes after a box is taken. */
static void rank_after(const struct scratch *s, int ndims, const struct mesh_box *taken,
	int64_t *ranks)
{
	struct mesh_box slice[2 * MESH_MAX_DIMS];

	memset(ranks, 0, RANKS * sizeof(*ranks));
	for (int i = 0; i < s->frees; i++) {
		if (!box_meets(ndims, &s->free[i], taken)) {
			rank(ranks, box_volume(ndims, s->free[i].side));
			continue;
		}
		for (int n = slices(ndims, &s->free[i], taken, slice); n--;)
			rank(ranks, box_volume(ndims, slice[n].side));
	}
}

/* Is the first better: larger at the first rank that differs? */
static bool better(const int64_t *a, const int64_t *b)
{
	for (int i = 0; i < RANKS; i++)
		if (a[i] != b[i])
			return a[i] > b[i];
	return false;
}

struct best {
	struct mesh_box box;
	int64_t ranks[RANKS];
	bool found;
};

/* All corners of one free box, if the sides go into it. */
static void try_corners(const struct scratch *s, int ndims, const struct mesh_box *free_box,
	const int *side, struct best *best)
{
	for (int d = 0; d < ndims; d++)
		if (side[d] > free_box->side[d])
			return;
	for (int corner = 0; corner < 1 << ndims; corner++) {
		struct mesh_box box = box_in_corner(ndims, free_box, corner, side);
		int64_t ranks[RANKS];

		rank_after(s, ndims, &box, ranks);
		if (best->found && !better(ranks, best->ranks))
			continue;
		memcpy(best->ranks, ranks, sizeof(ranks));
		best->box = box;
		best->found = true;
	}
}

static bool list_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct scratch *s = c->own;
	struct best best = {.found = false};

	if (s->full)
		return contiguous_first(c, row, rows, box);
	for (int i = 0; i < rows; i++)
		for (int f = 0; f < s->frees && !contiguous_late(c); f++)
			try_corners(s, c->mesh->ndims, &s->free[f], row[i].side, &best);
	if (best.found)
		*box = best.box;
	return best.found;
}

static const struct contiguous_ops buddy = {.find = buddy_find};
static const struct contiguous_ops slide = {.find = slide_find};
static const struct contiguous_ops scanning = {
	.init = init, .release = busyscratch_release, .load = busyscratch_load, .find = scan_find};
static const struct contiguous_ops free_list = {
	.init = init, .release = busyscratch_release, .load = load_free, .find = list_find};

const struct strategy_ops strategy_classic_family[] = {
	{
		.name = "2d-buddy",
		.summary = "contiguous, in an aligned free block of side 2^p",
		.source = "Li and Cheng 1991",
		.time = "O(n/64 log side) a box",
		CONTIGUOUS_STRATEGY(buddy),
	},
	{
		.name = "frame-slide",
		.summary =
			"contiguous, the first free frame side by side from the first free vertex",
		.source = "Chuang and Tzeng 1991",
		.time = "O(n/64 log side) a box",
		CONTIGUOUS_STRATEGY(slide),
	},
	{
		.name = "adaptive-scan",
		.summary = "contiguous first fit, stepping over busy boxes row by row",
		.source = "Ding and Bhuyan 1993",
		.time = "O(m n/side) for m busy boxes, a box",
		CONTIGUOUS_STRATEGY(scanning),
	},
	{
		.name = "fsl",
		.summary = "contiguous best fit that keeps the largest free boxes, by their list",
		.source = "Kim and Yoon 1998",
		.time = "O(f^2) for f maximal free boxes, a box",
		CONTIGUOUS_STRATEGY(free_list),
	},
	{0},
};
