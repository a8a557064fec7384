/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Summed-area tables over the vertices of a mesh or torus: 2^d look-ups give the sum of a value in
 * any box. On a dimension that wraps the table goes on past the edge by `reach` coordinates.
 * Everywhere it has one more coordinate before 0 and behind the last (worth 0 at the border of a
 * mesh). So boxes that run over the edge, and faces of a box at the border, are looked up like any
 * other.
 *
 * Sums are modulo 2^32: a difference is right if the sum in the box fits.
 */
#ifndef MESH_SUMTABLE_H
#define MESH_SUMTABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/mesh.h"

struct sumtable {
	const struct mesh *mesh;
	int ndims;
	int extent[MESH_MAX_DIMS]; /* entries along a dimension */
	int stride[MESH_MAX_DIMS];
	int64_t room;  /* entries that there is memory for */
	uint32_t *sum; /* [room] */
};

/* Memory for any reach up to the sides. 0, or -1 when memory is out. The arena owns it. */
int sumtable_init(struct sumtable *table, const struct mesh *mesh, struct arena *arena);

/*
 * Sum up value[nvertices]. reach[ndims]: the longest sides of the boxes to look up, at least 1; a
 * reach beyond the machine's side counts as that side. O(entries * d).
 */
void sumtable_build(struct sumtable *table, const uint32_t *value, const int *reach);

/*
 * The offset in sum[] of the corner base[ndims], each coordinate in -1..side. The sum of a box
 * [base, base+side) is the alternating sum of the entries at its 2^ndims corners.
 */
static inline int64_t sumtable_at(const struct sumtable *table, const int *base)
{
	int64_t at = 0;

	for (int d = 0; d < table->ndims; d++)
		at += (int64_t)(base[d] + 1) * table->stride[d];
	return at;
}

/* The offsets of a box's corners from its base, by their sign in the sum. */
struct sumtable_box {
	int half; /* 2^(ndims-1) */
	int64_t plus[1 << (MESH_MAX_DIMS - 1)];
	int64_t minus[1 << (MESH_MAX_DIMS - 1)];
};

/* Set *box for boxes of side[ndims], wherever they are. */
void sumtable_box(const struct sumtable *table, const int *side, struct sumtable_box *box);

/* The sum in the box with its base at offset `at` (sumtable_at()). O(2^ndims). */
static inline uint32_t sumtable_get(const struct sumtable *table, const struct sumtable_box *box,
	int64_t at)
{
	uint32_t sum = 0;

	for (int i = 0; i < box->half; i++)
		sum += table->sum[at + box->plus[i]] - table->sum[at + box->minus[i]];
	return sum;
}

#endif
