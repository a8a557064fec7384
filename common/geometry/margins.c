/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/margins.h"

#include <stdlib.h>
#include <string.h>

#define DEEP 7 /* SHELL_CELLS_MOST */
/* Vectors of counts end or begin beyond a row. */
#define SPARE 32

static size_t row_at(const struct margins *margins, int row)
{
	const struct mesh *mesh = margins->mesh;
	size_t at = 0;

	for (int d = 1; d < mesh->ndims; d++) {
		at += (size_t)(row % mesh->side[d]) * margins->step[d];
		row /= mesh->side[d];
	}
	return at;
}

int margins_init(struct margins *margins, const struct mesh *mesh, int wide)
{
	size_t lead = (size_t)wide;
	int nrows = mesh->nvertices / mesh->side[0];

	margins->mesh = mesh;
	margins->wide = wide;
	margins->deep = mesh->ndims <= 3 ? DEEP : 0;
	for (int d = 1; d < mesh->ndims; d++)
		if (margins->deep > (mesh->side[d] - 1) / 2)
			margins->deep = (mesh->side[d] - 1) / 2;
	margins->step[0] = 1;
	for (int d = 0; d + 1 < MESH_MAX_DIMS; d++) {
		int margin = d ? margins->deep : wide, side = d < mesh->ndims ? mesh->side[d] : 1;

		margin = d < mesh->ndims ? margin : 0;
		margins->step[d + 1] = margins->step[d] * (size_t)(side + 2 * margin);
		lead += margins->deep && d + 1 < mesh->ndims ?
			(size_t)margins->deep * margins->step[d + 1] : 0;
	}
	size_t last = (size_t)mesh->ndims - 1, n = margins->step[last] *
		(size_t)(mesh->side[last] + 2 * (last ? margins->deep : wide));

	margins->all = calloc(n + 2 * SPARE, sizeof(*margins->all));
	margins->row = malloc((size_t)nrows * sizeof(*margins->row));
	if (!margins->all || !margins->row)
		return -1;
	margins->at = margins->all + SPARE + lead;
	for (int row = 0; row < nrows; row++)
		margins->row[row] = row_at(margins, row);
	return 0;
}

void margins_release(struct margins *margins)
{
	free(margins->all);
	free(margins->row);
	memset(margins, 0, sizeof(*margins));
}

static void load_row(const struct margins *margins, const uint16_t *from, uint16_t *to)
{
	int side = margins->mesh->side[0];

	memcpy(to, from, (size_t)side * sizeof(*to));
	if (!margins->mesh->wrap[0])
		return; /* and there was nothing before */
	for (int i = 0; i < margins->wide; i++)
		to[side + i] = to[i];
	for (int i = 1; i <= margins->wide; i++)
		to[-i] = to[side - i];
}

/* Around the ring of dimension d: slabs with all margins of the lower dimensions. */
static void load_around(struct margins *margins, int d, uint16_t *slab)
{
	size_t step = margins->step[d];
	int side = margins->mesh->side[d];

	for (int q = 1; q <= margins->deep; q++) {
		memcpy(slab - (size_t)q * step, slab + (size_t)(side - q) * step,
			step * sizeof(*slab));
		memcpy(slab + (size_t)(side + q - 1) * step, slab + (size_t)(q - 1) * step,
			step * sizeof(*slab));
	}
}

void margins_load(struct margins *margins, const uint16_t *count, size_t pitch)
{
	const struct mesh *mesh = margins->mesh;
	uint16_t *at = margins->all + (margins->at - margins->all), *slab = at - margins->wide;
	int nrows = mesh->nvertices / mesh->side[0];

	for (int row = 0; row < nrows; row++)
		load_row(margins, count + (size_t)row * pitch,
			at + margins->row[row]);
	for (int d = 1; margins->deep && d < mesh->ndims; d++) {
		int above = d + 1 < mesh->ndims ? mesh->side[d + 1] : 1;

		for (int q = 0; mesh->wrap[d] && q < above; q++)
			load_around(margins, d, slab + (size_t)q * margins->step[d + 1]);
		slab -= (size_t)margins->deep * margins->step[d];
	}
}
