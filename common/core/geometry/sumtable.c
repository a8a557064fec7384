/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/sumtable.h"

#include <string.h>

#include "base/simd.h"

/* Entries along d: one zero, the coordinates -1..side-1, and on a ring `reach` more, else one. */
static int extent(const struct mesh *mesh, int d, int reach)
{
	if (reach > mesh->side[d])
		reach = mesh->side[d];
	return mesh->side[d] + 2 + (mesh->wrap[d] ? reach : 1);
}

int sumtable_init(struct sumtable *table, const struct mesh *mesh, struct arena *arena)
{
	*table = (struct sumtable){.mesh = mesh, .ndims = mesh->ndims, .room = 1};
	for (int d = 0; d < mesh->ndims; d++)
		table->room *= extent(mesh, d, mesh->side[d]);
	return arena_array(arena, table->sum, table->room) ? 0 : -1;
}

/*
 * Write one line of values along the first dimension to the table at `line`. After one turn round
 * the ring the same values are added again.
 */
static void lay_line(const struct sumtable *table, const uint32_t *value, uint32_t *line)
{
	int side = table->mesh->side[0], n = table->extent[0];
	uint32_t sum = table->mesh->wrap[0] ? value[side - 1] : 0, all;

	line[0] = 0;
	line[1] = sum;
	for (int i = 0; i < side; i++)
		line[2 + i] = sum += value[i];
	all = table->mesh->wrap[0] ? sum - line[1] : 0;
	for (int i = side + 2; i < n; i++)
		line[i] = all + line[table->mesh->wrap[0] ? i - side : side + 1];
}

MESH_VECTORISE static void add_to(uint32_t *restrict to, const uint32_t *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

/* Another turn round the ring: add the values of `period` entries ago again. */
MESH_VECTORISE static void add_again(uint32_t *restrict to, const uint32_t *restrict from,
	int64_t period, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = from[i] + from[i + n - period] - from[i - period];
}

/*
 * Write the slab of dimensions 0..d at `to`, from the values at `value`. Each further dimension
 * adds slab to slab.
 */
static void lay_slab(const struct sumtable *table, int d, const uint32_t *value, uint32_t *to)
{
	const struct mesh *mesh = table->mesh;
	size_t n = (size_t)table->stride[d];

	if (d == 0) {
		lay_line(table, value, to);
		return;
	}
	memset(to, 0, n * sizeof(*to));
	for (int i = 1; i < table->extent[d]; i++) {
		int c = i - 2;
		uint32_t *slab = to + (size_t)i * n;

		if (mesh->wrap[d] && i > mesh->side[d]) {
			add_again(slab, slab - n, (int64_t)n * mesh->side[d], (int64_t)n);
			continue;
		}
		if (mesh->wrap[d])
			c = (c + mesh->side[d]) % mesh->side[d];
		if (c >= 0 && c < mesh->side[d])
			lay_slab(table, d - 1, value + (int64_t)c * mesh->stride[d], slab);
		else
			memset(slab, 0, n * sizeof(*slab));
		add_to(slab, slab - n, n);
	}
}

void sumtable_build(struct sumtable *table, const uint32_t *value, const int *reach)
{
	for (int d = 0; d < table->ndims; d++) {
		table->extent[d] = extent(table->mesh, d, reach[d]);
		table->stride[d] = d ? table->stride[d - 1] * table->extent[d - 1] : 1;
	}
	lay_slab(table, table->ndims - 1, value, table->sum);
}

void sumtable_box(const struct sumtable *table, const int *side, struct sumtable_box *box)
{
	int plus = 0, minus = 0;

	box->half = 1 << (table->ndims - 1);
	for (int corner = 0; corner < 1 << table->ndims; corner++) {
		int64_t at = 0;
		int low = 0;

		for (int d = 0; d < table->ndims; d++) {
			low += !(corner >> d & 1);
			at += (int64_t)(corner >> d & 1 ? side[d] : 0) * table->stride[d];
		}
		if (low % 2)
			box->minus[minus++] = at;
		else
			box->plus[plus++] = at;
	}
}
