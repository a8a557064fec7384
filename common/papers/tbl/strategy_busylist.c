/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tbl: turning busy list. S. Bani-Mohammad, M. Ould-Khaoua, I. Ababneh and L. Mackenzie, "A fast
 * and efficient strategy for sub-mesh allocation with minimal allocation overhead in 3D mesh
 * connected multicomputers". A free box that cannot be moved to lower x touches a busy box (or the
 * edge) with its low x side. So if there is a base, one is on a right border plane and in no
 * prohibited region. O(m^2) for m busy boxes, whatever the machine's size.
 *
 * Any number of dimensions, on meshes and tori. In a state of more than BUSYLIST_MAX boxes first
 * fit by the bitmaps answers.
 */

#include "tbl/busylist.h"
#include "boxes/contiguous.h"
#include "tbl/prohibited.h"

struct scratch {
	struct busylist list;
	struct prohibited prohibited;
};

static int init(struct contiguous *c, struct arena *arena)
{
	struct scratch *s = c->own = arena_get(arena, 1, sizeof(*s));

	return !s || busylist_init(&s->list, &c->bits, arena) ||
		prohibited_init(&s->prohibited, &s->list, arena) ? -1 : 0;
}

/* The first piece with bases on the right border planes of boxes -1 .. m-1. */
static bool right_borders(struct contiguous *c, struct prohibited *p, struct mesh_box *piece)
{
	struct mesh_box plane[1 << MESH_MAX_DIMS];

	for (int i = -1; i < p->list->count && !contiguous_late(c); i++) {
		int planes = prohibited_plane(p, i, plane);

		for (int j = 0; j < planes; j++)
			if (prohibited_subtract(p, &plane[j], piece))
				return true;
	}
	return false;
}

/* Of the many boxes for a number of nodes most are free nowhere; the bitmaps tell that first. */
static bool find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct scratch *s = c->own;

	for (int i = 0; i < rows; i++) {
		struct mesh_box piece;

		if (c->plan.count > rows && !contiguous_first(c, &row[i], 1, box))
			continue;
		if (!c->made)
			busylist_load(&s->list, c->state);
		c->made = true;
		if (s->list.full || !prohibited_make(&s->prohibited, row[i].side))
			return contiguous_first(c, row, rows, box);
		if (right_borders(c, &s->prohibited, &piece)) {
			*box = box_at(c->mesh->ndims, piece.base, row[i].side);
			return true;
		}
	}
	return false;
}

static const struct contiguous_ops tbl = {.init = init, .find = find};

const struct strategy_ops strategy_busylist_family[] = {
	{
		.name = "tbl",
		.summary = "turning busy list: the first free box right of a busy one",
		.source = "Bani-Mohammad, Ould-Khaoua, Ababneh, Mackenzie 2006",
		.time = "O(m^2) for m busy boxes, a box",
		CONTIGUOUS_STRATEGY(tbl, STRATEGY_COMPLETE | STRATEGY_LISTS),
	},
	{0},
};
