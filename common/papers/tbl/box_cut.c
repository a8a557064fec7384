/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tbl/box_cut.h"

#include <string.h>

struct mesh_box box_of_mesh(const struct mesh *mesh)
{
	struct mesh_box box = {{0}, {0}};

	memcpy(box.side, mesh->side, sizeof(box.side));
	return box;
}

struct mesh_box box_in_corner(int ndims, const struct mesh_box *box, int corner, const int *side)
{
	struct mesh_box in = *box;

	for (int d = 0; d < ndims; d++) {
		in.base[d] += corner >> d & 1 ? box->side[d] - side[d] : 0;
		in.side[d] = side[d];
	}
	return in;
}

bool box_common(int ndims, const struct mesh_box *a, const struct mesh_box *b,
	struct mesh_box *out)
{
	if (!box_meets(ndims, a, b))
		return false;
	*out = *a;
	for (int d = 0; d < ndims; d++) {
		if (b->base[d] > out->base[d])
			box_set_base(out, d, b->base[d]);
		if (box_end(b, d) < box_end(out, d))
			box_set_end(out, d, box_end(b, d));
	}
	return true;
}

/*
 * Go through the dimensions, the slowest first. Cut off the parts of `from` above and below `what`
 * as pieces, and go on with the rest; the last rest is the intersection. The low piece of a slower
 * dimension begins before all pieces of a faster one.
 */
int box_subtract(int ndims, const struct mesh_box *from, const struct mesh_box *what,
	struct mesh_box *piece)
{
	struct mesh_box rest = *from, below[MESH_MAX_DIMS];
	bool is_below[MESH_MAX_DIMS] = {false};
	int pieces = 0;

	if (!box_meets(ndims, from, what)) {
		piece[0] = *from;
		return 1;
	}
	for (int d = ndims - 1; d >= 0; d--) {
		if (rest.base[d] < what->base[d]) {
			is_below[d] = true;
			below[d] = rest;
			box_set_end(&below[d], d, what->base[d]);
			box_set_base(&rest, d, what->base[d]);
		}
		if (box_end(&rest, d) > box_end(what, d)) {
			piece[pieces] = rest;
			box_set_base(&piece[pieces++], d, box_end(what, d));
			box_set_end(&rest, d, box_end(what, d));
		}
	}
	for (int d = 0; d < ndims; d++)
		if (is_below[d])
			piece[pieces++] = below[d];
	return pieces;
}
