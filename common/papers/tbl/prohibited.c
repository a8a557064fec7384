/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tbl/prohibited.h"

#include <string.h>

#define MAX_REGIONS (8 * BUSYLIST_MAX) /* every box cut in three dimensions */

int prohibited_init(struct prohibited *p, const struct busylist *list, struct arena *arena)
{
	const struct mesh *mesh = list->bits->mesh;
	int64_t room = list->room;

	*p = (struct prohibited){.mesh = mesh, .list = list};
	for (int d = 0; d < mesh->ndims; d++)
		room *= 1 + mesh->wrap[d];
	p->room = room < MAX_REGIONS ? (int)room : MAX_REGIONS;
	/*
	 * A region splits a piece into at most two per dimension, of which one is processed next.
	 */
	p->stack_room = 1 + p->room * 2 * mesh->ndims;
	arena_array(arena, p->region, p->room);
	arena_array(arena, p->active, p->room);
	arena_array(arena, p->stack, p->stack_room);
	return arena_array(arena, p->done, p->stack_room) ? 0 : -1;
}

/* Coordinates from..end-1 of one dimension. */
struct stretch {
	int from, end;
};

/*
 * Cut a stretch of dimension d into one or two that are on the machine: at the border of a mesh,
 * and at the edge of a ring. Returns how many; 0: none is on the machine.
 */
static int stretches(const struct mesh *mesh, int d, struct stretch s, struct stretch *out)
{
	int all = mesh->side[d], n = 0;

	if (mesh->wrap[d] && (s.from >= all || s.end <= 0)) {
		int turn = s.end <= 0 ? all : -all;

		s.from += turn;
		s.end += turn;
	}
	if (!mesh->wrap[d] || s.end - s.from >= all) {
		out[0].from = s.from < 0 || mesh->wrap[d] ? 0 : s.from;
		out[0].end = s.end > all || mesh->wrap[d] ? all : s.end;
		return out[0].from < out[0].end;
	}
	if (s.from < 0 || s.end > all) {
		out[n++] = (struct stretch){(s.from + all) % all, all};
		s.from = 0;
		s.end = (s.end - 1) % all + 1;
	}
	out[n++] = s;
	return n;
}

/* Extend every box[] by the stretches of one dimension: n boxes become up to 2n. */
static int spread(struct mesh_box *box, int n, int d, const struct stretch *stretch, int count)
{
	for (int i = 0; count && i < n; i++)
		for (int s = count - 1; s >= 0; s--) {
			struct mesh_box *to = &box[i + s * n];

			*to = box[i];
			to->base[d] = stretch[s].from;
			to->side[d] = stretch[s].end - stretch[s].from;
		}
	return n * count;
}

bool prohibited_make(struct prohibited *p, const int *side)
{
	p->side = side;
	p->count = 0;
	for (int i = 0; i < p->list->count; i++) {
		const struct mesh_box *busy = &p->list->box[i];
		struct mesh_box part[1 << MESH_MAX_DIMS];
		int parts = 1;

		*part = box_of_mesh(p->mesh);
		for (int d = 0; d < p->mesh->ndims; d++) {
			struct stretch out[2],
				all = {busy->base[d] - side[d] + 1, box_end(busy, d)};

			parts = spread(part, parts, d, out, stretches(p->mesh, d, all, out));
		}
		if (p->count + parts > p->room)
			return false;
		memcpy(p->region + p->count, part, (size_t)parts * sizeof(*part));
		p->count += parts;
	}
	return true;
}

/* The last base that is possible at all: the automatic prohibited regions are left out. */
static int last_base(const struct prohibited *p, int d)
{
	/* A box that closes a ring has one base. */
	if (p->side[d] == p->mesh->side[d])
		return 0;
	return p->mesh->side[d] - (p->mesh->wrap[d] ? 1 : p->side[d]);
}

static int plane_stretches(const struct prohibited *p, int d, struct stretch s, struct stretch *out)
{
	int n = stretches(p->mesh, d, s, out), end = last_base(p, d) + 1, kept = 0;

	for (int i = 0; i < n; i++)
		if (out[i].from < end)
			out[kept++] =
				(struct stretch){out[i].from, out[i].end < end ? out[i].end : end};
	return kept;
}

int prohibited_plane(const struct prohibited *p, int i, struct mesh_box *plane)
{
	const struct mesh_box *busy = i < 0 ? NULL : &p->list->box[i];
	int planes = 1, x = busy ? box_end(busy, 0) : 0;

	*plane = box_of_mesh(p->mesh);
	for (int d = 0; d < p->mesh->ndims; d++) {
		struct stretch out[2], all = {0, p->mesh->side[d]};

		if (!d)
			all = (struct stretch){x, x + 1};
		else if (busy)
			all = (struct stretch){busy->base[d] - p->side[d] + 1, box_end(busy, d)};
		planes = spread(plane, planes, d, out, plane_stretches(p, d, all, out));
	}
	return planes;
}

bool prohibited_subtract(
	struct prohibited *p, const struct mesh_box *plane, struct mesh_box *piece)
{
	int ndims = p->mesh->ndims, actives = 0, top = 1;

	for (int i = 0; i < p->count; i++)
		if (box_meets(ndims, plane, &p->region[i]))
			p->active[actives++] = i;
	p->stack[0] = *plane;
	p->done[0] = 0;
	while (top) {
		int i = p->done[--top];

		*piece = p->stack[top];
		while (i < actives && !box_meets(ndims, piece, &p->region[p->active[i]]))
			i++;
		if (i == actives)
			return true;
		for (int n = box_subtract(ndims, piece, &p->region[p->active[i]], p->stack + top);
			n--;)
			p->done[top++] = i + 1;
	}
	return false;
}
