/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/freebox.h"

#include <stdint.h>
#include <string.h>

#include "geometry/box.h"
#include "sim/need.h"

struct freebox {
	const struct mesh *mesh;
	int words;	/* of a row along dimension 0 */
	uint64_t *bits; /* [rows][words] the free vertices */
	uint64_t *cut[MESH_MAX_DIMS]; /* planes of dimension d, intersected */
	int best;
};

/* The words of a part of the mesh with the dimensions below d. */
static size_t words_below(const struct freebox *box, int d)
{
	return (size_t)(box->mesh->stride[d] / box->mesh->side[0]) * (size_t)box->words;
}

struct freebox *freebox_new(const struct mesh *mesh, struct arena *arena)
{
	struct freebox *box = need_get(arena, 1, sizeof(*box));

	box->mesh = mesh;
	box->words = (mesh->side[0] + 63) / 64;
	need_array(arena, box->bits, mesh->nvertices / mesh->side[0] * box->words);
	for (int d = 1; d < mesh->ndims; d++)
		need_array(arena, box->cut[d], (int64_t)words_below(box, d));
	return box;
}

/* The longest run of ones in a row, around the ring if it is one. */
static int longest_run(const struct freebox *box, const uint64_t *row)
{
	int side = box->mesh->side[0], run = 0, best = 0;

	for (int i = 0; i < (box->mesh->wrap[0] ? 2 * side : side); i++) {
		int x = i < side ? i : i - side;

		run = row[x / 64] >> (x % 64) & 1 ? run + 1 : 0;
		best = run > best ? run : best;
	}
	return best < side ? best : side;
}

static int count(const uint64_t *bits, size_t n)
{
	int sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += __builtin_popcountll(bits[i]);
	return sum;
}

/* Search boxes in a part with dimensions up to d; each of its vertices counts as `depth`. */
static void search(struct freebox *box, int d, const uint64_t *bits, int depth)
{
	const struct mesh *mesh = box->mesh;
	int side = mesh->side[d];

	if (!d) {
		int run = longest_run(box, bits) * depth;

		box->best = run > box->best ? run : box->best;
		return;
	}
	size_t n = words_below(box, d);
	uint64_t *cut = box->cut[d];

	for (int from = 0; from < side; from++) {
		int most = mesh->wrap[d] ? side : side - from;

		for (int length = 1; length <= most; length++) {
			const uint64_t *plane = bits + (size_t)((from + length - 1) % side) * n;

			for (size_t i = 0; i < n; i++)
				cut[i] = length > 1 ? cut[i] & plane[i] : plane[i];
			int64_t left = (int64_t)count(cut, n) * depth;

			if (left * most <= box->best)
				break;
			if (left * length > box->best)
				search(box, d - 1, cut, depth * length);
		}
	}
}

int freebox_largest(struct freebox *box, const struct nodeset *free_nodes)
{
	const struct mesh *mesh = box->mesh;

	memset(box->bits, 0, (size_t)(mesh->nvertices / mesh->side[0]) * (size_t)box->words *
		sizeof(uint64_t));
	for (int v = 0; v < mesh->nvertices; v++) {
		int x = v % mesh->side[0];

		if (mesh->first[v] < mesh->first[v + 1] && box_vertex_is_in(mesh, v, free_nodes))
			box->bits[v / mesh->side[0] * box->words + x / 64] |= UINT64_C(1)
				<< (x % 64);
	}
	box->best = 0;
	search(box, mesh->ndims - 1, box->bits, 1);
	return box->best;
}
