/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/boundary.h"

#include <stdlib.h>
#include <string.h>

int boundary_init(struct boundary *b, const struct mesh *mesh)
{
	b->mesh = mesh;
	b->cells = 1;
	for (int d = 0; d < mesh->ndims; d++) {
		bool flat = mesh->side[d] == 1;

		b->stride[d] = flat ? 0 : b->cells;
		b->cells *= flat ? 1 : mesh->side[d] + 1;
	}
	b->sum = malloc((size_t)b->cells * sizeof(*b->sum));
	return b->sum ? 0 : -1;
}

void boundary_release(struct boundary *b)
{
	free(b->sum);
	b->sum = NULL;
}

/* Where what vertex v is worth belongs: at the cell above it in every dimension. */
static int cell_of(const struct boundary *b, int v)
{
	int cell = 0;

	for (int d = 0; d < b->mesh->ndims; d++)
		cell += (b->mesh->coord[v][d] + 1) * b->stride[d];
	return cell;
}

static void sum_up(struct boundary *b)
{
	for (int d = 0; d < b->mesh->ndims; d++) {
		int stride = b->stride[d], block = stride * (b->mesh->side[d] + 1);

		for (int at = 0; stride && at < b->cells; at += block)
			for (int i = stride; i < block; i++)
				b->sum[at + i] += b->sum[at + i - stride];
	}
}

void boundary_load(struct boundary *b, const struct bitbox *bits)
{
	const struct mesh *mesh = b->mesh;

	memset(b->sum, 0, (size_t)b->cells * sizeof(*b->sum));
	for (int v = 0; v < mesh->nvertices; v++) {
		int bit = bitbox_vertex(bits, v);

		b->sum[cell_of(b, v)] = !(bits->free[bit >> 6] >> (bit & 63) & 1);
	}
	b->wall = 1;
	sum_up(b);
}

void boundary_load_worth(struct boundary *b, const int *worth, int wall)
{
	memset(b->sum, 0, (size_t)b->cells * sizeof(*b->sum));
	for (int v = 0; v < b->mesh->nvertices; v++)
		b->sum[cell_of(b, v)] = worth[v];
	b->wall = wall;
	sum_up(b);
}

/* A box that does not run over the edge: corners with alternating signs. */
static int busy_inside(const struct boundary *b, const struct mesh_box *box)
{
	int low = 0, total = 0, step[MESH_MAX_DIMS], steps = 0;

	for (int d = 0; d < b->mesh->ndims; d++) {
		low += box->base[d] * b->stride[d];
		if (b->stride[d])
			step[steps++] = box->side[d] * b->stride[d];
	}
	for (int corner = 0; corner < 1 << steps; corner++) {
		int cell = low, sign = steps & 1 ? -1 : 1;

		for (int i = 0; i < steps; i++)
			if (corner >> i & 1) {
				cell += step[i];
				sign = -sign;
			}
		total += sign * b->sum[cell];
	}
	return total;
}

/* What the vertices in a box are worth, which may run over the edge. */
static int count_busy(const struct boundary *b, const struct mesh_box *box)
{
	struct mesh_box piece[1 << MESH_MAX_DIMS];
	int total = 0;

	for (int i = box_unwrap(b->mesh, box, piece) - 1; i >= 0; i--)
		total += busy_inside(b, &piece[i]);
	return total;
}

/* And those outside its face in dimension d, on the low or the high side. */
static int face_value(const struct boundary *b, const struct mesh_box *box, int d, bool high)
{
	struct mesh_box face;

	switch (box_face(b->mesh, box, d, high, &face)) {
	case BOX_FACE_ON:
		return count_busy(b, &face);
	case BOX_FACE_BEYOND:
		return b->wall * (int)box_volume(b->mesh->ndims, face.side);
	default:
		return 0;
	}
}

int64_t boundary_value(const struct boundary *b, const struct mesh_box *box)
{
	int64_t value = 0;

	for (int d = 0; d < b->mesh->ndims; d++)
		value += face_value(b, box, d, false) + face_value(b, box, d, true);
	return value;
}
