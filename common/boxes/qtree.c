/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/qtree.h"

#include <stdlib.h>
#include <string.h>

int qtree_init(struct qtree *tree, const struct mesh *mesh)
{
	int64_t room = 1 + ((int64_t)mesh->nvertices << mesh->ndims);

	memset(tree, 0, sizeof(*tree));
	tree->ndims = mesh->ndims;
	for (int d = 0; d < mesh->ndims; d++)
		tree->all.high[d] = (int16_t)(mesh->side[d] - 1);
	tree->room = room < QTREE_MAX_NODES ? (int)room : QTREE_MAX_NODES;
	tree->node = malloc((size_t)tree->room * sizeof(*tree->node));
	if (!tree->node)
		return -1;
	qtree_clear(tree);
	return 0;
}

void qtree_release(struct qtree *tree)
{
	free(tree->node);
	tree->node = NULL;
}

void qtree_clear(struct qtree *tree)
{
	tree->node[0] = (struct qtree_node){.box = tree->all, .status = QTREE_FREE};
	tree->count = 1;
	tree->full = false;
}

/* ---- partitioning and taking ---- */

/*
 * Where a node is cut for a box inside it, in each dimension: at the end of the box if it
 * begins with the node, else at its begin; -1: it has the node's whole side.
 */
static void find_cut(int ndims, const struct box_range *node, const struct box_range *box, int *cut)
{
	for (int d = 0; d < ndims; d++) {
		bool first = box->low[d] == node->low[d], last = box->high[d] == node->high[d];

		cut[d] = first && last ? -1 : first ? box->high[d] + 1 : box->low[d];
	}
}

/* Definition 1: 2^d buddies; those of no size are marked so. False: no room. */
static bool part(struct qtree *tree, int at, const struct box_range *box)
{
	struct qtree_node *node = &tree->node[at];
	int buddies = 1 << tree->ndims, cut[MESH_MAX_DIMS];

	if (tree->count + buddies > tree->room) {
		tree->full = true;
		return false;
	}
	find_cut(tree->ndims, &node->box, box, cut);
	node->child = tree->count;
	node->status = QTREE_PARTLY;
	for (int i = 0; i < buddies; i++) {
		struct qtree_node *buddy = &tree->node[tree->count++];

		*buddy = (struct qtree_node){.box = node->box, .status = QTREE_FREE};
		for (int d = 0; d < tree->ndims; d++) {
			if (i >> d & 1 && cut[d] < 0)
				buddy->status = QTREE_NONE;
			else if (i >> d & 1)
				buddy->box.low[d] = (int16_t)cut[d];
			else if (cut[d] >= 0)
				buddy->box.high[d] = (int16_t)(cut[d] - 1);
		}
	}
	return true;
}

/* The buddy that holds the box, or -1. */
static int buddy_with(const struct qtree *tree, const struct qtree_node *node,
	const struct box_range *box)
{
	for (int i = node->child; i < node->child + (1 << tree->ndims); i++)
		if (tree->node[i].status != QTREE_NONE &&
			range_holds(tree->ndims, &tree->node[i].box, box))
			return i;
	return -1;
}

/* A box less another that reaches through it all but along one dimension. False: is no box. */
static bool cut_off(int ndims, const struct box_range *what, struct box_range *box, bool *gone)
{
	struct box_range both;
	int cuts = 0, along = 0;

	*gone = false;
	if (!range_common(ndims, box, what, &both))
		return true;
	for (int d = 0; d < ndims; d++)
		if (both.low[d] != box->low[d] || both.high[d] != box->high[d]) {
			cuts++;
			along = d;
		}
	*gone = !cuts;
	if (!cuts)
		return true;
	if (cuts > 1 || (both.low[along] != box->low[along] && both.high[along] != box->high[along]))
		return false;
	if (both.low[along] == box->low[along])
		box->low[along] = (int16_t)(both.high[along] + 1);
	else
		box->high[along] = (int16_t)(both.low[along] - 1);
	return true;
}

/* Take `what` out of a buddy that is free there: its free boxes shrink. False: not possible. */
static bool shrink(struct qtree *tree, int at, const struct box_range *what, bool for_real)
{
	struct qtree_node *node = &tree->node[at];
	struct box_range left = node->box, both;
	bool gone;

	if (node->status == QTREE_NONE || !range_common(tree->ndims, &node->box, what, &both))
		return true;
	if (node->status == QTREE_PARTLY)
		for (int i = node->child; i < node->child + (1 << tree->ndims); i++)
			if (!shrink(tree, i, what, for_real))
				return false;
	if (!cut_off(tree->ndims, what, &left, &gone))
		return false;
	if (for_real && gone)
		node->status = QTREE_NONE;
	else if (for_real)
		node->box = left;
	return node->status != QTREE_BUSY;
}

struct expand {
	const struct qtree *tree;
	const struct box_range *box;
	struct box_range best;
	int64_t volume;
	int receiver;
};

/* A combination that holds the box and a whole free buddy, which can expand to it. */
static void try_expand(void *arg, int low, int high, const struct box_range *combined)
{
	struct expand *e = arg;
	int ndims = e->tree->ndims, pair[2] = {low, high};
	int64_t volume = range_volume(ndims, combined);

	if (volume <= e->volume || !range_holds(ndims, combined, e->box))
		return;
	for (int i = 0; i < 2; i++) {
		const struct qtree_node *node = &e->tree->node[pair[i]];

		if (node->status == QTREE_FREE && range_holds(ndims, combined, &node->box)) {
			e->best = *combined;
			e->volume = volume;
			e->receiver = pair[i];
			return;
		}
	}
}

static void each_combination(const struct qtree *tree, const struct qtree_node *node,
	void (*visit)(void *arg, int low, int high, const struct box_range *box), void *arg);

/* "Size expanding": a free buddy grows over free parts of the next. The buddy, or -1. */
static int expand(struct qtree *tree, struct qtree_node *node, const struct box_range *box)
{
	struct expand e = {.tree = tree, .box = box, .receiver = -1};
	bool possible = true;

	each_combination(tree, node, try_expand, &e);
	for (int pass = 0; e.receiver >= 0 && possible && pass < 2; pass++)
		for (int i = node->child; possible && i < node->child + (1 << tree->ndims); i++)
			if (i != e.receiver)
				possible = shrink(tree, i, &e.best, pass == 1);
	if (e.receiver < 0 || !possible)
		return -1;
	tree->node[e.receiver].box = e.best;
	return e.receiver;
}

static void take_at(struct qtree *tree, int at, const struct box_range *box)
{
	for (;;) {
		struct qtree_node *node = &tree->node[at];
		int next;

		if (node->status == QTREE_FREE) {
			if (range_holds(tree->ndims, box, &node->box)) {
				node->status = QTREE_BUSY;
				return;
			}
			if (!part(tree, at, box))
				return;
		}
		if (node->status != QTREE_PARTLY)
			return;
		next = buddy_with(tree, node, box);
		if (next < 0)
			next = expand(tree, node, box);
		if (next >= 0) {
			at = next;
			continue;
		}
		for (int i = node->child; i < node->child + (1 << tree->ndims); i++) {
			struct box_range piece;

			if (tree->node[i].status != QTREE_NONE &&
				range_common(tree->ndims, box, &tree->node[i].box, &piece))
				take_at(tree, i, &piece);
		}
		return;
	}
}

void qtree_take(struct qtree *tree, const struct box_range *box)
{
	take_at(tree, 0, box);
}

/* ---- combining ---- */

/*
 * How far a buddy is free from its low (or high) side along dimension d, over the whole of a
 * cross-section: all of a free one; of a partly free one what its own buddies at that side,
 * all free, have in common. 0: not free.
 */
static int reach(const struct qtree *tree, const struct qtree_node *node, int d, bool high,
	const struct box_range *cross)
{
	int least = INT16_MAX;
	int64_t covered = 0, area = 1;

	if (node->status == QTREE_FREE)
		return node->box.high[d] - node->box.low[d] + 1;
	if (node->status != QTREE_PARTLY)
		return 0;
	for (int e = 0; e < tree->ndims; e++)
		area *= e == d ? 1 : cross->high[e] - cross->low[e] + 1;
	for (int i = node->child; i < node->child + (1 << tree->ndims); i++) {
		const struct qtree_node *sub = &tree->node[i];
		struct box_range face = *cross, both;
		int length = sub->box.high[d] - sub->box.low[d] + 1;

		face.low[d] = face.high[d] = high ? node->box.high[d] : node->box.low[d];
		if (sub->status == QTREE_NONE || !range_common(tree->ndims, &face, &sub->box, &both))
			continue;
		if (sub->status != QTREE_FREE)
			return 0;
		covered += range_volume(tree->ndims, &both);
		least = length < least ? length : least;
	}
	return covered == area ? least : 0;
}

/* The combination of two neighbours along d, if both are free at their common side. */
static bool combine(const struct qtree *tree, const struct qtree_node *low,
	const struct qtree_node *high, int d, struct box_range *out)
{
	struct box_range cross;
	int down, up;

	if (low->status == QTREE_NONE || high->status == QTREE_NONE ||
		low->box.high[d] + 1 != high->box.low[d])
		return false;
	*out = high->box;
	out->low[d] = low->box.low[d];
	cross = low->box;
	cross.high[d] = high->box.high[d];
	if (!range_common(tree->ndims, &cross, out, &cross))
		return false;
	down = reach(tree, low, d, true, &cross);
	up = reach(tree, high, d, false, &cross);
	if (!down || !up)
		return false;
	*out = cross;
	out->low[d] = (int16_t)(low->box.high[d] - down + 1);
	out->high[d] = (int16_t)(high->box.low[d] + up - 1);
	return true;
}

static void each_combination(const struct qtree *tree, const struct qtree_node *node,
	void (*visit)(void *arg, int low, int high, const struct box_range *box), void *arg)
{
	for (int d = 0; d < tree->ndims; d++)
		for (int i = 0; i < 1 << tree->ndims; i++) {
			int low = node->child + i, high = low + (1 << d);
			struct box_range box;

			if (!(i >> d & 1) &&
				combine(tree, &tree->node[low], &tree->node[high], d, &box))
				visit(arg, low, high, &box);
		}
}

struct each {
	void (*visit)(void *arg, const struct box_range *box);
	void *arg;
};

static void visit_combination(void *arg, int low, int high, const struct box_range *box)
{
	struct each *each = arg;

	(void)low;
	(void)high;
	each->visit(each->arg, box);
}

static void each_below(const struct qtree *tree, int at, struct each *each)
{
	const struct qtree_node *node = &tree->node[at];

	if (node->status == QTREE_FREE)
		each->visit(each->arg, &node->box);
	if (node->status != QTREE_PARTLY)
		return;
	for (int i = 0; i < 1 << tree->ndims; i++)
		each_below(tree, node->child + i, each);
	each_combination(tree, node, visit_combination, each);
}

void qtree_each_free(const struct qtree *tree, void (*visit)(void *arg, const struct box_range *box),
	void *arg)
{
	struct each each = {visit, arg};

	each_below(tree, 0, &each);
}

/* ---- best fit ---- */

struct largest {
	int ndims;
	int64_t volume;
	struct box_range *box;
};

static void visit_largest(void *arg, const struct box_range *box)
{
	struct largest *l = arg;
	int64_t volume = range_volume(l->ndims, box);

	if (volume > l->volume) {
		l->volume = volume;
		*l->box = *box;
	}
}

int64_t qtree_largest(const struct qtree *tree, struct box_range *box)
{
	struct largest l = {.ndims = tree->ndims, .box = box};

	qtree_each_free(tree, visit_largest, &l);
	return l.volume;
}

enum qtree_overlap qtree_overlap(int ndims, const struct box_range *largest,
	const struct box_range *box)
{
	struct box_range both;

	if (!range_common(ndims, largest, box, &both))
		return QTREE_DISJOINT;
	return range_holds(ndims, largest, box) ? QTREE_SUBSET : QTREE_INTERSECT;
}

static int64_t busy_below(const struct qtree *tree, int at, const struct box_range *box)
{
	const struct qtree_node *node = &tree->node[at];
	struct box_range both;
	int64_t total = 0;

	if (node->status == QTREE_NONE || node->status == QTREE_FREE ||
		!range_common(tree->ndims, &node->box, box, &both))
		return 0;
	if (node->status == QTREE_BUSY)
		return range_volume(tree->ndims, &both);
	for (int i = 0; i < 1 << tree->ndims; i++)
		total += busy_below(tree, node->child + i, box);
	return total;
}

int qtree_combining(const struct qtree *tree, const struct box_range *box)
{
	int factor = 0;

	for (int side = 0; side < 2 * tree->ndims; side++) {
		struct box_range face = *box;
		int d = side / 2, at = side % 2 ? box->high[d] + 1 : box->low[d] - 1;
		int64_t busy;

		if (at < 0 || at > tree->all.high[d])
			continue;
		face.low[d] = face.high[d] = (int16_t)at;
		busy = busy_below(tree, 0, &face);
		factor += !busy ? 4 : busy == range_volume(tree->ndims, &face) ? 1 : 2;
	}
	return factor;
}

bool qtree_fit(int ndims, const struct box_range *box, const int16_t *side, struct qtree_fit *fit)
{
	int64_t volume = range_volume(ndims, box);

	fit->different = 0;
	fit->free_after = 0;
	for (int d = 0; d < ndims; d++) {
		int all = box->high[d] - box->low[d] + 1;
		int64_t after = volume / all * (all - side[d]);

		if (side[d] > all)
			return false;
		fit->different += side[d] < all;
		fit->free_after = after > fit->free_after ? after : fit->free_after;
	}
	return true;
}

/* Everything a candidate is judged by, in order; less is better. */
enum { OVERLAP, DIFFERENT, FREE_AFTER, SIZE, COMBINING, KEYS };

struct choice {
	const struct qtree *tree;
	const int16_t (*rotation)[MESH_MAX_DIMS];
	int rotations;
	struct box_range largest;
	int64_t key[KEYS];
	struct box_range box;
	struct qtree_fit fit;
	bool found;
};

/* Steps 1 to 3. The combining factor only when the rest is equal. */
static void judge(void *arg, const struct box_range *box)
{
	struct choice *c = arg;
	int ndims = c->tree->ndims, at = 0;
	struct qtree_fit fit, best = {INT32_MAX, 0};

	for (int i = 0; i < c->rotations; i++)
		if (qtree_fit(ndims, box, c->rotation[i], &fit) &&
			(fit.different < best.different || (fit.different == best.different &&
				fit.free_after > best.free_after)))
			best = fit;
	if (best.different == INT32_MAX)
		return;
	int64_t key[KEYS] = {[OVERLAP] = qtree_overlap(ndims, &c->largest, box),
		[DIFFERENT] = best.different,
		[FREE_AFTER] = -best.free_after,
		[SIZE] = range_volume(ndims, box)};

	while (c->found && at < COMBINING && key[at] == c->key[at])
		at++;
	if (c->found && at < COMBINING && key[at] > c->key[at])
		return;
	key[COMBINING] = qtree_combining(c->tree, box);
	if (c->found && at == COMBINING && key[at] >= c->key[at])
		return;
	memcpy(c->key, key, sizeof(key));
	c->box = *box;
	c->fit = best;
	c->found = true;
}

/* Step 4, definition 6: of the corners of the chosen box the one that combines least. */
static void best_buddy(const struct choice *c, struct box_range *out)
{
	int ndims = c->tree->ndims, best_overlap = INT32_MAX, best = INT32_MAX;
	struct qtree_fit fit;

	for (int i = 0; i < c->rotations; i++)
		for (int corner = 0; corner < 1 << ndims; corner++) {
			struct box_range box = c->box;
			int overlap, factor;

			if (!qtree_fit(ndims, &c->box, c->rotation[i], &fit) ||
				fit.different != c->fit.different ||
				fit.free_after != c->fit.free_after)
				break;
			for (int d = 0; d < ndims; d++)
				if (corner >> d & 1)
					box.low[d] = (int16_t)(box.high[d] - c->rotation[i][d] + 1);
				else
					box.high[d] = (int16_t)(box.low[d] + c->rotation[i][d] - 1);
			overlap = (int)qtree_overlap(ndims, &c->largest, &box);
			factor = qtree_combining(c->tree, &box);
			if (overlap > best_overlap || (overlap == best_overlap && factor >= best))
				continue;
			best_overlap = overlap;
			best = factor;
			*out = box;
		}
}

bool qtree_place(const struct qtree *tree, const int16_t (*rotation)[MESH_MAX_DIMS], int rotations,
	struct box_range *box)
{
	struct choice c = {.tree = tree, .rotation = rotation, .rotations = rotations};

	if (!qtree_largest(tree, &c.largest))
		return false;
	qtree_each_free(tree, judge, &c);
	if (c.found)
		best_buddy(&c, box);
	return c.found;
}
