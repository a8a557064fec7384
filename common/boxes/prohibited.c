/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/prohibited.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REGIONS (8 * BUSYLIST_MAX) /* every box cut in three dimensions */

int prohibited_init(struct prohibited *p, const struct mesh *mesh, const struct busylist *list)
{
	int64_t room = list->room;

	memset(p, 0, sizeof(*p));
	p->mesh = mesh;
	p->list = list;
	for (int d = 0; d < mesh->ndims; d++)
		room *= 1 + mesh->wrap[d];
	p->room = room < MAX_REGIONS ? (int)room : MAX_REGIONS;
	/* Each region splits one piece into at most two a dimension, of which one goes on. */
	p->stack_room = 1 + p->room * 2 * mesh->ndims;
	p->region = malloc((size_t)p->room * sizeof(*p->region));
	p->active = malloc((size_t)p->room * sizeof(*p->active));
	p->stack = malloc((size_t)p->stack_room * sizeof(*p->stack));
	p->done = malloc((size_t)p->stack_room * sizeof(*p->done));
	return p->region && p->active && p->stack && p->done ? 0 : -1;
}

void prohibited_release(struct prohibited *p)
{
	free(p->region);
	free(p->active);
	free(p->stack);
	free(p->done);
	memset(p, 0, sizeof(*p));
}

/*
 * Coordinates low..high of dimension d into one or two stretches of the machine: cut at the
 * border of a mesh, and at the edge on a ring. How many; 0: none is on the machine.
 */
static int stretches(const struct mesh *mesh, int d, int low, int high, int16_t (*out)[2])
{
	int all = mesh->side[d], n = 0;

	if (mesh->wrap[d] && (low >= all || high < 0)) {
		int turn = high < 0 ? all : -all;

		low += turn;
		high += turn;
	}
	if (!mesh->wrap[d] || high - low + 1 >= all) {
		out[0][0] = (int16_t)(low < 0 || mesh->wrap[d] ? 0 : low);
		out[0][1] = (int16_t)(high >= all || mesh->wrap[d] ? all - 1 : high);
		return out[0][0] <= out[0][1];
	}
	if (low < 0 || high >= all) {
		out[n][0] = (int16_t)((low + all) % all);
		out[n++][1] = (int16_t)(all - 1);
		low = 0;
		high = high % all;
	}
	out[n][0] = (int16_t)low;
	out[n++][1] = (int16_t)high;
	return n;
}

/* Every box[] in the stretches of one dimension: n boxes become up to 2n. */
static int spread(struct box_range *box, int n, int d, int16_t (*stretch)[2], int count)
{
	for (int i = 0; count && i < n; i++)
		for (int s = count - 1; s >= 0; s--) {
			struct box_range *to = &box[i + s * n];

			*to = box[i];
			to->low[d] = stretch[s][0];
			to->high[d] = stretch[s][1];
		}
	return n * count;
}

bool prohibited_make(struct prohibited *p, const int16_t *side)
{
	p->side = side;
	p->count = 0;
	for (int i = 0; i < p->list->count; i++) {
		const struct box_range *busy = &p->list->box[i];
		struct box_range part[1 << MESH_MAX_DIMS];
		int parts = 1;

		memset(part, 0, sizeof(*part));
		for (int d = 0; d < p->mesh->ndims; d++) {
			int16_t stretch[2][2];
			int n = stretches(p->mesh, d, busy->low[d] - side[d] + 1, busy->high[d],
				stretch);

			parts = spread(part, parts, d, stretch, n);
		}
		if (p->count + parts > p->room)
			return false;
		memcpy(p->region + p->count, part, (size_t)parts * sizeof(*part));
		p->count += parts;
	}
	return true;
}

int prohibited_at(const struct prohibited *p, const int16_t *base)
{
	for (int i = 0; i < p->count; i++) {
		const struct box_range *f = &p->region[i];
		bool in = true;

		for (int d = 0; in && d < p->mesh->ndims; d++)
			in = f->low[d] <= base[d] && base[d] <= f->high[d];
		if (in)
			return i;
	}
	return -1;
}

/* The bases that are possible at all: the automatic prohibited regions cut off. */
static int last_base(const struct prohibited *p, int d)
{
	bool closed = p->side[d] == p->mesh->side[d];

	/* A box that closes a ring is the same from every base. */
	return closed ? 0 : p->mesh->wrap[d] ? p->mesh->side[d] - 1 : p->mesh->side[d] - p->side[d];
}

static int plane_stretches(const struct prohibited *p, int d, int low, int high,
	int16_t (*out)[2])
{
	int n = stretches(p->mesh, d, low, high, out), last = last_base(p, d), kept = 0;

	for (int i = 0; i < n; i++) {
		if (out[i][0] > last)
			continue;
		out[kept][0] = out[i][0];
		out[kept++][1] = out[i][1] < last ? out[i][1] : (int16_t)last;
	}
	return kept;
}

int prohibited_plane(const struct prohibited *p, int i, int d, bool high, struct box_range *plane)
{
	const struct box_range *busy = i < 0 ? NULL : &p->list->box[i];
	int planes = 1;

	memset(plane, 0, sizeof(*plane));
	for (int e = 0; e < p->mesh->ndims; e++) {
		int16_t stretch[2][2];
		int low = busy ? busy->low[e] - p->side[e] + 1 : 0;
		int top = busy ? busy->high[e] : p->mesh->side[e] - 1;

		if (e == d && busy)
			low = top = high ? busy->low[e] - p->side[e] : busy->high[e] + 1;
		else if (e == d)
			low = top = high ? last_base(p, e) : 0;
		planes = spread(plane, planes, e, stretch,
			plane_stretches(p, e, low, top, stretch));
	}
	return planes;
}

bool prohibited_subtract(struct prohibited *p, const struct box_range *plane,
	bool (*visit)(void *arg, const struct box_range *piece), void *arg)
{
	int ndims = p->mesh->ndims, actives = 0, top = 1;

	for (int i = 0; i < p->count; i++)
		if (range_meets(ndims, plane, &p->region[i]))
			p->active[actives++] = i;
	p->stack[0] = *plane;
	p->done[0] = 0;
	while (top) {
		struct box_range piece = p->stack[--top];
		int i = p->done[top];

		while (i < actives && !range_meets(ndims, &piece, &p->region[p->active[i]]))
			i++;
		if (i == actives) {
			if (visit(arg, &piece))
				return true;
			continue;
		}
		for (int n = range_subtract(ndims, &piece, &p->region[p->active[i]], p->stack + top);
			n--;)
			p->done[top++] = i + 1;
	}
	return false;
}
