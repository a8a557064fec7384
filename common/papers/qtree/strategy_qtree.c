/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * qtree: best-fit quad-tree. J. Srisawat and N. Alexandridis, "A new quad-tree-based sub-system
 * allocation technique for mesh-connected parallel machines" (see qtree.h); in d dimensions a
 * 2^d-tree. O(nodes * m) with m busy boxes: O(m) candidates, each judged in O(m) at worst; the
 * paper's O(m) if sides have few neighbours.
 *
 * The tree misses some free boxes, and all that go round a ring. Every box that it knows is in the
 * bitmaps too, so the tree is made and searched only if these have a box. The bitmaps also serve
 * states that are too fragmented for the tree.
 */

#include "tbl/busylist.h"
#include "boxes/contiguous.h"
#include "qtree/qtree.h"

struct scratch {
	struct busylist list;
	struct qtree tree;
	struct mesh_box largest; /* the largest free box of the tree */
};

static int init(struct contiguous *c, struct arena *arena)
{
	struct scratch *s = c->own = arena_get(arena, 1, sizeof(*s));

	return !s || busylist_init(&s->list, &c->bits, arena) ||
		qtree_init(&s->tree, c->mesh, arena) ? -1 : 0;
}

static void make_tree(struct scratch *s, const struct mesh_state *state)
{
	busylist_load(&s->list, state);
	qtree_clear(&s->tree);
	for (int i = 0; i < s->list.count && !s->tree.full; i++)
		qtree_take(&s->tree, &s->list.box[i]);
	if (!s->tree.full)
		qtree_largest(&s->tree, &s->largest);
}

static bool find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct scratch *s = c->own;

	if (!contiguous_first(c, row, rows, box))
		return false;
	if (!c->made)
		make_tree(s, c->state);
	c->made = true;
	if (s->list.full || s->tree.full)
		return true;
	return qtree_place(&s->tree, &s->largest, row, rows, box);
}

static const struct contiguous_ops qtree = {.init = init, .find = find};

const struct strategy_ops strategy_qtree_family[] = {
	{
		.name = "qtree",
		.summary = "contiguous best fit that keeps the largest free box, by quad-tree",
		.source = "Srisawat and Alexandridis 1999",
		.time = "O(m^2) for m busy boxes, O(m) in the paper",
		CONTIGUOUS_STRATEGY(qtree, STRATEGY_LISTS),
	},
	{0},
};
