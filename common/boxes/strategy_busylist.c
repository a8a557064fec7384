/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contiguous strategies on the list of busy boxes.
 *
 * tbl: turning busy list. S. Bani-Mohammad, M. Ould-Khaoua, I. Ababneh and L. Mackenzie, "A
 * fast and efficient strategy for sub-mesh allocation with minimal allocation overhead in 3D
 * mesh connected multicomputers". A free box that cannot be moved on to lower x touches a busy
 * box (or the edge) with its low x side: so the right border planes less the prohibited
 * regions hold a base if there is any. O(m^2) for m busy boxes, whatever the machine's size.
 *
 * bl: D. Das Sharma and D. K. Pradhan, "Submesh allocation in mesh multicomputers using
 * busy-list: a best-fit approach with complete recognition capability". The same on all sides
 * of every busy box, and of the corners of what is left the one with the largest boundary
 * value. O(m^3).
 *
 * Both in any number of dimensions, on meshes and tori. A state of more than BUSYLIST_MAX
 * boxes is left to the bitmaps, as first fit.
 */
#include <string.h>

#include "boxes/busyscratch.h"

static int init(struct contiguous *c)
{
	return busyscratch_init(c, sizeof(struct busyscratch));
}

/* ---- turning busy list ---- */

static bool take_piece(void *arg, const struct mesh_box *piece)
{
	memcpy(arg, piece->base, sizeof(piece->base));
	return true;
}

/* The first base node on the right border planes of boxes -1 .. m-1. */
static bool right_borders(struct contiguous *c, struct prohibited *p, int *base)
{
	struct mesh_box plane[1 << MESH_MAX_DIMS];

	for (int i = -1; i < p->list->count && !contiguous_late(c); i++) {
		int planes = prohibited_plane(p, i, 0, false, plane);

		for (int j = 0; j < planes; j++)
			if (prohibited_subtract(p, &plane[j], take_piece, base))
				return true;
	}
	return false;
}

static bool tbl_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct busyscratch *s = c->own;

	for (int i = 0; i < rows; i++) {
		int base[MESH_MAX_DIMS];

		if (s->list.full || !prohibited_make(&s->prohibited, row[i].side))
			return contiguous_first(c, row, rows, box);
		if (right_borders(c, &s->prohibited, base)) {
			*box = box_at(c->mesh->ndims, base, row[i].side);
			return true;
		}
	}
	return false;
}

/* ---- busy list, best fit ---- */

struct best {
	struct contiguous *c;
	const struct mesh *mesh;
	const struct busylist *list;
	const int *side;
	struct mesh_box *box;
	int value;
};

/* Vertices that a box (not over the edge) has in common with the busy ones. */
static int64_t busy_in(const struct busylist *list, const struct mesh_box *box, int ndims)
{
	int64_t total = 0;

	for (int i = 0; i < list->count; i++) {
		struct mesh_box common;

		if (box_common(ndims, box, &list->box[i], &common))
			total += box_volume(ndims, common.side);
	}
	return total;
}

/* As boundary_value(), from the list: O(m). */
static int64_t face_value(const struct best *best, const struct mesh_box *box, int d, bool high)
{
	struct mesh_box face, piece[1 << MESH_MAX_DIMS];
	enum box_face where = box_face(best->mesh, box, d, high, &face);
	int64_t total = 0;

	if (where != BOX_FACE_ON)
		return where == BOX_FACE_BEYOND ? box_volume(best->mesh->ndims, face.side) : 0;
	for (int i = box_unwrap(best->mesh, &face, piece) - 1; i >= 0; i--)
		total += busy_in(best->list, &piece[i], best->mesh->ndims);
	return total;
}

static void consider(struct best *best, const int *base)
{
	struct mesh_box box = box_at(best->mesh->ndims, base, best->side);
	int64_t value = 0;

	for (int d = 0; d < best->mesh->ndims; d++)
		value += face_value(best, &box, d, false) + face_value(best, &box, d, true);
	if (value > best->value) {
		best->value = (int)value;
		*best->box = box;
	}
}

/* All corners of a piece; stop when there is no more time. */
static bool consider_corners(void *arg, const struct mesh_box *piece)
{
	struct best *best = arg;

	for (int corner = 0; corner < 1 << best->mesh->ndims; corner++) {
		int base[MESH_MAX_DIMS];
		bool again = false;

		for (int d = 0; d < best->mesh->ndims; d++) {
			base[d] = corner >> d & 1 ? box_end(piece, d) - 1 : piece->base[d];
			again |= corner >> d & 1 && piece->side[d] == 1;
		}
		if (!again)
			consider(best, base);
	}
	return contiguous_late(best->c);
}

static void all_borders(struct contiguous *c, struct prohibited *p, struct best *best)
{
	struct mesh_box plane[1 << MESH_MAX_DIMS];

	for (int i = -1; i < p->list->count && !contiguous_late(c); i++)
		for (int side = 0; side < 2 * p->mesh->ndims; side++) {
			int planes = prohibited_plane(p, i, side / 2, side % 2, plane);

			for (int j = 0; j < planes; j++)
				prohibited_subtract(p, &plane[j], consider_corners, best);
		}
}

static bool bl_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct busyscratch *s = c->own;
	struct best best = {.c = c, .mesh = c->mesh, .list = &s->list, .box = box, .value = -1};

	for (int i = 0; i < rows && !c->late; i++) {
		if (s->list.full || !prohibited_make(&s->prohibited, row[i].side))
			return contiguous_first(c, row, rows, box);
		best.side = row[i].side;
		all_borders(c, &s->prohibited, &best);
	}
	return best.value >= 0;
}

static const struct contiguous_ops tbl = {
	.init = init,
	.release = busyscratch_release,
	.load = busyscratch_load,
	.find = tbl_find,
};

static const struct contiguous_ops bl = {
	.init = init,
	.release = busyscratch_release,
	.load = busyscratch_load,
	.find = bl_find,
};

const struct strategy_ops strategy_busylist_family[] = {
	{
		.name = "tbl",
		.summary = "turning busy list: the first free box right of a busy one",
		.source = "Bani-Mohammad, Ould-Khaoua, Ababneh, Mackenzie 2006",
		.time = "O(m^2) for m busy boxes, a box",
		CONTIGUOUS_STRATEGY_WITH(tbl, STRATEGY_COMPLETE),
	},
	{
		.name = "bl",
		.summary = "busy list, best fit: the free box at a busy one that touches most",
		.source = "Das Sharma and Pradhan 1996",
		.time = "O(m^3) for m busy boxes, a box",
		CONTIGUOUS_STRATEGY_WITH(bl, STRATEGY_COMPLETE),
	},
	{0},
};
