/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "box.h"

int64_t box_volume(int ndims, const int *side)
{
	int64_t volume = 1;

	for (int d = 0; d < ndims; d++) {
		volume *= side[d];
		if (volume > INT32_MAX)
			return INT32_MAX;
	}
	return volume;
}

bool box_overlap(int ndims, const struct mesh_box *a, const struct mesh_box *b)
{
	for (int d = 0; d < ndims; d++)
		if (a->base[d] + a->side[d] <= b->base[d] || b->base[d] + b->side[d] <= a->base[d])
			return false;
	return true;
}

/*
 * Dimension by dimension: what sticks out below and above is cut off as a piece, the rest
 * goes on to the next dimension; what is left in the end is the intersection.
 */
int box_subtract(int ndims, const struct mesh_box *from, const struct mesh_box *what,
	struct mesh_box *piece)
{
	struct mesh_box rest = *from;
	int pieces = 0;

	if (!box_overlap(ndims, from, what)) {
		piece[0] = *from;
		return 1;
	}
	for (int d = 0; d < ndims; d++) {
		int low = rest.base[d], high = rest.base[d] + rest.side[d];
		int cut = what->base[d], end = what->base[d] + what->side[d];

		if (low < cut) {
			piece[pieces] = rest;
			piece[pieces++].side[d] = cut - low;
			low = cut;
		}
		if (end < high) {
			piece[pieces] = rest;
			piece[pieces].base[d] = end;
			piece[pieces++].side[d] = high - end;
			high = end;
		}
		rest.base[d] = low;
		rest.side[d] = high - low;
	}
	return pieces;
}

int box_unwrap(const struct mesh *mesh, const struct mesh_box *box, struct mesh_box *piece)
{
	int pieces = 1;

	piece[0] = *box;
	for (int d = 0; d < mesh->ndims; d++) {
		int over = box->base[d] + box->side[d] - mesh->side[d];

		if (over <= 0)
			continue;
		for (int i = 0; i < pieces; i++) {
			piece[pieces + i] = piece[i];
			piece[pieces + i].base[d] = 0;
			piece[pieces + i].side[d] = over;
			piece[i].side[d] -= over;
		}
		pieces *= 2;
	}
	return pieces;
}

/* Dimensions, shortest side of the box first. */
static void by_side(const struct mesh *mesh, const struct mesh_box *box, int *dim)
{
	for (int i = 0; i < mesh->ndims; i++) {
		int at = i;

		for (; at && box->side[dim[at - 1]] > box->side[i]; at--)
			dim[at] = dim[at - 1];
		dim[at] = i;
	}
}

/*
 * The step after offset[] in snake order: the first dimension that can still go its way
 * does; those before it turn round. False at the end.
 */
static bool snake_step(const struct mesh *mesh, const struct mesh_box *box, const int *dim,
	int *offset, bool *down)
{
	for (int i = 0; i < mesh->ndims; i++) {
		int d = dim[i];

		if (down[d] ? offset[d] > 0 : offset[d] + 1 < box->side[d]) {
			offset[d] += down[d] ? -1 : 1;
			return true;
		}
		down[d] = !down[d];
	}
	return false;
}

static int vertex_at(const struct mesh *mesh, const struct mesh_box *box, const int *offset)
{
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = box->base[d] + offset[d];

		v += (c < mesh->side[d] ? c : c - mesh->side[d]) * mesh->stride[d];
	}
	return v;
}

void box_take(const struct mesh *mesh, const struct mesh_box *box, int count,
	const struct nodeset *required, struct nodeset *set)
{
	int dim[MESH_MAX_DIMS], offset[MESH_MAX_DIMS] = {0};
	bool down[MESH_MAX_DIMS] = {false};
	int room = count - (required ? nodeset_count(required) : 0);

	by_side(mesh, box, dim);
	do {
		int v = vertex_at(mesh, box, offset);

		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
			bool must = required && nodeset_has(required, mesh->node_at[i]);

			if (!must && !room)
				continue;
			nodeset_add(set, mesh->node_at[i]);
			room -= !must;
			if (!--count)
				return;
		}
	} while (snake_step(mesh, box, dim, offset, down));
}
