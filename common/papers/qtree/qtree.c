/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "qtree/qtree.h"

#include <string.h>

int qtree_init(struct qtree *tree, const struct mesh *mesh, struct arena *arena)
{
	int64_t room = 1 + ((int64_t)mesh->nvertices << mesh->ndims);

	*tree = (struct qtree){.ndims = mesh->ndims,
		.room = room < QTREE_MAX_NODES ? (int)room : QTREE_MAX_NODES};
	arena_array(arena, tree->node, tree->room);
	if (!arena_array(arena, tree->box, (int64_t)tree->room * (2 + mesh->ndims) / 2))
		return -1;
	tree->node[0].box = box_of_mesh(mesh);
	qtree_clear(tree);
	return 0;
}

void qtree_clear(struct qtree *tree)
{
	tree->node[0].status = QTREE_FREE;
	tree->count = 1;
	tree->full = false;
}

/* ---- combining ---- */

/*
 * How far a buddy is free from its low (or high) side along dimension d, over a whole
 * cross-section. A free buddy: all of it. A partly free one: what its own buddies at that side,
 * all free, have in common. 0: not free.
 */
static int reach(const struct qtree *tree, const struct qtree_node *node, int d, bool high,
	const struct mesh_box *cross)
{
	struct mesh_box face = *cross, both;
	int least = INT16_MAX;
	int64_t covered = 0, area = 1;

	if (node->status == QTREE_FREE)
		return node->box.side[d];
	face.base[d] = high ? box_end(&node->box, d) - 1 : node->box.base[d];
	face.side[d] = 1;
	for (int e = 0; e < tree->ndims; e++)
		area *= face.side[e];
	for (int i = node->child; i < node->child + (1 << tree->ndims); i++) {
		const struct qtree_node *sub = &tree->node[i];
		int length = sub->box.side[d];

		if (sub->status == QTREE_NONE || !box_common(tree->ndims, &face, &sub->box, &both))
			continue;
		if (sub->status != QTREE_FREE)
			return 0;
		covered += box_volume(tree->ndims, both.side);
		least = length < least ? length : least;
	}
	return covered == area ? least : 0;
}

static bool some_free(const struct qtree_node *node)
{
	return node->status == QTREE_FREE || node->status == QTREE_PARTLY;
}

/*
 * Combine a buddy with the next one along d, if both are free at their common side and the
 * combination can have volume `least`.
 */
static bool combine(const struct qtree *tree, int buddy, int d, int64_t least,
	struct mesh_box *out)
{
	const struct qtree_node *low = &tree->node[buddy], *high = low + (1 << d);
	struct mesh_box cross;
	int down, up;

	if (!some_free(low) || !some_free(high) || box_end(&low->box, d) != high->box.base[d])
		return false;
	*out = high->box;
	box_set_base(out, d, low->box.base[d]);
	cross = low->box;
	box_set_end(&cross, d, box_end(&high->box, d));
	if (!box_common(tree->ndims, &cross, out, &cross) ||
		box_volume(tree->ndims, cross.side) < least)
		return false;
	down = reach(tree, low, d, true, &cross);
	up = reach(tree, high, d, false, &cross);
	if (!down || !up)
		return false;
	*out = cross;
	out->base[d] = box_end(&low->box, d) - down;
	out->side[d] = down + up;
	return true;
}

/* ---- partitioning and taking ---- */

/*
 * Where to cut a node for a box inside it, in each dimension: at the end of the box if the box
 * begins with the node, else at its begin; -1: the box has the node's whole side.
 */
static void find_cut(int ndims, const struct mesh_box *node, const struct mesh_box *box, int *cut)
{
	for (int d = 0; d < ndims; d++) {
		bool first = box->base[d] == node->base[d],
		     last = box_end(box, d) == box_end(node, d);

		cut[d] = box->base[d];
		if (first)
			cut[d] = last ? -1 : box_end(box, d);
	}
}

/* Definition 1: make 2^d buddies, if there is room; buddies without vertices are marked. */
static void part(struct qtree *tree, int at, const struct mesh_box *box)
{
	struct qtree_node *node = &tree->node[at];
	int buddies = 1 << tree->ndims, cut[MESH_MAX_DIMS];

	if (tree->count + buddies > tree->room) {
		tree->full = true;
		return;
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
				box_set_base(&buddy->box, d, cut[d]);
			else if (cut[d] >= 0)
				box_set_end(&buddy->box, d, cut[d]);
		}
	}
}

/* The buddy that holds the box, or -1. */
static int buddy_with(const struct qtree *tree, const struct qtree_node *node,
	const struct mesh_box *box)
{
	for (int i = node->child; i < node->child + (1 << tree->ndims); i++)
		if (tree->node[i].status != QTREE_NONE &&
			box_holds(tree->ndims, &tree->node[i].box, box))
			return i;
	return -1;
}

/* Cut a box by another that spans it in all dimensions but one. False: the rest is no box. */
static bool cut_off(int ndims, const struct mesh_box *what, struct mesh_box *box, bool *gone)
{
	struct mesh_box both;
	int cuts = 0, along = 0;

	*gone = false;
	if (!box_common(ndims, box, what, &both))
		return true;
	for (int d = 0; d < ndims; d++)
		if (both.base[d] != box->base[d] || both.side[d] != box->side[d]) {
			cuts++;
			along = d;
		}
	*gone = !cuts;
	if (!cuts)
		return true;
	if (cuts > 1 || (both.base[along] != box->base[along] &&
				box_end(&both, along) != box_end(box, along)))
		return false;
	if (both.base[along] == box->base[along])
		box_set_base(box, along, box_end(&both, along));
	else
		box_set_end(box, along, both.base[along]);
	return true;
}

/* Take `what` out of a buddy that is free there: its free boxes shrink. False: not possible. */
static bool shrink(struct qtree *tree, int at, const struct mesh_box *what, bool for_real)
{
	struct qtree_node *node = &tree->node[at];
	struct mesh_box left = node->box, both;
	bool gone;

	if (node->status == QTREE_NONE || !box_common(tree->ndims, &node->box, what, &both))
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

/* Which of buddy i and the next one along d is wholly free within their combination; or -1. */
static int whole_buddy(const struct qtree *tree, const struct qtree_node *node, int d, int i,
	const struct mesh_box *combined)
{
	for (int at = node->child + i, n = 0; n < 2; at += 1 << d, n++)
		if (tree->node[at].status == QTREE_FREE &&
			box_holds(tree->ndims, combined, &tree->node[at].box))
			return at;
	return -1;
}

/* The buddy that can expand to the largest combination that holds the box, in *best; or -1. */
static int find_receiver(const struct qtree *tree, const struct qtree_node *node,
	const struct mesh_box *box, struct mesh_box *best)
{
	int64_t most = box_volume(tree->ndims, box->side) - 1;
	int receiver = -1;

	for (int d = 0; d < tree->ndims; d++)
		for (int i = 0; i < 1 << tree->ndims; i++) {
			struct mesh_box both;
			int at;

			if (i >> d & 1 || !combine(tree, node->child + i, d, most + 1, &both) ||
				box_volume(tree->ndims, both.side) <= most ||
				!box_holds(tree->ndims, &both, box) ||
				(at = whole_buddy(tree, node, d, i, &both)) < 0)
				continue;
			most = box_volume(tree->ndims, both.side);
			*best = both;
			receiver = at;
		}
	return receiver;
}

/*
 * "Size expanding": a free buddy grows over free parts of the next one. Returns the buddy, or -1.
 */
static int expand(struct qtree *tree, const struct qtree_node *node, const struct mesh_box *box)
{
	struct mesh_box best;
	int receiver = find_receiver(tree, node, box, &best);

	for (int pass = 0; receiver >= 0 && pass < 2; pass++)
		for (int i = node->child; i < node->child + (1 << tree->ndims); i++)
			if (i != receiver && !shrink(tree, i, &best, pass == 1))
				return -1;
	if (receiver >= 0)
		tree->node[receiver].box = best;
	return receiver;
}

/* A loop, not a recursion: the tree can be as deep as it has nodes. */
static void take_at(struct qtree *tree, int at, const struct mesh_box *box)
{
	for (;;) {
		struct qtree_node *node = &tree->node[at];

		if (node->status == QTREE_FREE && box_holds(tree->ndims, box, &node->box))
			node->status = QTREE_BUSY;
		else if (node->status == QTREE_FREE)
			part(tree, at, box);
		if (node->status != QTREE_PARTLY)
			return;
		at = buddy_with(tree, node, box);
		if (at < 0)
			at = expand(tree, node, box);
		if (at >= 0)
			continue;
		for (int i = node->child; i < node->child + (1 << tree->ndims); i++) {
			struct mesh_box piece;

			if (tree->node[i].status != QTREE_NONE &&
				box_common(tree->ndims, box, &tree->node[i].box, &piece))
				take_at(tree, i, &piece);
		}
		return;
	}
}

void qtree_take(struct qtree *tree, const struct mesh_box *box)
{
	take_at(tree, 0, box);
}

/* ---- all that is free ---- */

static void list_below(struct qtree *tree, const struct qtree_node *node)
{
	if (node->status == QTREE_FREE)
		tree->box[tree->nboxes++] = node->box;
	if (node->status != QTREE_PARTLY)
		return;
	for (int i = 0; i < 1 << tree->ndims; i++)
		list_below(tree, &tree->node[node->child + i]);
	for (int d = 0; d < tree->ndims; d++)
		for (int i = 0; i < 1 << tree->ndims; i++)
			if (!(i >> d & 1) &&
				combine(tree, node->child + i, d, 1, &tree->box[tree->nboxes]))
				tree->nboxes++;
}

int64_t qtree_largest(struct qtree *tree, struct mesh_box *box)
{
	int64_t most = 0;

	tree->nboxes = 0;
	list_below(tree, tree->node);
	for (int i = 0; i < tree->nboxes; i++) {
		int64_t volume = box_volume(tree->ndims, tree->box[i].side);

		if (volume > most) {
			most = volume;
			*box = tree->box[i];
		}
	}
	return most;
}

/* ---- best fit ---- */

enum qtree_overlap qtree_overlap(int ndims, const struct mesh_box *largest,
	const struct mesh_box *box)
{
	struct mesh_box both;

	if (!box_common(ndims, largest, box, &both))
		return QTREE_DISJOINT;
	return box_holds(ndims, largest, box) ? QTREE_SUBSET : QTREE_INTERSECT;
}

static int64_t busy_below(const struct qtree *tree, int at, const struct mesh_box *box)
{
	const struct qtree_node *node = &tree->node[at];
	struct mesh_box both;
	int64_t total = 0;

	if (node->status == QTREE_NONE || node->status == QTREE_FREE ||
		!box_common(tree->ndims, &node->box, box, &both))
		return 0;
	if (node->status == QTREE_BUSY)
		return box_volume(tree->ndims, both.side);
	for (int i = 0; i < 1 << tree->ndims; i++)
		total += busy_below(tree, node->child + i, box);
	return total;
}

int qtree_combining(const struct qtree *tree, const struct mesh_box *box)
{
	int factor = 0;

	for (int side = 0; side < 2 * tree->ndims; side++) {
		struct mesh_box face = *box;
		int d = side / 2, at = side % 2 ? box_end(box, d) : box->base[d] - 1;
		int64_t busy;

		if (at < 0 || at >= tree->node[0].box.side[d])
			continue;
		face.base[d] = at;
		face.side[d] = 1;
		busy = busy_below(tree, 0, &face);
		factor += !busy ? 4 : busy == box_volume(tree->ndims, face.side) ? 1 : 2;
	}
	return factor;
}

bool qtree_fit(int ndims, const struct mesh_box *box, const int *side, struct qtree_fit *fit)
{
	int64_t volume = box_volume(ndims, box->side);

	fit->different = 0;
	fit->free_after = 0;
	for (int d = 0; d < ndims; d++) {
		int all = box->side[d];
		int64_t after = volume / all * (all - side[d]);

		if (side[d] > all)
			return false;
		fit->different += side[d] < all;
		fit->free_after = after > fit->free_after ? after : fit->free_after;
	}
	return true;
}

/* The criteria for a candidate, in order; less is better. */
enum { OVERLAP, DIFFERENT, FREE_AFTER, SIZE, COMBINING, KEYS };

struct choice {
	const struct qtree *tree;
	const struct boxplan_row *row;
	int rows;
	const struct mesh_box *largest;
	int64_t key[KEYS];
	struct mesh_box box;
	struct qtree_fit fit;
	bool found;
};

/* Steps 1 to 3. The combining factor is computed only if all else is equal. */
static void judge(struct choice *c, const struct mesh_box *box)
{
	int ndims = c->tree->ndims, at = 0;
	struct qtree_fit fit, best = {INT32_MAX, 0};

	for (int i = 0; i < c->rows; i++)
		if (qtree_fit(ndims, box, c->row[i].side, &fit) &&
			(fit.different < best.different || (fit.different == best.different &&
				fit.free_after > best.free_after)))
			best = fit;
	if (best.different == INT32_MAX)
		return;
	int64_t key[KEYS] = {[OVERLAP] = qtree_overlap(ndims, c->largest, box),
		[DIFFERENT] = best.different,
		[FREE_AFTER] = -best.free_after,
		[SIZE] = box_volume(ndims, box->side)};

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

/* Step 4, definition 6: of the corners of the chosen box take the one that combines least. */
static void best_buddy(const struct choice *c, struct mesh_box *out)
{
	int ndims = c->tree->ndims, best_overlap = INT32_MAX, best = INT32_MAX;
	struct qtree_fit fit;

	for (int i = 0; i < c->rows; i++)
		for (int corner = 0; corner < 1 << ndims; corner++) {
			struct mesh_box box;
			int overlap, factor;

			if (!qtree_fit(ndims, &c->box, c->row[i].side, &fit) ||
				fit.different != c->fit.different ||
				fit.free_after != c->fit.free_after)
				break;
			box = box_in_corner(ndims, &c->box, corner, c->row[i].side);
			overlap = (int)qtree_overlap(ndims, c->largest, &box);
			factor = qtree_combining(c->tree, &box);
			if (overlap > best_overlap || (overlap == best_overlap && factor >= best))
				continue;
			best_overlap = overlap;
			best = factor;
			*out = box;
		}
}

bool qtree_place(const struct qtree *tree, const struct mesh_box *largest,
	const struct boxplan_row *row, int rows, struct mesh_box *box)
{
	struct choice c = {.tree = tree, .row = row, .rows = rows, .largest = largest};

	for (int i = 0; i < tree->nboxes; i++)
		judge(&c, &tree->box[i]);
	if (c.found)
		best_buddy(&c, box);
	return c.found;
}
