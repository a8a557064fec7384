/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/halo.h"

#include <stdlib.h>
#include <string.h>

#define DEEP 7 /* vertices beyond each end of the dimensions but the first */
/* Vectors of counts end or begin beyond a row. */
#define SPARE 32

static size_t row_at(const struct halo *halo, int row)
{
	const struct mesh *mesh = halo->mesh;
	size_t at = 0;

	for (int d = 1; d < mesh->ndims; d++) {
		at += (size_t)(row % mesh->side[d]) * halo->step[d];
		row /= mesh->side[d];
	}
	return at;
}

int halo_init(struct halo *halo, const struct mesh *mesh, int wide)
{
	size_t lead = (size_t)wide;
	int nrows = mesh->nvertices / mesh->side[0];

	halo->mesh = mesh;
	halo->wide = wide;
	halo->deep = mesh->ndims <= 3 ? DEEP : 0;
	for (int d = 1; d < mesh->ndims; d++)
		if (halo->deep > (mesh->side[d] - 1) / 2)
			halo->deep = (mesh->side[d] - 1) / 2;
	halo->step[0] = 1;
	for (int d = 0; d + 1 < MESH_MAX_DIMS; d++) {
		int margin = d ? halo->deep : wide, side = d < mesh->ndims ? mesh->side[d] : 1;

		margin = d < mesh->ndims ? margin : 0;
		halo->step[d + 1] = halo->step[d] * (size_t)(side + 2 * margin);
		lead += halo->deep && d + 1 < mesh->ndims ?
			(size_t)halo->deep * halo->step[d + 1] : 0;
	}
	size_t last = (size_t)mesh->ndims - 1, n = halo->step[last] *
		(size_t)(mesh->side[last] + 2 * (last ? halo->deep : wide));

	halo->all = calloc(n + 2 * SPARE, sizeof(*halo->all));
	halo->row = malloc((size_t)nrows * sizeof(*halo->row));
	if (!halo->all || !halo->row)
		return -1;
	halo->at = halo->all + SPARE + lead;
	for (int row = 0; row < nrows; row++)
		halo->row[row] = row_at(halo, row);
	return 0;
}

void halo_release(struct halo *halo)
{
	free(halo->all);
	free(halo->row);
	memset(halo, 0, sizeof(*halo));
}

static void load_row(const struct halo *halo, const uint16_t *from, uint16_t *to)
{
	int side = halo->mesh->side[0];

	memcpy(to, from, (size_t)side * sizeof(*to));
	if (!halo->mesh->wrap[0])
		return; /* and there was nothing before */
	for (int i = 0; i < halo->wide; i++)
		to[side + i] = to[i];
	for (int i = 1; i <= halo->wide; i++)
		to[-i] = to[side - i];
}

/* Around the ring of dimension d: slabs with the halos of the lower dimensions. */
static void load_around(struct halo *halo, int d, uint16_t *slab)
{
	size_t step = halo->step[d];
	int side = halo->mesh->side[d];

	for (int q = 1; q <= halo->deep; q++) {
		memcpy(slab - (size_t)q * step, slab + (size_t)(side - q) * step,
			step * sizeof(*slab));
		memcpy(slab + (size_t)(side + q - 1) * step, slab + (size_t)(q - 1) * step,
			step * sizeof(*slab));
	}
}

void halo_load(struct halo *halo, const uint16_t *count, size_t pitch)
{
	const struct mesh *mesh = halo->mesh;
	uint16_t *at = halo->all + (halo->at - halo->all), *slab = at - halo->wide;
	int nrows = mesh->nvertices / mesh->side[0];

	for (int row = 0; row < nrows; row++)
		load_row(halo, count + (size_t)row * pitch,
			at + halo->row[row]);
	for (int d = 1; halo->deep && d < mesh->ndims; d++) {
		int above = d + 1 < mesh->ndims ? mesh->side[d + 1] : 1;

		for (int q = 0; mesh->wrap[d] && q < above; q++)
			load_around(halo, d, slab + (size_t)q * halo->step[d + 1]);
		slab -= (size_t)halo->deep * halo->step[d];
	}
}
